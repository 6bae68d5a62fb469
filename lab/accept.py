"""Is a challenger better than the champion? They play until it is known.

    python -m lab.accept TITLE --challenger CODE --champion CODE --seed N --log FILE

A block is one seed with the seats turned: the challenger sits once on every seat, and champions on all others. What
counts is how often it won in a block, less its fair share; `lab.sprt` says when that is enough. Blocks
count in the order of their seeds, and one that is ready early waits for those before it. So the same seeds give the
same verdict, however many workers there are and however fast. The log has a line for the settings, one for each block
and one for the verdict. A run that was interrupted, or that shall go on for longer (`--most`), takes what its log
has. The command ends with 0 if the challenger was accepted, with 1 if not, and with 2 if nothing could be played.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from lab.logs import RunLog
from lab.sprt import LEAST, Ruling, SequentialTest, fair_variance
from ostbahn import __version__
from ostbahn.bots.arena import (
    ConfidenceInterval,
    Contest,
    PlayedGame,
    mean,
    mean_interval,
    play_game,
    validated_contest,
    wilson_interval,
)
from ostbahn.bots.jobs import HERE, JobBackend, JobsLost, LostJob, backend_at, run_jobs
from ostbahn.bots.limits import LIMIT
from ostbahn.kernel.errors import BadFile, BadSetup, OstbahnError
from ostbahn.kits.catalogue import kits

CHALLENGER: Final = 0
"""Its entry in the contest."""
MOST: Final = 200
"""Blocks, if nobody says otherwise."""


class Acceptance(Struct, frozen=True, kw_only=True):
    """Who is to be accepted instead of whom: all that the verdict hangs on."""

    title: str
    variant: str = "base"
    players: int = 3
    challenger: str
    champion: str
    seed: int
    """Of the first block."""
    limit: float = LIMIT
    test: SequentialTest
    ostbahn: str = __version__

    def contest(self, blocks: int) -> Contest:
        bots = (self.challenger, *[self.champion] * (self.players - 1))
        return Contest(
            title=self.title,
            variant=self.variant,
            bots=bots,
            games=blocks * self.players,
            seed=self.seed,
            limit=self.limit,
        )


class Block(Struct, frozen=True, kw_only=True):
    """One seed with the seats turned, as the log tells it."""

    block: int
    seed: int
    won: tuple[float, ...]
    """By game: 1 if the challenger won; equal winners share it."""
    wealth: tuple[tuple[int, ...], ...]
    """By game, the challenger first."""
    failures: int
    """How often a bot failed, so that another answer was taken for it."""
    outcome: float
    """How often the challenger won on average, less its fair share."""
    llr: float
    """The test's ratio after this block."""

    @property
    def relative_wealth(self) -> float:
        """The logarithm of the challenger's wealth, less the mean of the others'; debts and nothing count as 1."""
        logs = [[math.log(max(each, 1)) for each in game] for game in self.wealth]
        return mean([own - mean(others) for own, *others in logs])


class Verdict(Struct, frozen=True, kw_only=True):
    """What has been found out."""

    verdict: str
    blocks: int
    games: int
    win_rate: float
    win_interval: ConfidenceInterval
    """As if games did not hang together."""
    fair: float
    llr: float
    relative_wealth: float
    relative_wealth_interval: ConfidenceInterval
    """Of the blocks."""
    failures: int

    def __str__(self) -> str:
        low, high = self.win_interval
        poorest, richest = self.relative_wealth_interval
        return (
            f"{self.verdict} after {self.blocks} blocks: won {self.win_rate:.1%} of {self.games} games "
            f"({low:.1%} – {high:.1%}, fair {self.fair:.1%}), LLR {self.llr:.2f}, "
            f"relative wealth {self.relative_wealth:+.3f} ({poorest:+.3f} – {richest:+.3f}), failures {self.failures}"
        )


Source = Callable[[Contest, Iterable[int]], Generator[PlayedGame, None, None]]
"""Plays games of a contest, which may come in any order."""


def by_workers(workers: JobBackend, contest: Contest, numbers: Iterable[int]) -> Generator[PlayedGame, None, None]:
    """A game that cannot be played ends it all, since the blocks after it would wait for ever."""
    with closing(run_jobs(partial(play_game, contest), numbers, workers)) as running:
        for ended in running:
            if isinstance(ended, LostJob):
                raise JobsLost.of([ended])
            yield ended.result


def in_order(games: Iterable[PlayedGame], size: int, first: int) -> Iterator[list[PlayedGame]]:
    """The games of each block, block by block from the first that is missing, whenever they are ready."""
    early: dict[int, PlayedGame] = {}
    wanted = range(first * size, (first + 1) * size)
    for played in games:
        early[played.number] = played
        while all(number in early for number in wanted):
            yield [early.pop(number) for number in wanted]
            wanted = range(wanted.stop, wanted.stop + size)


def block_of(acceptance: Acceptance, games: Sequence[PlayedGame], before: Sequence[Block]) -> Block:
    """What a block adds to those before it."""
    own = [next(place for place in played.places if place.entry == CHALLENGER) for played in games]
    others = [[place.wealth for place in played.places if place.entry != CHALLENGER] for played in games]
    won = tuple(place.won for place in own)
    outcome = _outcome(won)
    return Block(
        block=len(before),
        seed=games[0].seed,
        won=won,
        wealth=tuple((place.wealth, *rest) for place, rest in zip(own, others, strict=True)),
        failures=sum(len(played.failures) for played in games),
        outcome=outcome,
        llr=acceptance.test.ratio([*(block.outcome for block in before), outcome]),
    )


