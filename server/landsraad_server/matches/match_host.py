"""Match host: one match in the cache of one worker, which runs requests in batches and commits what they change.

No worker owns a match. The host applies a batch of requests to its cached copy and commits the changes as one log entry
with compare-and-set. If another worker commits first, the host discards the copy, reloads the match and runs the batch
again. An undo copy would tax every act, and lost races are rare. A host has at most one uncommitted entry at a time.

A cached copy may be stale at any time. Therefore a request is only answered once the store has committed its changes
or, if it changed nothing, has confirmed that the copy is at the end of the log.

A log can lose its end when the store fails over to a replica. The next entry then raises the log's *epoch*, and
listeners are told that the match was rewound.
"""

from __future__ import annotations

import asyncio
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from landsraad.wire.seat_semantics import FIRST_EPOCH
from landsraad_engine.errors import Refused
from landsraad_server.matches import match_changes
from landsraad_server.matches.history import History
from landsraad_server.matches.history_marks import epoch_of, mark, names
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.record_listeners import RecordListener, RecordListeners
from landsraad_server.matches.records import (
    Ending,
    MatchRecord,
    MatchResult,
    MatchStage,
    MatchStatus,
    Waypoint,
    decode_record,
    encode,
)
from landsraad_server.matches.request_queue import RequestQueue
from landsraad_server.matches.requests import CommitTick, MatchCall, MatchRequest
from landsraad_server.matches.version_trail import VersionTrail
from landsraad_server.refusals import Denied, is_gone
from landsraad_server.store import GENESIS, Entry, Head, Outcome
from landsraad_server.store.errors import Conflict, Rewound, StoreError, StoreUnavailable
from landsraad_server.store.log_subscription import LogSubscription

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import LoadedMatch, MatchHosts

#: Time after which a question that was put is told late.
_LATE_MS = 250
#: Delay between attempts to raise the epoch of a log that has lost its end while the store cannot be reached.
_RETRY_SECONDS = 0.5


