"""`landsraad doctor`: end-to-end checks of a deployment."""

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
    connection_arguments,
    explain_unreachable,
    reporting_errors,
)

if TYPE_CHECKING:
    from rich.console import Console

    from landsraad_cli.local.service_check import CheckResult


def doctor(
    server: Annotated[
        str,
        typer.Option("--server", envvar="LANDSRAAD_SERVER", help="The service, as host:port (default: a new one)."),
    ] = "",
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds to keep trying to reach the service.")] = 5.0,
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
    json: JsonFlag = False,
) -> None:
    """Check a service as a client sees it: connection, health, version, rules, a whole match, resumption, latency,
    clock.

    It plays one match against itself, cuts its connection in the middle, and plays the match again from its
    certificate. Without --server, it starts a service and checks that one.
    """
    screen = console(to_stderr=json)
    how = {**connection_arguments(token, ca, plaintext, cert, key), "retry_timeout": timeout}
    with reporting_errors("doctor", server, how):
        findings = asyncio.run(_examine(server, how, screen))
    failed = [finding.check for finding in findings if not finding.ok]
    result: dict[str, Any] = {"checks": len(findings), "failed": failed}
    if json:
        result["findings"] = [asdict(finding) for finding in findings]
    finish(result, as_json=json, held=not failed)


async def _examine(server: str, how: dict[str, Any], screen: Console) -> list[CheckResult]:
    from landsraad_cli.local.own_service import check_server_installed, own_service

    if server:
        return await _check(server, how, screen)
    check_server_installed()
    screen.print("Starting a service ...")
    async with own_service() as address:
        return await _check(address, how, screen)


async def _check(server: str, how: dict[str, Any], screen: Console) -> list[CheckResult]:
    """Run all checks and print each result as it comes."""
    from rich.text import Text

    from landsraad.async_client import AsyncClient
    from landsraad.transport import GrpcTransport
    from landsraad_cli.local.service_check import ServiceCheck

    transport = GrpcTransport(server, tls=how["tls"], plaintext=how["plaintext"])
    findings = []
    async with AsyncClient(
        server, token=how["token"], transport=transport, retry_timeout=how["retry_timeout"]
    ) as client:
        async for found in ServiceCheck(client, transport).run():
            finding = found
            if finding.check == "reach" and not finding.ok:
                in_the_way = await asyncio.to_thread(explain_unreachable, server, how)
                finding = replace(finding, found=in_the_way or finding.found)
            findings.append(finding)
            verdict = ("ok      ", "green") if finding.ok else ("FAILED  ", "bold red")
            screen.print(Text.assemble(verdict, f"{finding.check:13}", finding.found), soft_wrap=True)
            if finding.advice:
                screen.print(Text(f"        {'':13}{finding.advice}", "yellow"), soft_wrap=True)
    return findings
