"""A reference reader of logs for clients in other languages: the fold, written from the comments of log.proto.

It reads the JSON of a vector, with nothing but the standard language.
"""

from typing import Any

Json = Any
UNKNOWN = {"text": "?"}
#: Verbs that touch pieces -> the argument that an aside hides from the other seats.
HIDDEN_IN_ASIDE = {"move": "face", "gather": "faces", "place": "", "shuffle": "", "look": "shown", "reveal": ""}


class View:
    """The knowledge of one seat, updated entry by entry.

    ``places`` maps a key to a number, a list or a value, depending on the content of the place. ``common`` is a second
    view that gets only the public part of each event; the faces in it are common knowledge (``shown``).
    """

    def __init__(self, layout: Json, seat: int | None) -> None:
        self.zones = {place["key"]: zone for zone in layout["zones"] for place in zone["places"]}
        self.owners = {place["key"]: place.get("owners", []) for zone in layout["zones"] for place in zone["places"]}
        self.seat = seat
        self.mine = {f"#{seat}"}
        self.places: dict[str, Json] = {}
        self.shown: dict[str, Json] = {}
        self.step: Json = None
        self.question: Json = None
        self.common: View | None = None

    @classmethod
    def of(cls, layout: Json, seat: int | None) -> "View":
        whole = cls(layout, seat)
        whole.common = cls(layout, None)
        return whole

    @classmethod
    def resumed(cls, layout: Json, seat: int | None, observation: Json) -> "View":
        """Resume from an observation instead of the first entry."""
        view = cls.of(layout, seat)
        assert view.common is not None
        view.places = {row["key"]: view.from_value(**row) for row in observation.get("places", ())}
        view.shown = {row["key"]: view.from_value(**row) for row in observation.get("shown", ())}
        view.mine.add(view.places.get(f"side/{seat}", {}).get("text"))
        view.step = observation.get("step")
        view.question = observation.get("question")
        for place, value in view.places.items():
            if view.content(place) in ("CONTENT_PILE", "CONTENT_HAND"):
                public = view.zones[place]["sight"] == "SIGHT_OPEN"
                view.common.places[place] = value if public else view.shown.get(place, [UNKNOWN] * len(value))
        return view

    def add(self, entry: Json) -> None:
        (kind, body), *_ = entry.items()
        if kind in ("event", "aside"):
            verb = next(name for name in body if name != "rule")
            getattr(self, verb)(body[verb])
            if self.common is not None and verb in HIDDEN_IN_ASIDE:
                self.update_common(verb, body[verb], hide=HIDDEN_IN_ASIDE[verb] if kind == "aside" else "")
        elif kind == "step":
            self.step = body
        elif kind == "question":
            self.question = body
        elif kind in ("answer", "withdrawn"):
            self.question = None

    def update_common(self, verb: str, body: Json, hide: str) -> None:
        assert self.common is not None
        getattr(self.common, verb)({name: value for name, value in body.items() if name != hide})
        for place in {body[name] for name in ("key", "source", "target") if name in body}:
            known = self.common.pieces(place)
            if self.zones[place]["sight"] != "SIGHT_OPEN" and any(piece != UNKNOWN for piece in known):
                self.shown[place] = known
            else:
                self.shown.pop(place, None)

    # --- contents of places

    def content(self, place: str) -> str:
        return str(self.zones[place]["content"])

    def pieces(self, place: str) -> list[Json]:
        return list(self.places.get(place, []))

    def keep(self, place: str, pieces: list[Json]) -> None:
        if self.content(place) == "CONTENT_HAND":
            known = sorted((p for p in pieces if p != UNKNOWN), key=lambda piece: piece["text"])
            pieces = known + [UNKNOWN] * (len(pieces) - len(known))
        self.store(place, pieces)

    def store(self, place: str, value: Json) -> None:
        match self.content(place):
            case "CONTENT_MARK":
                empty = value == {}
            case "CONTENT_STACK":
                empty = not any(value)
            case _:
                empty = not value
        if empty:
            self.places.pop(place, None)
        else:
            self.places[place] = value

    def observation(self) -> dict[str, Json]:
        """Return the fields of an Observation, with None for those that it leaves out."""
        return {
            "places": self.rows(self.places),
            "shown": self.rows(self.shown),
            "step": self.step,
            "decisionId": self.question and self.question["decisionId"],
            "question": self.question,
        }

    def rows(self, places: dict[str, Json]) -> list[Json] | None:
        return [{"key": key, "value": self.as_value(key, value)} for key, value in sorted(places.items())] or None

    def as_value(self, place: str, value: Json) -> Json:
        match self.content(place):
            case "CONTENT_MARK":
                return value
            case "CONTENT_PURSE":
                return {"number": value}
            case "CONTENT_STACK":
                return {"list": {"items": [{"number": n} for n in value]}}
            case _:
                return {"list": {"items": value}}

    def from_value(self, key: str, value: Json) -> Json:
        match self.content(key):
            case "CONTENT_MARK":
                return value
            case "CONTENT_PURSE":
                return value["number"]
            case "CONTENT_STACK":
                return [item["number"] for item in value["list"]["items"]]
            case _:
                return value["list"]["items"]

    # --- one method for each verb

    def set(self, it: Json) -> None:
        self.store(it["key"], it.get("value", {}))
        if it["key"] == f"side/{self.seat}":
            self.mine = {f"#{self.seat}", it.get("value", {}).get("text")}

    def open(self, it: Json) -> None:
        self.store(it["key"], {})

    def transfer(self, it: Json) -> None:
        for place, change in ((it["source"], -it["amount"]), (it["target"], it["amount"])):
            if self.zones[place]["sight"] != "SIGHT_SCREEN" or self.mine & set(self.owners[place]):
                self.store(place, self.places.get(place, 0) + change)

    def shift(self, it: Json) -> None:
        for place, sign in ((it["source"], -1), (it["target"], 1)):
            have = self.places.get(place, [0] * len(it["counts"]))
            self.store(place, [a + sign * b for a, b in zip(have, it["counts"], strict=True)])

    def exchange(self, it: Json) -> None:
        self.store(it["key"], it["counts"])

    def move(self, it: Json) -> None:
        left = self.pieces(it["source"])
        face = {"text": it["face"]} if "face" in it else None
        if "slot" in it:
            del left[it["slot"]]
        elif face is None:
            left = [UNKNOWN] * (len(left) - 1)
        else:
            left.remove(face if face in left else UNKNOWN)
        self.keep(it["source"], left)
        there = self.pieces(it["target"])
        there.insert(it.get("to", len(there)), face or UNKNOWN)
        self.keep(it["target"], there)

    def place(self, it: Json) -> None:
        if self.content(it["key"]) == "CONTENT_STACK":
            self.store(it["key"], it["counts"])
        else:
            self.keep(it["key"], [{"text": face} for face in it["faces"]])

    def gather(self, it: Json) -> None:
        moved = self.pieces(it["source"])
        if "faces" in it:
            moved = [{"text": face} for face in it["faces"]["items"]]
        elif self.content(it["source"]) == "CONTENT_HAND":
            moved = [UNKNOWN] * len(moved)
        self.keep(it["target"], self.pieces(it["target"]) + moved)
        self.store(it["source"], [])

    def shuffle(self, it: Json) -> None:
        self.store(it["key"], [UNKNOWN] * len(self.pieces(it["key"])))

    def look(self, it: Json) -> None:
        if "shown" not in it:
            return
        faces = [{"text": face} for face in it["shown"]["items"]]
        if "index" in it:
            pieces = self.pieces(it["key"])
            pieces[it["index"]] = faces[0]
            faces = pieces
        self.keep(it["key"], faces)

    def reveal(self, it: Json) -> None:
        pieces, face = self.pieces(it["key"]), {"text": it["face"]}
        if "index" in it:
            pieces[it["index"]] = face
        elif face not in pieces:
            pieces[pieces.index(UNKNOWN)] = face
        self.keep(it["key"], pieces)

    def ignore(self, it: Json) -> None:
        """Ignore an event that changes no place."""

    declare = announce = whisper = roll = ignore
