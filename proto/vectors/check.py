"""Check the model readers against the test vectors; they need nothing but Python.

    python proto/vectors/check.py [FOLDER]

A client in another language does the same with a reader of its own.
"""

import json
import sys
from pathlib import Path
from typing import Any

import read_fold
import read_grammar


def grammar_faults(vector: Any, graphs: Any) -> list[str]:
    """What a reading of the grammar finds differently."""
    found = read_grammar.acts(vector["options"], graphs)
    faults = []
    if len(found) != vector["count"]:
        faults.append(f"{len(found)} acts, not {vector['count']}")
    faults += [f"not found: {act}" for act in vector["legal"] if read_grammar.name_of(act) not in found]
    faults += [f"found: {act}" for act in vector.get("illegal", ()) if read_grammar.name_of(act) in found]
    return faults


def fold_faults(vector: Any) -> list[str]:
    """After which entries a fold says something else, begun with the first entry or with any of the observations."""
    layout, seat = vector["layout"], vector.get("seat")
    faults = differences(read_fold.View.of(layout, seat), vector, 0)
    for observation in vector["observations"]:
        number = int(observation["number"])
        view = read_fold.View.resumed(layout, seat, observation)
        faults += [f"begun after entry {number}, {fault}" for fault in differences(view, vector, number)]
    return faults


def differences(view: read_fold.View, vector: Any, told: int) -> list[str]:
    """After which entries a view says something else that has been told so many of them."""
    wanted = {int(observation["number"]): observation for observation in vector["observations"]}
    faults = []
    for number, entry in enumerate(vector["entries"]["entries"][told:], told + 1):
        view.add(number, entry)
        if number in wanted:
            for field, value in view.observation().items():
                if value != wanted[number].get(field):
                    faults.append(f"after entry {number}, {field}: {value}, not {wanted[number].get(field)}")
    return faults


def main() -> int:
    """Check all vectors of a folder; the status says whether they hold."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    grammar, fold = (json.loads((folder / name).read_text()) for name in ("grammar.json", "fold.json"))
    graphs = {graph["name"]: graph for graph in grammar["graphs"]}
    faults = {vector["name"]: grammar_faults(vector, graphs) for vector in grammar["vectors"]}
    faults |= {vector["name"]: fold_faults(vector) for vector in fold["vectors"]}
    for name, found in faults.items():
        for fault in found[:3]:
            print(f"{name}: {fault}")
    print(f"{sum(not found for found in faults.values())} of {len(faults)} vectors hold")
    return int(any(faults.values()))


if __name__ == "__main__":
    sys.exit(main())
