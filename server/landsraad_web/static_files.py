"""The files of the page: read once, compressed once, and served with an ETag."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from landsraad_web.errors import PageError

STATIC: Final = Path(__file__).parent / "static"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json; charset=utf-8",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
#: Shorter files do not gain from compression.
_SHORT: Final = 512


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file in both forms."""

    kind: str
    etag: str
    plain: bytes
    compressed: bytes | None

    def response(self, request: Request, cache: str = "no-cache") -> Response:
        """Return the response to a request, which may have the file already."""
        headers = {"etag": self.etag, "cache-control": cache, "vary": "accept-encoding"}
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if self.compressed is not None and accepts_gzip(request):
            return Response(self.compressed, 200, {**headers, "content-encoding": "gzip"}, self.kind)
        return Response(self.plain, 200, headers, self.kind)


def make_file(content: bytes, kind: str) -> StaticFile:
    """Return content with its digest and its compressed form."""
    digest = hashlib.sha256(content).hexdigest()[:32]
    compressed = gzip.compress(content, 9, mtime=0) if len(content) > _SHORT and "png" not in kind else None
    return StaticFile(kind, f'"{digest}"', content, compressed)


def accepts_gzip(request: Request) -> bool:
    """Return whether the browser reads gzip."""
    return any(
        part.split(";")[0].strip() == "gzip" for part in request.headers.get("accept-encoding", "").lower().split(",")
    )


class StaticFiles:
    """All files of a folder, by their paths. They are read again when they change, so that their authors see it.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._files: dict[str, tuple[int, StaticFile]] = {}
        self._known = dict(_listed(folder))

    def get(self, path: str) -> StaticFile:
        """Return a file.

        Raises:
            PageError: There is no such file.
        """
        if path not in self._known:  # a file that was added since
            self._known = dict(_listed(self._folder))
        place = self._known.get(path)
        if place is None or not place.is_file():
            raise PageError(404, "no_such_page", "there is no such page")
        changed = place.stat().st_mtime_ns
        kept = self._files.get(path)
        if kept is None or kept[0] != changed:
            kept = self._files[path] = changed, make_file(place.read_bytes(), _TYPES[place.suffix])
        return kept[1]


def _listed(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files that may be served. A request is only compared with their names, so it reaches no other file."""
    for place in folder.rglob("*"):
        if place.suffix in _TYPES and place.is_file():
            yield place.relative_to(folder).as_posix(), place
