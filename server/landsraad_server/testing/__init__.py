"""Real services for tests: workers in one's own process, or all of `landsraad serve` beside it; and the means to cut,
hold back and look at what they say.
"""

from landsraad_server.testing.clock import HandClock
from landsraad_server.testing.lines import Line
from landsraad_server.testing.proxy import Proxy
from landsraad_server.testing.seats import Hole, Log, RawSeat, play_together
from landsraad_server.testing.serving import Service, plug_in, serving
from landsraad_server.testing.table import Table, pass_time, planted

__all__ = [
    "HandClock",
    "Hole",
    "Line",
    "Log",
    "Proxy",
    "RawSeat",
    "Service",
    "Table",
    "pass_time",
    "planted",
    "play_together",
    "plug_in",
    "serving",
]
