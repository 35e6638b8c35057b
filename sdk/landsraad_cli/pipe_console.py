"""A console whose output may be cut off, as in `landsraad demo | head`."""

import errno
import os
import sys

from rich.console import Console


class PipeConsole(Console):
    """A console that reports a closed pipe as an error, so that everything under way is cleaned up.

    Rich would raise SystemExit. Raised in a task, that stops the event loop before services and streams are closed.
    """

    def on_broken_pipe(self) -> None:
        """Discard all further output, and raise BrokenPipeError, on which typer exits without a traceback."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
