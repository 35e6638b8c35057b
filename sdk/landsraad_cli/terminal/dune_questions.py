"""Questions of classic Dune in the terminal: what is reacted to, what is bid, what acts and cards cost and do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from rich.text import Text

from landsraad.wording import wording_of
from landsraad_cli.terminal.dune_cards import card_text
from landsraad_cli.terminal.picture import Picture
from landsraad_engine.dune.acts import (
    Bid,
    BidInfinity,
    CallTraitor,
    KeepTraitor,
    Revive,
    Ship,
    ShipAcross,
    ShipPrivileged,
)
from landsraad_engine.dune.bidding import INFINITY
from landsraad_engine.dune.board import terrain, territory_of
from landsraad_engine.dune.karama import Ability
from landsraad_engine.dune.pieces import FACTION, LOYAL_TO, STRENGTH
from landsraad_engine.dune.revival import LEADER_PRICE, price
from landsraad_engine.dune.shipment import TO_RESERVES, fee_of
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.knowledge.views import SeatView

Facts: TypeAlias = Mapping[str, Any]

WORDS: Final = wording_of("dune")


class DuneQuestions(Picture):
    """The questions of a match of classic Dune."""

    acts = WORDS.acts
    meanings = WORDS.meanings
    fields = WORDS.fields
    phrases = WORDS.phrases
    countable = WORDS.countable

    # ------------------------------------------------------------------------------------------------------- questions

    def question(self, view: SeatView, options: Options) -> Iterator[Text]:
        assert isinstance(view, DuneSeatView)
        for facts in view.frames:
            line = self._about(view, facts)
            if line:
                yield line
        kinds = {choice.act for choice in options.choices}
        if view.side is None:
            return
        purse = view.spice(view.side)
        if kinds & {Bid, BidInfinity}:
            yield Text(f"You have {purse} spice.")
        if kinds & {Ship, ShipPrivileged, ShipAcross}:
            half = " The Guild's way costs half." if kinds & {ShipPrivileged, ShipAcross} else ""
            yield Text(
                f"You have {purse} spice. To ship a token costs 1 spice into a stronghold, 2 anywhere else.{half}"
            )
        if Revive in kinds:
            free = FACTION[view.side]["free_revivals"]
            returns = "1 token returns" if free == 1 else f"{free} tokens return"
            yield Text(
                f"You have {purse} spice. {returns} at no cost, more for 2 spice each, 3 at most in all; "
                "a leader costs his or her strength."
            )

    def _about(self, view: DuneSeatView, facts: Facts) -> Text | None:
        """Say what a frame in progress is about; nothing if the board shows it."""
        frame = str(facts["frame"])
        tell = _TELLERS.get(frame)
        if tell is not None:
            return tell(self, view, facts)
        use = WORDS.uses.get(frame)
        return self.filled(use, facts) if use else None

    def _auction(self, view: DuneSeatView, facts: Facts) -> Text:
        name, high = self.names.name, facts["high"]
        line = Text(f"Card number {facts['number']} of this round is up for sale. ")
        if not facts["leader"]:
            return line.append("Nobody has bid yet.")
        bid = "infinity, with a Karama" if high == INFINITY else f"{high} spice"
        bidder = Text("you") if facts["leader"] == view.side else name(facts["leader"])
        return line.append_text(Text.assemble("The standing bid is ", (bid, "bold"), ", held by ", bidder, "."))

    def _shipment(self, view: DuneSeatView, facts: Facts) -> Text:
        fee = f", for {facts['fee']} spice" if facts["fee"] else ""
        source = [cell for cell, _ in facts["groups"]]
        leaving = Text.assemble(" from ", self.names.listed(map(self.names.name, source))) if source else Text()
        return Text.assemble(
            self.names.name(facts["faction"]),
            " ships ",
            self._troops(facts["counts"]),
            leaving,
            " to ",
            self.names.name(facts["to"]),
            f"{fee}.",
        )

    def _bidding(self, view: DuneSeatView, facts: Facts) -> Text:
        charity = facts["pc"] == "charity"
        return Text("CHOAM charity is paid to those who claim it with an empty purse." if charity else "")

    def _manoeuvre(self, view: DuneSeatView, facts: Facts) -> Text:
        groups = [
            Text.assemble(self._troops(counts), " from ", self.names.name(cell)) for cell, counts in facts["groups"]
        ]
        moved = self.names.listed(groups)
        return Text.assemble(
            self.names.name(facts["faction"]), " moves ", moved, " to ", self.names.name(facts["to"]), "."
        )

    def _battle(self, view: DuneSeatView, facts: Facts) -> Text:
        cells, sides = tuple(facts["cells"]), (facts["aggressor"], facts["defender"])
        troops = [
            Text.assemble(self.names.name(side), " (", self._troops(view.tokens_in(side, cells)), ")") for side in sides
        ]
        line = Text.assemble(troops[0], " attacks ", troops[1], " in ", self.names.name(territory_of[cells[0]]), ".")
        if voice := view.table.get("battle/voice"):
            speaker, target, must, kind = voice
            order = f", {self.names.title(target)} must {'' if must else 'not '}play "
            line.append_text(Text.assemble(" By the Voice of ", self.names.name(speaker), order, self.value(kind), "."))
        return line

    def _answers(self, view: DuneSeatView, facts: Facts) -> Text:
        asked = view.table.get("battle/question")
        if not asked:
            return Text("You are shown a whole plan, or show yours.")
        asker, target, part = asked
        return Text.assemble(
            self.names.name(asker), " asks ", self.names.name(target), " about one part of the plan: ",
            (self.names.title(part), "bold"), ".",
        )  # fmt: skip

    def _used(self, view: DuneSeatView, facts: Facts) -> Text:
        ability = Ability[facts["used"]].title
        return Text.assemble(self.names.name(facts["owner"]), f" uses {ability}.")

    def _karama(self, view: DuneSeatView, facts: Facts) -> Text:
        about = (" ", self.names.name(facts["about"])) if facts["about"] else ()
        return Text.assemble(
            self.names.name(facts["faction"]), " plays ", self.names.name(facts["card"]), " as Karama, to ",
            WORDS.purposes[facts["purpose"]], *about, ".",
        )  # fmt: skip

    def truth(self, facts: Facts) -> Text:
        """Return a question of Truthtrance in words."""
        asked = self.filled(WORDS.questions.get(facts["question"], "{question} {value}?"), facts)
        return Text.assemble(self.names.name(facts["asker"]), " asks by Truthtrance: ", asked)

    def _truthtrance(self, view: DuneSeatView, facts: Facts) -> Text:
        return self.truth(facts)

    def _storm(self, view: DuneSeatView, facts: Facts) -> Text:
        shown = view.table.get("storm_shown") or ()
        card = [f" Its card: {self.names.title(face)}." for face in shown[-1:] if face != "?"]
        return Text(f"The storm is in sector {view.storm} and is about to move.{''.join(card)}")

    def _wish(self, view: DuneSeatView, facts: Facts) -> Text:
        return Text.assemble(self.seat(facts["seat"]), " would like to play ", self.names.name(facts["faction"]), ".")

    def _alliance(self, view: DuneSeatView, facts: Facts) -> Text:
        partners = self.names.listed(map(self.names.name, facts["partners"]))
        primary = Text.assemble("; Primary: ", self.names.name(facts["primary"])) if facts["primary"] else Text()
        return Text.assemble(self.names.name(facts["proposer"]), " proposes an alliance with ", partners, primary, ".")

    def _troops(self, counts: Any) -> Text:
        return self.names.counted("at", tuple(counts)) if any(counts) else Text("nothing left there")

    # ------------------------------------------------------------------------------------------------- acts and values

    def value(self, value: Any, domain: Any = None) -> Text:
        return (
            Text(WORDS.values[value])
            if isinstance(value, str) and value in WORDS.values
            else super().value(value, domain)
        )

    def remark(self, view: SeatView, kind: type[Act], field: str, value: Any) -> str:
        if not isinstance(value, str):
            return ""
        if field == "leader" and value in STRENGTH:
            more = f", {LEADER_PRICE[value]} spice" if kind is Revive else ""
            loyal = f", leader of {self.names.title(LOYAL_TO[value])}" if kind in (KeepTraitor, CallTraitor) else ""
            return f"strength {STRENGTH[value]}{loyal}{more}"
        if field in ("card", "weapon", "defense", "value"):
            return card_text(value)
        if field == "to" and kind in (Ship, ShipPrivileged, ShipAcross):
            dear = value != TO_RESERVES and terrain[territory_of[value]] != "stronghold"
            return f"{'2 spice' if dear else '1 spice'} a token{', and of that half' if kind is not Ship else ''}"
        return ""

    def price(self, view: SeatView, act: Act) -> str:
        assert isinstance(view, DuneSeatView)
        side = view.side
        cancelled = view.table.get("cancelled") or ()
        half = 1 if Ability.PRIVILEGED.name in cancelled else 2
        match act:
            case Ship(tokens, elites, to, karama):
                allied = (
                    side is not None and view.allied("guild", side) and Ability.MASTERS_OF_SHIPS.name not in cancelled
                )
                return f"{fee_of(tokens + elites, to, 2 if karama else half if allied else 1)} spice in all"
            case ShipPrivileged(tokens, elites, to):
                return f"{fee_of(tokens + elites, to, half)} spice in all"
            case ShipAcross(_, units, to):
                return f"{fee_of(sum(units), to, half)} spice in all"
            case Revive(tokens, elites, leader) if side is not None:
                due = price(side, tokens + elites, leader)
                return f"{due} spice in all" if due else "at no cost"
        return ""

    def texts(self, view: SeatView) -> Iterator[Text]:
        assert isinstance(view, DuneSeatView)
        if view.side is None:
            return
        for card in view.hand(view.side):
            yield Text.assemble(self.names.name(card), f": {card_text(card)}")
        for leader in view.leaders(view.side):
            yield Text.assemble(self.names.name(leader), f": leader, strength {STRENGTH.get(leader, 0)}")
        for traitor in view.table.get(f"traitors/{view.side}", ()):
            yield Text.assemble(self.names.name(traitor), ": your traitor")


_TELLERS: Final[Mapping[str, Callable[[DuneQuestions, DuneSeatView, Facts], Text]]] = {
    "CardAuction": DuneQuestions._auction,
    "BiddingRound": DuneQuestions._bidding,
    "Shipment": DuneQuestions._shipment,
    "Manoeuvring": DuneQuestions._manoeuvre,
    "Battle": DuneQuestions._battle,
    "Answers": DuneQuestions._answers,
    "CancelWindow": DuneQuestions._used,
    "UseKarama": DuneQuestions._karama,
    "Truthtrance": DuneQuestions._truthtrance,
    "WeatherControl": DuneQuestions._storm,
    "FamilyAtomics": DuneQuestions._storm,
    "AskConsent": DuneQuestions._wish,
    "AllianceOffer": DuneQuestions._alliance,
}
