"""Checks that the sources do not pass yet: once they do, remove the entry here, and the check holds."""

import pytest

#: The check's name, and the work that is to make it pass.
PENDING = {
    "openings engine": "docstrings of the kernel are being rewritten",
    "openings sdk": "docstrings of the SDK are being rewritten",
    "openings server": "docstrings of the server are being rewritten",
    "openings tools": "docstrings of the tools are being rewritten",
    "exported callables": "the public SDK is being documented",
    "methods of seats": "the public SDK is being documented",
    "shared names": "classes are being renamed",
    "openings loadtest": "docstrings of the benchmarks are being rewritten",
    "dead code": "unused code is being removed",
}


def pending(name: str) -> pytest.MarkDecorator:
    """Mark the test of a check as expected to fail while it is pending."""
    return pytest.mark.xfail(name in PENDING, reason=PENDING.get(name, "held"), strict=False)
