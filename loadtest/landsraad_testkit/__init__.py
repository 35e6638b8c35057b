"""Test helpers: workers in the test's own process, `landsraad serve` as a subprocess, raw streams, proxies and
clocks.
"""

from landsraad_testkit.driven_match import DrivenMatch, pass_time, planted
from landsraad_testkit.hand_clock import HandClock
from landsraad_testkit.raw_seat import MissingEntries, RawLog, RawSeat, play_together
from landsraad_testkit.raw_stream import RawStream
from landsraad_testkit.serve_process import ServeProcess, plug_in, serving
from landsraad_testkit.store_proxy import StoreProxy

__all__ = [
    "DrivenMatch",
    "HandClock",
    "MissingEntries",
    "RawLog",
    "RawSeat",
    "RawStream",
    "ServeProcess",
    "StoreProxy",
    "pass_time",
    "planted",
    "play_together",
    "plug_in",
    "serving",
]
