"""A game as lines that people can compare: who answered what, and which of the main figures that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ostbahn.interop.saves import encode_action
from ostbahn.interop.site_adapter import state_line
from ostbahn.kernel import records
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Record
from ostbahn.titles.cz.events import JoinedVaclav, LoanTaken, NoPaperSold
from ostbahn.titles.mag.events import CompanyCardDealt, NoTrainSold, PaidOut, TerrainTokenGiven

Line = Mapping[str, Any]

SHOWN = (
    records.Paid,
    records.PriceMoved,
    records.CertificateMoved,
    records.DirectorChanged,
    records.TileLaid,
    records.StationPlaced,
    records.TrainMoved,
    records.PhaseBegan,
    records.RoundBegan,
    records.TurnBegan,
)
"""Events that show in the figures, or in who is asked."""
CALLED: Mapping[type[Event], str] = {
    LoanTaken: "loan",
    NoPaperSold: "wins unsold",
    JoinedVaclav: "joined by Vaclav",
    TerrainTokenGiven: "terrain token",
    PaidOut: "payout",
    NoTrainSold: "no train sold stack",
    CompanyCardDealt: "István's card",
}
"""Events that stories call otherwise than by their tag, as they always did."""


def story(game: Game) -> Iterator[str]:
    """A line for every answer; where a round begins, one with what everybody has by then."""
    line = state_line(game.position(0))
    yield _heading(line)
    for number, record in enumerate(game.records, start=1):
        before, line = line, state_line(game.position(number))
        told = ", ".join([*_changes(before, line), *_notes(record)])
        answered = f"{number:4} {_asked(game.position(number - 1))} {' '.join(_words(record.action))}"
        yield f"{answered} | {told}" if told else answered
        if before["round"] != line["round"]:
            yield _heading(line)


def _heading(line: Line) -> str:
    told = [
        f"{_name(who)} {row['cash']}" + (f" at {row['price']}" if "price" in row else "")
        for who, row in [*line["players"].items(), *line["companies"].items()]
    ]
    return f"== {line['round']}, phase {line['phase']}: {', '.join(told)}"


def _name(who: str) -> str:
    return f"minor {who}" if who.isdigit() else who


def _asked(game: Game) -> str:
    """Who is asked what, and for which company."""
    assert game.question is not None
    who = [game.table.name(game.question.decider), *map(_name, filter(None, [game.question.company]))]
    return f"{', '.join(who)}: {game.question.kind}:"


def _words(action: Action) -> Iterator[str]:
    for value in encode_action(action).values():
        if isinstance(value, (list, tuple)):
            for run in value:
                yield f"{'+'.join([run['card'], *run.get('cars', ())])}:{'>'.join(run['path'])}"
        elif value is not False:
            yield str(value)


def _notes(record: Record) -> Iterator[str]:
    """What else happened, such as the revenue of a run."""
    for event in record.events:
        if not isinstance(event, SHOWN):
            what = CALLED.get(type(event)) or str(event.__struct_config__.tag).replace("_", " ")
            yield " ".join([what, *_values(event)])


def _values(event: Event) -> Iterator[str]:
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if isinstance(value, str):
            yield _name(value)
        elif value and not isinstance(value, tuple):  # how trains went is no figure
            yield str(value)


def _changes(before: Line, after: Line) -> Iterator[str]:
    """What is different: `Anna cash -20, BCB trains +3, tile D4 -57/2 +14/2`."""
    yield from _difference("phase", [before["phase"]], [after["phase"]])
    for group in ("players", "companies"):
        for who in dict.fromkeys([*before[group], *after[group]]):
            old, new = before[group].get(who, {}), after[group].get(who, {})
            if old != new:
                yield from _of_somebody(_name(who), old, new)
    for hex_id, laid in after["tiles"].items():
        there = before["tiles"].get(hex_id)
        yield from _difference(f"tile {hex_id}", _tile(there), _tile(laid)) if laid != there else ()


def _tile(laid: list[Any] | None) -> list[str]:
    return [] if laid is None else ["/".join(map(str, laid))]


def _of_somebody(name: str, old: Line, new: Line) -> Iterator[str]:
    """Amounts are told by how much they changed, so that one change does not show in all later lines."""
    for what in dict.fromkeys([*old, *new]):
        was, now = old.get(what), new.get(what)
        if what in ("cash", "debt"):
            yield from _more(f"{name} {what}", was, now)
        elif what == "shares":
            for company in dict.fromkeys([*(was or ()), *(now or ())]):
                yield from _more(f"{name} % of {company}", (was or {}).get(company), (now or {}).get(company))
        else:
            yield from _difference(f"{name} {what}", _listed(was), _listed(now))


def _listed(value: Any) -> list[str]:
    return [] if value is None else value if isinstance(value, list) else [str(value)]


def _more(name: str, was: int | None, now: int | None) -> Iterator[str]:
    if more := (now or 0) - (was or 0):
        yield f"{name} {more:+}"


def _difference(name: str, was: list[str], now: list[str]) -> Iterator[str]:
    gone, come = Counter(was), Counter(now)
    parts = [f"-{thing}" for thing in (gone - come).elements()] + [f"+{thing}" for thing in (come - gone).elements()]
    if parts:
        yield f"{name} {' '.join(parts)}"
