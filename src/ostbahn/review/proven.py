"""What can be proven about a game that was played, without any estimate: better runs that were there, with what could
be bought for them; purchases that a Director need not have paid for; what could be had for less."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import structs

from ostbahn.analysis.runs import CompanyTrains, best_run, companies_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Record, Revenue, TrainMoved, TurnBegan
from ostbahn.kernel.routes.network import BestRun
from ostbahn.kernel.state import State
from ostbahn.text.speech import Speech, direct_events, text_renderer_of
from ostbahn.views.title_views import views_of

SAME: Final = ("certificates", "chart", "board", "supply", "phase", "trains", "revenue", "agenda")
"""What lies on the table but for money; whatever else a title has may differ, if nothing comes of it."""


class Saving(NamedTuple):
    saved: int
    price: int
    action: Action


def _savings(game: Game, number: int) -> Iterator[Saving]:
    """Answers that would have done the same for less, the largest saving first; only where a game is over."""
    before, record = game.position(number - 1), game.records[number - 1]
    question, after = before.question, game.position(number).state
    assert question is not None
    payers = {record.by, question.company or record.by}
    paid, kind = _paid_by(payers, record), type(record.action)
    if not game.over or not paid:
        return
    savings = []
    for option in question.only(kind):
        same_kind = type(option.action) is kind  # a module may have made a kind of its own from it
        if same_kind and option.span is None and _differ(option.action, record.action) == 1:
            later = before.branch()
            price = _paid_by(payers, later.apply(option.action))
            if price < paid and _alike(later.state, after):
                savings.append(Saving(paid - price, price, option.action))
    for saving in sorted(savings, key=lambda saving: -saving.saved):
        if is_possible_with(game, {number: saving.action}):
            yield saving


def _paid_by(payers: Collection[str], record: Record) -> int:
    paid = (event for event in direct_events(record.events) if isinstance(event, Paid))
    return sum(event.amount for event in paid if event.source in payers and event.target not in payers)


def is_possible_with(game: Game, instead: Mapping[int, Action]) -> bool:
    """Whether a game could have been the same with other answers at some numbers, without harm to who gave them."""
    first = min(instead)
    other = game.position(first - 1)
    try:
        for number, record in enumerate(game.records[first - 1 :], start=first):
            other.apply(instead.get(number, record.action), record.by)
    except Refused:
        return False
    deciders = {game.records[number - 1].by for number in instead}
    had, has = game.worth(), other.worth()
    return other.over and all(has[who] >= had[who] if who in deciders else has[who] <= had[who] for who in had)


def _differ(one: Action, two: Action) -> int:
    """In how many things answers of a kind differ."""
    pairs = zip(structs.astuple(one), structs.astuple(two), strict=True)
    return sum(first != second for first, second in pairs)


def _alike(one: State, two: State) -> bool:
    return all(getattr(one, name) == getattr(two, name) for name in SAME)


Proof = Literal["run", "bought for a run", "forced purchase", "same for less"]


class Finding(NamedTuple):
    """Something that could have been had."""

    proof: Proof
    number: int
    """Of the answer that it is about, the first being 1."""
    round: str
    seat: str
    """Who decided."""
    company: str
    lost: int
    words: str
    better: BestRun | None = None
    instead: Action | None = None
    """The answer that was there, where it is one."""


def proven_findings(game: Game, progress: Callable[[int], None] = lambda number: None) -> list[Finding]:
    """All that can be proven, in the order of the game."""
    findings: list[Finding] = []
    for number in range(1, len(game) + 1):
        progress(number)
        findings += proven_findings_at(game, number)
    return without_incompatible(game, findings)


def proven_findings_at(game: Game, number: int) -> list[Finding]:
    """What can be proven of one answer."""
    record = game.records[number - 1]
    findings = list(_run(game, number)) if hasattr(record.action, "runs") else []
    if _added_by_director(record):
        findings += _forced(game, number)
    return findings or list(_for_less(game, number))


def without_incompatible(game: Game, found: Sequence[Finding]) -> list[Finding]:
    """Without what could not be had together: a power pays for one tile, whichever it is."""
    kept: dict[int, Action] = {}
    for each in sorted(found, key=lambda each: -each.lost):
        if each.proof == "same for less" and each.instead is not None:
            wanted = {**kept, each.number: each.instead}
            kept = wanted if len(wanted) == 1 or is_possible_with(game, wanted) else kept
    return [each for each in found if each.proof != "same for less" or each.number in kept]


def _for_less(game: Game, number: int) -> Iterator[Finding]:
    better = next(_savings(game, number), None)
    if better is None:
        return
    before, record = game.position(number - 1), game.records[number - 1]
    assert before.question is not None
    speech, company = Speech(before), before.question.company or ""
    price, same = money_of(before)(better.price), speech.describe(better.action)
    words = f"{speech.did(record)}; the same could be had for {price}: {same}"
    round_ = views_of(before).round
    yield Finding("same for less", number, round_, record.by, company, better.saved, words, instead=better.action)


def money_of(game: Game) -> Callable[[int], str]:
    return text_renderer_of(game).words.money


class MoneyAfterRun(NamedTuple):
    """What somebody and their company have after a run. More is better for sure only if nothing of it is less."""

    player: int
    treasury: int
    revenue: int
    """What is still to be decided on, where it is not shared out at once."""

    def gains(self, better: MoneyAfterRun) -> MoneyAfterRun:
        """What more there is of each in another one."""
        return MoneyAfterRun(*(after - before for before, after in zip(self, better, strict=True)))

    @property
    def surely(self) -> int:
        """All of it, if nothing is less."""
        return 0 if min(self) < 0 else sum(self)


class RunAttempt(NamedTuple):
    """How a company could run: what it buys for it first, and what comes of it."""

    bought: tuple[Action, ...]
    run: BestRun
    purse: MoneyAfterRun


def _run(game: Game, number: int) -> Iterator[Finding]:
    """A run beside those that were there when its company came to run, with all that can be bought for one run."""
    before, record = game.position(number - 1), game.records[number - 1]
    question = before.question
    ran = next((event for event in record.events if isinstance(event, Revenue)), None)
    if question is None or ran is None or ran.company not in companies_of(before):
        return
    bought = [_unclaimed(each.action) for each in _bought(game, number, question)]
    start, purse = game.position(number - 1 - len(bought)), _purse(game.position(number), record.by, ran.company)
    attempts = [(purse.gains(each.purse), each) for each in _attempts(start, ran.company, record.by)]
    lost, best = max(attempts, key=lambda each: (each[0].surely, -len(each[1].bought)))
    if not lost.surely:
        return
    yield Finding(
        "run" if set(best.bought) == set(bought) else "bought for a run",
        number,
        views_of(before).round,
        record.by,
        ran.company,
        lost.surely,
        f"ran for {money_of(start)(ran.amount)}; {_told(start, best, bought, lost)}",
        best.run,
    )


def _bought(game: Game, number: int, asked: Question) -> Sequence[Record]:
    """The answers right before a run, at the same question of the same company."""
    first = number - 1
    while first > 0:
        earlier = game.position(first - 1).question
        if earlier is None or (earlier.kind, earlier.company) != (asked.kind, asked.company):
            break
        if any(isinstance(event, TurnBegan) for event in game.records[first - 1].events):
            break
        first -= 1
    return game.records[first : number - 1]


def _unclaimed(action: Action) -> Action:
    """Without what was said of its price: the site lets people say that."""
    return structs.replace(action, claim=None) if hasattr(action, "claim") else action


def _purse(game: Game, seat: str, company: str) -> MoneyAfterRun:
    state, question = game.state, game.question
    undecided = question is not None and question.kind in views_of(game).income_questions
    return MoneyAfterRun(state.cash[seat], state.cash[company], state.revenue[company] if undecided else 0)


def _attempts(game: Game, company: str, seat: str, bought: tuple[Action, ...] = ()) -> Iterator[RunAttempt]:
    """The best run with every set of what can be bought for it and changes what trains can do."""
    question = game.question
    assert question is not None
    fleet = CompanyTrains(game.table, company)
    last = repr(bought[-1]) if bought else ""
    for option in question:
        action, later = option.action, game.branch()
        if hasattr(action, "runs"):
            later.apply(action)
            yield RunAttempt(bought, best_run(game, company), _purse(later, seat, company))
        elif option.span is None and repr(action) > last:  # each set once, in one order
            later.apply(action)
            again = later.question
            if again is None or (again.kind, again.company) != (question.kind, question.company):
                continue
            changed = CompanyTrains(later.table, company)
            if (changed.faces, changed.cars) != (fleet.faces, fleet.cars):
                yield from _attempts(later, company, seat, (*bought, action))


def _told(start: Game, best: RunAttempt, bought: Sequence[Action], lost: MoneyAfterRun) -> str:
    money, speech = money_of(start), Speech(start)
    there = f"{money(best.run.revenue)} was there"
    wanted = [speech.describe(each) for each in best.bought if each not in bought]
    idle = [speech.describe(each) for each in bought if each not in best.bought]
    if wanted:
        there += f", had it chosen to {' and to '.join(wanted)} first"
    if idle:
        there += f", and it need not {' and '.join(idle)}" if wanted else f"; it need not {' and '.join(idle)}"
    more = {"for its owner": lost.player, "in its treasury": lost.treasury}
    parts = [f"{money(amount)} more {where}" for where, amount in more.items() if amount]
    return "; ".join([there, *parts])


def _forced(game: Game, number: int) -> Iterator[Finding]:
    """A Director paid for a train, and their company could have got one with its own money, without asking anybody."""
    record, before = game.records[number - 1], game.position(number - 1)
    question = before.question
    if question is None or question.company is None:
        return
    other = next(_trains_within_means(before, question, question.company), None)
    if other is None:
        return
    added, round_ = _added_by_director(record), views_of(before).round
    words = (
        f"its Director added {money_of(before)(added)} for a train; it could {Speech(before).describe(other)} instead"
    )
    yield Finding("forced purchase", number, round_, record.by, question.company, added, words, instead=other)


def better_answers(game: Game, number: int) -> list[Action]:
    """All answers that would have been better for certain than the one that was given."""
    before = game.position(number - 1)
    question = before.question
    if question is None:
        return []
    if _added_by_director(game.records[number - 1]):
        return list(_trains_within_means(before, question, question.company)) if question.company else []
    return [saving.action for saving in _savings(game, number)]


def _added_by_director(record: Record) -> int:
    return sum(event.amount for event in record.events if isinstance(event, Paid) and event.purpose == "emergencies")


def _trains_within_means(game: Game, question: Question, company: str) -> Iterator[Action]:
    """Answers by which a company at once gets a train that it can run, and nobody else is left without one. A company
    that sells must have the same Director: there are games in which consent is taken for granted."""
    directors = {each.id: each.director.seat for each in views_of(game).companies() if each.director is not None}
    for option in question:
        later = game.branch()
        record = later.apply(option.action)
        own = CompanyTrains(later.table, company).faces
        moved = [event for event in record.events if isinstance(event, TrainMoved) and event.card in own]
        bare = any(later.state.trains.get(event.source) == () for event in moved)
        strange = any(directors.get(event.source, question.decider) != question.decider for event in moved)
        if moved and not bare and not strange and not _added_by_director(record):
            yield option.action
