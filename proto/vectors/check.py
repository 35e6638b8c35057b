"""Check the reference readers against the test vectors; only Python is needed.

    python proto/vectors/check.py [FOLDER]

A client in another language checks its own reader in the same way.
"""

import json
import sys
from pathlib import Path
from typing import Any

import read_fold
import read_grammar


def grammar_faults(vector: Any, graphs: Any) -> list[str]:
    """Return the differences between a grammar vector and the reader's result."""
    found = read_grammar.acts(vector["options"], graphs)
    faults = []
    if len(found) != vector["count"]:
        faults.append(f"{len(found)} acts, not {vector['count']}")
    faults += [f"not found: {act}" for act in vector["legal"] if read_grammar.name_of(act) not in found]
    faults += [f"found: {act}" for act in vector.get("illegal", ()) if read_grammar.name_of(act) in found]
    for step in vector.get("steps", ()):
        faults += step_faults(vector["options"], step, graphs)
    return faults


def step_faults(options: Any, step: Any, graphs: Any) -> list[str]:
    """Return the differences between what can follow in an act and the reader's result."""
    found, finished = read_grammar.next_values(options, graphs, step)
    wanted = {read_grammar.key(value) for value in step.get("values", ())}
    where = f"{step['act']} {step.get('chosen', [])} {step['field']} {step.get('partial', [])}"
    faults = []
    if set(found) != wanted:
        faults.append(f"{where}: {sorted(found)} can follow, not {sorted(wanted)}")
    if finished != step.get("finished", False):
        faults.append(f"{where}: finished is {finished}")
    return faults


def fold_faults(vector: Any) -> list[str]:
    """Return the differences for a fold from the first entry, and for one resumed from each observation."""
    layout, seat = vector["layout"], vector.get("seat")
    faults = differences(read_fold.View.of(layout, seat), vector, 0)
    for observation in vector["observations"]:
        number = int(observation["number"])
        view = read_fold.View.resumed(layout, seat, observation)
        faults += [f"resumed after entry {number}, {fault}" for fault in differences(view, vector, number)]
    return faults


def differences(view: read_fold.View, vector: Any, done: int) -> list[str]:
    """Add the entries after the first ``done`` to a view; return where it differs from the observations."""
    wanted = {int(observation["number"]): observation for observation in vector["observations"]}
    faults = []
    for number, entry in enumerate(vector["entries"]["entries"][done:], done + 1):
        view.add(entry)
        if number in wanted:
            for field, value in view.observation().items():
                if value != wanted[number].get(field):
                    faults.append(f"after entry {number}, {field}: {value}, not {wanted[number].get(field)}")
    return faults


def main() -> int:
    """Check all vectors of a folder; return 1 if any differs."""
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
