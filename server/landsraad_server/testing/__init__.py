"""Real services for tests: workers in one's own process, or all of `landsraad serve` beside it; and the means to cut,
hold back and look at what they say.
"""

from landsraad_server.testing.clock import HandClock
from landsraad_server.testing.lines import Line
from landsraad_server.testing.proxy import Proxy
from landsraad_server.testing.serving import Service, plug_in, serving

__all__ = ["HandClock", "Line", "Proxy", "Service", "plug_in", "serving"]
