"""Worker processes of a command end with it, even if it is killed."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 130, signal.SIGKILL: -signal.SIGKILL}
#: A command whose work takes for ever.
ENDLESS = """
import signal
import landsraad_cli
from landsraad_cli import app
from landsraad.process_pool import process_pool

signal.signal(signal.SIGINT, signal.default_int_handler)  # shells make background processes ignore it

def work():
    with process_pool(1) as processes:
        processes.submit(print, "at work", flush=True)
        processes.submit(signal.pause).result()

app.app = work
landsraad_cli.main()
"""


@pytest.mark.parametrize("how", SIGNALS)
def test_a_command_that_is_ended_leaves_no_process_behind(how: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "at work\n"
            process.send_signal(how)
            process.communicate(timeout=20)  # until no process holds the pipe any more
        finally:
            with suppress(ProcessLookupError):  # it has ended, and all others with it
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == SIGNALS[how]
