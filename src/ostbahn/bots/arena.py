"""Contests of bots: several workers play every seed once with each rotation of the seats, and all games are saved.

A contest's folder holds `contest.json` from the start, and for each game its save `00000.json` and its measures
`00000.played.json`; a game with both files is complete. So an interrupted contest can be resumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import count, zip_longest
from pathlib import Path
from statistics import stdev
from time import perf_counter
from typing import Annotated, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from ostbahn import __version__
from ostbahn.bots.jobs import HERE, backend_at, job_results
from ostbahn.bots.limits import LIMIT, TimeLimitedBot, checked_limit
from ostbahn.bots.playing import Bot, BotAnswer, GameChanged, choose, play_out
from ostbahn.bots.registry import OWN_BOT, bot_named, check_bot_plays, seed_for
from ostbahn.interop import saves
from ostbahn.interop.replay_check import replayed_result, replayed_result_in_subprocess
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kernel.game import Game, Result
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import check_modules, entry_of, new_game
from ostbahn.storage import atomic_write
from ostbahn.text.speech import text_renderer_of

RULES_PLAYER: Final = "R"
"""The code of the bot for automated opponents; it is never asked, as the rules play them."""
CONTEST: Final = "contest.json"
MEASURES_SUFFIX: Final = ".played.json"
"""The suffix of the file with a game's measures, beside its save."""

Z: Final = 1.959964
"""Half the width of a 95 % interval, in standard deviations."""

T = TypeVar("T")


class Contest(Struct, frozen=True, kw_only=True):
    title: str
    variant: str = "base"
    bots: Annotated[tuple[str, ...], Meta(min_length=1)]
    """One for each seat."""
    games: Annotated[int, Meta(ge=1)]
    seed: int = 1
    options: Mapping[str, str] = {}
    modules: tuple[str, ...] = ()
    limit: float = LIMIT
    """Seconds per answer."""


class SeatResult(Struct, frozen=True):
    """The result of a bot or automated opponent in one game."""

    seat: str
    bot: str
    """The code of the bot, or the name of the automated opponent."""
    entry: int | None
    """The index of the bot in the contest; None for an automated opponent."""
    wealth: int
    won: float
    """1 for the only winner; tied winners share it."""


class PlayedGame(Struct, frozen=True, kw_only=True):
    number: int
    seed: int
    places: tuple[SeatResult, ...]
    answers: int
    seconds: float
    times_ms: Mapping[int, tuple[float, ...]]
    """By entry, the time of each answer without the obvious ones."""
    failures: tuple[str, ...]
    """Log notes of answers at which a bot failed."""


class ContestRecord(Struct, frozen=True, kw_only=True):
    """The contents of `contest.json`; the games are listed when the contest is complete."""

    ostbahn: str = ""
    """The version that plays the games; empty in old files."""
    contest: Contest
    games: tuple[PlayedGame, ...]


def validated_contest(contest: Contest) -> Contest:
    """Return a contest if it can be played; else raise `BadSetup`."""
    entry = entry_of(contest.title, contest.variant)
    if len(contest.bots) not in entry.players:
        wanted = " or ".join(map(str, entry.players))
        raise BadSetup(f"{contest.title} ({contest.variant}) is for {wanted} players, not for {len(contest.bots)} bots")
    check_modules(entry, contest.modules, len(contest.bots))
    if contest.games < 1:
        raise BadSetup("a contest has at least one game")
    if not math.isfinite(checked_limit(contest.limit)):
        wanted = "a number of seconds that a bot has to answer, however large"
        raise BadSetup(f"a contest needs {wanted}, and not {contest.limit}")
    for spec in contest.bots:
        bot_named(spec, contest.seed)
        check_bot_plays(spec, contest.title)
    return contest


def play_contest(
    contest: Contest, jobs: int = 1, folder: Path | None = None, done: Container[int] = (), on: str = HERE
) -> Iterator[PlayedGame]:
    """Play all games that are not done, save them in the folder and yield each when it ends."""
    validated_contest(contest)
    missing = [number for number in range(contest.games) if number not in done]
    if (on, jobs) == (HERE, 1):
        yield from (play_game(contest, number, folder) for number in missing)
        return
    with closing(job_results(partial(play_and_verify, contest), missing, backend_at(on, jobs))) as games:
        for played, save in games:
            if folder is not None:
                _save_game(folder, played, save)
            yield played


def play_game(contest: Contest, number: int, folder: Path | None = None) -> PlayedGame:
    """Play one game, and save it if there is a folder."""
    played, save = play_and_verify(contest, number)
    if folder is not None:
        _save_game(folder, played, save)
    return played


