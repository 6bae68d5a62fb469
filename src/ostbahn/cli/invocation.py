"""How commands are invoked: groups of options that several share, and what becomes of faults."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from ostbahn.kernel.errors import OstbahnError

if TYPE_CHECKING:  # it needs an extra
    from ostbahn.server.settings import Settings

Data = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where games are kept.", show_default="your own")]
Database = Annotated[
    str | None, typer.Option(metavar="URL", help="A database instead of that folder; its password is not said here.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="More settings, as TOML; $OSTBAHN_SETTINGS may name it too."),
]


class Places(NamedTuple):
    """Where games are kept, as commands about a server are told it: by options, the environment and a settings file."""

    data: Data = None
    database: Database = None
    settings: SettingsFile = None

    def read(self, **options: object) -> Settings:
        """All settings; of those that were not said on the command line, options are None."""
        from ostbahn.server.settings import read_settings

        return read_settings({"data": self.data, "database": self.database, **options}, os.environ, self.settings)


def complain(text: str) -> None:
    from ostbahn.text.formatting import one_line

    print(f"ostbahn: {one_line(text)}", file=sys.stderr)


def fair(command: Callable[..., None]) -> Callable[..., None]:
    """Make a function a command. A parameter that is a named tuple of options stands for all of these.

    What a command refuses is told in one line with status 2; an interrupted or unread one ends quietly.
    """
    signature = inspect.signature(command, eval_str=True)
    groups = {name: each.annotation for name, each in signature.parameters.items() if _is_group(each.annotation)}

    @functools.wraps(command)
    def run_fairly(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{option: given.pop(option) for option in group._fields})
        try:
            command(**given)
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

    run_fairly.__signature__ = signature.replace(parameters=list(_options(signature)))  # type: ignore[attr-defined]
    return run_fairly


def _is_group(annotation: object) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "_fields")


def _options(signature: inspect.Signature) -> Iterator[inspect.Parameter]:
    """The parameters of a command, with options in the place of their groups."""
    for each in signature.parameters.values():
        if not _is_group(each.annotation):
            yield each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        for name, kind in get_type_hints(each.annotation, include_extras=True).items():
            default = each.annotation._field_defaults.get(name, inspect.Parameter.empty)
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _close_stdout() -> None:
    """Nobody reads on: keep Python from trying again, and complaining, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
