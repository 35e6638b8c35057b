"""Component values one by one, as the catalog publishes them: a key, a plain value, and how sure we are of it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from landsraad_engine.content.layers import Certainty


class Component(NamedTuple):
    """One fact about a component. The value is a number, a word, a flag, or a tuple of such."""

    key: str
    value: Any
    certainty: Certainty
    source: str


def parts(key: str, value: Any, certainty: Certainty, source: str) -> Iterator[Component]:
    """A value of a content file, taken apart as far as its parts have names or places: `special[0].count`."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from parts(f"{key}.{name}", part, certainty, source)
    elif isinstance(value, list | tuple) and any(isinstance(part, Mapping) for part in value):
        for place, part in enumerate(value):
            yield from parts(f"{key}[{place}]", part, certainty, source)
    else:
        yield Component(key, _plain(value), certainty, source)


def _plain(value: Any) -> Any:
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value
