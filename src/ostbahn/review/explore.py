"""Statistics of many games: opening choices, seats and first trains with their win rates, and when phases and trains
came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.bots.arena import CONTEST, MEASURES_SUFFIX, ConfidenceInterval, mean, mean_interval, wilson_interval
from ostbahn.bots.jobs import HERE, backend_at, job_results
from ostbahn.interop import files
from ostbahn.kernel.errors import BadFile, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PLACES
from ostbahn.review.accounts import Accounts, TrainAccount, accounts_of
from ostbahn.review.reports.subject import ReportProgress
from ostbahn.text.words import plural
from ostbahn.views.title_views import OPERATING, views_of

NO_GAMES: Final = (CONTEST, "summary.json")
"""Other files in the folder of a contest."""


class SeatFacts(Struct, frozen=True):
    place: int
    """In the first playing order, from 1."""
    won: float
    """1 for the only winner; tied winners share it."""
    part: float
    """Final wealth divided by the mean of the table."""
    took: tuple[tuple[str, str], ...]
    """Choices that set the course of their game: heading and choice."""
    first_trains: tuple[str, ...]
    """Kinds of trains of which one of their companies had the first."""


class GameFacts(Struct, frozen=True):
    title: str
    variant: str
    seats: tuple[SeatFacts, ...]
    """The seats of people and bots, without automated opponents."""
    fair: float
    """The win rate of equally strong players."""
    rounds: int
    phases: dict[str, int]
    """The Operating Round in which each phase began; 0 before the first."""
    trains: dict[str, int]
    """The Operating Round in which the first train of each kind came."""


class ExploredGames(NamedTuple):
    games: list[GameFacts]
    broken: list[str]
    """Files that could not be used, with the reason."""


class WinRate(NamedTuple):
    """Results of the seats that made one choice."""

    what: str
    times: int
    wins: float
    win_rate: float
    win_interval: ConfidenceInterval
    part: float
    part_interval: ConfidenceInterval


def read_games(places: Sequence[Path], jobs: int = 0, told: ReportProgress = lambda *_: None) -> ExploredGames:
    """Read all finished games in files and folders; `told` receives the progress."""
    paths = games_in(places)
    if not paths:
        raise BadFile(f"there is no game in {', '.join(map(str, places))}")
    numbered_facts, broken = [], []
    with closing(job_results(partial(_read, paths), range(len(paths)), backend_at(HERE, jobs))) as results:
        for number, result in enumerate(results, start=1):
            told("reading games", number, len(paths))
            if isinstance(result, str):
                broken.append(result)
            else:
                numbered_facts.append((result[0], result[1]))
    if not numbered_facts:
        raise BadFile(f"none of {plural(len(paths), 'file')} holds a finished game; the first: {broken[0]}")
    ordered = sorted(numbered_facts, key=lambda pair: pair[0])
    return ExploredGames([facts for _, facts in ordered], sorted(broken))


def games_in(places: Sequence[Path]) -> list[Path]:
    paths: list[Path] = []
    for place in places:
        inside = sorted(place.rglob("*.json")) if place.is_dir() else [place]
        paths += [path for path in inside if path.name not in NO_GAMES and not path.name.endswith(MEASURES_SUFFIX)]
    return paths


def _read(paths: Sequence[Path], number: int) -> tuple[int, GameFacts] | str:
    try:
        game = files.open_game(paths[number])
    except OstbahnError as fault:
        return str(fault)
    return (number, facts_of(game)) if game.over else f"{paths[number]}: this game is not over"


def facts_of(game: Game) -> GameFacts:
    accounts = accounts_of(game)
    operating = [round_.name for round_ in accounts.rounds if round_.name.startswith(OPERATING)]
    numbers = {name: number for number, name in enumerate(operating, start=1)}
    return GameFacts(
        title=accounts.title,
        variant=accounts.variant,
        seats=tuple(_seats(game, accounts)),
        fair=1 / len(game.state.players),
        rounds=len(operating),
        phases={each.phase: numbers.get(each.round, 0) for each in accounts.phases},
        trains={face: numbers.get(train.round, 0) for face, train in _first_trains(accounts).items()},
    )


def _seats(game: Game, accounts: Accounts) -> Iterator[SeatFacts]:
    views, worth, winners = views_of(game), game.worth(), game.table.winners()
    mean_worth = max(1.0, mean([float(amount) for amount in worth.values()]))
    took: dict[str, list[tuple[str, str]]] = {seat: [] for seat in worth}
    for record in game.records:
        took[record.by] += [(each.heading, each.what) for each in views.course_choices(record)]
    directors = {(round_.name, each.company): each.director for round_ in accounts.rounds for each in round_.companies}
    first = _first_trains(accounts).items()
    for player in views_of(game.position(0)).players(None):
        if player.place is not None and views.role(player.seat) == "player":
            seat = player.seat
            won = (seat in winners) / len(winners)
            own = tuple(face for face, train in first if directors.get((train.round, train.company)) == seat)
            yield SeatFacts(player.place, won, worth[seat] / mean_worth, tuple(took[seat]), own)


def _first_trains(accounts: Accounts) -> dict[str, TrainAccount]:
    """The first train of each kind that a company got from the bank."""
    first: dict[str, TrainAccount] = {}
    for train in accounts.trains:
        if train.source in PLACES:
            first.setdefault(train.face, train)
    return first


def groups(games: Iterable[GameFacts]) -> dict[tuple[str, str, int], list[GameFacts]]:
    """Group comparable games: those of one title and variant with equally many players."""
    by_kind: dict[tuple[str, str, int], list[GameFacts]] = {}
    for game in games:
        by_kind.setdefault((game.title, game.variant, len(game.seats)), []).append(game)
    return dict(sorted(by_kind.items()))


def rates(choices: Iterable[tuple[str, SeatFacts]]) -> list[WinRate]:
    """Win rate and wealth by choice, the most frequent choice first."""
    by_choice: dict[str, list[SeatFacts]] = {}
    for choice, seat in choices:
        by_choice.setdefault(choice, []).append(seat)
    return sorted(starmap(_rate, by_choice.items()), key=lambda rate: (-rate.times, rate.what))


def _rate(what: str, seats: Sequence[SeatFacts]) -> WinRate:
    wins, parts = sum(seat.won for seat in seats), [seat.part for seat in seats]
    return WinRate(
        what, len(seats), wins, wins / len(seats), wilson_interval(wins, len(seats)), mean(parts), mean_interval(parts)
    )


def of_seats(games: Sequence[GameFacts]) -> list[WinRate]:
    by_seat = rates((f"seat {seat.place}", seat) for game in games for seat in game.seats)
    return sorted(by_seat, key=lambda rate: rate.what)


def of_openings(games: Sequence[GameFacts]) -> dict[str, list[WinRate]]:
    took = [(heading, what, seat) for game in games for seat in game.seats for heading, what in seat.took]
    return {
        heading: rates((what, seat) for each, what, seat in took if each == heading)
        for heading in dict.fromkeys(heading for heading, _, _ in took)
    }


def of_first_trains(games: Sequence[GameFacts]) -> list[WinRate]:
    return rates((f"first {face}", seat) for game in games for seat in game.seats for face in seat.first_trains)


class Timing(NamedTuple):
    """The Operating Rounds in which something began."""

    what: str
    games: int
    middle: float
    interval: ConfidenceInterval
    first: int
    last: int


def timings(begun: Iterable[dict[str, int]]) -> list[Timing]:
    """When things began over many games, ordered by their mean Operating Round."""
    rounds_by_name: dict[str, list[int]] = {}
    for game in begun:
        for name, number in game.items():
            rounds_by_name.setdefault(name, []).append(number)
    times = []
    for name, numbers in rounds_by_name.items():
        values = [float(number) for number in numbers]
        times.append(Timing(name, len(numbers), mean(values), mean_interval(values), min(numbers), max(numbers)))
    return sorted(times, key=lambda time: time.middle)


def summary_lines(games: Sequence[GameFacts]) -> Iterator[str]:
    """The most important statistics as lines of text."""
    for (title, variant, players), own in groups(games).items():
        yield f"{title} ({variant}), {plural(players, 'player')}: {plural(len(own), 'game')}"
        tables = {"Seats": of_seats(own), **of_openings(own), "First trains": of_first_trains(own)}
        for heading, found in tables.items():
            yield f"  {heading} (fair: {own[0].fair:.0%} wins)"
            yield from (f"    {describe_rate(each)}" for each in found[:8])
        if phases := timings(game.phases for game in own):
            begun = ", ".join(f"{each.what} in {each.middle:.1f}" for each in phases)
            yield f"  Phases began in Operating Round: {begun}"


def describe_rate(rate: WinRate) -> str:
    low, high = rate.win_interval
    return (
        f"{rate.what}: {plural(rate.times, 'time')}, wins {rate.win_rate:.0%} ({low:.0%}–{high:.0%}), "
        f"wealth {rate.part:.2f} of the table's mean"
    )
