"""Diagnosis of a service that cannot be reached. gRPC itself only reports that it is unavailable."""

from __future__ import annotations

import socket
import ssl
from typing import Final

from landsraad.transport import Tls, is_loopback

#: Seconds for each step, and for the first bytes of the service.
_SECONDS: Final = 3.0
_SILENCE: Final = 1.0
#: The preface of an HTTP/2 connection, with an empty SETTINGS frame.
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
#: The first byte of a TLS alert; the place of the type in an HTTP/2 frame, and the type SETTINGS.
_ALERT: Final = b"\x15"
_KIND, _SETTINGS = 3, 4


def connection_problem(server: str, tls: Tls | None, *, secure: bool) -> str:
    """Return a sentence that explains why "host:port" cannot be reached; empty if unknown.

    Args:
        server: The address.
        tls: The certificates to use.
        secure: True if the address is reached over TLS.

    Returns:
        The explanation.
    """
    host, _, port = server.rpartition(":")
    if server.startswith(("unix:", "unix-abstract:")):
        return ""
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        return f"{server!r} is not an address; write host:port"
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _SECONDS) as connected:
            return _over_tls(connected, host, tls or Tls()) if secure else _in_the_clear(connected)
    except socket.gaierror:
        return f"the host name {host!r} is unknown"
    except ConnectionRefusedError:
        start = ". Start a service with `landsraad serve`" if is_loopback(server) else ""
        return f"no service listens at {server}{start}"
    except TimeoutError:
        return f"{server} does not answer"
    except OSError as error:
        return f"{server}: {error.strerror or error}"


def _over_tls(connected: socket.socket, host: str, tls: Tls) -> str:
    context = tls.context()
    context.set_alpn_protocols(["h2"])
    try:
        with context.wrap_socket(connected, server_hostname=host.strip("[]")) as secured:
            # The service checks our certificate only after the handshake, and rejects it by hanging up.
            return _answered(
                secured,
                "the service asks for a client certificate that it trusts. Give it with --cert and --key",
            )
    except ssl.SSLCertVerificationError as error:
        return f"its certificate is not trusted here ({error.verify_message}). Name its authority with --ca"
    except ssl.SSLError as error:
        reason = (error.reason or "no reason").replace("_", " ").lower()
        if "certificate" in reason:
            return f"the service rejects your certificate ({reason}). Give another one with --cert and --key"
        return f"{host} does not seem to speak TLS ({reason})"
    except ConnectionError:
        return f"{host} ends every TLS connection"


def _in_the_clear(connected: socket.socket) -> str:
    return _answered(connected, "the server seems to speak TLS, or is not a Landsraad service. For TLS, see --ca")


def _answered(connected: socket.socket, hung_up: str) -> str:
    """Send the HTTP/2 preface, and explain an answer that is not HTTP/2."""
    connected.settimeout(_SILENCE)
    try:
        connected.sendall(_PREFACE)
        said = connected.recv(64)
    except TimeoutError:
        return "the server accepts connections, but does not answer"
    except ConnectionError:
        said = b""
    if not said or said.startswith(_ALERT):
        return hung_up
    if len(said) > _KIND and said[_KIND] == _SETTINGS:
        return ""
    return "the server does not speak gRPC"
