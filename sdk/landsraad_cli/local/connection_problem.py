"""What keeps a client from a service, in a sentence: gRPC says little more than that it is not available."""

from __future__ import annotations

import socket
import ssl
from typing import Final

from landsraad.transport import Tls, is_loopback

#: So long each step may take, and a service in the clear or over TLS may keep silent at first.
_SECONDS: Final = 3.0
_SILENCE: Final = 1.0
#: How every connection of HTTP/2 begins: a greeting, and settings, of which there are none.
_GREETING: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
#: The first byte of an alert of TLS, and the place and kind of the settings with which a service answers.
_ALERT: Final = b"\x15"
_KIND, _SETTINGS = 3, 4


def connection_problem(server: str, tls: Tls | None, *, secure: bool) -> str:
    """What is in the way to "host:port"; empty if that is not known. `secure`: it is spoken to over TLS."""
    host, _, port = server.rpartition(":")
    if server.startswith(("unix:", "unix-abstract:")):
        return ""
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        return f"{server!r} is no address: write host:port"
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _SECONDS) as connected:
            return _over_tls(connected, host, tls or Tls()) if secure else _in_the_clear(connected)
    except socket.gaierror:
        return f"no machine of the name {host!r} is known"
    except ConnectionRefusedError:
        start = "; `landsraad serve` starts a service" if is_loopback(server) else ""
        return f"nobody listens at {server}{start}"
    except TimeoutError:
        return f"nobody answers at {server}"
    except OSError as error:
        return f"{server}: {error.strerror or error}"


def _over_tls(connected: socket.socket, host: str, tls: Tls) -> str:
    context = tls.context()
    context.set_alpn_protocols(["h2"])
    try:
        with context.wrap_socket(connected, server_hostname=host.strip("[]")) as secured:
            # Whether ours is wanted and good is told after the handshake, or shown by hanging up.
            return _answered(secured, "it wants to see another certificate, or one at all: --cert and --key")
    except ssl.SSLCertVerificationError as error:
        return f"its certificate is not trusted here ({error.verify_message}): --ca names the authority to trust"
    except ssl.SSLError as error:
        reason = (error.reason or "no reason").replace("_", " ").lower()
        if "certificate" in reason:
            return f"it does not take our certificate ({reason}): --cert and --key"
        return f"it does not speak TLS, it seems ({reason})"
    except ConnectionError:
        return "it ends every connection over TLS"


def _in_the_clear(connected: socket.socket) -> str:
    return _answered(connected, "it speaks TLS, it seems, or is no service of ours: see --ca")


def _answered(connected: socket.socket, hung_up: str) -> str:
    """Whether what answers is HTTP/2."""
    connected.settimeout(_SILENCE)
    try:
        connected.sendall(_GREETING)
        said = connected.recv(64)
    except TimeoutError:
        return "it takes connections, but says nothing"
    except ConnectionError:
        said = b""
    if not said or said.startswith(_ALERT):
        return hung_up
    if len(said) > _KIND and said[_KIND] == _SETTINGS:
        return ""
    return "what answers there does not speak gRPC"
