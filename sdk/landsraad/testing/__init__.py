"""A service inside your own process, for tests of bots and clients: no server and no network.

::

    from landsraad import AsyncClient
    from landsraad.testing import LocalService

    async with AsyncClient(transport=LocalService().transport()) as client: ...

It speaks the protocol with the engine itself, but has no clocks, stores nothing and knows one user. With `Faults` it
loses streams and answers and refuses inputs, so that you can test how a client reacts.
"""

from landsraad.testing.faults import Faults
from landsraad.testing.service import LocalService

__all__ = ["Faults", "LocalService"]
