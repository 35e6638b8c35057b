"""Seat credentials: which texts are valid, and which are not."""

from __future__ import annotations

import msgspec
import pytest

from landsraad_server.matches import match_changes
from landsraad_server.matches.credentials import SEAT_PREFIX, Credential, SeatProof, SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import SeatPlan, Terms
from landsraad_server.refusals import Denied


def match_of(*keys: bytes) -> HostedMatch:
    terms = Terms("teaching", [SeatPlan(account="a", key=key) for key in keys], {}, "", 0, b"", "", "")
    return HostedMatch("m1", terms)


def is_valid(text: str, hosted: HostedMatch) -> bool:
    credential = Credential.read(text)
    return credential is not None and credential.match == hosted.match and credential.is_valid(hosted)


def test_a_credential_is_good_for_one_seat_of_one_match() -> None:
    mine, other = SeatSecret(), SeatSecret()
    hosted = match_of(mine.key, other.key)
    assert is_valid(mine.credential("m1", 0), hosted)
    for forged in (
        mine.credential("m1", 1),
        mine.credential("m2", 0),
        mine.credential("m1", 7),
        SeatSecret().credential("m1", 0),
        mine.credential("m1", 0)[:-1],
    ):
        assert not is_valid(forged, hosted)


@pytest.mark.parametrize("text", ["", SEAT_PREFIX, f"{SEAT_PREFIX}m1.0.x", "x", f"{SEAT_PREFIX}m1.\u0661.{'x' * 43}"])
def test_what_is_no_credential(text: str) -> None:
    assert Credential.read(text) is None


def test_of_a_seat_without_credential_there_is_none() -> None:
    hosted = match_of(b"")
    assert not is_valid(SeatSecret().credential("m1", 0), hosted)
    with pytest.raises(Denied):
        SeatProof().check(hosted, 0)


def test_a_new_one_ends_the_one_before() -> None:
    old, new = SeatSecret(), SeatSecret()
    hosted = match_of(old.key)
    match_changes.replace_credential(hosted, 1, 0, new.key)
    assert (is_valid(old.credential("m1", 0), hosted), is_valid(new.credential("m1", 0), hosted)) == (False, True)
    match_changes.replace_credential(hosted, 1, 0)
    assert not is_valid(new.credential("m1", 0), hosted)


def test_the_log_has_digests_only() -> None:
    secret = SeatSecret()
    terms = match_of(secret.key).terms
    assert secret.credential("m1", 0).rpartition(".")[2].encode() not in msgspec.msgpack.encode(terms)