class MatchHost:
    """One match on one worker. All methods run on the worker's event loop, and only `history` waits."""

    __slots__ = (
        "_busy",
        "_discarded",
        "_found",
        "_hosts",
        "_lost_epoch",
        "_queue",
        "_received",
        "_retry_timer",
        "_stands",
        "_subscription",
        "_told_over",
        "_trail",
        "archived",
        "head",
        "hosted",
        "last_used",
        "listeners",
        "match",
        "retired",
    )

    def __init__(self, hosts: MatchHosts, match: str) -> None:
        self.match = match
        self.hosted: HostedMatch | None = None  # The cached copy; None: not loaded.
        self.head: Head = GENESIS  # The version of the copy, and of what listeners have been told.
        self.listeners = RecordListeners(lambda error: hosts.log_fault("tell", match, error))
        self.archived = False  # The match is over and was read from the archive.
        self.retired = False  # The match has left the store, and this host is not used any more.
        self.last_used = 0  # Time of the last batch, in ms since 1970.
        self._discarded: HostedMatch | None = None  # The last copy without its game, until there is another one.
        self._hosts = hosts
        self._queue = RequestQueue()
        self._busy = False  # A load, a commit or a confirmation is under way.
        self._received: list[Entry] = []  # Entries that were published while the host was busy.
        self._subscription: LogSubscription | None = None
        self._lost_epoch = -1  # The epoch that has lost its end, until a higher one is in the log; -1: none.
        self._stands: list[int] | None = None  # The lengths of the logs as far as they stand, until that is told.
        self._trail = VersionTrail()  # The versions up to `head`.
        self._found: bytes | None = None  # The stored head of a torn log, which the next commit mends.
        self._told_over = False  # The match was over in a version that was committed.
        self._retry_timer: asyncio.TimerHandle | None = None  # Runs until the next attempt to raise the epoch.

    @property
    def idle(self) -> bool:
        """Tell whether the host can be evicted from the cache."""
        return not (self._busy or self._queue or self.listeners or self._lost_epoch >= 0)

    # ----------------------------------------------------------------------------------------- requests and listeners

    def put(self, request: MatchRequest) -> None:
        """Queue a request. It runs in one batch with others that come in this iteration of the event loop."""
        if not self._queue.has_room(request):
            request.settle(None, Denied("OVERLOADED", "too much waits for this match", retry_ms=250))
            return
        if not self._queue:
            self._hosts.schedule(self)
        self._queue.add(request)

    def add_listener(self, listener: RecordListener) -> None:
        """Tell a listener of all records after the present version. Call this while a request is settled."""
        self.listeners.add(listener)
        if self._subscription is None:
            self._subscribe()

    def remove_listener(self, listener: RecordListener) -> None:
        """Tell a listener of nothing more, and unsubscribe from the log with the last one."""
        self.listeners.remove(listener)
        if not self.listeners:
            self.unsubscribe()

    def mark(self, nonce: bytes) -> bytes:
        """Return the mark of a commit, as it is told in the present epoch; empty if the nonce is."""
        hosted = self.hosted or self._discarded
        return b"" if hosted is None else mark(hosted.terms.secret, self.head.epoch, nonce)

    def epoch_of_mark(self, given: bytes) -> int | None:
        """Return the epoch in which a client was told a mark; None if the mark is none of this match."""
        hosted = self.hosted or self._discarded
        return None if hosted is None else epoch_of(hosted.terms.secret, given)

    def is_mark_of(self, given: bytes, nonce: bytes) -> bool:
        """Return whether a mark is that of a commit."""
        hosted = self.hosted or self._discarded
        return hosted is not None and names(given, hosted.terms.secret, nonce)

    async def on_other_history(self, epoch: int, given: bytes) -> bool:
        """Begin a new epoch if a client shows the mark of a commit that was lost and that no worker has missed.

        Args:
            epoch: The epoch in which the client was told the mark.
            given: The mark, which is that of another commit than the log has at its place.

        Returns:
            Whether all listeners will be told that the log was rewound.
        """
        hosted = self.hosted
        if hosted is None or hosted.of_other_build or self.archived or epoch < self.head.epoch:
            return False
        secret = hosted.terms.secret
        entries = await self._hosts.read_log(self.match)
        if any(names(given, secret, entry.head.nonce) for entry in entries):
            return False  # The commit stands, and the client has sent another number with its mark.
        if epoch >= self.head.epoch and self._lost_epoch < epoch:
            self._lost_epoch = epoch
            self._hosts.counters.rewinds += 1
            self.put(CommitTick())
        return True

    async def history(self, log: int, first: int, waypoints: list[Waypoint]) -> History:
        """Read one information log, from some entry before `first` to its end."""
        return await self._hosts.history(self.match, log, first, waypoints)

    def _subscribe(self) -> None:
        """Subscribe to the entries after `head`, whichever worker commits them."""
        if not (self.archived or self.retired):
            self._subscription = self._hosts.store.follow(self.match, self.head, self._on_entry, self._on_rewound)

    def unsubscribe(self) -> None:
        """End the subscription to entries of other workers."""
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    def create(self, hosted: HostedMatch, request: MatchRequest) -> None:
        """Queue a request on a new match. If a match of this name is in the store, the request runs on that instead."""
        # A host that has had a version of the match must reload it: to begin anew would drop what others committed.
        if self.head == GENESIS and self.hosted is None and not self._busy:
            hosted.changes.everything()
            self.hosted = hosted
        self.put(request)

    def retire(self) -> None:
        """Close the host of a match that was archived. Its listeners have been told of all records."""
        self.retired = True
        self.unsubscribe()
        self.listeners.notify(lambda listener: listener.on_archived())

    # -------------------------------------------------------------------------------------------------- one batch

    def run_batch(self) -> None:
        """Run the queued requests, up to a batch's number of them, and commit what they have changed."""
        if self._busy or not self._queue:
            return
        self._busy = True
        self.last_used = now = self._hosts.now()
        if self.hosted is None:
            self._hosts.spawn(self._load())
            return
        batch = self._queue.take()
        hosted = self.hosted
        if self._lost_epoch >= 0:
            self._raise_epoch(hosted)
        if not self.archived:
            hosted.stand_clocks(self._hosts.pauses.last(now))
        refusals = hosted.changes.refusals.copy()
        outcomes: list[Any] = []
        for request in batch:
            try:
                outcomes.append(request.run(hosted, now))
            except (Denied, Refused) as refusal:
                outcomes.append(refusal)
            except Exception as error:  # noqa: BLE001  one broken request must not stop the match
                self._request_failed(batch, request, error)
                return
        if self.archived:  # Archived matches do not change any more.
            self._settle(batch, outcomes)
            return
        try:
            record = hosted.take_record(now)
            if record is None:
                self._confirm(batch, outcomes, refusals)
            else:
                self._commit(batch, outcomes, hosted, record)
        except StoreUnavailable as error:  # The commit was not sent.
            self._store_failed(batch, error)
        except Exception as error:  # noqa: BLE001  nothing was sent
            self._batch_failed("commit", batch, error)

    def _confirm(self, batch: list[MatchRequest], outcomes: list[Any], refusals: dict[int, int]) -> None:
        """Confirm that the copy is at the end of the log, and that a change which is acknowledged once more is durable.

        A repeated act finds itself in the log. Its first commit may have failed because replicas did not confirm it.
        """
        given = zip(batch, outcomes, strict=True)
        durable = any(request.acknowledges and not isinstance(outcome, Exception) for request, outcome in given)
        log = self._hosts.store.log
        confirm = log.confirm_durable if durable else log.confirm
        confirm(self.match, lambda outcome: self._confirmed(batch, outcomes, refusals, outcome))

    def _raise_epoch(self, hosted: HostedMatch) -> None:
        """Raise the log's epoch, as the first change of a batch.

        It is not done sooner: another worker may do it, and its entries can only be absorbed into a copy that has no
        changes of ours.
        """
        if hosted.of_other_build:
            self._lost_epoch = -1  # Workers of the match's own build raise it when they notice.
            self._tell_rewound(hosted)
        else:
            hosted.raise_epoch(self._lost_epoch + 1)
            if self._told_over and not hosted.over:  # Its players have gone.
                reason = "its end was lost after it had been told"
                hosted.end(MatchResult(Ending.INFRASTRUCTURE, reason=reason), self._hosts.now())

    def _commit(self, batch: list[MatchRequest], outcomes: list[Any], hosted: HostedMatch, record: MatchRecord) -> None:
        changed = record.status is not None or record.terms is not None
        draft = self._hosts.store.log.draft(
            self.match,
            self.head,
            encode(record, hosted.terms.game),
            due=hosted.due(),
            listing=self._hosts.listing(hosted) if changed else None,
            over_epoch=max(self._lost_epoch, FIRST_EPOCH - 1),
            found=self._found,
        )
        sent = perf_counter()
        self._hosts.store.commit(draft, lambda outcome: self._committed(batch, outcomes, record, sent, outcome))

    def _committed(
        self, batch: list[MatchRequest], outcomes: list[Any], record: MatchRecord, sent: float, outcome: Outcome
    ) -> None:
        if isinstance(outcome, StoreError):
            self._store_failed(batch, outcome)
            return
        hosted = self.hosted
        assert hosted is not None
        self._advance(outcome, hosted, record)
        counters = self._hosts.counters
        counters.commits += 1
        counters.actions += len(record.inputs)
        counters.commit_seconds.add(perf_counter() - sent)
        try:
            if self._hosts.store.log.snapshot_due(outcome) and hosted.ours:
                image = encode(hosted.image(), hosted.terms.game)
                self._hosts.spawn(self._hosts.save_snapshot(self.match, outcome, image))
            if record.status is not None or record.terms is not None:
                self._hosts.on_changed(hosted)
        except Exception as error:  # noqa: BLE001  the commit stands, and reloading finds it
            self._batch_failed("committed", batch, error)
            return
        self._settle(batch, outcomes)
        self._check_told(record)

    def _check_told(self, record: MatchRecord) -> None:
        """Start clocks anew whose questions are told late, because the store took its time."""
        late = record.log_counters is not None and self._hosts.now() - record.at > _LATE_MS
        if late and self.listeners and any(seat.asked_at == record.at for seat in record.seats.values()):
            self.put(MatchCall(partial(match_changes.restart_clocks, asked=record.at)))

    def _confirmed(
        self, batch: list[MatchRequest], outcomes: list[Any], refusals: dict[int, int], outcome: Outcome
    ) -> None:
        if outcome == self.head:
            self._settle(batch, outcomes)
        elif isinstance(outcome, StoreError):
            self._store_failed(batch, outcome)
        elif outcome.version > self.head.version:
            self._hosts.counters.conflicts += 1
            assert self.hosted is not None
            self.hosted.changes.refusals = refusals  # The batch runs again, which counts its refusals again.
            self._queue.put_back(batch)
            self._hosts.spawn(self._catch_up())
        else:
            self._store_failed(batch, Rewound(self.match))

    def _settle(self, batch: list[MatchRequest], outcomes: list[Any]) -> None:
        hosted = self.hosted
        for request, outcome in zip(batch, outcomes, strict=True):
            try:
                request.settle(hosted, outcome)
            except Exception as error:  # noqa: BLE001  the other requests need their answers, too
                self._hosts.log_fault("settle", self.match, error)
        self._end_batch()

    def _advance(self, head: Head, hosted: HostedMatch, record: MatchRecord) -> None:
        """Advance the head to a record that the copy includes, and tell all listeners."""
        epoch, self.head = self.head.epoch, head
        self._found = None
        if head.epoch > self._lost_epoch:
            self._lost_epoch = -1
        hosted.add_waypoint(head)
        self._trail.add(head)
        self._told_over = self._told_over or hosted.over
        if self._lost_epoch >= 0:
            return  # The record follows a version that listeners do not have. They are told with the next epoch.
        if head.epoch != epoch:
            self._tell_rewound(hosted)
        else:
            self.listeners.on_record(hosted, record)

    def _tell_rewound(self, hosted: HostedMatch) -> None:
        """Tell listeners of a new epoch, and of what stands of all that they were told."""
        stands, self._stands = self._stands or hosted.log_counters.counts, None
        epoch = self.head.epoch
        self.listeners.notify(lambda listener: listener.on_rewound(hosted, epoch, stands))

    def _end_batch(self) -> None:
        """Schedule the next batch if requests wait, and absorb entries that were published meanwhile."""
        self._busy = False
        if self._queue:
            self._hosts.schedule(self)
        if self.listeners and self._subscription is None:
            self._subscribe()
        received, self._received = self._received, []
        for entry in received:
            self._on_entry(entry)

    # --------------------------------------------------------------------------------------- entries of other workers

    def _on_entry(self, entry: Entry) -> None:
        if entry.head.version <= self.head.version:
            return
        if self._busy:
            self._received.append(entry)
        elif self.hosted is not None and entry.follows(self.head):
            try:
                record = decode_record(entry.payload)
                self.hosted.absorb(record)
            except Exception as error:  # noqa: BLE001  the copy is broken, and is loaded anew
                self._hosts.log_fault("follow", self.match, error)
                self._reload()
                return
            self._advance(entry.head, self.hosted, record)
        else:
            self._reload()

    async def _catch_up(self) -> None:
        """Absorb the entries of faster workers into a copy that has no changes of ours."""
        hosted = self.hosted
        assert hosted is not None
        try:
            for entry in await self._hosts.store.log.read(self.match, self.head):
                record = decode_record(entry.payload)
                hosted.absorb(record)
                self._advance(entry.head, hosted, record)
        except Exception as error:  # noqa: BLE001  reloading finds out what is in the store
            if not isinstance(error, Rewound):
                self._hosts.log_unexpected("catch up", self.match, error)
            self._reload()
            return
        self._end_batch()

    def on_torn(self) -> None:
        """Load the match anew: its log was found to be torn."""
        if not self._busy:
            self._reload()

    def _on_rewound(self, rewound: Rewound) -> None:
        """Reload: the log has lost entries that were published. They may include some that listeners were told of."""
        self._subscription = None
        if not self._busy:
            self._store_failed([], rewound)

    # ------------------------------------------------------------------------------------------- failures and reloads

    def _request_failed(self, batch: list[MatchRequest], culprit: MatchRequest, error: Exception) -> None:
        """Refuse a request that raised, and run the rest of the batch on a fresh copy."""
        self._queue.put_back(request for request in batch if request is not culprit)
        self._batch_failed("run", [culprit], error)

    def _batch_failed(self, where: str, batch: list[MatchRequest], error: Exception) -> None:
        """Log a fault of this program, discard the copy, and refuse the batch."""
        self._hosts.log_fault(where, self.match, error)
        self._discard()
        self._refuse(batch, error)
        self._end_batch()

    def _refuse(self, batch: list[MatchRequest], error: Exception) -> None:
        for request in batch:
            try:
                request.settle(None, error)
            except Exception as trouble:  # noqa: BLE001  the other requests need their answers, too
                self._hosts.log_fault("refuse", self.match, trouble)

    def _store_failed(self, batch: list[MatchRequest], error: StoreError) -> None:
        """Discard the copy after a commit that failed or whose outcome is unknown.

        A lost race or a rewound log means that nothing was committed: the batch runs again. Otherwise it is refused.
        """
        self._discard()
        if isinstance(error, Conflict):
            self._hosts.counters.conflicts += 1
        elif not isinstance(error, Rewound):
            # The batch may have been committed all the same. Clients retry, and find out by their seq or request id.
            self._hosts.log_unexpected("commit", self.match, error)
            self._refuse(batch, error)
            self._retry_later()
            self._end_batch()
            return
        self._queue.put_back(batch)
        self._reload()

    def _retry_later(self) -> None:
        """Schedule another attempt to raise the epoch.

        Listeners wait to be told that the log was rewound. Without a retry no request might ever come to cause it.
        """
        if self._lost_epoch >= 0 and self._retry_timer is None:
            self._retry_timer = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._retry)

    def _retry(self) -> None:
        self._retry_timer = None
        if self._lost_epoch >= 0 and self.listeners:
            self.put(CommitTick())

    def _discard(self) -> None:
        """Discard the copy: it may have changes that were not committed."""
        if self.hosted is not None:
            self._discarded = self.hosted.frozen_copy()
            self.hosted = None

    def _reload(self) -> None:
        self._busy = True
        self._discard()
        self._hosts.spawn(self._load())

    async def _load(self) -> None:
        """Load the match from the store, and tell listeners of the records that they have missed."""
        causes = (request.cause for request in self._queue if isinstance(request, MatchCall))
        try:
            with self._hosts.tracing.span("load", self.match, next(filter(None, causes), None)):
                loaded = await self._hosts.load(self.match, self.head)
                if loaded.missed is None:
                    await self._measure_loss(loaded)
                self._install(loaded)
        except Exception as error:  # noqa: BLE001  all waiting requests are refused with it
            self._hosts.log_unexpected("load", self.match, error)
            self._discard()
            self._refuse(self._queue.take_all(), error)
            if isinstance(error, StoreUnavailable):
                self.unsubscribe()  # A new subscription from `head` brings the entry again that led to this load.
                self._retry_later()
            elif is_gone(error):
                self._on_gone()
            else:  # There may be no later attempt, so listeners must not wait for one.
                self.listeners.notify(lambda listener: listener.on_failed())
        self._end_batch()

    def _on_gone(self) -> None:
        """Tell listeners that the match is neither in the store nor in the archive: it is lost, unless it was over."""
        last, self._discarded = self._discarded, None
        self._lost_epoch = -1
        if last is not None and not last.over:
            self._hosts.log_lost("match_lost", self.match)
            now = self._hosts.now()
            result = MatchResult(Ending.INFRASTRUCTURE, reason="the service has lost the match")
            status = MatchStatus(MatchStage.OVER, last.status.started, now, result)
            record = MatchRecord(now, [], {}, b"", [], None, {}, status, None)
            last.absorb(record)
            self.listeners.on_record(last, record)
        self.listeners.notify(lambda listener: listener.on_archived())

    async def _measure_loss(self, loaded: LoadedMatch) -> None:
        """Find out how much of the logs stands: the present log may already be longer than what listeners know."""
        entries, _ = await self._hosts.store.log.intact(self.match)
        records = [(entry.head, decode_record(entry.payload)) for entry in entries]
        stands = self._trail.standing(records, len(loaded.hosted.log_counters.counts))
        # What was lost before, and has not been told, is lost for good.
        self._stands = stands if self._stands is None else list(map(min, self._stands, stands))

    def _install(self, loaded: LoadedMatch) -> None:
        """Cache a loaded match, find out whether its log was rewound, and tell listeners what they have missed."""
        hosted, head = loaded.hosted, loaded.head
        self.hosted, self._discarded = hosted, None
        known, self.head = self.head, head
        epoch = known.epoch
        self._told_over = self._told_over or hosted.over
        self.archived = loaded.archived
        self._trail.restart(loaded.heads)
        self._found = loaded.found
        if loaded.missed is None or loaded.found is not None:
            self._lost_epoch = max(self._lost_epoch, epoch, loaded.lost_epoch)
            self.unsubscribe()  # The next subscription begins at the new head.
        if head.epoch > self._lost_epoch or hosted.of_other_build or loaded.archived:
            self._lost_epoch = -1
        elif self._lost_epoch >= 0:
            self._hosts.counters.rewinds += 1
            self._queue.put_back([CommitTick()])  # The next batch raises the epoch, even if no request waits.
        # The missed entries of an archived match are not at hand, and a worker of another build cannot raise an epoch.
        if (loaded.archived and head != known) or (hosted.of_other_build and head.epoch < epoch):
            self._stands = None
            self.listeners.notify(lambda listener: listener.on_failed())  # They must subscribe anew.
        elif self._lost_epoch >= 0:
            return  # Listeners are told with the next epoch, not of records that follow what they do not have.
        elif head.epoch != epoch or (loaded.missed is None and hosted.of_other_build):
            self._tell_rewound(hosted)
        else:
            for entry in loaded.missed or ():
                fanout = RecordFanout(decode_record(entry.payload))
                self._check_told(fanout.record)
                self.listeners.notify(lambda listener, fanout=fanout: listener.on_record(hosted, fanout))  # type: ignore[misc]
