"""How good are the estimates of the coach? Decisions are rehearsed: the answer that was given and the best idea that
was found are both played on to the end of the game, many times, with bots in all seats.

    python -m lab.rehearsals FOLDER… --out FILE.jsonl --decisions 400 --times 8 --seed 1
    python -m lab.rehearsals --report FILE.jsonl… [--check OTHER.jsonl… --doubt 0.1]

Decisions are drawn from the saves in the folders: of every kind of question and of every size of loss about as many.
Bots hardly ever lose anything by their own lights, so other answers than those that they gave are taken as well.
Both branches of a rehearsal have the same seeds, for bots and for lots that are still to be drawn. The file has a line
for the settings, one for each decision, and one for each rehearsal, as they come; the same command goes on from there.
Every decision is rehearsed a few times before any is more often, so the file is of use whenever it ends (`--seconds`).
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import lru_cache, partial
from itertools import count, zip_longest
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from lab.milestones import saves_in
from lab.rehearsed import SIZES, checks, costs, in_short, told, told_checks
from ostbahn.bots.jobs import HERE, JobBackend, JobResult, backend_at, run_jobs
from ostbahn.bots.learnt import learnt_model_of, next_follow_up
from ostbahn.bots.playing import Bot, trial_game
from ostbahn.bots.policies import (
    SEED_SPREAD,
    EvaluatedCandidate,
    WeightedPolicy,
    cap_weight,
    perturb_weights,
    weighted_policy_of,
)
from ostbahn.bots.registry import built_in, seed_for
from ostbahn.interop import files
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named, kit_of
from ostbahn.review.estimated import DecisionEstimate, DecisionEvaluator, coach_standard_of
from ostbahn.storage import atomic_write
from ostbahn.text.speech import text_renderer_of

LOOKS: Final = 4
"""So many decisions of each kind are looked at in a game, to draw from."""
WEAKER: Final = 5
"""One of so many ideas of `G` is what somebody weaker might answer."""
LONGEST: Final = 20_000
"""Answers of a rehearsal; no game has as many."""
HASTY: Final = "s"
"""A bot that goes by the weights of `S` and neither rehearses nor looks ahead, as in the lines of `N`: such games end
as richly as those of `S`, and take a seventh of the time."""
CLOSELY: Final = 2
"""So many lays it looks at closely."""
LEAST: Final = 0.01
"""What a decision must be said to have cost to be held against what it did cost."""
BLOCK: Final = 4
"""A decision is rehearsed so often at a time: its game has to be opened, and thought about, only once for that."""


class Decision(Struct, frozen=True, kw_only=True):
    """One that is rehearsed, as the file tells it."""

    decision: int
    file: str
    number: int
    title: str
    variant: str
    players: int
    seat: str
    by: str
    """Whose answer it was; empty if it is one that was only thought of."""
    kind: str
    category: str
    settled: bool
    rounds_left: float
    part: float
    """How much of the game had been played."""
    x: float
    """What it is said to have cost: a part of one's wealth, the others' being equal."""
    wealth: float
    """The same, whatever the others have."""
    value: float
    """The same in what `N` goes by: one's own wealth, less a part of what the others have."""
    thumb: float | None
    """The same as the rules of thumb see it."""
    doubt: float
    played: Any
    best: Any
    plan: str
    foreseen_played: dict[str, float]
    foreseen_best: dict[str, float]


class Rehearsal(Struct, frozen=True, kw_only=True):
    """What everybody had in the end, in both branches."""

    decision: int
    time: int
    played: dict[str, int]
    best: dict[str, int]


# Decisions


class Drawing(NamedTuple):
    """Which decisions are drawn."""

    seed: int
    kinds: tuple[str, ...] = ()
    """Of question; all if none is named."""
    doubt: float = inf
    """Only where the net is as sure as that."""
    least: float = 0.0
    """Only what is said to have cost as much."""


def looked_at(paths: Sequence[str], wanted: Drawing, number: int) -> list[Decision]:
    """Some decisions of a game, with their estimates."""
    path = paths[number]
    game, random = _opened(path), Random(f"{wanted.seed}/{_called(path)}")
    return [_decision(path, game, each) for each in _some(game, random, wanted)]


