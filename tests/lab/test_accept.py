from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from lab import accept
from lab.accept import Acceptance, by_workers, decide, in_order
from lab.sprt import SequentialTest, fair_variance
from ostbahn.bots.arena import Contest, PlayedGame, SeatResult
from ostbahn.bots.jobs import JobExecutor, JobFunction, JobResult, JobsLost, R, WorkerDeath
from ostbahn.kernel.errors import BadFile, BadSetup

THREE = Acceptance(
    title="18CZ", challenger="S", champion="G", seed=40, test=SequentialTest(floor=fair_variance(3)), ostbahn="test"
)
Wins = Callable[[int], bool]
"""Whether the challenger wins a game, by its number."""


def game(contest: Contest, number: int, won: bool) -> PlayedGame:
    """A game without playing: the challenger has 2,000 if it wins and 500 if not, and the others have 1,000 each."""
    size = len(contest.bots)
    entries = [(seat + number) % size for seat in range(size)]
    places = []
    for seat, entry in enumerate(entries):
        wealth = 1000 if entry else 2000 if won else 500
        share = float(won) if entry == 0 else (1 - won) / (size - 1)
        places.append(SeatResult(seat=f"p{seat}", bot=contest.bots[entry], entry=entry, wealth=wealth, won=share))
    return PlayedGame(
        number=number,
        seed=contest.seed + number // size,
        places=tuple(places),
        answers=1,
        seconds=0.0,
        times_ms={},
        failures=("slow",) if number == 1 else (),
    )


class Table:
    """Plays games in some order, and may be interrupted."""

    def __init__(self, wins: Wins, shuffled: int | None = None, until: int = 10**9) -> None:
        self.wins, self.shuffled, self.until = wins, shuffled, until
        self.asked: list[int] = []
        self.closed = False

    def __call__(self, contest: Contest, numbers: Iterable[int]) -> Generator[PlayedGame, None, None]:
        self.asked = list(numbers)
        order = self.asked.copy()
        if self.shuffled is not None:
            Random(self.shuffled).shuffle(order)
        try:
            for number in order:
                if number >= self.until:
                    raise KeyboardInterrupt
                yield game(contest, number, self.wins(number))
        finally:
            self.closed = True


def always(number: int) -> bool:
    return True


def never(number: int) -> bool:
    return False


def mixed(number: int) -> bool:
    """By chance, and somewhat more often than its share."""
    return Random(number).random() < 0.45


def between(number: int) -> bool:
    """In 37 of 100 games: between `m0` and `m1`."""
    return number % 27 < 10


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def test_whoever_always_wins_is_accepted_as_soon_as_that_is_allowed(path: Path) -> None:
    table = Table(always)
    verdict = decide(THREE, path, table)
    assert (verdict.verdict, verdict.blocks, verdict.games, verdict.win_rate) == ("accepted", 8, 24, 1.0)
    assert verdict.win_interval.low > 0.8
    assert verdict.relative_wealth == pytest.approx(math.log(2))
    assert verdict.failures == 1
    assert table.closed, "nobody plays on"


def test_whoever_never_wins_is_rejected(path: Path) -> None:
    verdict = decide(THREE, path, Table(never))
    assert (verdict.verdict, verdict.win_rate) == ("rejected", 0.0)
    assert verdict.relative_wealth == pytest.approx(-math.log(2))
    assert verdict.relative_wealth_interval == pytest.approx((-math.log(2),) * 2)


def test_the_log_tells_settings_blocks_and_verdict(path: Path) -> None:
    told: list[accept.Block] = []
    verdict = decide(THREE, path, Table(mixed), tell=told.append)
    first, *blocks, last = lines(path)
    assert (first["challenger"], first["champion"], first["seed"], first["test"]["m1"]) == ("S", "G", 40, 0.08)
    assert [block["seed"] for block in blocks] == list(range(40, 40 + verdict.blocks))
    for number, block in enumerate(blocks):
        wins = [mixed(each) for each in range(3 * number, 3 * number + 3)]
        assert block["won"] == wins
        assert block["wealth"] == [[2000 if won else 500, 1000, 1000] for won in wins]
        assert block["outcome"] == pytest.approx(sum(wins) / 3 - 1 / 3)
        assert block["llr"] == THREE.test.ratio([each["outcome"] for each in blocks[: number + 1]])
    assert last == msgspec.to_builtins(verdict) | {
        "win_interval": list(verdict.win_interval),
        "relative_wealth_interval": list(verdict.relative_wealth_interval),
    }
    assert [block.block for block in told] == list(range(verdict.blocks))


@pytest.mark.parametrize("shuffled", range(5))
def test_the_order_in_which_games_end_makes_no_difference(path: Path, tmp_path: Path, shuffled: int) -> None:
    expected = decide(THREE, tmp_path / "ordered", Table(mixed))
    assert expected.verdict == "accepted"
    assert decide(THREE, path, Table(mixed, shuffled)) == expected
    assert path.read_bytes() == (tmp_path / "ordered").read_bytes()


def test_a_block_waits_for_those_before_it() -> None:
    contest = THREE.contest(3)
    seen = []
    for block in in_order((game(contest, number, True) for number in (8, 3, 7, 4, 6, 5, 2)), 3, 1):
        seen.append([played.number for played in block])
    assert seen == [[3, 4, 5], [6, 7, 8]]


