"""Contests of bots: every seed is played with the seats turned, by several workers, and all games are kept.

The folder of a contest holds `contest.json` from its first moment, and for each game its save `00000.json` and what was
measured of it, `00000.played.json`; a game with both is played. So a contest can go on wherever it was interrupted.
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
"""Who sits on seats that the rules play; they are never asked."""
CONTEST: Final = "contest.json"
MEASURES_SUFFIX: Final = ".played.json"
"""How the file beside a save ends that tells what was measured of the game."""

Z: Final = 1.959964
"""Of the normal distribution, for 95 % in the middle."""

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
    """Seconds that a bot has for an answer."""


class SeatResult(Struct, frozen=True):
    """How a bot did in one game, or somebody whom the rules play."""

    seat: str
    bot: str
    """The code of the bot, or the name of whom the rules play."""
    entry: int | None
    """Which of the contest's bots it was, from 0; None if it was none of them."""
    wealth: int
    won: float
    """1 for the winner; equal winners share it."""


class PlayedGame(Struct, frozen=True, kw_only=True):
    number: int
    seed: int
    places: tuple[SeatResult, ...]
    answers: int
    seconds: float
    times_ms: Mapping[int, tuple[float, ...]]
    """By entry, how long each of its answers took; what was obvious it was not asked."""
    failures: tuple[str, ...]
    """What the log says where a bot failed."""


class ContestRecord(Struct, frozen=True, kw_only=True):
    """What `contest.json` holds. It has all the games only when the contest is complete."""

    ostbahn: str = ""
    """The version that plays the games; the first ones did not say."""
    contest: Contest
    games: tuple[PlayedGame, ...]


def validated_contest(contest: Contest) -> Contest:
    """A contest that can be played."""
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
    """Play all games that are not done; each comes as soon as it is. They are kept in the folder."""
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
    """One game, kept in the folder if there is one."""
    played, save = play_and_verify(contest, number)
    if folder is not None:
        _save_game(folder, played, save)
    return played


def play_and_verify(contest: Contest, number: int) -> tuple[PlayedGame, bytes]:
    """One game and its save, which a worker hands over: it may be far from the folder, or be lost as it writes.

    As many games as there are seats share a seed, and the bots change seats from one to the next.
    """
    seed, entries = _seating(contest, number)
    names = [f"{contest.bots[entry]} {entry + 1}" for entry in entries]
    variant, options, modules = contest.variant, contest.options, contest.modules
    game = new_game(contest.title, names, variant=variant, seed=seed, options=options, modules=modules)
    watch = GameMonitor(game, contest, entries)
    start = perf_counter()
    play_out(game, watch.bots, watch=watch)
    seconds = perf_counter() - start
    save = saves.dump(game)
    played = PlayedGame(
        number=number,
        seed=seed,
        places=tuple(_seat_results(game, _verified_outcome(contest, number, game, save), contest, entries)),
        answers=len(game),
        seconds=seconds,
        times_ms={entry: tuple(times) for entry, times in watch.times.items()},
        failures=tuple(watch.failures),
    )
    return played, save


def _verified_outcome(contest: Contest, number: int, game: Game, save: bytes) -> Result:
    """How a game ended, by a replay of its save; where bots of somebody's own played, in a process without them."""
    own = dict.fromkeys(spec for spec in contest.bots if OWN_BOT.fullmatch(spec))
    try:
        ended = replayed_result_in_subprocess(save) if own else replayed_result(save)
        if ended != game.result:
            raise BadFile("its actions lead to another result")
    except BadFile as fault:
        by = f" One of these bots changed the game or the rules: {', '.join(own)}." if own else ""
        raise GameChanged(f"game {number} (seed {game.setup.seed}) does not replay: {fault}.{by}") from None
    return ended


def _seating(contest: Contest, number: int) -> tuple[int, list[int]]:
    """The seed of a game, and which of the contest's bots is on each seat."""
    size = len(contest.bots)
    return contest.seed + number // size, [(seat + number) % size for seat in range(size)]


class GameMonitor:
    """Looks on: how long everybody thinks, and who fails."""

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
    """A bot with somebody holding a watch."""

    def __init__(self, bot: Bot, told: Callable[[float], None], clock: Callable[[], float] = perf_counter) -> None:
        self.bot, self.told, self.clock = bot, told, clock

    def choose(self, question: Question, game: Game) -> Action:
        start = self.clock()
        try:
            return choose(self.bot, question, game)
        finally:
            self.told(round((self.clock() - start) * 1000, 3))


