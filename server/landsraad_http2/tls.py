"""The TLS context of an HTTP/2 server."""

from __future__ import annotations

import ssl
from pathlib import Path


def server_context(certificate: Path, key: Path, client_authority: Path | None = None) -> ssl.SSLContext:
    """Return a context for PEM files; with a client authority, clients must present a certificate of it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # RFC 9113, 9.2: without renegotiation, and with none of the ciphers that it lists as unfit.
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(certificate, key, password=lambda: "")  # a password prompt would hang
    if client_authority is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_authority)
    return context