@pytest.mark.parametrize("until", [0, 2, 20, 23])
def test_an_interrupted_run_goes_on_to_the_same_end(path: Path, tmp_path: Path, until: int) -> None:
    expected = decide(THREE, tmp_path / "whole", Table(mixed))
    with pytest.raises(KeyboardInterrupt):
        decide(THREE, path, Table(mixed, until=until))
    assert len(lines(path)) == 1 + until // 3
    table = Table(mixed)
    assert decide(THREE, path, table) == expected
    assert table.asked[0] == until // 3 * 3, "of whole blocks nothing is played again"
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_run_that_is_decided_is_only_told(path: Path) -> None:
    verdict = decide(THREE, path, Table(mixed))
    before = path.read_bytes()
    assert decide(THREE, path, Table(mixed, until=0)) == verdict
    assert path.read_bytes() == before


def test_what_stays_undecided_can_go_on_for_longer(path: Path, tmp_path: Path) -> None:
    short = decide(THREE, path, Table(between), most=12)
    assert (short.verdict, short.blocks) == ("undecided", 12)
    longer = decide(THREE, path, Table(between), most=20)
    assert (longer.verdict, longer.blocks) == ("undecided", 20)
    decide(THREE, tmp_path / "whole", Table(between), most=20)
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()
    with pytest.raises(BadSetup, match=r"has 20 blocks already, and --most 12 cannot shorten it"):
        decide(THREE, path, Table(between), most=12)


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 41},
        {"challenger": "G"},
        {"players": 4},
        {"ostbahn": "0.0.7"},
        {"limit": 7.0},
        {"test": SequentialTest(floor=fair_variance(3), m1=0.1)},
    ],
    ids=str,
)
def test_a_log_of_other_settings_is_refused_and_not_touched(path: Path, other: dict[str, Any]) -> None:
    decide(THREE, path, Table(mixed))
    before = path.read_bytes()
    with pytest.raises(BadSetup, match=r"log\.jsonl is the log of another run, with .*; choose another file"):
        decide(msgspec.structs.replace(THREE, **other), path, Table(mixed))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"block": 1, ', '"block": 1 ', "no log that could be gone on with"),
        ('"block": 1, ', '"block": "1", ', "line 3 is no block: Expected `int`"),
        ('"seed": 41', '"seed": 51', "line 3 does not belong to this run"),
        ('"block": 1, ', '"block": 2, ', "line 3 does not belong to this run"),
    ],
)
def test_a_damaged_log_is_refused(path: Path, old: str, new: str, words: str) -> None:
    decide(THREE, path, Table(mixed))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BadFile, match=words):
        decide(THREE, path, Table(mixed))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"players": 1}, "a challenger needs a champion"),
        ({"players": 9}, "is for 3 or 4 or 5 or 6 players"),
        ({"challenger": "X"}, "there is no bot 'X'"),
        ({"test": SequentialTest(floor=1.0, m0=1.0)}, "has to be less than"),
    ],
)
def test_what_cannot_be_played_leaves_no_log(path: Path, other: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        decide(msgspec.structs.replace(THREE, **other), path, Table(mixed))
    assert not path.exists()


class Doomed:
    """Workers who die of every job."""

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]:
        return DoomedCrew()


class DoomedCrew:
    def __init__(self) -> None:
        self.given: list[int] = []

    def free_slots(self) -> int:
        return 1 - len(self.given)

    def submit(self, number: int) -> None:
        self.given.append(number)

    def wait(self) -> list[JobResult[Any] | WorkerDeath]:
        return [WorkerDeath(self.given.pop(), "SIGKILL")]

    def close(self) -> None:
        pass


def test_a_game_that_cannot_be_played_is_told(path: Path) -> None:
    def source(contest: Contest, numbers: Iterable[int]) -> Generator[PlayedGame, None, None]:
        return by_workers(Doomed(), contest, numbers)

    with pytest.raises(JobsLost, match=r"given up: job 0 \(its worker died 3 times"):
        decide(THREE, path, source)


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["accept", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        accept.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


REAL = ("18CZ", "--variant", "moravia", "--players", 2, "--challenger", "G", "--champion", "R", "--seed", 5)


@pytest.mark.soak
def test_the_verdict_is_the_same_however_many_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for jobs in (1, 3):
        assert run(monkeypatch, *REAL, "--log", tmp_path / f"{jobs}", "--jobs", jobs) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[0].startswith("block 0, seed 5: +0.50, LLR ")
        assert told[-1].startswith(
            "accepted after 11 blocks: won 100.0% of 22 games (85.1% – 100.0%, fair 50.0%), LLR "
        )
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()


def test_the_command_tells_what_is_wrong_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *REAL, "--log", tmp_path / "log", "--m0", 0.5) == 2
    assert capsys.readouterr().err == "accept: m0 (0.5) has to be less than m1 (0.08)\n"
    assert run(monkeypatch, *REAL, "--log", tmp_path / "log", "--on", "mars") == 2
    assert not (tmp_path / "log").exists()


def test_the_command_ends_with_1_if_nobody_was_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def source(_: object, contest: Contest, numbers: Iterable[int]) -> Generator[PlayedGame, None, None]:
        return Table(never)(contest, numbers)

    monkeypatch.setattr(accept, "by_workers", source)
    assert run(monkeypatch, *REAL, "--log", tmp_path / "log") == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("rejected after 9 blocks: won 0.0% of 18 games")