def _some(game: Game, random: Random, wanted: Drawing) -> Iterator[DecisionEstimate]:
    standard = coach_standard_of(game.setup.title)
    if standard is None:
        raise BadSetup(f"nothing has been learnt for {game.setup.title}")
    numbers = sorted(range(1, len(game) + 1), key=lambda number: random.random() * (1 - 0.8 * number / len(game)))
    left = {kind: LOOKS for kind in standard.categories if kind in (wanted.kinds or standard.categories)}
    for number in numbers:
        before = game.position(number - 1)
        question = before.question
        if question is None or not left.get(question.kind) or question.obvious:
            continue
        if DecisionEvaluator(before, question).doubt() > wanted.doubt:
            continue
        answers = _answers(game.records[number - 1].action, question, before, random)
        looked = (each for each in map(partial(estimate_of, before), answers) if each is not None and _differs(each))
        found = next((each for each in looked if wanted.least <= each.loss and each.best.doubt <= wanted.doubt), None)
        if found is not None:
            left[question.kind] -= 1
            yield found


def _differs(found: DecisionEstimate) -> bool:
    return found.played.candidate.action != found.best.candidate.action


def _answers(given: Action, question: Question, game: Game, random: Random) -> list[Action]:
    """What was answered, what comes to mind to somebody weaker, and anything else that is allowed; in any order.

    Strong bots hardly ever lose anything by their own lights, so their answers alone would show nothing.
    """
    second = [each.action for each in weighted_policy_of(game.setup.title).proposals(question, game)[:WEAKER]]
    others = [option.action for option in question if option.span is None]
    found = [given, random.choice(second), *random.sample(others, min(1, len(others)))]
    random.shuffle(found)
    return found


def _decision(path: str, game: Game, found: DecisionEstimate) -> Decision:
    played, best, setup = found.played, found.best, game.setup
    learnt = kit_named(setup.title).policy.learnt
    assert learnt is not None
    left = learnt.rounds_left(game.position(found.number - 1))
    return Decision(
        decision=-1,
        file=path,
        number=found.number,
        title=setup.title,
        variant=setup.variant,
        players=len(game.state.players),
        seat=found.seat,
        by=game.table.name(found.seat) if _given(game, found) else "",
        kind=found.kind,
        category=found.category,
        settled=found.settled,
        rounds_left=left if left < 1000 else -1,
        part=round(found.number / len(game), 3),
        x=found.loss,
        wealth=1 - played.wealth / max(1.0, best.wealth),
        value=(best.value - played.value) / max(1.0, best.wealth),
        thumb=found.thumb_loss,
        doubt=best.doubt,
        played=msgspec.to_builtins(played.candidate.action),
        best=msgspec.to_builtins(best.candidate.action),
        plan=best.candidate.plan,
        foreseen_played=_foreseen(played),
        foreseen_best=_foreseen(best),
    )


def _given(game: Game, found: DecisionEstimate) -> bool:
    return game.records[found.number - 1].action == found.played.candidate.action


def _foreseen(weighed: EvaluatedCandidate) -> dict[str, float]:
    assert weighed.judgement is not None
    return {seat: round(amount, 1) for seat, amount in weighed.judgement.wealth.items()}


def drawn(found: Sequence[Decision], number: int, seed: int) -> list[Decision]:
    """As many of every kind and size, as far as there are.

    Rather those of which the net is sure: the nearer the end, the fewer rehearsals show what an answer costs.
    """
    cells: dict[tuple[str, bool, int], list[Decision]] = defaultdict(list)
    for each in sorted(found, key=lambda each: (each.file, each.number)):
        cells[each.kind, each.settled, _size(each.x)].append(each)
    random = Random(seed)
    for cell in cells.values():
        keys = {id(each): random.random() ** max(each.doubt, 0.02) for each in cell}
        cell.sort(key=lambda each: -keys[id(each)])
    turns = zip_longest(*(cells[key] for key in sorted(cells)))
    chosen = [each for turn in turns for each in turn if each is not None][:number]
    random.shuffle(chosen)  # so that those that are rehearsed first are of every kind
    return [msgspec.structs.replace(each, decision=place) for place, each in enumerate(chosen)]


def _size(loss: float) -> int:
    return next(place for place, above in enumerate(SIZES[1:]) if loss < above)


# Rehearsals


def rehearsed(decisions: Sequence[Decision], code: str, seed: int, number: int) -> list[Rehearsal]:
    """A number is that of a block and of a decision: a block of all of them, then the next of all of them."""
    block, place = divmod(number, len(decisions))
    return [_rehearsed(decisions[place], code, seed, time) for time in range(block * BLOCK, (block + 1) * BLOCK)]