def play_and_verify(contest: Contest, number: int) -> tuple[PlayedGame, bytes]:
    """Play one game and return it with its save. Workers do not write: they may be on another machine, or die."""
    seed, entries = _seating(contest, number)
    names = [f"{contest.bots[entry]} {entry + 1}" for entry in entries]
    variant, options, modules = contest.variant, contest.options, contest.modules
    game = new_game(contest.title, names, variant=variant, seed=seed, options=options, modules=modules)
    monitor = GameMonitor(game, contest, entries)
    start = perf_counter()
    play_out(game, monitor.bots, watch=monitor)
    seconds = perf_counter() - start
    save = saves.dump(game)
    played = PlayedGame(
        number=number,
        seed=seed,
        places=tuple(_seat_results(game, _verified_outcome(contest, number, game, save), contest, entries)),
        answers=len(game),
        seconds=seconds,
        times_ms={entry: tuple(times) for entry, times in monitor.times.items()},
        failures=tuple(monitor.failures),
    )
    return played, save


def _verified_outcome(contest: Contest, number: int, game: Game, save: bytes) -> Result:
    """The result of a game, checked by replaying its save; after custom bots in a process that never ran them."""
    custom_bots = dict.fromkeys(spec for spec in contest.bots if OWN_BOT.fullmatch(spec))
    try:
        result = replayed_result_in_subprocess(save) if custom_bots else replayed_result(save)
        if result != game.result:
            raise BadFile("its actions lead to another result")
    except BadFile as fault:
        by = f" One of these bots changed the game or the rules: {', '.join(custom_bots)}." if custom_bots else ""
        raise GameChanged(f"game {number} (seed {game.setup.seed}) does not replay: {fault}.{by}") from None
    return result


def _seating(contest: Contest, number: int) -> tuple[int, list[int]]:
    """The seed of a game and the entry on each seat; one game per rotation of the seats shares a seed."""
    size = len(contest.bots)
    return contest.seed + number // size, [(seat + number) % size for seat in range(size)]


class GameMonitor:
    """Makes the bots of a game, and records their times and failures."""

    def __init__(self, game: Game, contest: Contest, entries: Sequence[int]) -> None:
        self.times: dict[int, list[float]] = {entry: [] for entry in entries}
        self.failures: list[str] = []
        self.bots: dict[str, Bot] = {}
        for seat, entry in zip_longest(game.state.players, entries):
            if entry is None:
                self.bots[seat] = bot_named(RULES_PLAYER, 1)
                continue
            bot = TimeLimitedBot(bot_named(contest.bots[entry], seed_for(game.setup.seed, entry)), contest.limit)
            self.bots[seat] = TimedBot(bot, self.times[entry].append)

    def __call__(self, game: Game, answered: BotAnswer) -> None:
        if answered.note:
            self.failures.append(f"{len(game)}: {answered.note}")


class TimedBot:
    """Reports the milliseconds of every answer of a bot."""

    def __init__(self, bot: Bot, report: Callable[[float], None], clock: Callable[[], float] = perf_counter) -> None:
        self.bot, self.report, self.clock = bot, report, clock

    def choose(self, question: Question, game: Game) -> Action:
        start = self.clock()
        try:
            return choose(self.bot, question, game)
        finally:
            self.report(round((self.clock() - start) * 1000, 3))


def _seat_results(game: Game, result: Result, contest: Contest, entries: Sequence[int]) -> Iterator[SeatResult]:
    names = text_renderer_of(game).names()
    for seat, entry in zip_longest(game.state.players, entries):
        won = 1 / len(result.winners) if seat in result.winners else 0.0
        bot = names[seat] if entry is None else contest.bots[entry]
        yield SeatResult(seat=seat, bot=bot, entry=entry, wealth=result.worth[seat], won=won)


def new_numbered_folder(parent: Path) -> Path:
    """Create the first folder `001`, `002` and so on that does not exist yet."""
    for number in count(1):
        folder = parent / f"{number:03}"
        if not folder.exists():
            folder.mkdir(parents=True)
            return folder
    raise AssertionError("numbers do not end")


# Files of a contest


def encode_record(contest: Contest, games: Sequence[PlayedGame]) -> bytes:
    ordered = tuple(sorted(games, key=lambda played: played.number))
    record = ContestRecord(ostbahn=__version__, contest=contest, games=ordered)
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


def save_record(folder: Path, contest: Contest, games: Sequence[PlayedGame] = ()) -> None:
    """Write `contest.json`."""
    _write(folder / CONTEST, encode_record(contest, games))


def _save_game(folder: Path, played: PlayedGame, save: bytes) -> None:
    save_path, measures_path = _game_files(folder, played.number)
    _write(save_path, save)
    _write(measures_path, msgspec.json.encode(played))


def load_record(folder: Path) -> ContestRecord:
    if not folder.is_dir():
        raise BadFile(f"{folder}: there is no such folder")
    path = folder / CONTEST
    if not path.exists():
        raise BadFile(f"{folder}: there is no contest in this folder; each has one with a number, such as arena/001")
    record = _read(path, ContestRecord)
    for played in record.games:
        _check_belongs(path, record.contest, played.number, played)
    return record


