"""How much of everything: sizes and numbers that no client can exceed. The catalog tells them."""

from __future__ import annotations

from landsraad.v1 import catalog_pb2
from landsraad_server.matches.requests import MOST_ACT_BYTES
from landsraad_server.process.config import Config
from landsraad_server.streams import outbox

#: Largest message that is taken, in bytes.
MOST_BYTES = 256 * 1024
#: A larger one than this is not even read: the transport refuses it; grpcio without our details.
MOST_READ_BYTES = 16 * MOST_BYTES
#: Items in one frame of a client.
MOST_ITEMS = 256
#: Seats that one stream plays.
MOST_SEATS = 8192
#: Options that a request may name: far more than a game has, but each one that is wrong is told, and looked for anew.
MOST_OPTIONS = 64
#: Inputs of one seat that wait for their answer.
MOST_IN_FLIGHT = 16


def limits_message(config: Config) -> catalog_pb2.Limits:
    """For the catalog."""
    return catalog_pb2.Limits(
        message_bytes=MOST_BYTES,
        seats_per_stream=MOST_SEATS,
        streams_per_account=config.streams_per_account,
        matches_per_account=config.matches_per_account,
        inputs_in_flight=MOST_IN_FLIGHT,
        queued_items=outbox.MOST_ITEMS,
        act_bytes=MOST_ACT_BYTES,
        options=MOST_OPTIONS,
    )
