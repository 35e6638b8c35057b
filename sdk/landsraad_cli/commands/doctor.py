"""`landsraad doctor`: does a deployment work, end to end?"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from landsraad_cli.output import JsonFlag, console, finish
from landsraad_cli.service_options import (
    CaOption,
    CertOption,
    KeyOption,
    PlaintextOption,
    TokenOption,
    connection,
    conversing,
    hindered,
)

if TYPE_CHECKING:
    from rich.console import Console

    from landsraad_cli.local.service_check import CheckResult


def doctor(
    server: Annotated[
        str,
        typer.Option(
            "--server", envvar="LANDSRAAD_SERVER", help="The service, as host:port (default: one of its own)."
        ),
    ] = "",
    patience: Annotated[float, typer.Option("--patience", help="Seconds to go on trying to reach it.")] = 5.0,
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
    json: JsonFlag = False,
) -> None:
    """Check a service as a client sees it: reach, health, version, rules, a whole match, resuming, latency, clock.

    It plays one match against itself, loses its connection on purpose in the middle of it, and plays the match again
    from its certificate. Without --server it checks what is installed here, by a service of its own.
    """
    screen = console(to_stderr=json)
    how = {**connection(token, ca, plaintext, cert, key), "patience": patience}
    with conversing("doctor", server, how):
        findings = asyncio.run(_examine(server, how, screen))
    failed = [finding.check for finding in findings if not finding.ok]
    result: dict[str, Any] = {"checks": len(findings), "failed": failed}
    if json:
        result["findings"] = [asdict(finding) for finding in findings]
    finish(result, as_json=json, held=not failed)


async def _examine(server: str, how: dict[str, Any], screen: Console) -> list[CheckResult]:
    from landsraad_cli.local.own_service import own_service

    if server:
        return await _check(server, how, screen)
    screen.print("Starting a service of its own ...")
    async with own_service() as address:
        return await _check(address, how, screen)


async def _check(server: str, how: dict[str, Any], screen: Console) -> list[CheckResult]:
    """All findings, told as they come."""
    from rich.text import Text

    from landsraad.async_client import AsyncClient
    from landsraad.transport import GrpcTransport
    from landsraad_cli.local.service_check import ServiceCheck

    transport = GrpcTransport(server, tls=how["tls"], plaintext=how["plaintext"])
    findings = []
    async with AsyncClient(server, token=how["token"], transport=transport, patience=how["patience"]) as client:
        async for found in ServiceCheck(client, transport).run():
            finding = found
            if finding.check == "reach" and not finding.ok:
                in_the_way = await asyncio.to_thread(hindered, server, how)
                finding = replace(finding, found=in_the_way or finding.found)
            findings.append(finding)
            verdict = ("ok      ", "green") if finding.ok else ("FAILED  ", "bold red")
            screen.print(Text.assemble(verdict, f"{finding.check:13}", finding.found), soft_wrap=True)
            if finding.advice:
                screen.print(Text(f"        {'':13}{finding.advice}", "yellow"), soft_wrap=True)
    return findings