def _seat_results(game: Game, ended: Result, contest: Contest, entries: Sequence[int]) -> Iterator[SeatResult]:
    names = text_renderer_of(game).names()
    for seat, entry in zip_longest(game.state.players, entries):
        won = 1 / len(ended.winners) if seat in ended.winners else 0.0
        bot = names[seat] if entry is None else contest.bots[entry]
        yield SeatResult(seat=seat, bot=bot, entry=entry, wealth=ended.worth[seat], won=won)


def new_numbered_folder(folder: Path) -> Path:
    """A new folder for the games of a contest beside those of earlier ones."""
    for number in count(1):
        found = folder / f"{number:03}"
        if not found.exists():
            found.mkdir(parents=True)
            return found
    raise AssertionError("numbers do not end")


# What a folder keeps


def encode_record(contest: Contest, games: Sequence[PlayedGame]) -> bytes:
    ordered = tuple(sorted(games, key=lambda played: played.number))
    record = ContestRecord(ostbahn=__version__, contest=contest, games=ordered)
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


def save_record(folder: Path, contest: Contest, games: Sequence[PlayedGame] = ()) -> None:
    """Write down what is to be played, and what has been."""
    _write(folder / CONTEST, encode_record(contest, games))


def _save_game(folder: Path, played: PlayedGame, save: bytes) -> None:
    path, measured = _game_files(folder, played.number)
    _write(path, save)
    _write(measured, msgspec.json.encode(played))


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
    """A contest to go on with until it has so many games, and those that it has."""
    if record.ostbahn != __version__:
        begun = f"Ostbahn {record.ostbahn}" if record.ostbahn else "an Ostbahn that did not note its version"
        raise BadFile(
            f"{folder}: this contest was begun with {begun}, and this is {__version__}, which may play otherwise: "
            "go on with the version that began it, or begin another contest"
        )
    contest = validated_contest(msgspec.structs.replace(record.contest, games=games))
    files = {number: _game_files(folder, number) for number in range(games)}
    complete = {number: measured for number, (save, measured) in files.items() if save.exists() and measured.exists()}
    return contest, [_read_played_game(measured, contest, number) for number, measured in complete.items()]


def _read_played_game(path: Path, contest: Contest, number: int) -> PlayedGame:
    try:
        played = _read(path, PlayedGame)
        _check_belongs(path, contest, number, played)
    except BadFile as fault:
        raise BadFile(f"{fault}; without this file the game is played again") from None
    return played


def _check_belongs(path: Path, contest: Contest, number: int, played: PlayedGame) -> None:
    """A file may come from another contest."""
    seed, entries = _seating(contest, number)
    bots = [(entry, contest.bots[entry]) for entry in entries]
    seated = [(place.entry, place.bot) for place in played.places if place.entry is not None]
    if (played.number, played.seed, seated, set(played.times_ms)) != (number, seed, bots, set(entries)):
        raise BadFile(f"{path}: game {number} does not belong to this contest")


def _game_files(folder: Path, number: int) -> tuple[Path, Path]:
    """The save of a game, and what was measured of it."""
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


# What a contest shows, with how sure it is (95 %)


class ConfidenceInterval(NamedTuple):
    low: float
    high: float


class BotStanding(Struct, frozen=True, kw_only=True):
    """All places of one kind of bot in a contest, or of somebody whom the rules play."""

    bot: str
    seats: int
    """How many of the seats it had in each game."""
    games: int
    win_rate: float
    """How often one of them won."""
    win_interval: ConfidenceInterval
    fair: float
    """How often one of them would win if all were equal."""
    wealth: float
    """The mean of one seat."""
    wealth_interval: ConfidenceInterval
    together: float
    """The mean of what all seats of a game had, whoever sat there."""
    median_ms: float | None
    """Of an answer; None if it was never asked."""
    p95_ms: float | None
    failures: int


def bot_standings(contest: Contest, games: Sequence[PlayedGame]) -> list[BotStanding]:
    """A line for each kind of bot and for whom the rules play, the most successful first."""
    others = (place.bot for played in games for place in played.places if place.entry is None)
    lines = [_bot_standing(contest, games, bot) for bot in dict.fromkeys((*contest.bots, *others))]
    return sorted(lines, key=lambda line: -line.win_rate / line.fair)


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
    """Wilson's interval: right for few games and for rates near 0 and 1, where the simple one is not."""
    rate, z2 = wins / games, Z * Z
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return ConfidenceInterval(max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def mean_interval(values: Sequence[float]) -> ConfidenceInterval:
    """Around the mean of many values, as if they did not depend on each other."""
    middle = mean(values)
    half = Z * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return ConfidenceInterval(middle - half, middle + half)


def quantile(ordered: Sequence[float], part: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else None
