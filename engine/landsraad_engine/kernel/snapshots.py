"""Snapshots: a state as bytes, by name, at any question; and its digest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Union

import msgspec

from .execution import refresh
from .frames import Frame, Interlude
from .game import Game
from .overrides import Moment
from .setting import Setting
from .state import State

_encoder = msgspec.msgpack.Encoder(order="deterministic")
_table_decoder = msgspec.msgpack.Decoder(dict[str, Any])


@lru_cache(maxsize=32)
def frames_of(game: Game) -> Any:
    """The type of a frame on this game's stack, as msgspec wants it."""
    return Union[(*game.frames, Moment, Interlude)]


@lru_cache(maxsize=32)
def _stack_decoder(game: Game) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(list[frames_of(game)])  # type: ignore[misc]


def tuples(value: Any) -> Any:
    """Lists, as they come from MessagePack, back to the tuples that the table holds."""
    return tuple(tuples(v) for v in value) if type(value) is list else value


def encode(g: State) -> bytes:
    """Return the state image: table and stack. Setting, sides and the open question follow from them."""
    return _encoder.encode((g.table, g.stack))


def decode(setting: Setting, image: bytes) -> State:
    """Return the state of an image, with its question put again."""
    table, stack = msgspec.msgpack.decode(image, type=tuple[msgspec.Raw, msgspec.Raw])
    places = {key: tuples(value) for key, value in _table_decoder.decode(table).items()}
    g = setting.game.state(setting, places, decode_stack(setting.game, stack))
    refresh(g)
    g.events.clear()
    return g


def encode_stack(frames: Sequence[Frame]) -> bytes:
    """Return the frames in progress as bytes."""
    return _encoder.encode(frames)


def decode_stack(game: Game, stack: bytes | msgspec.Raw) -> list[Frame]:
    """Return the frames of `encode_stack`, or of an image."""
    frames: list[Frame] = _stack_decoder(game).decode(stack)
    return [untangle(frame) for frame in frames]


def untangle(frame: Frame) -> Frame:
    """The frame with tuples where it was decoded with lists."""
    for name in frame.__struct_fields__:
        value = getattr(frame, name)
        if type(value) in (list, tuple):
            setattr(frame, name, tuples(list(value)))
    return frame


def digest(g: State) -> str:
    """A short name of the position: equal for equal states on every machine."""
    return hashlib.sha256(encode(g)).hexdigest()
