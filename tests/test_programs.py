"""Programs that tests start: a Ctrl-C reaches them, whatever the shell of the tests does about it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest

from tests.programs import started

WAITING = "import time; print('here', flush=True); time.sleep(600)"


@pytest.fixture
def deaf() -> Iterator[None]:
    """As in `nohup … &` and `trap '' INT`."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("deaf")
def test_a_program_hears_ctrl_c_where_the_tests_do_not() -> None:
    with started([sys.executable, "-c", WAITING]) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "here\n"
        program.send_signal(signal.SIGINT)
        _, complaint = program.communicate(timeout=60)
    assert program.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in complaint
