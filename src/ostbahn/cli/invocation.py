"""Shared groups of options, and the wrapper of all commands with its error handling."""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_type_hints

import typer
from typer.models import CommandFunctionType

from ostbahn.kernel.errors import OstbahnError

if TYPE_CHECKING:  # it needs an extra
    from ostbahn.server.settings import Settings

CODES: Final = "1 to 5, builder, raider, steady, R, G, S, N, path.py:Name"
"""Codes of all bots, for help texts."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="A save file.", show_default=False)]
AnyFile = Annotated[Path, typer.Argument(metavar="FILE", help="A save, or an 18xx.games export.", show_default=False)]
At = Annotated[int | None, typer.Option("--at", metavar="N", help="As it was after so many actions.")]
AtAction = Annotated[int | None, typer.Option("--at", metavar="N", help="After the file's action N.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]
TitleOption = Annotated[
    str | None, typer.Option("--title", help="What to play: `ostbahn titles` lists all, and the first is taken.")
]
Variant = Annotated[str | None, typer.Option("--variant", help="Which variant; `ostbahn titles` lists them.")]
BoardOption = Annotated[
    Path | None, typer.Option("--board", metavar="FILE", help="A board of your own, where the variant takes one.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="What else a variant lets you choose.")
]
Modules = Annotated[
    list[str] | None,
    typer.Option("--module", metavar="ID", help="A module of the title's expansion; ostbahn titles lists them."),
]
Limit = Annotated[
    float, typer.Option("--limit", metavar="SECONDS", help="How long a bot may think; then another answer is taken.")
]
Data = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where games are kept.", show_default="your own")]
DatabaseOption = Annotated[
    str | None, typer.Option(metavar="URL", help="A database instead of that folder; its password is not said here.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="More settings, as TOML; $OSTBAHN_SETTINGS may name it too."),
]


class Places(NamedTuple):
    """Options for the place of a server's games; environment and settings file complete them."""

    data: Data = None
    database: DatabaseOption = None
    settings: SettingsFile = None

    def read(self, **options: object) -> Settings:
        """Read all settings; options that were not given are None."""
        from ostbahn.server.settings import read_settings

        return read_settings({"data": self.data, "database": self.database, **options}, os.environ, self.settings)


class GamePlan(NamedTuple):
    """Options of a new game."""

    title: TitleOption = None
    """By default the first that is installed."""
    variant: Variant = None
    names: Annotated[
        list[str] | None, typer.Option("--player", metavar="NAME", help="A player, in order of seats.")
    ] = None
    number: Annotated[int | None, typer.Option("--players", metavar="N", help="How many, if they need no names.")] = (
        None
    )
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="What chance depends on; by default any.")] = (
        None
    )
    board: BoardOption = None
    deck: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="Cards of your own, where the variant takes them.")
    ] = None
    options: Options = None
    modules: Modules = None


class Rulings(NamedTuple):
    preset: Annotated[str, typer.Option(help="How open questions are ruled: rulebook or 18xx.games.")] = "rulebook"
    ruling: Annotated[list[str] | None, typer.Option(metavar="ID=VALUE", help="One ruling of your own.")] = None
    given_order: Annotated[bool, typer.Option("--given-order", help="Play in the order of the seats.")] = False


class ContestPlan(NamedTuple):
    """Options of a contest."""

    title: Annotated[str | None, typer.Argument(metavar="TITLE", show_default=False)] = None
    bots: Annotated[str | None, typer.Option(metavar="S,G,G", help=f"A code for each seat: {CODES}.")] = None
    games: Annotated[int | None, typer.Option(metavar="N", min=1, show_default="100")] = None
    players: Annotated[int | None, typer.Option(metavar="N", help="The last bot fills the table.")] = None
    variant: Variant = None
    options: Options = None
    modules: Modules = None
    seed: Annotated[int | None, typer.Option(metavar="N", help="Of the first game.", show_default="1")] = None
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where games and figures are kept.", show_default="arena")
    ] = None
    limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="How long a bot may think; then another answer is taken.", show_default="30"
        ),
    ] = None


class WorkerOptions(NamedTuple):
    """Options of its workers, which have no effect on the games."""

    jobs: Annotated[int, typer.Option(metavar="N", min=0, help="Games at the same time; 0: one for each core.")] = 0
    on: Annotated[str, typer.Option(metavar="here|ray", help="On a Ray cluster: ray:ADDRESS, or ray for one here.")] = (
        "here"
    )


def print_error(text: str) -> None:
    from ostbahn.text.formatting import one_line

    print(f"ostbahn: {one_line(text)}", file=sys.stderr)


class Commands(typer.Typer):
    """A command group that wraps each command by `as_command`."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[CommandFunctionType], CommandFunctionType]:
        register = super().command(name, **settings)

        def add(command: CommandFunctionType) -> CommandFunctionType:
            register(as_command(command))
            return command

        return add


def print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=1))


def as_command(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command: named tuples of options become options, and errors become one line with exit status 2."""
    signature = inspect.signature(command, eval_str=True)
    parameters = signature.parameters.items()
    groups = {name: parameter.annotation for name, parameter in parameters if _is_group(parameter.annotation)}

    @functools.wraps(command)
    def run_command(**arguments: Any) -> None:
        for name, group in groups.items():
            arguments[name] = group(**{option: arguments.pop(option) for option in group._fields})
        try:
            command(**arguments)
            sys.stdout.flush()
        except OstbahnError as error:
            print_error(str(error))
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        except BrokenPipeError:
            _close_stdout()
            raise typer.Exit(1) from None  # like Rich when it writes
        except OSError as error:
            _close_stdout()
            print_error(f"the output cannot be written: {error.strerror}")
            raise typer.Exit(2) from None

    run_command.__signature__ = signature.replace(parameters=list(_expanded(signature)))  # type: ignore[attr-defined]
    return run_command


def _is_group(annotation: object) -> bool:
    """Whether a parameter is a named tuple of options."""
    return isinstance(annotation, type) and hasattr(annotation, "_fields")


def _expanded(signature: inspect.Signature) -> Iterator[inspect.Parameter]:
    """The parameters of a command, with groups expanded to their options."""
    for parameter in signature.parameters.values():
        if not _is_group(parameter.annotation):
            yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        for name, annotation in get_type_hints(parameter.annotation, include_extras=True).items():
            default = parameter.annotation._field_defaults.get(name, inspect.Parameter.empty)
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _close_stdout() -> None:
    """Keep Python from reporting at exit that it cannot flush to a closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