def _rehearsed(decision: Decision, code: str, seed: int, time: int) -> Rehearsal:
    before, played, best = _both(decision.file, decision.number, msgspec.json.encode(decision.played))
    lots = Random(f"{seed}/{_called(decision.file)}/{decision.number}/{time}").randrange(1, 2**31)
    ends = [_played_out(before, each, code, lots) for each in (played, best)]
    return Rehearsal(decision=decision.decision, time=time, played=ends[0], best=ends[1])


def _called(path: str) -> str:
    """By its folder and name: what is drawn does not hang on where the folder is."""
    return "/".join(Path(path).parts[-2:])


@lru_cache(maxsize=4)
def _opened(path: str) -> Game:
    return files.open_game(Path(path))


def estimate_of(game: Game, played: Action) -> DecisionEstimate | None:
    """What an answer would cost now; None if it is forced, or of a kind that nobody judges."""
    standard, question = coach_standard_of(game.setup.title), game.question
    if standard is None or question is None or question.kind not in standard.categories or question.obvious:
        return None
    return DecisionEvaluator(game, question).estimate(played, standard.categories[question.kind])


@lru_cache(maxsize=32)
def _both(path: str, number: int, answer: bytes) -> tuple[Game, EvaluatedCandidate, EvaluatedCandidate]:
    """The same ideas again: what is to follow an answer does not travel."""
    game = _opened(path)
    before = game.position(number - 1)
    found = estimate_of(before, msgspec.json.decode(answer, type=kit_of(game).actions))
    assert found is not None
    return before, found.played, found.best


def _played_out(before: Game, weighed: EvaluatedCandidate, code: str, lots: int) -> dict[str, int]:
    """An idea, with what is to follow it, and then everybody as their bot has it."""
    game, asked = trial_game(before, lots), before.question
    assert asked is not None
    seat, wishes = asked.decider, list(weighed.candidate.follow_ups)
    bots = {each: _bot(game, code, seed_for(lots, place)) for place, each in enumerate(game.state.players)}
    begun = text_renderer_of(game).round_name()
    game.apply(weighed.candidate.action)
    for _ in range(LONGEST):
        question = game.question
        if question is None:
            return dict(game.worth())
        if wishes and text_renderer_of(game).round_name() != begun:
            wishes.clear()
        wish = next_follow_up(wishes, question) if wishes and question.decider == seat else None
        game.apply(wish or _answer(bots[question.decider], question, game))
    raise OstbahnError(f"a rehearsal with {code} does not end")


def _answer(bot: Bot, question: Question, game: Game) -> Action:
    return question.options[0].action if question.obvious else bot.choose(question, game)


def _bot(game: Game, code: str, seed: int) -> Bot:
    return Hasty(game.setup.title, game.setup.variant, seed) if code == HASTY else built_in(code, seed)


class Hasty:
    """See `HASTY`."""

    def __init__(self, title: str, variant: str, seed: int) -> None:
        ideas = learnt_model_of(title, variant).weights
        weights = cap_weight(
            cap_weight(perturb_weights(ideas, seed, SEED_SPREAD), "rehearsed", 0), "candidates", CLOSELY
        )
        self.player = WeightedPolicy(title, weights)

    def choose(self, question: Question, game: Game) -> Action:
        return self.player.proposals(question, game)[0].action


# The file


