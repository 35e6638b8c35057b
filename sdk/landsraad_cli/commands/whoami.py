"""`landsraad whoami`: the account of a token."""

from __future__ import annotations

from landsraad_cli.output import JsonFlag, finish
from landsraad_cli.service_options import (
    HERE,
    CaOption,
    CertOption,
    KeyOption,
    PlaintextOption,
    ServerOption,
    TokenOption,
    check_reachable,
    connection_arguments,
    reporting_errors,
)


def whoami(
    server: ServerOption = HERE,
    token: TokenOption = "",
    ca: CaOption = None,
    cert: CertOption = None,
    key: KeyOption = None,
    plaintext: PlaintextOption = False,
    json: JsonFlag = False,
) -> None:
    """Show the account of your token: its id and name, by which others can invite you, and its rights.

    Without a token, a service with open accounts makes a guest account for you, and its token is shown as well: keep
    it, as LANDSRAAD_TOKEN, to come back to the account.
    """
    from landsraad.client import Client

    how = connection_arguments(token, ca, plaintext, cert, key)
    with reporting_errors("whoami", server, how):
        check_reachable(server, how)
        with Client(server, **how) as client:
            account = client.whoami()
            facts = {
                "account": account.id,
                "name": account.name,
                "guest": account.guest,
                "roles": list(account.roles),
            }
            if not token:
                facts["token"] = client.token
    finish(facts, as_json=json, title="You")
