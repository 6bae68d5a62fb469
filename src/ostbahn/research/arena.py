"""Contests of bots: every seed is played with the seats turned, in several processes, and all games are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
from msgspec import Struct

from ostbahn.bots.bot import Bot
from ostbahn.bots.limits import LIMIT, Limited, checked_limit
from ostbahn.bots.playing import Answered, play_out
from ostbahn.bots.registry import bot_named, seed_for
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.telling.faces import face_of
from ostbahn.titles.catalogue import entry_of, new_game

NOBODY: Final = "R"
"""Who sits on seats that the rules play (István); he is never asked."""


class Contest(Struct, frozen=True, kw_only=True):
    """What is to be played."""

    title: str
    variant: str = "base"
    bots: tuple[str, ...]
    """One for each seat."""
    games: int
    seed: int = 1
    options: Mapping[str, str] = {}
    limit: float = LIMIT
    """Seconds that a bot has for an answer."""


class Place(Struct, frozen=True):
    """How a bot did in one game."""

    seat: str
    bot: str
    entry: int
    """Which of the contest's bots it was, from 0."""
    wealth: int
    won: float
    """1 for the winner; equal winners share it."""


class Played(Struct, frozen=True, kw_only=True):
    """One game of a contest."""

    number: int
    seed: int
    places: tuple[Place, ...]
    answers: int
    seconds: float
    times_ms: Mapping[int, tuple[float, ...]]
    """By entry, how long each of its answers took; what was obvious it was not asked."""
    failures: tuple[str, ...]
    """What the log says where a bot failed."""


def checked(contest: Contest) -> Contest:
    """A contest that can be played."""
    entry = entry_of(contest.title, contest.variant)
    if len(contest.bots) not in entry.players:
        wanted = " or ".join(map(str, entry.players))
        raise BadSetup(f"{contest.title} ({contest.variant}) is for {wanted} players, not for {len(contest.bots)} bots")
    if contest.games < 1:
        raise BadSetup("a contest has at least one game")
    checked_limit(contest.limit)
    for spec in contest.bots:
        bot_named(spec, contest.seed)
    return contest


def contest_games(contest: Contest, jobs: int = 1, folder: Path | None = None) -> Iterator[Played]:
    """Play all games; each comes as soon as it is done. Saves of them go to the folder."""
    checked(contest)
    if jobs == 1:
        yield from (play(contest, number, folder) for number in range(contest.games))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(play, contest, number, folder) for number in range(contest.games)]
        try:
            for done in as_completed(running):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def play(contest: Contest, number: int, folder: Path | None = None) -> Played:
    """One game. As many games as there are seats share a seed, and the bots change seats from one to the next."""
    size = len(contest.bots)
    turned, seed = number % size, contest.seed + number // size
    entries = [(seat + turned) % size for seat in range(size)]
    names = [f"{contest.bots[entry]} {entry + 1}" for entry in entries]
    game = new_game(contest.title, names, variant=contest.variant, seed=seed, options=contest.options)
    watch = Watch(game, contest, entries)
    start = perf_counter()
    play_out(game, watch.bots, watch=watch)
    seconds = perf_counter() - start
    if folder is not None:
        saves.write(folder / f"{number:05}.json", game)
    return Played(
        number=number,
        seed=seed,
        places=tuple(_places(game, contest, entries)),
        answers=len(game),
        seconds=seconds,
        times_ms={entry: tuple(times) for entry, times in watch.times.items()},
        failures=tuple(watch.failures),
    )


class Watch:
    """Looks on: how long everybody thinks, and who fails."""

    def __init__(self, game: Game, contest: Contest, entries: Sequence[int]) -> None:
        self.times: dict[int, list[float]] = {entry: [] for entry in entries}
        self.failures: list[str] = []
        self.bots: dict[str, Bot] = {
            seat: Timed(_seated(contest, entry, game.setup.seed), self.times[entry].append)
            for seat, entry in zip(game.state.players, entries, strict=False)
        }
        for seat in game.state.players[len(entries) :]:
            self.bots[seat] = bot_named(NOBODY, 1)

    def __call__(self, game: Game, answered: Answered) -> None:
        if answered.note:
            self.failures.append(f"{len(game)}: {answered.note}")


def _seated(contest: Contest, entry: int, game_seed: int) -> Bot:
    return Limited(bot_named(contest.bots[entry], seed_for(game_seed, entry)), contest.limit)


class Timed:
    """A bot with somebody holding a watch."""

    def __init__(self, bot: Bot, told: Callable[[float], None], clock: Callable[[], float] = perf_counter) -> None:
        self.bot, self.told, self.clock = bot, told, clock

    def choose(self, question: Question, game: Game) -> Action:
        start = self.clock()
        try:
            return self.bot.choose(question, game)
        finally:
            self.told(round((self.clock() - start) * 1000, 3))


def _places(game: Game, contest: Contest, entries: Sequence[int]) -> Iterator[Place]:
    face = face_of(game)
    wealth, winners = face.standings(), face.winners()
    for seat, entry in zip(game.state.players, entries, strict=False):
        won = 1 / len(winners) if seat in winners else 0.0
        yield Place(seat, contest.bots[entry], entry, wealth[seat], won)


def numbered(folder: Path) -> Path:
    """A new folder for the games of a contest beside those of earlier ones."""
    for number in count(1):
        found = folder / f"{number:03}"
        if not found.exists():
            found.mkdir(parents=True)
            return found
    raise AssertionError("numbers do not end")


def encoded(contest: Contest, games: Sequence[Played]) -> bytes:
    """Everything about a contest, as JSON."""
    ordered = sorted(games, key=lambda played: played.number)
    return msgspec.json.format(msgspec.json.encode({"contest": contest, "games": ordered}), indent=1)
