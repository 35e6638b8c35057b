"""Ports for tests are free, consecutive and outside the system's ephemeral range."""

from __future__ import annotations

import socket

import pytest
from tests import ports


def test_what_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ports.free_ports(4)
    assert first + 3 < 32_768
    with socket.socket() as other:
        other.bind(("127.0.0.1", first + 1))
        other.listen()
        monkeypatch.setattr(ports, "_ports", iter(range(first, first + 4)))
        assert ports.free_ports(2) == first + 2


def test_a_row_does_not_go_around_the_corner(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ports.free_ports(3)
    monkeypatch.setattr(ports, "_ports", iter([first + 2, first, first + 1]))
    assert ports.free_ports(2) == first
    with pytest.raises(OSError, match="no 1 free ports"):
        ports.free_ports(1)
