"""Install the project into an empty environment and check that the installation is complete.

    python tools/check_install.py lock | engine | http2 | sdk | sdk-lowest

* lock: the service from requirements.lock;
* engine: landsraad-engine alone;
* http2: the optional transport alone;
* sdk: landsraad and the engine without the server, with the newest libraries, then the SDK's tests and a new bot;
* sdk-lowest: the same with the oldest libraries that the project files allow.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "landsraad_engine": "engine",
    "landsraad": "sdk",
    "landsraad_cli": "sdk",
    "landsraad_server": "server",
    "landsraad_bots": "bots",
    "landsraad_lab": "bots",
}
HTTP2 = {"landsraad_http2": "server"}
#: Folders of tests that need only the engine and the SDK, files in them that need more, and the test tools.
SDK_TESTS = ("sdk", "wire")
EXCLUDED_TESTS = ("wire/test_protocol.py", "sdk/test_svg.py")  # the protocol's sources, the bot that is drawn
TEST_TOOLS = ("pytest", "pytest-asyncio", "hypothesis")
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


class Environment:
    """A virtual environment in a folder of its own; commands run outside the repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of the environment and return its output; exit if it fails."""
        command = [str(self.folder / "venv" / "bin" / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, check=False, text=True, stdout=subprocess.PIPE)
        if done.returncode:
            sys.exit(f"{program} {' '.join(arguments)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def install(self, *arguments: str) -> None:
        """Install packages with pip."""
        self.run("python", "-m", "pip", "install", "--quiet", *arguments)

    def check(self, *packages: str) -> None:
        """Check that dependencies agree, every module can be imported and no source file is missing."""
        self.run("python", "-m", "pip", "check")
        self.run("python", "-c", IMPORT_ALL, *packages)
        site_packages = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        missing = [name for name in files_of(packages) if not (Path(site_packages) / name).exists()]
        if missing:
            sys.exit(f"not installed: {', '.join(missing)}")


def files_of(packages: Iterable[str]) -> list[str]:
    """Return every committed file of the packages by its path in site-packages."""
    found = []
    for package in packages:
        top = (PACKAGES | HTTP2)[package]
        listed = subprocess.run(
            ["git", "ls-files", package], cwd=ROOT / top, check=True, capture_output=True, text=True
        )
        found += listed.stdout.splitlines()
    return found


def check_lock(environment: Environment) -> None:
    """Check the service with exactly the locked versions, for building too."""
    environment.install("--require-hashes", "-r", str(ROOT / "requirements.lock"))
    environment.install("--no-deps", "--no-build-isolation", str(ROOT))
    environment.check(*PACKAGES)
    environment.run("landsraad", "about", "--json")


def check_engine(environment: Environment) -> None:
    """Check that the engine installs msgspec and nothing else."""
    environment.install(str(ROOT / "engine"))
    environment.check("landsraad_engine")
    listed = environment.run("python", "-m", "pip", "list", "--format=freeze").split()
    others = {line.split("==")[0] for line in listed} - {"landsraad-engine", "msgspec", "pip", "setuptools"}
    if others:
        sys.exit(f"the engine installed {', '.join(sorted(others))} as well")


def check_http2(environment: Environment) -> None:
    """Check that the optional transport installs without the service, and can be found by it."""
    environment.install(str(ROOT / "server"))
    environment.check(*HTTP2)
    found = environment.run(
        "python", "-c", "from importlib.metadata import *; print(entry_points(group='landsraad.transports').names)"
    )
    if "http2" not in found:
        sys.exit("the transport has no entry point")


def check_sdk(environment: Environment, *versions: str) -> None:
    """Check the SDK and its command line without the server, and run its tests."""
    environment.install(str(ROOT / "engine"), f"{ROOT / 'sdk'}[cli]", *versions)
    environment.check("landsraad_engine", "landsraad", "landsraad_cli")
    environment.run("landsraad", "about", "--json")
    environment.install(*pinned(*TEST_TOOLS))
    tests = [str(ROOT / "tests" / folder) for folder in SDK_TESTS]
    others = [f"--ignore={ROOT / 'tests' / name}" for name in EXCLUDED_TESTS]
    # Use the project's settings but not its sources, to test the installed packages.
    config = ("-c", str(ROOT / "pyproject.toml"), "-o", "pythonpath=tools", "-p", "no:cacheprovider")
    output = environment.run("python", "-m", "pytest", "-q", *config, *others, *tests)
    print(output.splitlines()[-1])
    check_new_bot(environment)


def check_new_bot(environment: Environment) -> None:
    """Check that a new project installs, that its tests pass, and that its bots play by their names."""
    environment.run("landsraad", "new-bot", "my-bot", "--game", "arrakis")
    environment.install("--editable", str(environment.folder / "my-bot"))
    environment.run("python", "-m", "pytest", "-q", "my-bot")
    bots = ("--bots", "my-bot,my-bot-look-ahead", "--option", "round_limit=1", "--games", "1")
    environment.run("landsraad", "simulate", "arrakis", *bots)


def pinned(*names: str) -> list[str]:
    """Return tools pinned to the versions of requirements-dev.lock."""
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements-dev.lock").read_text(), re.MULTILINE))
    return [f"{name}=={locked[name]}" for name in names]


def lowest_versions() -> list[str]:
    """Return the dependencies of SDK and engine, pinned to the oldest allowed versions."""
    wanted: list[str] = []
    for top in ("engine", "sdk"):
        project = tomllib.loads((ROOT / top / "pyproject.toml").read_text())["project"]
        wanted += project["dependencies"]
        wanted += [item for extra in project.get("optional-dependencies", {}).values() for item in extra]
    return [re.sub(">=", "==", item) for item in wanted if ">=" in item]


def main() -> None:
    """Run one check in a temporary folder."""
    checks: dict[str, Callable[[Environment], None]] = {
        "lock": check_lock,
        "engine": check_engine,
        "http2": check_http2,
        "sdk": check_sdk,
        "sdk-lowest": lambda environment: check_sdk(environment, *lowest_versions()),
    }
    what = sys.argv[1] if len(sys.argv) == 2 else ""
    if what not in checks:
        sys.exit(f"usage: python tools/check_install.py {' | '.join(checks)}")
    with tempfile.TemporaryDirectory() as folder:
        checks[what](Environment(Path(folder)))
    print(f"{what}: installed, complete and importable")


if __name__ == "__main__":
    main()
