"""Install the project as a stranger would, in an empty environment, and see that it is all there.

    python tools/check_install.py lock | engine | sdk | sdk-lowest

lock: the service from requirements.lock; engine: landsraad-engine alone; sdk: landsraad with its engine and nothing of
the server, with the newest libraries; sdk-lowest: the same with the oldest ones that it says it works with. Both pass
the SDK's tests.
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
}
#: Tests that need the engine and the SDK only, and what runs them.
SDK_TESTS = ("sdk", "wire")
OTHERS_TESTS = ("wire/test_protocol.py",)  # of the protocol's files
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
        """Run a program of the environment; its output, or the end of everything if it fails."""
        command = [str(self.folder / "venv" / "bin" / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, check=False, text=True, stdout=subprocess.PIPE)
        if done.returncode:
            sys.exit(f"{program} {' '.join(arguments)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def install(self, *arguments: str) -> None:
        """Let pip install something."""
        self.run("python", "-m", "pip", "install", "--quiet", *arguments)

    def check(self, *packages: str) -> None:
        """Dependencies agree, every module can be imported, and no file of the sources is missing."""
        self.run("python", "-m", "pip", "check")
        self.run("python", "-c", IMPORT_ALL, *packages)
        where = self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        missing = [name for name in files_of(packages) if not (Path(where) / name).exists()]
        if missing:
            sys.exit(f"not installed: {', '.join(missing)}")


def files_of(packages: Iterable[str]) -> list[str]:
    """Every committed file of the packages, as it should lie in site-packages."""
    found = []
    for package in packages:
        top = PACKAGES[package]
        listed = subprocess.run(
            ["git", "ls-files", package], cwd=ROOT / top, check=True, capture_output=True, text=True
        )
        found += listed.stdout.splitlines()
    return found


def check_lock(environment: Environment) -> None:
    """The service, exactly as locked; building included."""
    environment.install("--require-hashes", "-r", str(ROOT / "requirements.lock"))
    environment.install("--no-deps", "--no-build-isolation", str(ROOT))
    environment.check(*PACKAGES)
    environment.run("landsraad", "about", "--json")


def check_engine(environment: Environment) -> None:
    """The engine brings msgspec and nothing else."""
    environment.install(str(ROOT / "engine"))
    environment.check("landsraad_engine")
    listed = environment.run("python", "-m", "pip", "list", "--format=freeze").split()
    others = {line.split("==")[0] for line in listed} - {"landsraad-engine", "msgspec", "pip", "setuptools"}
    if others:
        sys.exit(f"the engine brought {', '.join(sorted(others))}")


def check_sdk(environment: Environment, *versions: str) -> None:
    """The SDK with its command line, and nothing of the server: what it can do without the rest."""
    environment.install(str(ROOT / "engine"), f"{ROOT / 'sdk'}[cli]", *versions)
    environment.check("landsraad_engine", "landsraad", "landsraad_cli")
    environment.run("landsraad", "about", "--json")
    environment.install(*pinned(*TEST_TOOLS))
    tests = [str(ROOT / "tests" / folder) for folder in SDK_TESTS]
    others = [f"--ignore={ROOT / 'tests' / name}" for name in OTHERS_TESTS]
    # The project's settings, but not its sources: what is tested is what was installed.
    config = ("-c", str(ROOT / "pyproject.toml"), "-o", "pythonpath=tools", "-p", "no:cacheprovider")
    said = environment.run("python", "-m", "pytest", "-q", *config, *others, *tests)
    print(said.splitlines()[-1])


def pinned(*names: str) -> list[str]:
    """Tools at the versions that we work with."""
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements-dev.lock").read_text(), re.MULTILINE))
    return [f"{name}=={locked[name]}" for name in names]


def lowest_versions() -> list[str]:
    """The SDK's dependencies, and the engine's, held to the oldest version they allow."""
    wanted: list[str] = []
    for top in ("engine", "sdk"):
        project = tomllib.loads((ROOT / top / "pyproject.toml").read_text())["project"]
        wanted += project["dependencies"]
        wanted += [item for extra in project.get("optional-dependencies", {}).values() for item in extra]
    return [re.sub(">=", "==", item) for item in wanted if ">=" in item]


def main() -> None:
    """Run one check in a folder that is gone afterwards."""
    checks: dict[str, Callable[[Environment], None]] = {
        "lock": check_lock,
        "engine": check_engine,
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
