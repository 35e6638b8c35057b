"""Render the manifests of cells: deploy/kubernetes with the JSON patches of deploy/kubernetes-cells, as kustomize does.

    python tools/render_cells.py INTO

It knows just what these files use, so that they can be validated without kustomize: resources, components, JSON patches
by kind and name, generated config maps and the namespace.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
CELLS = DEPLOY / "kubernetes-cells"
Manifest = dict[str, Any]


def cells() -> list[str]:
    """Return the names of the cells that have an overlay."""
    found = (path.parent for path in CELLS.glob("*/kustomization.yaml"))
    return sorted(folder.name for folder in found if _read(folder)["kind"] == "Kustomization")


def render(folder: Path) -> list[Manifest]:
    """Return the manifests of a folder with a kustomization."""
    given = _read(folder)
    manifests = [manifest for resource in given.get("resources", ()) for manifest in _resource(folder / resource)]
    for component in given.get("components", ()):
        _apply(_read(folder / component), folder / component, manifests)
    _apply(given, folder, manifests)
    return manifests


def _read(folder: Path) -> Manifest:
    read: Manifest = yaml.safe_load((folder / "kustomization.yaml").read_text())
    return read


def _resource(path: Path) -> Iterator[Manifest]:
    if path.is_dir():
        yield from render(path)
    else:
        yield from yaml.safe_load_all(path.read_text())


def _apply(given: Manifest, folder: Path, manifests: list[Manifest]) -> None:
    """Apply one kustomization to the manifests that it has collected."""
    for generator in given.get("configMapGenerator", ()):
        data = {name: (folder / name).read_text() for name in generator["files"]}
        metadata = {"name": generator["name"]}
        manifests.append({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data})
    for patch in given.get("patches", ()):
        target = patch["target"]
        found = [
            manifest
            for manifest in manifests
            if manifest["kind"] == target["kind"] and target.get("name") in (None, manifest["metadata"]["name"])
        ]
        if not found:
            raise ValueError(f"{folder}: nothing is {target}")
        for manifest in found:
            for operation in yaml.safe_load(patch["patch"]):
                _patch(manifest, operation)
    namespace = given.get("namespace")
    for manifest in manifests if namespace else ():
        if manifest["kind"] == "Namespace":
            manifest["metadata"]["name"] = namespace
        else:
            manifest["metadata"]["namespace"] = namespace


def _patch(manifest: Manifest, operation: Manifest) -> None:
    """Carry out one operation of RFC 6902; a replacement of nothing is an error."""
    *path, last = (part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:])
    at: Any = manifest
    for part in path:
        at = at[int(part)] if isinstance(at, list) else at[part]
    if operation["op"] not in ("add", "replace"):
        raise ValueError(f"{operation['op']} is not known here")
    if operation["op"] == "replace" and last not in at:
        raise ValueError(f"there is no {operation['path']} to replace")
    if isinstance(at, list):
        if last != "-":
            raise ValueError(f"{operation['path']} depends on the order of a list")
        at.append(operation["value"])
    else:
        at[last] = operation["value"]


def main() -> int:
    """Write one file for each cell."""
    into = Path(sys.argv[1])
    into.mkdir(parents=True, exist_ok=True)
    for cell in cells():
        (into / f"{cell}.yaml").write_text(yaml.safe_dump_all(render(CELLS / cell)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