def _outcome(won: Sequence[float]) -> float:
    """There are as many games as seats, so the share of each is fair."""
    return mean(won) - 1 / len(won)


def verdict_on(acceptance: Acceptance, blocks: Sequence[Block]) -> Verdict:
    outcomes = [block.outcome for block in blocks]
    wins, games = sum(sum(block.won) for block in blocks), len(blocks) * acceptance.players
    wealth = [block.relative_wealth for block in blocks]
    return Verdict(
        verdict=str(acceptance.test.ruling(outcomes)),
        blocks=len(blocks),
        games=games,
        win_rate=wins / games,
        win_interval=wilson_interval(wins, games),
        fair=1 / acceptance.players,
        llr=acceptance.test.ratio(outcomes),
        relative_wealth=mean(wealth),
        relative_wealth_interval=mean_interval(wealth),
        failures=sum(block.failures for block in blocks),
    )


def decide(
    acceptance: Acceptance, path: Path, source: Source, most: int = MOST, tell: Callable[[Block], None] = lambda _: None
) -> Verdict:
    """Play on from the log until the test decides, or there are so many blocks."""
    acceptance.test.checked()
    if acceptance.players < 2:
        raise BadSetup("a challenger needs a champion to play against, and so at least 2 players")
    contest = validated_contest(acceptance.contest(most))
    log = RunLog(path, msgspec.to_builtins(acceptance), end="verdict")
    blocks = _known(acceptance, log)
    if len(blocks) > most:
        raise BadSetup(f"{path} has {len(blocks)} blocks already, and --most {most} cannot shorten it")
    numbers = range(len(blocks) * acceptance.players, contest.games)
    with closing(source(contest, numbers)) as games:
        ready = in_order(games, acceptance.players, len(blocks))
        while len(blocks) < most and _ruling(acceptance, blocks) == Ruling.UNDECIDED:
            block = block_of(acceptance, next(ready), blocks)
            blocks.append(block)
            log.add(msgspec.to_builtins(block))
            tell(block)
    verdict = verdict_on(acceptance, blocks)
    log.add(msgspec.to_builtins(verdict))
    return verdict


def _ruling(acceptance: Acceptance, blocks: Sequence[Block]) -> Ruling:
    return acceptance.test.ruling([block.outcome for block in blocks])


def _known(acceptance: Acceptance, log: RunLog) -> list[Block]:
    """The blocks of a log, if they can have come from such a run."""
    blocks: list[Block] = []
    for number, line in enumerate(log.lines[1:]):
        try:
            block = msgspec.convert(line, Block)
        except msgspec.ValidationError as fault:
            raise BadFile(f"{log.path}: line {number + 2} is no block: {fault}") from None
        expected = (number, acceptance.seed + number, acceptance.players, _outcome(block.won or (0.0,)))
        if (block.block, block.seed, len(block.won), block.outcome) != expected:
            raise BadFile(f"{log.path}: line {number + 2} does not belong to this run")
        blocks.append(block)
    return blocks


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m lab.accept",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_options(parser)
    chosen = parser.parse_args()
    try:
        verdict = _accept(chosen)
    except OstbahnError as fault:
        parser.exit(2, f"accept: {fault}\n")
    except KeyboardInterrupt:
        parser.exit(130, "accept: the same command goes on from the log\n")
    print(verdict)
    parser.exit(0 if verdict.verdict == Ruling.ACCEPTED else 1)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", choices=list(kits()))
    parser.add_argument("--challenger", required=True, metavar="CODE", help="a bot, by its code or as path.py:Name")
    parser.add_argument("--champion", required=True, metavar="CODE", help="on all other seats")
    parser.add_argument("--players", type=int, default=3, metavar="N")
    parser.add_argument("--variant", default="base")
    parser.add_argument("--seed", type=int, required=True, metavar="N", help="of the first block")
    parser.add_argument("--log", type=Path, required=True, metavar="FILE", help="where it is told, and gone on from")
    parser.add_argument("--most", type=int, default=MOST, metavar="BLOCKS", help="then it stays undecided")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="games at the same time; 0: one for each core")
    parser.add_argument(
        "--on", default=HERE, metavar="here|ray", help="ray:ADDRESS is a cluster, ray one on this machine"
    )
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SECONDS", help="that a bot has for an answer")
    parser.add_argument("--m0", type=float, default=0.0, help="an advantage in games won that is none")
    parser.add_argument("--m1", type=float, default=0.08, help="an advantage that is to be accepted")
    parser.add_argument("--alpha", type=float, default=0.05, help="how often m0 may be accepted")
    parser.add_argument("--beta", type=float, default=0.05, help="how often m1 may be rejected")
    parser.add_argument("--least", type=int, default=LEAST, metavar="BLOCKS", help="before anything is decided")


def _accept(chosen: Any) -> Verdict:
    test = SequentialTest(
        m0=chosen.m0,
        m1=chosen.m1,
        alpha=chosen.alpha,
        beta=chosen.beta,
        least=chosen.least,
        floor=fair_variance(max(chosen.players, 2)),
    )
    acceptance = Acceptance(
        title=chosen.title,
        variant=chosen.variant,
        players=chosen.players,
        challenger=chosen.challenger,
        champion=chosen.champion,
        seed=chosen.seed,
        limit=chosen.limit,
        test=test,
    )
    source = partial(by_workers, backend_at(chosen.on, chosen.jobs))
    return decide(acceptance, chosen.log, source, chosen.most, _tell)


def _tell(block: Block) -> None:
    print(f"block {block.block}, seed {block.seed}: {block.outcome:+.2f}, LLR {block.llr:+.2f}", flush=True)


if __name__ == "__main__":
    main()
