"""Generate the Python code of the protocol: sdk/landsraad/**/v1 and server/landsraad_admin/v1.

    python tools/gen_proto.py [--check | --publish] [--renumber]

The script first regenerates the typed acts (tools/gen_acts.py), then everything else. With --check it changes nothing,
and the exit status is 1 if anything is stale. Generated files cannot be imported with a protobuf older than their
generator's, so an old generator is pinned, in an environment of its own below .venv: a wide range of versions can then
import them.

--publish also stores the current protocol as the published one, proto/published.binpb, with which `buf breaking`
compares from then on, at level FILE. Do this in a release. --renumber closes the gaps in the numbers of the typed acts;
it is for the time before the first release.
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
#: grpcio-tools 1.76.0 generates code for protobuf >= 6.31.1 and grpcio >= 1.76, mypy-protobuf types with comments.
PINNED = (
    "grpcio==1.76.0",
    "grpcio-tools==1.76.0",
    "mypy-protobuf==5.1.0",
    "protobuf==6.33.6",
    "setuptools==80.9.0",
    "types-protobuf==6.32.1.20260221",
    "typing-extensions==4.15.0",
)
#: Protocol package -> the folder below which its code lies at its import path.
HOMES = {"landsraad": ROOT / "sdk", "landsraad_admin": ROOT / "server"}


def generator() -> Path:
    """Return the Python of the pinned generator, installing it if missing or stale."""
    python = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "pinned.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(PINNED):
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", *PINNED], check=True)
        stamp.write_text("\n".join(PINNED))
    return python


def generate(into: Path) -> None:
    """Generate all files below a folder."""
    # The copy of Google's file is for other tools: its Python code comes with googleapis-common-protos.
    ours = (path.relative_to(PROTO) for path in PROTO.rglob("*.proto"))
    sources = sorted(str(path) for path in ours if path.parts[0] in HOMES)
    # Generate stubs only for files with services; those of the others would be empty.
    services = [name for name in sources if "\nservice " in (PROTO / name).read_text()]
    protoc = [str(generator()), "-m", "grpc_tools.protoc", f"--proto_path={PROTO}"]
    messages = [f"--plugin={plugin('mypy')}", f"--python_out={into}", f"--mypy_out=quiet:{into}"]
    stubs = [f"--plugin={plugin('mypy_grpc')}", f"--grpc_python_out={into}", f"--mypy_grpc_out=quiet:{into}"]
    subprocess.run([*protoc, *messages, *sources], check=True)
    subprocess.run([*protoc, *stubs, *services], check=True)


def plugin(name: str) -> str:
    """Return the value of protoc's option for a plugin of the generator."""
    return f"protoc-gen-{name}={ENVIRONMENT / 'bin' / f'protoc-gen-{name}'}"


def in_place() -> Iterator[Path]:
    """Yield the generated files in the work tree."""
    for package, home in HOMES.items():
        yield from (path for path in (home / package).rglob("*_pb2*.py*") if path.suffix in {".py", ".pyi"})


def differing(made: Path) -> list[Path]:
    """Return the files of the work tree that are superfluous, missing or different."""
    wanted = {home_of(path.relative_to(made)): path for path in made.rglob("*_pb2*.py*")}
    stale = [path for path in in_place() if path not in wanted]
    return stale + [path for path, new in wanted.items() if not path.exists() or path.read_bytes() != new.read_bytes()]


def home_of(name: Path) -> Path:
    """Return the path of a generated file in the work tree."""
    return HOMES[name.parts[0]] / name


def publish() -> None:
    """Store the current protocol as the published one."""
    buf = [str(ROOT / ".venv" / "bin" / "buf"), "build", "--exclude-source-info"]
    subprocess.run([*buf, str(PROTO), "--output", str(PROTO / "published.binpb")], check=True)


def main() -> int:
    """Generate, compare and, without --check, copy into the work tree."""
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
