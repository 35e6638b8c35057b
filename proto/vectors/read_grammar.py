"""A reference reader of the grammar for clients in other languages, written from the comments of ask.proto.

It reads the JSON of a vector, with nothing but the standard language. Values stay JSON objects, so that {"flag": true}
differs from {"number": 1}. It lists all values of a domain, which is the simplest way, not the fastest.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

Json = Any
NOTHING: Json = {}


def listed(value: Json) -> list[Json]:
    return list(value["list"].get("items", ()))


def as_list(items: Any) -> Json:
    return {"list": {"items": list(items)} if items else {}}


def key(value: Json) -> str:
    return repr(value)


def sortable(value: Json) -> Any:
    return value.get("number", value.get("text"))


def values(domain: Json, graphs: Json) -> list[Json]:
    """Return every value of a domain, each once."""
    kind, it = next((name, it) for name, it in domain.items() if name != "rule")
    if kind == "path":
        it = it | {"near": {area["id"]: area.get("neighbours", []) for area in graphs[it["graph"]]["areas"]}}
    return list({key(value): value for value in _READERS[kind](it)}.values())


def one_of(it: Json) -> Iterator[Json]:
    yield from it["items"]


def number_range(it: Json) -> Iterator[Json]:
    yield from ({"number": n} for n in range(it.get("low", 0), it.get("high", 0) + 1))


def subset(it: Json) -> Iterator[Json]:
    items = it.get("items", [])
    for size in range(it.get("low", 0), min(it.get("high", 0), len(items)) + 1):
        yield from (as_list(sorted(taken, key=sortable)) for taken in combinations(items, size))


def alloc(it: Json) -> Iterator[Json]:
    for given in product(*(range(cap + 1) for cap in it["caps"])):
        if it.get("low", 0) <= sum(given) <= it.get("high", 0):
            yield as_list([{"number": n} for n in given])


def order(it: Json) -> Iterator[Json]:
    yield from map(as_list, permutations(it.get("items", [])))


def path(it: Json) -> Iterator[Json]:
    walks = [[it["start"]]]
    while walks:
        walk = walks.pop()
        if len(walk) > 1 and ("ends" not in it or walk[-1] in it["ends"].get("items", ())):
            yield as_list([{"text": area} for area in walk])
        if len(walk) > it["steps"] or (len(walk) > 1 and walk[-1] in it.get("stops", ())):
            continue
        walks += [[*walk, a] for a in it["near"][walk[-1]] if a not in walk and a not in it.get("blocked", ())]


_READERS = {
    "oneOf": one_of,
    "range": number_range,
    "subset": subset,
    "alloc": alloc,
    "order": order,
    "path": path,
}


def holds(constraint: Json, act: Json) -> bool:
    """Return True if a constraint holds for the fields of an act."""
    if "clause" in constraint:
        return any(
            (act[it["field"]] in it.get("values", [])) == it.get("wanted", False)
            for it in constraint["clause"]["literals"]
        )
    if "linear" in constraint:
        total = sum(addend(term, act[term["field"]]) for term in constraint["linear"]["terms"])
        low, high = constraint["linear"].get("low", total), constraint["linear"].get("high", total)
        return bool(low <= total <= high)
    if "distinct" in constraint:
        given = [act[name] for name in constraint["distinct"]["names"] if act[name] != NOTHING]
        return all(a != b for a, b in combinations(given, 2))
    return [act[name] for name in constraint["rows"]["names"]] in [
        row.get("items", []) for row in constraint["rows"]["rows"]
    ]


def addend(term: Json, value: Json) -> int:
    """Return the contribution of a field to a linear constraint."""
    if "table" in term:
        return int(next((row.get("number", 0) for row in term["table"] if row.get("value", NOTHING) == value), 0))
    if "weights" in term:
        return sum(item["number"] * weight for item, weight in zip(listed(value), term["weights"], strict=True))
    weight = int(term.get("weight", 0))
    if "list" in value:
        items = listed(value)
        return weight * (sum(item["number"] for item in items) if items and "number" in items[0] else len(items))
    return weight * int(value.get("number", value.get("flag", 0)))


def acts(options: Json, graphs: Json) -> dict[str, Json]:
    """Return every legal act by its key (see ``name_of``)."""
    found = {}
    for choice in options["choices"]:
        fields = choice.get("fields", [])
        names = [field["name"] for field in fields]
        for picked in product(*(values(field["domain"], graphs) for field in fields)):
            act = dict(zip(names, picked, strict=True))
            if all(holds(constraint, act) for constraint in choice.get("constraints", ())):
                found[key((choice["act"], act))] = act
    return found


def next_values(options: Json, graphs: Json, step: Json) -> tuple[dict[str, Json], bool]:
    """Return what can follow in an act that is being composed, by key, and whether the field can end here.

    An act that begins as the step says is looked for among all legal acts. For questions with millions of acts search
    instead, as docs/protocol.md says.
    """
    chosen = {it["name"]: it.get("value", NOTHING) for it in step.get("chosen", ())}
    partial = step.get("partial", [])
    found: dict[str, Json] = {}
    finished = False
    for choice in options["choices"]:
        if choice["act"] != step["act"]:
            continue
        domain = next(field["domain"] for field in choice["fields"] if field["name"] == step["field"])
        for act in acts({"choices": [choice]}, graphs).values():
            if any(act[name] != value for name, value in chosen.items()):
                continue
            if not step.get("compound"):
                found[key(act[step["field"]])] = act[step["field"]]
                continue
            rest = after(partial, listed(act[step["field"]]), ordered="subset" not in domain)
            if rest is None:
                continue
            finished = finished or not rest
            found |= {key(element): element for element in (rest if "subset" in domain else rest[:1])}
    return found, finished


def after(partial: list[Json], whole: list[Json], *, ordered: bool) -> list[Json] | None:
    """Return the elements of a value that are left after the first ones, or after any of a subset, or None."""
    if ordered:
        return whole[len(partial) :] if whole[: len(partial)] == partial else None
    rest = list(whole)
    for element in partial:
        if element not in rest:
            return None
        rest.remove(element)
    return rest


def name_of(act: Json) -> str:
    """Return the key under which ``acts`` lists an act of a vector."""
    fields = {field["name"]: field.get("value", NOTHING) for field in act.get("fields", ())}
    return key((act["name"], fields))
