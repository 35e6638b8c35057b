"""Certificates on the wire: the input of `landsraad_engine.play.match.verify`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from landsraad.v1 import common_pb2
from landsraad.v1.act_pb2 import Act
from landsraad.v1.replays_pb2 import Certificate, JournalInput, StandingOrders

from .catalog import options_message, read_options
from .codec import Codec


def certificate_message(certificate: Mapping[str, Any], codec: Codec) -> Certificate:
    """Write the engine's certificate of a match."""
    message = Certificate(
        game=f"games/{certificate['game']}",
        match_name=certificate["name"],
        seats=certificate["seats"],
        options=options_message(certificate["options"]),
        commitment=bytes.fromhex(certificate["commitment"]),
        secret=bytes.fromhex(certificate["secret"]),
        entropy=[bytes.fromhex(part) for part in certificate["entropy"]],
        journal=[_input_message(seat, kind, given, codec) for seat, kind, given in certificate["journal"]],
        journal_digest=certificate["journal_digest"],
        final_digest=certificate["final_digest"],
        engine_build=certificate["engine"],
        content_digest=certificate["content"],
    )
    if certificate["result"]:
        ending, winners = certificate["result"]
        message.result.CopyFrom(
            common_pb2.MatchResult(kind=common_pb2.RESULT_KIND_PLAYED, ending=ending, winners=winners)
        )
    return message


def _input_message(seat: int, kind: str, given: tuple[Any, ...], codec: Codec) -> JournalInput:
    match kind:
        case "answer":
            return JournalInput(seat=seat, answer=Act.FromString(codec.acts.write(given)))
        case "play":
            return JournalInput(seat=seat, play=Act.FromString(codec.acts.write(given)))
        case "orders":
            return JournalInput(seat=seat, orders=StandingOrders(orders=given))
        case "opening":
            return JournalInput(seat=seat, opening=StandingOrders(orders=given))
        case "absent":
            return JournalInput(seat=seat, absent=given[0])
        case "window":
            return JournalInput(seat=seat, window=given[0])
        case "epoch":
            return JournalInput(epoch=given[0])
        case _:
            raise TypeError(f"an input of kind {kind!r} has no form on the wire")


def read_certificate(parsed: Certificate, codec: Codec) -> dict[str, Any]:
    """Read a certificate in the form in which the engine makes it."""
    result = parsed.result
    return {
        "game": parsed.game.removeprefix("games/"),
        "engine": parsed.engine_build,
        "content": parsed.content_digest,
        "name": parsed.match_name,
        "seats": parsed.seats,
        "options": read_options(parsed.options),
        "commitment": parsed.commitment.hex(),
        "secret": parsed.secret.hex(),
        "entropy": [part.hex() for part in parsed.entropy],
        "journal": [_read_input(given, codec) for given in parsed.journal],
        "journal_digest": parsed.journal_digest,
        "final_digest": parsed.final_digest,
        "result": [result.ending, tuple(result.winners)] if result.ending else None,
    }


def _read_input(parsed: JournalInput, codec: Codec) -> list[Any]:
    kind = parsed.WhichOneof("input") or ""
    given: tuple[Any, ...]
    if kind in ("answer", "play"):
        given = codec.acts.read_plain(getattr(parsed, kind))
    elif kind in ("orders", "opening"):
        given = tuple(getattr(parsed, kind).orders)
    else:
        given = (getattr(parsed, kind),)
    return [parsed.seat, kind, given]
