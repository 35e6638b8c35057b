"""One match on one worker: requests one after the other, one uncommitted entry at a time.

Nobody owns a match. A host applies requests to its copy of the position and commits what they have changed with
compare-and-set; if another worker was faster, the requests run again on what that one has made of it. A copy into which
something was written that did not come to stand is thrown away and loaded anew: to take back what an act has done would
need the state from before it, and to keep that would cost each act more than the few lost races do. So a cached copy
may be old at any time, and nothing is said of it before the store has confirmed that it was not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from landsraad_engine.errors import Refused
from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import FIRST_EPOCH, MatchRecord, Waypoint, decode_record, encode
from landsraad_server.matches.requests import CommitTick, MatchCall, MatchRequest
from landsraad_server.refusals import Denied
from landsraad_server.store import GENESIS, Entry, Head, Outcome
from landsraad_server.store.errors import Conflict, Rewound, StoreError, StoreUnavailable
from landsraad_server.store.log_subscription import LogSubscription

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import LoadedMatch, MatchHosts

#: Requests that may wait for one match: beyond, the worker says that it is overloaded.
MOST_WAITING = 256
#: Before listeners are told that the end of a log is lost, where the store is lost as well.
_AGAIN_SECONDS = 0.5


class RecordListener(Protocol):
    """Who wants to know what happens in a match."""

    def hear(self, position: HostedMatch, report: RecordFanout) -> None:
        """A record was committed; the position is as of after it."""

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """The end of the log was lost: this is how it stands now."""

    def gone(self) -> None:
        """The match is not in the store any more."""

    def lost(self) -> None:
        """Something has failed, and it will not be told what comes: whoever listens has to come again."""


class MatchHost:
    """See above. All its methods are for the worker's loop, and none waits."""

    __slots__ = (
        "_again",
        "_busy",
        "_follow",
        "_hall",
        "_heard",
        "_lost_epoch",
        "_queue",
        "archived",
        "gone",
        "head",
        "listeners",
        "match",
        "position",
        "used",
    )

    def __init__(self, hall: MatchHosts, match: str) -> None:
        self.match = match
        self.position: HostedMatch | None = None  # None: to be loaded
        self.head: Head = GENESIS  # what listeners have been told, and what the position is as of
        self.listeners: list[RecordListener] = []
        self.archived = False  # it is over, and read from the archive
        self.gone = False  # it has left the store: this host is of no use any more
        self.used = 0  # when it was wanted last, in ms since 1970
        self._hall = hall
        self._queue: list[MatchRequest] = []
        self._busy = False  # a load, a commit or a confirmation is under way
        self._heard: list[Entry] = []  # published meanwhile
        self._follow: LogSubscription | None = None
        self._lost_epoch = -1  # the epoch that has lost its end, until a higher one is in the log
        self._again: asyncio.TimerHandle | None = None  # until it is tried again to raise it

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it."""
        return not (self._busy or self._queue or self.listeners)

    # --------------------------------------------------------------------------------------------- what is wanted

    def put(self, request: MatchRequest) -> None:
        """Let a request run, together with all others of this tick."""
        if len(self._queue) >= MOST_WAITING:
            request.settle(None, Denied("OVERLOADED", "too much waits for this match", retry_ms=250))
            return
        if not self._queue:
            self._hall.ready(self)
        self._queue.append(request)

    def listen(self, listener: RecordListener) -> None:
        """Tell a listener of all records from the present position on; to be called while a request is settled."""
        self.listeners.append(listener)
        if self._follow is None:
            self._follow_on()

    def unlisten(self, listener: RecordListener) -> None:
        if listener in self.listeners:
            self.listeners.remove(listener)
        if not self.listeners:
            self.unfollow()

    async def history(self, log: int, first: int, waypoints: list[Waypoint]) -> History:
        """One information log, from before the entry `first` to the end."""
        return await self._hall.history(self.match, log, first, waypoints)

    def _follow_on(self) -> None:
        """Hear of every entry after those that listeners know, whoever commits it."""
        if not (self.archived or self.gone):
            self._follow = self._hall.store.follow(self.match, self.head, self._on_entry, self._on_rewound)

    def unfollow(self) -> None:
        """Hear nothing of other workers any more."""
        if self._follow is not None:
            self._follow.close()
            self._follow = None

    def create(self, position: HostedMatch, request: MatchRequest) -> None:
        """Begin with a position that is not in the store yet; if there is one, the request runs on that."""
        # A match that was known once has only to be loaded anew: to begin would take what others have done out of it.
        if self.head == GENESIS and self.position is None and not self._busy:
            position.create()
            self.position = position
        self.put(request)

    def leave_store(self) -> None:
        """The match has gone to the archive: whoever still listens has heard everything."""
        self.gone = True
        self.unfollow()
        self._tell(lambda listener: listener.gone())

    # -------------------------------------------------------------------------------------------------- one turn

    def turn(self) -> None:
        """Run what waits, and commit what came of it."""
        if self._busy or not self._queue:
            return
        self._busy = True
        self.used = now = self._hall.now()
        if self.position is None:
            self._hall.spawn(self._load())
            return
        batch, self._queue = self._queue, []
        position = self.position
        if self._lost_epoch >= 0:
            self._raise_epoch(position)
        refusals = position.refusals.copy()
        outcomes: list[Any] = []
        for request in batch:
            try:
                outcomes.append(request.run(position, now))
            except (Denied, Refused) as refusal:
                outcomes.append(refusal)
            except Exception as error:  # noqa: BLE001  one broken request must not take the match with it
                self._broken(batch, request, error)
                return
        if self.archived:  # it does not change any more
            self._settle(batch, outcomes)
            return
        try:
            record = position.take(now)
            if record is None:
                self._hall.store.log.confirm(
                    self.match, lambda outcome: self._confirmed(batch, outcomes, refusals, outcome)
                )
            else:
                self._commit(batch, outcomes, position, record)
        except StoreUnavailable as error:  # not sent
            self._failed(batch, error)
        except Exception as error:  # noqa: BLE001  nothing was sent
            self._stumbled("commit", batch, error)

    def _raise_epoch(self, position: HostedMatch) -> None:
        """The first thing of a turn, and not before it.

        Until then another worker may have done it, or gone on; and what is heard of others can be brought only into a
        position in which nothing of ours is written.
        """
        if position.elsewhere:
            self._lost_epoch = -1  # those who play it raise it as soon as they find out
        else:
            position.raise_epoch(self._lost_epoch + 1)

    def _commit(
        self, batch: list[MatchRequest], outcomes: list[Any], position: HostedMatch, record: MatchRecord
    ) -> None:
        changed = record.standing is not None or record.terms is not None
        draft = self._hall.store.log.draft(
            self.match,
            self.head,
            encode(record),
            due=position.due(),
            listing=self._hall.listing(position) if changed else None,
            over_epoch=max(self._lost_epoch, FIRST_EPOCH - 1),
        )
        sent = perf_counter()
        self._hall.store.commit(draft, lambda outcome: self._committed(batch, outcomes, record, sent, outcome))

    def _committed(
        self, batch: list[MatchRequest], outcomes: list[Any], record: MatchRecord, sent: float, outcome: Outcome
    ) -> None:
        if isinstance(outcome, StoreError):
            self._failed(batch, outcome)
            return
        position = self.position
        assert position is not None
        self._reached(outcome, position, record)
        figures = self._hall.figures
        figures.commits += 1
        figures.actions += len(record.inputs)
        figures.commit_seconds.add(perf_counter() - sent)
        try:
            if self._hall.store.log.snapshot_due(outcome) and position.ours:
                self._hall.spawn(self._hall.keep(self.match, outcome, encode(position.image())))
            if record.standing is not None or record.terms is not None:
                self._hall.settled(position)
        except Exception as error:  # noqa: BLE001  it is committed, and will be found so
            self._stumbled("committed", batch, error)
            return
        self._settle(batch, outcomes)

    def _confirmed(
        self, batch: list[MatchRequest], outcomes: list[Any], refusals: dict[int, int], outcome: Outcome
    ) -> None:
        if outcome == self.head:
            self._settle(batch, outcomes)
        elif isinstance(outcome, StoreError):
            self._failed(batch, outcome)
        elif outcome.version > self.head.version:
            self._hall.figures.conflicts += 1
            assert self.position is not None
            self.position.refusals = refusals  # as before: what is refused again is counted then
            self._queue = batch + self._queue
            self._hall.spawn(self._catch_up())
        else:
            self._failed(batch, Rewound(self.match))

    def _settle(self, batch: list[MatchRequest], outcomes: list[Any]) -> None:
        position = self.position
        for request, outcome in zip(batch, outcomes, strict=True):
            try:
                request.settle(position, outcome)
            except Exception as error:  # noqa: BLE001  the others want their answers, too
                self._hall.fault("settle", self.match, error)
        self._rest()

    def _reached(self, head: Head, position: HostedMatch, record: MatchRecord) -> None:
        """The position stands at this head now: tell everybody."""
        epoch, self.head = self.head.epoch, head
        if head.epoch > self._lost_epoch:
            self._lost_epoch = -1
        position.passed(head)
        if head.epoch != epoch:
            self._tell(lambda listener: listener.rewound(position, head.epoch))
            return
        report: RecordFanout | None = None  # made where a fault is that of telling, and of nothing else
        for listener in tuple(self.listeners):  # as `_tell` does, but without a call more for each
            try:
                if report is None:
                    report = RecordFanout(record)
                listener.hear(position, report)
            except Exception as error:  # noqa: BLE001
                self._deaf(listener, error)

    def _tell(self, tell: Callable[[RecordListener], None]) -> None:
        for listener in tuple(self.listeners):
            try:
                tell(listener)
            except Exception as error:  # noqa: BLE001  one listener's fault is not the others'
                self._deaf(listener, error)

    def _deaf(self, listener: RecordListener, error: Exception) -> None:
        """A listener could not be told."""
        self._hall.fault("tell", self.match, error)
        with suppress(Exception):  # it could not even be told that
            listener.lost()

    def _rest(self) -> None:
        """The turn is over: begin the next if there is one, and bring in what was heard meanwhile."""
        self._busy = False
        if self._queue:
            self._hall.ready(self)
        if self.listeners and self._follow is None:
            self._follow_on()
        heard, self._heard = self._heard, []
        for entry in heard:
            self._on_entry(entry)

    # ----------------------------------------------------------------------------------------- what others have done

    def _on_entry(self, entry: Entry) -> None:
        if entry.head.version <= self.head.version:
            return
        if self._busy:
            self._heard.append(entry)
        elif self.position is not None and entry.follows(self.head):
            try:
                record = decode_record(entry.payload)
                self.position.absorb(record)
            except Exception as error:  # noqa: BLE001  the position is of no use any more
                self._hall.fault("follow", self.match, error)
                self._reload()
                return
            self._reached(entry.head, self.position, record)
        else:
            self._reload()

    async def _catch_up(self) -> None:
        """Others were faster, but nothing of ours is in the position: bring in what they have done."""
        position = self.position
        assert position is not None
        try:
            for entry in await self._hall.store.log.read(self.match, self.head):
                record = decode_record(entry.payload)
                position.absorb(record)
                self._reached(entry.head, position, record)
        except Exception as error:  # noqa: BLE001  loading it anew finds out what there is
            if not isinstance(error, Rewound):
                self._hall.unforeseen("catch up", self.match, error)
            self._reload()
            return
        self._rest()

    def _on_rewound(self, rewound: Rewound) -> None:
        """What was heard is not in the log any more; whether what was told is, loading finds out."""
        self._follow = None
        if not self._busy:
            self._failed([], rewound)

    # ------------------------------------------------------------------------------------------------- what fails

    def _broken(self, batch: list[MatchRequest], culprit: MatchRequest, error: Exception) -> None:
        """A request has failed in the middle: what it has left behind is of no use."""
        self._queue = [request for request in batch if request is not culprit] + self._queue
        self._stumbled("run", [culprit], error)

    def _stumbled(self, where: str, batch: list[MatchRequest], error: Exception) -> None:
        """A fault of ours: the position is not to be trusted, and whoever waits is told."""
        self._hall.fault(where, self.match, error)
        self.position = None
        self._refuse(batch, error)
        self._rest()

    def _refuse(self, batch: list[MatchRequest], error: Exception) -> None:
        for request in batch:
            try:
                request.settle(None, error)
            except Exception as trouble:  # noqa: BLE001  the others want their answers, too
                self._hall.fault("refuse", self.match, trouble)

    def _failed(self, batch: list[MatchRequest], error: StoreError) -> None:
        """What was written is not in the log, or may not be: begin again from what is."""
        self.position = None
        if isinstance(error, Conflict):
            self._hall.figures.conflicts += 1
        elif not isinstance(error, Rewound):
            # It may have been committed all the same; then its seq, or its name, will say so.
            self._hall.unforeseen("commit", self.match, error)
            self._refuse(batch, error)
            self._raise_later()
            self._rest()
            return
        self._queue = batch + self._queue
        self._reload()

    def _raise_later(self) -> None:
        """Listeners wait to be told that the end of the log is lost; and perhaps for each other, so that none asks."""
        if self._lost_epoch >= 0 and self._again is None:
            self._again = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self._raise_again)

    def _raise_again(self) -> None:
        self._again = None
        if self._lost_epoch >= 0 and self.listeners:
            self.put(CommitTick())

    def _reload(self) -> None:
        self._busy = True
        self.position = None
        self._hall.spawn(self._load())

    async def _load(self) -> None:
        """Make the position anew from what is stored, and tell listeners what they have missed."""
        causes = (request.cause for request in self._queue if isinstance(request, MatchCall))
        try:
            with self._hall.tracing.span("load", self.match, next(filter(None, causes), None)):
                self._adopt(await self._hall.load(self.match, self.head))
        except Exception as error:  # noqa: BLE001  whoever waits is told
            self._hall.unforeseen("load", self.match, error)
            self.position = None
            waiting, self._queue = self._queue, []
            self._refuse(waiting, error)
            if isinstance(error, StoreUnavailable):
                self.unfollow()  # and followed again from here: what has led to this load has still to be told
                self._raise_later()
            elif isinstance(error, Denied):
                self._tell(lambda listener: listener.gone())
            else:  # nobody can say when it will be told again, so nobody shall wait for that
                self._tell(lambda listener: listener.lost())
        self._rest()

    def _adopt(self, loaded: LoadedMatch) -> None:
        position, head = loaded.position, loaded.head
        self.position = position
        known, self.head = self.head, head
        epoch = known.epoch
        self.archived = loaded.archived
        if loaded.missed is None:
            self._lost_epoch = max(self._lost_epoch, epoch)
            self.unfollow()  # and followed again from here
        if head.epoch > self._lost_epoch or position.elsewhere or loaded.archived:
            self._lost_epoch = -1
        elif self._lost_epoch >= 0:
            self._hall.figures.rewinds += 1
            self._queue.insert(0, CommitTick())  # so that there is a turn
        if loaded.archived and head != known:  # what was missed is told to whoever comes again: it is not at hand here
            self._tell(lambda listener: listener.lost())
        elif head.epoch != epoch or (loaded.missed is None and position.elsewhere):
            self._tell(lambda listener: listener.rewound(position, head.epoch))
        else:
            for entry in loaded.missed or ():
                report = RecordFanout(decode_record(entry.payload))
                self._tell(lambda listener, report=report: listener.hear(position, report))  # type: ignore[misc]
