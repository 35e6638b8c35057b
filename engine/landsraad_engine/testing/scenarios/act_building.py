"""Acts by keywords: build the act that an open question offers from the fields that a test names.

Acts have fields that only the question explains: "so many from each of the cells that are listed". Here they are
written by name (`units={"arrakeen:9": 3}`), and fields that a test leaves out take the value that does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from landsraad_engine.kernel.domains import Alloc, Domain, Subset
from landsraad_engine.kernel.grammar import Act, Choice, Options

#: The values that a field takes if it is left out and allows one of them.
_NOTHING = (None, False, "", 0, ())


class _NoSlot(Exception):
    """A field of one choice has no slot of that name."""


def build_act(options: Options, kind: type[Act], fields: Mapping[str, Any]) -> Act:
    """Return the act of a kind with these fields, as the question lists them.

    A field that is an allocation (a number for each slot) takes a mapping from slots to numbers; a field that is a
    subset takes any iterable. Whether the act is legal is not checked here.

    Raises:
        AssertionError: the kind is not offered, has no such field, or a field that was left out has no neutral value.

    """
    choices = [choice for choice in options.choices if choice.act is kind]
    offered = ", ".join(dict.fromkeys(choice.act.__name__ for choice in options.choices))
    assert choices, f"{kind.__name__} is not offered; offered are: {offered or 'no acts'}"
    unknown = fields.keys() - set(kind.__struct_fields__)
    assert not unknown, f"{kind.__name__} has no field {', '.join(sorted(unknown))}"
    written = []
    problem = ""
    for choice in choices:
        try:
            written.append((choice, {name: _written(name, choice.domain(name), fields[name]) for name in fields}))
        except _NoSlot as error:  # it may be a slot of another choice
            problem = problem or str(error)
    assert written, problem
    # What fits no choice is built all the same: tests try acts that are refused.
    fitting = [(choice, values) for choice, values in written if _fit(choice, values)] or written
    built = [kind(*_completed(choice, values)) for choice, values in fitting]
    return next((act for act in built if options.contains(act)), built[0])


def _fit(choice: Choice, values: Mapping[str, Any]) -> bool:
    """Return whether a choice allows each of these values."""
    return all(choice.domain(name).has(value) for name, value in values.items())


def _completed(choice: Choice, values: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the values of all fields of an act."""
    for name, domain in zip(choice.names, choice.domains, strict=True):
        yield values[name] if name in values else _neutral(choice.act, name, domain)


def _written(name: str, domain: Domain, value: Any) -> Any:
    """Return a value as the domain of its field writes it."""
    if isinstance(domain, Alloc) and isinstance(value, Mapping):
        unknown = value.keys() - set(domain.slots)
        if unknown:
            raise _NoSlot(f"{name} has no slot {', '.join(sorted(unknown))}; it has {', '.join(domain.slots)}")
        return tuple(value.get(slot, 0) for slot in domain.slots)
    if isinstance(domain, Subset) and isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(sorted(value))
    return value


def _neutral(kind: type[Act], name: str, domain: Domain) -> Any:
    """Return the value of a field that a test has left out."""
    nothing = (0,) * len(domain.slots) if isinstance(domain, Alloc) else None
    for value in (nothing, *_NOTHING):
        if domain.has(value):
            return value
    if domain.count() == 1:
        return next(domain.values())
    raise AssertionError(f"{kind.__name__} needs its field {name}: {domain}")