class Lines:
    """The file: lines are only added. A line that was not written to its end is left out."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.decisions: list[Decision] = []
        self.rehearsals: list[Rehearsal] = []
        kept = list(_lines(path)) if path.exists() else []
        if kept and kept[0] != settings:
            raise BadSetup(f"{path} is the file of other rehearsals, with {json.dumps(kept[0])}; choose another one")
        for line in kept[1:]:
            if "kind" in line:
                self.decisions.append(msgspec.convert(line, Decision))
            else:
                self.rehearsals.append(msgspec.convert(line, Rehearsal))
        if not kept:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.add(settings)

    def add(self, *lines: Any) -> None:
        with self.path.open("ab") as file:
            file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        try:
            yield json.loads(line)
        except ValueError:
            raise BadFile(f"{path}, line {number + 1} is no JSON") from None


def read(paths: Sequence[Path]) -> tuple[list[Decision], list[Rehearsal]]:
    """Decisions and rehearsals of several files; decisions are numbered anew."""
    decisions: list[Decision] = []
    rehearsals: list[Rehearsal] = []
    for path in paths:
        lines = Lines(path, next(_lines(path)))
        first = len(decisions)
        decisions += [msgspec.structs.replace(each, decision=first + each.decision) for each in lines.decisions]
        rehearsals += [msgspec.structs.replace(each, decision=first + each.decision) for each in lines.rehearsals]
    return decisions, rehearsals


def run(given: argparse.Namespace) -> None:
    ends = monotonic() + given.seconds if given.seconds else float("inf")
    paths = [str(path) for path in saves_in(given.places)]
    if not paths:
        raise BadSetup("there is no game in " + ", ".join(map(str, given.places)))
    wanted = Drawing(given.seed, tuple(given.kinds.split(",")) if given.kinds else (), given.doubt, given.least)
    settings = {"bot": given.bot, "seed": given.seed, "decisions": given.decisions, "games": len(paths)}
    settings |= {"kinds": given.kinds, "least": given.least} if given.kinds or given.least else {}
    settings |= {"doubt": given.doubt} if given.doubt < inf else {}
    lines, workers = Lines(given.out, settings), backend_at(HERE, given.jobs)
    if not lines.decisions:
        lines.decisions = drawn(list(_looked(paths, wanted, workers)), given.decisions, given.seed)
        lines.add(*lines.decisions)
    had = {(each.time // BLOCK) * len(lines.decisions) + each.decision for each in lines.rehearsals}
    every = range(-(-given.times // BLOCK) * len(lines.decisions))
    numbers = (each for each in every if each not in had and monotonic() < ends)
    do, blocks = partial(rehearsed, lines.decisions, given.bot, given.seed), count(len(had) + 1)
    with closing(run_jobs(do, numbers, workers)) as running:
        for done in running:
            if isinstance(done, JobResult):
                lines.add(*done.result)
                print(f"{next(blocks)} of {len(every)} blocks of {BLOCK} rehearsals", flush=True)
            else:
                print(done, flush=True)


def _looked(paths: Sequence[str], wanted: Drawing, workers: JobBackend) -> Iterator[Decision]:
    with closing(run_jobs(partial(looked_at, paths, wanted), range(len(paths)), workers)) as looking:
        for done in looking:
            if isinstance(done, JobResult):
                print(f"looked at game {done.number}: {len(done.result)} decisions", flush=True)
                yield from done.result


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m lab.rehearsals", description="How good the estimates of the coach are."
    )
    parser.add_argument("places", type=Path, nargs="*", metavar="FOLDER", help="of saves; or single files")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where it is written; with --report, a line for each decision"
    )
    parser.add_argument("--report", type=Path, nargs="+", metavar="FILE", help="tell what such files show")
    parser.add_argument(
        "--check", type=Path, nargs="+", metavar="FILE", help="are estimates good? Fitted on those of --report"
    )
    parser.add_argument("--decisions", type=int, default=400, metavar="N")
    parser.add_argument("--times", type=int, default=8, metavar="N", help="that each is rehearsed")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--bot", default=HASTY, metavar="CODE", help=f"who plays on; {HASTY}: an S that does not look ahead"
    )
    parser.add_argument("--kinds", default="", metavar="KIND,…", help="only of these kinds of question")
    parser.add_argument("--doubt", type=float, default=inf, metavar="X", help="only where the net is as sure as that")
    parser.add_argument("--least", type=float, default=0.0, metavar="X", help="only what is said to cost as much")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="at the same time; 0: one for each core")
    parser.add_argument("--seconds", type=float, default=0, metavar="N", help="after which nothing new is begun")
    given = parser.parse_args(arguments)
    try:
        if given.check:
            fit, check = (costs(*read(paths)) for paths in (given.report or given.check, given.check))
            if not given.report:  # one half of them against the other
                fit, check = fit[::2], check[1::2]
            print("\n".join(told_checks(checks(fit, check, given.doubt, given.least or LEAST))))
        elif given.report and given.out:
            with atomic_write(given.out) as file:
                file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in in_short(costs(*read(given.report)))))
        elif given.report:
            print("\n".join(told(*read(given.report))))
        elif given.out is None or not given.places:
            parser.error("say where the games are, and --out FILE")
        else:
            run(given)
    except OstbahnError as fault:
        parser.error(str(fault))


if __name__ == "__main__":
    main()
