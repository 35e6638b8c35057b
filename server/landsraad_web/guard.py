"""The guard in front of all routes: host, origin, sizes and numbers of requests, and the headers of every response."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from landsraad_web.errors import PageError, error_response
from landsraad_web.settings import LOOPBACK_NAMES, Settings

#: A header that a form or an image of another site cannot send.
OUR_HEADER: Final = "landsraad-page"
#: Key of the visitor's address in the scope.
ADDRESS: Final = "landsraad.address"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_STRICT_TRANSPORT: Final = "max-age=31536000"
_EVENTS: Final = "/events"


class Guard:
    """Middleware that refuses what no page of ours sends.

    Args:
        app: The application behind it.
        settings: Whom the page serves.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._networks = settings.networks()
        self._names = frozenset(allowed_names(settings))
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(raw=message["headers"]))
            await send(message)

        address = scope[ADDRESS] = self._address(scope, headers)
        counted = not scope["path"].endswith(_EVENTS)  # streams have a limit of their own
        try:
            self._check(scope["method"], headers)
            if counted and self._under_way[address] >= self._settings.limits.requests_per_address:
                raise PageError(
                    429, "too_many_requests", "too many requests at a time from your address", retry_after=1
                )
            if scope["method"] == "POST":
                receive = await self._whole_body(headers, receive)
        except PageError as refused:
            await error_response(refused)(scope, receive, send_guarded)
            return
        self._under_way[address] += counted
        try:
            await self._app(scope, receive, send_guarded)
        finally:
            self._under_way[address] -= counted
            if not self._under_way[address]:
                del self._under_way[address]

    def _add_headers(self, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        if self._settings.secure:
            headers["strict-transport-security"] = _STRICT_TRANSPORT

    def _check(self, method: str, headers: Headers) -> None:
        """Refuse a request for another host, or a change that another site's page asks for."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or host_name(hosts[0]) not in self._names:
            raise PageError(421, "bad_host", "this page is not served under that host name")
        if method in ("GET", "HEAD"):
            return
        if method != "POST":
            raise PageError(405, "bad_method", "only GET, HEAD and POST are known here")
        scheme = "https" if self._settings.secure else "http"
        if headers.getlist("origin") != [f"{scheme}://{hosts[0]}"]:
            raise PageError(403, "bad_origin", "a change has to come from this page itself")
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise PageError(403, "bad_origin", "a change has to come from this page itself")
        if headers.get(OUR_HEADER) != "1":
            raise PageError(403, "bad_origin", f"a change needs the header `{OUR_HEADER}: 1`")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise PageError(415, "bad_type", "send application/json")

    async def _whole_body(self, headers: Headers, receive: Receive) -> Receive:
        """Read the body within its limits, and return a channel that has it ready."""
        limits = self._settings.limits
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > limits.body_bytes:
            raise _too_large(limits.body_bytes)
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise PageError(400, "bad_body", "the request has ended before its body")
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > limits.body_bytes:
                        raise _too_large(limits.body_bytes)
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            raise PageError(408, "bad_body", "the body did not arrive in time") from None
        whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def ready() -> Message:
            return whole.pop() if whole else await receive()

        return ready

    def _address(self, scope: Scope, headers: Headers) -> str:
        """Return the visitor's address; behind a trusted proxy, the last one that it forwards."""
        peer = (scope.get("client") or ("",))[0]
        try:
            address = ip_address(peer)
        except ValueError:
            return "local"
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        forwarded = headers.getlist("x-forwarded-for")
        if forwarded and any(address in network for network in self._networks):
            return _valid(forwarded[-1].rpartition(",")[2].strip()) or str(address)
        return str(address)


def allowed_names(settings: Settings) -> Iterable[str]:
    """Yield the host names under which the page is served. A foreign name may be bound to this machine's address."""
    if settings.loopback:
        yield from LOOPBACK_NAMES
    for name in settings.names:
        yield name.lower()


def host_name(host: str) -> str:
    """Return a Host header without its port, in lower case; empty if it is malformed."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        return host.lower()
    return name.lower() if port.isdigit() else ""


def _valid(address: str) -> str:
    try:
        return str(ip_address(address))
    except ValueError:
        return ""


def _too_large(most: int) -> PageError:
    return PageError(413, "too_large", f"a body has {most} bytes at most")
