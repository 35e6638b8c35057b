"""A service inside your own process: what a bot needs to be tested with, no server and no network.

::

    from landsraad import AsyncClient
    from landsraad.testing import LocalService

    async with AsyncClient(transport=LocalService().transport()) as client: ...

It speaks the protocol through the engine itself, but has no clocks, keeps nothing and knows one user. It can also lose
streams, forget answers and refuse, so that a client shows what it does then (`Faults`).
"""

from landsraad.testing.faults import Faults
from landsraad.testing.service import LocalService

__all__ = ["Faults", "LocalService"]
