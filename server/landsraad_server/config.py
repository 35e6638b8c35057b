"""Settings of a deployment: options of `landsraad serve` or environment variables LANDSRAAD_...."""

from __future__ import annotations

import ipaddress
import ssl
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, IPvAnyNetwork, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from landsraad_server.store import Durability
from landsraad_server.transports import registry
from landsraad_server.transports.protocol import TlsFiles

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
#: Checked here, because the system truncates larger numbers and would listen on another port.
Port: TypeAlias = Annotated[int, Field(ge=0, le=65535)]


#: Setting of `http` for no page.
OFF: Final = "off"
_LAST_PORT: Final = 65535


class Config(BaseSettings):
    """All settings of one deployment; the supervisor passes them on to its workers."""

    model_config = SettingsConfigDict(env_prefix="LANDSRAAD_", frozen=True)

    host: str = "127.0.0.1"
    port: Port = 7447
    admin_port: Port = 0
    #: host name under which other machines reach this one; empty: `host`
    advertise: str = ""
    workers: int = Field(default=0, ge=0)
    redis: str = ""
    durability: Durability = Durability.EVERYSEC
    replicas: int = Field(default=1, ge=1)
    data: Path = Path("landsraad-data")
    #: directory or URL for finished matches; empty: a folder of the data directory
    archive: str = ""
    #: transport of the public port: one of those installed (entry point group `landsraad.transports`)
    transport: str = registry.DEFAULT
    auth: Literal["open", "token"] = "open"
    tls_cert: Path | None = None
    tls_key: Path | None = None
    #: clients must present a certificate that this authority has signed
    tls_client_ca: Path | None = None
    #: accept plaintext connections from other machines
    insecure: bool = False
    grace_seconds: float = Field(default=10.0, ge=0, allow_inf_nan=False)
    metrics_port: Port = 0
    #: file with the operators' credential; empty: in the data directory
    admin_credential: Path | None = None
    house: bool = True
    #: the CPU seconds that all house bots together may use for each second; bots that search do with what is left
    house_cpu: float = Field(default=0.5, gt=0, le=64)
    #: the most CPU seconds for a decision that the name of a house bot may ask for
    house_decision_seconds: float = Field(default=2.0, gt=0, le=600)
    #: whether this worker creates matches; off in a build being phased out, which only finishes its own
    new_matches: bool = True
    #: Longest delay in ms of log entries that ask nothing of their reader, so that they are coalesced: creating and
    #: writing an item costs far more than its content, and most of a match is sent to seats that only look on. People
    #: take 100 ms for immediate. 0 turns coalescing off.
    linger_ms: int = Field(default=100, ge=0, le=1000)
    log_level: Literal["debug", "info", "warning"] = "info"
    #: Rate limits per second and account, on average: bursts may be several times larger, and an address has a multiple
    #: of an account. 0: unlimited. None: a default, which is generous where accounts are open to all.
    call_rate: int | None = Field(default=None, ge=0)
    connect_rate: int | None = Field(default=None, ge=0)
    match_rate: int | None = Field(default=None, ge=0)
    heavy_rate: int | None = Field(default=None, ge=0)
    #: Quotas of one account: concurrent streams on one worker, and matches it has created that are open or live.
    streams_per_account: int = Field(default=4096, ge=1)
    matches_per_account: int = Field(default=4096, ge=1)
    #: The cell that this server belongs to, the file that names all cells (see `cell_map`), and the URL of the store in
    #: which they keep the accounts of all. All three, or none.
    cell: str = ""
    cells: Path | None = None
    accounts: str = ""
    #: networks of trusted proxies, whose `x-forwarded-for` names the client: ["10.0.0.0/8"]
    proxies: tuple[IPvAnyNetwork, ...] = ()
    #: The page for browsers: "[HOST:]PORT", "off", or empty: on a free port if only this machine can connect.
    http: str = ""
    #: a proxy terminates TLS in front of the page
    http_behind_proxy: bool = False
    #: names of the host by which browsers reach the page: ["games.example.org"]
    http_names: tuple[str, ...] = ()

    @field_validator("transport")
    @classmethod
    def _installed(cls, name: str) -> str:
        registry.load(name)
        return name

    @model_validator(mode="after")
    def _safe(self) -> Config:
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("a certificate needs its key: set both --tls-cert and --tls-key")
        if self.tls_client_ca and not self.tls_cert:
            raise ValueError("--tls-client-ca needs a server certificate: set --tls-cert and --tls-key")
        self._try_certificates()
        self._try_cells()
        self._try_page()
        if not self.loopback:
            if not self.tls_cert and not self.insecure:
                raise ValueError("beyond loopback set --tls-cert and --tls-key, or allow plaintext with --insecure")
            if self.auth == "open":
                raise ValueError("accounts are open on loopback only: set --auth token")
        return self

    def _try_certificates(self) -> None:
        """Load the TLS files once at startup, so that a bad file is reported here and not by every worker."""
        if self.tls_cert is None:
            return
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.tls_cert, self.tls_key, password=lambda: "")  # a password prompt would hang
            if self.tls_client_ca is not None:
                context.load_verify_locations(self.tls_client_ca)
        except (OSError, ssl.SSLError) as error:
            raise ValueError(f"the TLS files cannot be used: {error}") from None

    def _try_cells(self) -> None:
        """Check that the settings of cells fit together."""
        given = {"--cell": self.cell, "--cells": self.cells, "--accounts": self.accounts}
        missing = [option for option, value in given.items() if not value]
        if 0 < len(missing) < len(given):
            raise ValueError(f"a cell needs --cell, --cells and --accounts together; missing: {', '.join(missing)}")
        if self.accounts and self.accounts == self.redis:
            raise ValueError("--accounts and --redis are the same store: accounts of all cells need one of their own")

    def _try_page(self) -> None:
        """Check the address of the page, and that nothing goes unprotected beyond this machine."""
        if self.http in ("", OFF):
            return
        _, _, port = self.http.rpartition(":")
        if not port.isascii() or not port.isdigit() or int(port) > _LAST_PORT:
            raise ValueError(f"the page's address is [HOST:]PORT, not {self.http!r}")
        if not is_loopback(self.http_host):
            if not self.tls_cert and not self.http_behind_proxy:
                raise ValueError(
                    "a page beyond loopback needs TLS: set --tls-cert and --tls-key, or --http-behind-proxy if a proxy "
                    "has them"
                )
            if self.auth == "open":
                raise ValueError("a page beyond loopback needs accounts: set --auth token")
        if (self.http_behind_proxy or not is_loopback(self.http_host)) and not self.http_names:
            raise ValueError("set --http-name to the host name by which browsers reach the page")

    @property
    def http_host(self) -> str:
        """Return the address on which the page listens."""
        return self.http.rpartition(":")[0] or "127.0.0.1"

    @property
    def http_port(self) -> int | None:
        """Return the port of the page, 0 for a free one; None if there is no page."""
        if self.http == OFF:
            return None
        if not self.http:
            return 0 if self.loopback else None
        return int(self.http.rpartition(":")[2])

    @property
    def http_tls(self) -> bool:
        """Return whether the page itself terminates TLS."""
        return bool(self.tls_cert) and not self.http_behind_proxy and not is_loopback(self.http_host)

    @property
    def loopback(self) -> bool:
        """Return whether only this machine can connect."""
        return is_loopback(self.host)

    @property
    def plain(self) -> bool:
        """Return whether our own processes can use the public port, which needs a plaintext port on loopback."""
        return self.loopback and not self.tls_cert

    @property
    def advertised(self) -> str:
        """Return the host name that clients are given."""
        return self.advertise or self.host

    def hint(self, address: str) -> str:
        """Return a worker's own address as clients are given it; empty if the host is a wildcard address."""
        return "" if self.advertised.strip("[]") in ("0.0.0.0", "::") else address  # noqa: S104 only compared

    @property
    def archive_place(self) -> str:
        """Return the directory or URL of the archive."""
        return self.archive or str(self.data / "archive")

    @property
    def tls_files(self) -> TlsFiles | None:
        """Return certificate, key and clients' authority; None for plaintext."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        return self.tls_cert, self.tls_key, self.tls_client_ca


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
