"""What an operator can set: flags of `landsraad serve`, or environment variables LANDSRAAD_..."""

from __future__ import annotations

import ipaddress
import ssl
from pathlib import Path
from typing import Annotated, Literal, Protocol, TypeAlias, TypeVar

import grpc
from pydantic import Field, IPvAnyNetwork, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from landsraad_server.store import Durability

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
#: The system would take a larger one for the rest that is left of it, and listen elsewhere.
Port: TypeAlias = Annotated[int, Field(ge=0, le=65535)]
Secrets_contra = TypeVar("Secrets_contra", contravariant=True)


class ListenAddress(Protocol[Secrets_contra]):
    """A server of either transport, as far as it is told where to listen."""

    def add_insecure_port(self, address: str, /) -> int: ...

    def add_secure_port(self, address: str, secrets: Secrets_contra, /) -> int: ...


class Config(BaseSettings):
    """One deployment's settings; workers get them from their supervisor."""

    model_config = SettingsConfigDict(env_prefix="LANDSRAAD_", frozen=True)

    host: str = "127.0.0.1"
    port: Port = 7447
    admin_port: Port = 0
    #: what other machines call this one; the host, if nothing is said
    advertise: str = ""
    workers: int = Field(default=0, ge=0)
    redis: str = ""
    durability: Durability = Durability.EVERYSEC
    replicas: int = Field(default=1, ge=1)
    data: Path = Path("landsraad-data")
    #: directory or URL for finished matches; in the data directory, if nothing is said
    archive: str = ""
    #: what carries the public calls: our own HTTP/2, or the library's, which takes several times as much CPU
    transport: Literal["http2", "grpcio"] = "http2"
    auth: Literal["open", "token"] = "open"
    tls_cert: Path | None = None
    tls_key: Path | None = None
    #: whoever connects must show a certificate that this authority has signed
    tls_client_ca: Path | None = None
    #: take plaintext connections from beyond this machine
    insecure: bool = False
    grace_seconds: float = Field(default=10.0, ge=0, allow_inf_nan=False)
    metrics_port: Port = 0
    #: file with the operators' credential; in the data directory, if nothing is said
    admin_credential: Path | None = None
    house: bool = True
    #: whether matches are made here; not on a build that is on its way out, which only plays its own to their end
    new_matches: bool = True
    #: so long a part of a log may wait that asks nothing of its reader: to make an item and to write it costs far more
    #: than what is in it, and most of a match is told to seats that only look on. 100 ms is what a person takes for at
    #: once; 0: nothing waits
    linger_ms: int = Field(default=100, ge=0, le=1000)
    log_level: Literal["debug", "info", "warning"] = "info"
    #: per second and account in the long run, several times that at once and from one address; 0: as many as one likes;
    #: if nothing is said, generous where accounts are open to all
    call_rate: int | None = Field(default=None, ge=0)
    connect_rate: int | None = Field(default=None, ge=0)
    match_rate: int | None = Field(default=None, ge=0)
    heavy_rate: int | None = Field(default=None, ge=0)
    #: streams of one account at a time, on one worker; matches, open or live, that it has made
    streams_per_account: int = Field(default=4096, ge=1)
    matches_per_account: int = Field(default=4096, ge=1)
    #: networks of proxies whose word (`x-forwarded-for`) is taken for where a call comes from: ["10.0.0.0/8"]
    proxies: tuple[IPvAnyNetwork, ...] = ()

    @model_validator(mode="after")
    def _safe(self) -> Config:
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("a certificate and its key belong together: --tls-cert and --tls-key")
        if self.tls_client_ca and not self.tls_cert:
            raise ValueError("clients' certificates can only be asked for with a certificate of our own")
        self._try_certificates()
        if not self.loopback:
            if not self.tls_cert and not self.insecure:
                raise ValueError("beyond loopback set --tls-cert and --tls-key, or allow plaintext with --insecure")
            if self.auth == "open":
                raise ValueError("accounts are open on loopback only: set --auth token")
        return self

    def _try_certificates(self) -> None:
        """Files that cannot be used are found here, by whoever starts the service, and not by each of its workers."""
        if self.tls_cert is None:
            return
        try:
            self.tls()
        except (OSError, ssl.SSLError) as error:
            raise ValueError(f"the TLS files cannot be used: {error}") from None

    @property
    def loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def plain(self) -> bool:
        """Whether our own processes can come in by the public port, without a certificate."""
        return self.loopback and not self.tls_cert

    @property
    def advertised(self) -> str:
        """The host that is told to clients."""
        return self.advertise or self.host

    def hint(self, address: str) -> str:
        """What clients are told of a worker's own address: nothing, if "here" is all that it says."""
        return "" if self.advertised.strip("[]") in ("0.0.0.0", "::") else address  # noqa: S104  not to listen on

    @property
    def archive_place(self) -> str:
        """Where finished matches go."""
        return self.archive or str(self.data / "archive")

    def listen(self, server: ListenAddress[Secrets_contra], port: int, secrets: Secrets_contra | None) -> int:
        """Let a server listen on a port (0: a free one); the port. `secrets` is what its transport takes for TLS."""
        address = f"{self.host}:{port}"
        return server.add_insecure_port(address) if secrets is None else server.add_secure_port(address, secrets)

    def tls(self) -> ssl.SSLContext | None:
        """For listening with TLS by our own transport; None for plaintext."""
        if self.tls_cert is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # RFC 9113, 9.2: without renegotiation, and with none of the ciphers that it lists as unfit.
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20")
        context.set_alpn_protocols(["h2"])
        context.load_cert_chain(self.tls_cert, self.tls_key, password=lambda: "")  # nobody is there to be asked
        if self.tls_client_ca is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.tls_client_ca)
        return context

    def credentials(self) -> grpc.ServerCredentials | None:
        """For listening with TLS by grpcio; None for plaintext."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        authority = self.tls_client_ca.read_bytes() if self.tls_client_ca else None
        pair = (self.tls_key.read_bytes(), self.tls_cert.read_bytes())
        return grpc.ssl_server_credentials([pair], authority, require_client_auth=authority is not None)
