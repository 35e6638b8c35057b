"""Make the Python code of the protocol: sdk/landsraad/**/v1 and server/landsraad_admin/v1.

    python tools/gen_proto.py [--check | --publish]

First the typed acts are written anew (tools/gen_acts.py), then everything is generated and put in place; with --check
nothing is changed, and the exit status says whether anything would be. Generated files refuse to be imported by an
older protobuf than their generator's, so the generator is an old one, pinned, in an environment of its own below .venv:
that way a wide range of versions can import them.

--publish also keeps the protocol as it is now as what has been promised: proto/published.binpb, against which `buf
breaking` compares from then on. It belongs to a release.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import gen_acts

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
ENVIRONMENT = ROOT / ".venv" / "proto"
#: grpcio-tools 1.76.0 makes code for protobuf >= 6.31.1 and grpcio >= 1.76; mypy-protobuf makes types with comments.
PINNED = (
    "grpcio==1.76.0",
    "grpcio-tools==1.76.0",
    "mypy-protobuf==5.1.0",
    "protobuf==6.33.6",
    "setuptools==80.9.0",
    "types-protobuf==6.32.1.20260221",
    "typing-extensions==4.15.0",
)
#: Where the code of a package of the protocol lies: its path is its import path.
HOMES = {"landsraad": ROOT / "sdk", "landsraad_admin": ROOT / "server"}


def generator() -> Path:
    """The pinned generator's Python, installed if it is not there yet."""
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "pinned.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(PINNED):
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", *PINNED], check=True)
        stamp.write_text("\n".join(PINNED))
    return python


def generate(into: Path) -> None:
    """All generated files, below a folder."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    # Only files with services get code for them: of the others it would be empty.
    services = [name for name in sources if "\nservice " in (PROTO / name).read_text()]
    protoc = [str(generator()), "-m", "grpc_tools.protoc", f"--proto_path={PROTO}"]
    messages = [f"--plugin={plugin('mypy')}", f"--python_out={into}", f"--mypy_out=quiet:{into}"]
    stubs = [f"--plugin={plugin('mypy_grpc')}", f"--grpc_python_out={into}", f"--mypy_grpc_out=quiet:{into}"]
    subprocess.run([*protoc, *messages, *sources], check=True)
    subprocess.run([*protoc, *stubs, *services], check=True)


def plugin(name: str) -> str:
    """A plugin of the generator, as protoc wants to be told."""
    return f"protoc-gen-{name}={ENVIRONMENT / 'bin' / f'protoc-gen-{name}'}"


def in_place() -> Iterator[Path]:
    """The generated files that lie in the work tree."""
    for package, home in HOMES.items():
        yield from (path for path in (home / package).rglob("*_pb2*.py*") if path.suffix in {".py", ".pyi"})


def differing(made: Path) -> list[Path]:
    """Files in place that should not be there, or lack, or are another."""
    wanted = {home_of(path.relative_to(made)): path for path in made.rglob("*_pb2*.py*")}
    stale = [path for path in in_place() if path not in wanted]
    return stale + [path for path, new in wanted.items() if not path.exists() or path.read_bytes() != new.read_bytes()]


def home_of(name: Path) -> Path:
    """Where a generated file belongs."""
    return HOMES[name.parts[0]] / name


def publish() -> None:
    """Keep the protocol as what has been promised."""
    buf = [str(ROOT / ".venv" / "bin" / "buf"), "build", "--exclude-source-info"]
    subprocess.run([*buf, str(PROTO), "--output", str(PROTO / "published.binpb")], check=True)


def main() -> int:
    """Generate, compare, and put in place unless only asked to check."""
    check = "--check" in sys.argv[1:]
    if gen_acts.main():
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch)
        generate(made)
        different = differing(made)
        for path in sorted(different):
            print(f"{'stale: run `make proto`' if check else 'written'}: {path.relative_to(ROOT)}")
            new = made / path.relative_to(next(home for home in HOMES.values() if home in path.parents))
            if check:
                continue
            if new.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(new, path)
            else:
                path.unlink()
    if "--publish" in sys.argv[1:]:
        publish()
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main())
