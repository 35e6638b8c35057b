"""Store outage: a worker's reaction to the loss of its store, and to its return.

While the store is lost the worker stays up. Its health goes to NOT_SERVING, so that balancers send new clients
elsewhere. Requests that need the store are refused with STORE_LOST and `RetryInfo` (`refusals`); a match host drops its
copy, because a commit without an answer may have been done (`matches.match_host`). Streams stay open and go on
afterwards. Rate limits let everything pass (`accounts.rate_limiter`), and periodic tasks wait
(`matches.periodic_task`). The connections themselves are made again with backoff (`store.reconnecting_connection`).
"""

from landsraad_server.api.standard_services import StandardServices
from landsraad_server.store import Store
from landsraad_server.telemetry.metrics import Counters


class StoreOutage:
    """Reports the state of the store as the worker's health and as a metric."""

    def __init__(self, store: Store, services: StandardServices, counters: Counters) -> None:
        self._store = store
        self._services = services
        self._counters = counters

    def watch(self) -> None:
        """Report each change from now on."""
        self._store.on_health = self._report

    def report(self) -> None:
        """Report the present state: the store may have been lost since it was connected."""
        self._report(self._store.up)

    def _report(self, up: bool) -> None:
        self._counters.store_up = up
        self._services.set_health(up=up)