def resume_contest(folder: Path, record: ContestRecord, games: int) -> tuple[Contest, list[PlayedGame]]:
    """The contest of a folder with a new number of games, and its complete games."""
    if record.ostbahn != __version__:
        begun = f"Ostbahn {record.ostbahn}" if record.ostbahn else "an Ostbahn that did not note its version"
        raise BadFile(
            f"{folder}: this contest was begun with {begun}, and this is {__version__}, which may play otherwise: "
            "go on with the version that began it, or begin another contest"
        )
    contest = validated_contest(msgspec.structs.replace(record.contest, games=games))
    files = {number: _game_files(folder, number) for number in range(games)}
    complete = {number: measures for number, (save, measures) in files.items() if save.exists() and measures.exists()}
    return contest, [_read_played_game(measures, contest, number) for number, measures in complete.items()]


def _read_played_game(path: Path, contest: Contest, number: int) -> PlayedGame:
    try:
        played = _read(path, PlayedGame)
        _check_belongs(path, contest, number, played)
    except BadFile as fault:
        raise BadFile(f"{fault}; without this file the game is played again") from None
    return played


def _check_belongs(path: Path, contest: Contest, number: int, played: PlayedGame) -> None:
    """Raise `BadFile` if a game comes from another contest."""
    seed, entries = _seating(contest, number)
    bots = [(entry, contest.bots[entry]) for entry in entries]
    seated = [(place.entry, place.bot) for place in played.places if place.entry is not None]
    if (played.number, played.seed, seated, set(played.times_ms)) != (number, seed, bots, set(entries)):
        raise BadFile(f"{path}: game {number} does not belong to this contest")


def _game_files(folder: Path, number: int) -> tuple[Path, Path]:
    """The paths of a game's save and of its measures."""
    return folder / f"{number:05}.json", folder / f"{number:05}{MEASURES_SUFFIX}"


def _read(path: Path, kind: type[T]) -> T:
    document = saves.decode_file(path, saves.parse)
    try:
        return msgspec.convert(document, kind, str_keys=True)
    except msgspec.ValidationError as fault:
        raise BadFile(f"{path}: this is not what a contest keeps: {fault}") from None


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as file:
        file.write(data)


# Statistics, with 95 % intervals


class ConfidenceInterval(NamedTuple):
    low: float
    high: float


class BotStanding(Struct, frozen=True, kw_only=True):
    """The results of all seats of one bot or automated opponent in a contest."""

    bot: str
    seats: int
    """How many seats per game it had."""
    games: int
    win_rate: float
    """Wins per game, of all its seats together."""
    win_interval: ConfidenceInterval
    fair: float
    """The win rate if all seats were equally strong."""
    wealth: float
    """The mean of one seat."""
    wealth_interval: ConfidenceInterval
    together: float
    """Mean total wealth of all seats of a game."""
    median_ms: float | None
    """Of an answer; None if it was never asked."""
    p95_ms: float | None
    failures: int


def bot_standings(contest: Contest, games: Sequence[PlayedGame]) -> list[BotStanding]:
    """One standing per bot and automated opponent, the most successful first."""
    automated = (place.bot for played in games for place in played.places if place.entry is None)
    standings = [_bot_standing(contest, games, bot) for bot in dict.fromkeys((*contest.bots, *automated))]
    return sorted(standings, key=lambda standing: -standing.win_rate / standing.fair)


def _bot_standing(contest: Contest, games: Sequence[PlayedGame], bot: str) -> BotStanding:
    places = [place for played in games for place in played.places if place.bot == bot]
    wins, wealth = sum(place.won for place in places), [float(place.wealth) for place in places]
    entries = {entry for entry, code in enumerate(contest.bots) if code == bot}
    times = sorted(time for played in games for entry in entries for time in played.times_ms[entry])
    return BotStanding(
        bot=bot,
        seats=len(places) // len(games),
        games=len(games),
        win_rate=wins / len(games),
        win_interval=wilson_interval(wins, len(games)),
        fair=len(places) / sum(len(played.places) for played in games),
        wealth=mean(wealth),
        wealth_interval=mean_interval(wealth),
        together=mean([float(sum(place.wealth for place in played.places)) for played in games]),
        median_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
        failures=sum(len(played.failures) for played in games),
    )


def wilson_interval(wins: float, games: int) -> ConfidenceInterval:
    """Wilson's interval, which also holds for few games and for rates near 0 and 1."""
    rate, z2 = wins / games, Z * Z
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return ConfidenceInterval(max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def mean_interval(values: Sequence[float]) -> ConfidenceInterval:
    """The interval of a mean, assuming independent values."""
    middle = mean(values)
    half = Z * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return ConfidenceInterval(middle - half, middle + half)


def quantile(ordered: Sequence[float], fraction: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(len(ordered) * fraction))] if ordered else None
