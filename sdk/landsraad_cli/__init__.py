"""The `landsraad` command. CONTRIBUTING.md explains how a package adds a subcommand."""

import signal
import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line. If the extra `cli` is missing, tell the user to install it."""
    missing = [name for name in ("typer", "rich") if find_spec(name) is None]
    if missing:
        sys.exit(f"landsraad: the command line needs {' and '.join(missing)}: pip install 'landsraad[cli]'")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C: nothing is left running
    try:
        from landsraad_cli.app import app

        app()
    except KeyboardInterrupt:  # while it was still loading
        sys.exit(130)
