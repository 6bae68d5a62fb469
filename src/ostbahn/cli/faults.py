"""What becomes of faults: people see one line, and whoever called the command a status."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec

import typer

from ostbahn.kernel.errors import OstbahnError

P = ParamSpec("P")


def complain(text: str) -> None:
    from ostbahn.text.formatting import one_line

    print(f"ostbahn: {one_line(text)}", file=sys.stderr)


def fair(command: Callable[P, None]) -> Callable[P, None]:
    """What a command refuses is told in one line with status 2; an interrupted or unread one ends quietly."""

    @functools.wraps(command)
    def run_fairly(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except OstbahnError as error:
            complain(str(error))
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        except BrokenPipeError:
            _close_stdout()
            raise typer.Exit(1) from None  # as Rich does where it is the one who writes
        except OSError as error:
            _close_stdout()
            complain(f"the output cannot be written: {error.strerror}")
            raise typer.Exit(2) from None

    return run_fairly


def _close_stdout() -> None:
    """Nobody reads on: keep Python from trying again, and complaining, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
