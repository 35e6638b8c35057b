"""Everything that the page promises about security, line by line."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from landsraad_testkit import ServeProcess
from landsraad_web.application import WebPage
from landsraad_web.guard import host_name
from landsraad_web.sessions import LINK_SECONDS, SessionStore
from landsraad_web.settings import PageLimits, Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
OURS = {"landsraad-page": "1", "content-type": "application/json"}


@asynccontextmanager
async def page(
    tmp_path: Path, server: str = "127.0.0.1:1", address: str = "127.0.0.1", **settings: Any
) -> AsyncIterator[tuple[WebPage, httpx.AsyncClient]]:
    """A page in this process, and a client whose requests come from an address."""
    whole = Settings("127.0.0.1:1", **{"host": "127.0.0.1", "port": 80, "sessions": str(tmp_path / "s.db"), **settings})
    made = WebPage(whole)
    transport = httpx.ASGITransport(made.app, client=(address, 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield made, client
    await made.close()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "path", ["/", "/matches/abc", "/static/nothing.js", "/api/session", "/api/matches/none", "/api/x"]
)
async def test_every_response_has_the_headers(visitor: Any, path: str) -> None:
    answer = await visitor.get(path)
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in answer.headers
    assert "server" not in answer.headers


@pytest.mark.asyncio
async def test_a_refused_request_has_them_as_well(visitor: Any) -> None:
    for refused in (await visitor.get("/", headers={"host": "evil.example"}), await visitor.http.post("/api/session")):
        assert refused.headers["content-security-policy"] == POLICY
        assert refused.json()["error"]["reason"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.", "", "a@localhost"]
)
async def test_no_other_host_name_is_served(visitor: Any, host: str) -> None:
    """A foreign name that is bound to 127.0.0.1 would make our page one of its origin."""
    answer = await visitor.get("/api/session", headers={"host": host})
    assert answer.status_code == 421
    assert answer.json()["error"]["reason"] == "bad_host"


@pytest.mark.parametrize(
    ("host", "name"),
    [("LocalHost:80", "localhost"), ("[::1]", "[::1]"), ("[::1]:80", "[::1]"), ("localhost:x", ""), ("a:b:1", "a:b")],
)
def test_the_name_in_a_host_header(host: str, name: str) -> None:
    assert host_name(host) == name


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://localhost:1"},
        {"landsraad-page": "0"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_change_comes_from_the_page_itself(visitor: Any, wrong: dict[str, str]) -> None:
    answer = await visitor.post("/api/session", {}, **wrong)
    assert answer.status_code == 403
    assert answer.json()["error"]["reason"] == "bad_origin"
    assert not answer.cookies


@pytest.mark.asyncio
async def test_a_form_of_another_site_is_refused_by_its_type(visitor: Any) -> None:
    answer = await visitor.post("/api/session", {}, **{"content-type": "text/plain"})
    assert answer.status_code == 415


@pytest.mark.asyncio
async def test_methods_without_a_use_are_refused(visitor: Any) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        answer = await visitor.http.request(method, "/api/session")
        assert answer.status_code == 405
    assert (await visitor.get("/api/matches/abc/join")).status_code == 405


@pytest.mark.asyncio
async def test_the_cookie_holds_an_id_and_no_script_reads_it(visitor: Any, paged: ServeProcess) -> None:
    answer = await visitor.post("/api/session", {"name": "ann"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/" in cookie
    assert "Max-Age=" in cookie
    assert "landsraad_guest_" not in cookie
    assert "landsraad_guest_" not in answer.text
    file = paged.data / "page-sessions.db"
    assert file.stat().st_mode & 0o77 == 0
    given = cookie.partition("=")[2].partition(";")[0]
    with sqlite3.connect(file) as stored:
        assert all(given.encode() not in bytes(row[0]) for row in stored.execute("SELECT id FROM sessions"))
    stored.close()


@pytest.mark.asyncio
async def test_behind_tls_the_cookie_belongs_to_the_host(tmp_path: Path) -> None:
    async with page(tmp_path, behind_proxy=True, names=("games.example.org",), guests=False) as (made, client):
        assert made.visitors.cookie.startswith("__Host-")
        headers = {**OURS, "host": "games.example.org", "origin": "http://games.example.org"}
        refused = await client.post("/api/session", content="{}", headers=headers)
        assert refused.status_code == 403  # the page is https there
        headers["origin"] = "https://games.example.org"
        ended = await client.post("/api/session/end", content="{}", headers=headers)
        assert "Secure" in ended.headers["set-cookie"]
        assert "max-age=" in ended.headers["strict-transport-security"]


@pytest.mark.asyncio
async def test_without_guests_a_session_needs_a_token(tmp_path: Path) -> None:
    async with page(tmp_path, guests=False) as (_, client):
        answer = await client.post("/api/session", content="{}", headers={**OURS, "origin": "http://127.0.0.1"})
        assert answer.status_code == 401
        assert answer.json()["error"]["reason"] == "no_credential"


@pytest.mark.asyncio
async def test_a_wrong_token_begins_no_session(visitor: Any) -> None:
    answer = await visitor.post("/api/session", {"token": "landsraad_account_wrong"})
    assert answer.status_code == 401
    assert not answer.cookies


@pytest.mark.asyncio
@pytest.mark.parametrize("length", ["70000", "-1", "x"])
async def test_a_large_body_is_refused_before_it_is_read(tmp_path: Path, length: str) -> None:
    async with page(tmp_path) as (_, client):
        headers = {**OURS, "origin": "http://127.0.0.1", "content-length": length}
        answer = await client.post("/api/session", content=b"{}", headers=headers)
        assert answer.status_code == 413


@pytest.mark.asyncio
async def test_a_body_of_unknown_length_is_cut_off(tmp_path: Path) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 10_000

    async with page(tmp_path) as (_, client):
        answer = await client.post("/api/session", content=endless(), headers={**OURS, "origin": "http://127.0.0.1"})
        assert answer.status_code == 413


@pytest.mark.asyncio
async def test_a_body_has_to_arrive_in_time(tmp_path: Path) -> None:
    async def late() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async with page(tmp_path, limits=PageLimits(body_seconds=0.05)) as (_, client):
        answer = await client.post("/api/session", content=late(), headers={**OURS, "origin": "http://127.0.0.1"})
        assert answer.status_code == 408


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"name": 1}', "name"),
        ('{"other": 1}', None),
        ('{"name": "%s"}' % ("x" * 41), "name"),
        ("[]", None),
        ("{", None),
        ("[" * 5000, None),
    ],
)
async def test_a_wrong_body_gets_an_error_with_a_type(visitor: Any, body: str, field: str | None) -> None:
    answer = await visitor.http.post("/api/session", content=body, headers={**OURS, "origin": visitor.address})
    error = answer.json()["error"]
    assert answer.status_code == 400
    assert error["reason"] in ("bad_field", "bad_body")
    assert (field is None) == ("fields" not in error)
    assert field is None or field in error["fields"]


@pytest.mark.asyncio
async def test_the_address_of_a_visitor_is_believed_to_a_trusted_proxy_only(tmp_path: Path) -> None:
    seen: list[str] = []

    def noting(made: WebPage) -> Callable[..., Any]:
        real = made.sessions.create

        def create(token: str, account: str, name: str, address: str, *, guest: bool) -> str:
            seen.append(address)
            return real(token, account, name, address, guest=guest)

        return create

    for proxies, forwarded in (((), "1.2.3.4"), (("10.0.0.0/8",), "9.9.9.9, 1.2.3.4"), (("10.0.0.0/8",), "nonsense")):
        async with page(tmp_path, address="10.0.0.7", proxies=proxies, guests=True) as (made, client):
            made.sessions.create = noting(made)  # type: ignore[method-assign]
            code = _linked(made.sessions)
            headers = {**OURS, "origin": "http://127.0.0.1", "x-forwarded-for": forwarded}
            assert (
                await client.post("/api/session", content=json.dumps({"code": code}), headers=headers)
            ).status_code == 200
    assert seen == ["10.0.0.7", "1.2.3.4", "10.0.0.7"]


def _linked(sessions: SessionStore) -> str:
    """Return a code of an account that the store knows."""
    session = sessions.find(SessionStore.create(sessions, "token", "account", "", "elsewhere", guest=True))
    assert session is not None
    return sessions.link(session)


def test_an_address_begins_a_limited_number_of_sessions() -> None:
    time = [1000.0]
    sessions = SessionStore(":memory:", PageLimits(sessions_per_address=2), lambda: time[0])
    for _ in range(2):
        sessions.create("t", "a", "", "1.1.1.1", guest=True)
    with pytest.raises(Exception, match="too many sessions"):
        sessions.create("t", "a", "", "1.1.1.1", guest=True)
    sessions.create("t", "a", "", "2.2.2.2", guest=True)
    time[0] += 3601
    sessions.create("t", "a", "", "1.1.1.1", guest=True)
    sessions.close()


def test_sessions_are_limited_altogether_and_expire() -> None:
    time = [1000.0]
    sessions = SessionStore(":memory:", PageLimits(sessions=1, session_days=1), lambda: time[0])
    given = sessions.create("t", "a", "", "1.1.1.1", guest=True)
    with pytest.raises(Exception, match="too many sessions"):
        sessions.create("t", "a", "", "2.2.2.2", guest=True)
    time[0] += 80_000
    assert sessions.find(given) is not None  # and so it begins anew
    time[0] += 80_000
    assert sessions.find(given) is not None
    time[0] += 90_000
    assert sessions.find(given) is None
    sessions.create("t", "a", "", "2.2.2.2", guest=True)
    sessions.close()


def test_a_link_to_another_device_works_once_and_soon() -> None:
    time = [1000.0]
    sessions = SessionStore(":memory:", PageLimits(), lambda: time[0])
    code = _linked(sessions)
    assert sessions.take_link(code).account == "account"
    with pytest.raises(Exception, match="used before"):
        sessions.take_link(code)
    late = _linked(sessions)
    time[0] += LINK_SECONDS
    with pytest.raises(Exception, match="expired"):
        sessions.take_link(late)
    sessions.close()


def test_sessions_outlive_a_restart(tmp_path: Path) -> None:
    file = str(tmp_path / "s.db")
    before = SessionStore(file, PageLimits())
    given, name = before.create("t", "a", "ann", "1.1.1.1", guest=True), before.instance
    before.close()
    after = SessionStore(file, PageLimits())
    found = after.find(given)
    assert found is not None
    assert (found.token, found.name, after.instance) == ("t", "ann", name)
    after.end(found)
    assert after.find(given) is None
    after.close()
