"""Proven missed gains of a game, without any estimate: better runs, also with purchases made for them; purchases that
needed no money from a Director; the same result for less money."""

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
"""Parts of the state that must be equal after a cheaper answer; replaying the game checks that others do not matter."""


class Saving(NamedTuple):
    saved: int
    price: int
    action: Action


def _savings(game: Game, number: int) -> Iterator[Saving]:
    """Answers of a finished game with the same result for less money, the largest saving first."""
    before, record = game.position(number - 1), game.records[number - 1]
    question, after = before.question, game.position(number).state
    assert question is not None
    payers = {record.by, question.company or record.by}
    paid, kind = _paid_by(payers, record), type(record.action)
    if not game.over or not paid:
        return
    savings = []
    for option in question.only(kind):
        is_same_kind = type(option.action) is kind  # `only` also returns subclasses, which modules define
        if is_same_kind and option.span is None and _count_differences(option.action, record.action) == 1:
            later = before.branch()
            price = _paid_by(payers, later.apply(option.action))
            if price < paid and _is_same_result(later.state, after):
                savings.append(Saving(paid - price, price, option.action))
    for saving in sorted(savings, key=lambda saving: -saving.saved):
        if is_possible_with(game, {number: saving.action}):
            yield saving


def _paid_by(payers: Collection[str], record: Record) -> int:
    paid = (event for event in direct_events(record.events) if isinstance(event, Paid))
    return sum(event.amount for event in paid if event.source in payers and event.target not in payers)


def is_possible_with(game: Game, instead: Mapping[int, Action]) -> bool:
    """Whether the rest of a game replays with other answers at some numbers, with at least the same final wealth for
    those who gave them and no more for others."""
    first = min(instead)
    other = game.position(first - 1)
    try:
        for number, record in enumerate(game.records[first - 1 :], start=first):
            other.apply(instead.get(number, record.action), record.by)
    except Refused:
        return False
    deciders = {game.records[number - 1].by for number in instead}
    old, new = game.worth(), other.worth()
    return other.over and all(new[seat] >= old[seat] if seat in deciders else new[seat] <= old[seat] for seat in old)


def _count_differences(one: Action, two: Action) -> int:
    """In how many fields two actions of one type differ."""
    return sum(first != second for first, second in zip(structs.astuple(one), structs.astuple(two), strict=True))


def _is_same_result(one: State, two: State) -> bool:
    return all(getattr(one, name) == getattr(two, name) for name in SAME)


Proof = Literal["run", "bought for a run", "forced purchase", "same for less"]


class Finding(NamedTuple):
    """A proven missed gain."""

    proof: Proof
    number: int
    """The number of the answer, from 1."""
    round: str
    seat: str
    """The seat that decided."""
    company: str
    lost: int
    words: str
    better: BestRun | None = None
    instead: Action | None = None
    """The better answer, if a single answer is better."""


def proven_findings(game: Game, progress: Callable[[int], None] = lambda number: None) -> list[Finding]:
    """All findings of a game, in its order."""
    findings: list[Finding] = []
    for number in range(1, len(game) + 1):
        progress(number)
        findings += proven_findings_at(game, number)
    return without_incompatible(game, findings)


def proven_findings_at(game: Game, number: int) -> list[Finding]:
    """The findings about one answer."""
    record = game.records[number - 1]
    findings = list(_find_better_run(game, number)) if hasattr(record.action, "runs") else []
    if _added_by_director(record):
        findings += _find_needless_help(game, number)
    return findings or list(_find_saving(game, number))


def without_incompatible(game: Game, findings: Sequence[Finding]) -> list[Finding]:
    """Remove savings that were not possible together, the smaller ones: a power pays for one tile only."""
    kept: dict[int, Action] = {}
    for finding in sorted(findings, key=lambda finding: -finding.lost):
        if finding.proof == "same for less" and finding.instead is not None:
            extended = {**kept, finding.number: finding.instead}
            kept = extended if len(extended) == 1 or is_possible_with(game, extended) else kept
    return [finding for finding in findings if finding.proof != "same for less" or finding.number in kept]


def _find_saving(game: Game, number: int) -> Iterator[Finding]:
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
    """The money of a player and their company after a run."""

    player: int
    treasury: int
    revenue: int
    """Revenue not yet paid out or retained; 0 if that happens at once."""

    def gains(self, better: MoneyAfterRun) -> MoneyAfterRun:
        """The differences to another outcome."""
        return MoneyAfterRun(*(after - before for before, after in zip(self, better, strict=True)))

    @property
    def certain_gain(self) -> int:
        """The sum of differences; 0 if one of them is negative, as then the gain is not certain."""
        return 0 if min(self) < 0 else sum(self)


class RunAttempt(NamedTuple):
    """A possible run with the purchases before it and the money after it."""

    bought: tuple[Action, ...]
    run: BestRun
    money: MoneyAfterRun


def _find_better_run(game: Game, number: int) -> Iterator[Finding]:
    """Compare a run with the best run for each set of purchases that could precede it."""
    before, record = game.position(number - 1), game.records[number - 1]
    question = before.question
    ran = next((event for event in record.events if isinstance(event, Revenue)), None)
    if question is None or ran is None or ran.company not in companies_of(before):
        return
    bought = [_without_claim(purchase.action) for purchase in _purchases_before_run(game, number, question)]
    start, money = game.position(number - 1 - len(bought)), _money_after(game.position(number), record.by, ran.company)
    attempts = [(money.gains(attempt.money), attempt) for attempt in _attempts(start, ran.company, record.by)]
    lost, best = max(attempts, key=lambda pair: (pair[0].certain_gain, -len(pair[1].bought)))
    if not lost.certain_gain:
        return
    yield Finding(
        "run" if set(best.bought) == set(bought) else "bought for a run",
        number,
        views_of(before).round,
        record.by,
        ran.company,
        lost.certain_gain,
        f"ran for {money_of(start)(ran.amount)}; {_describe_better_run(start, best, bought, lost)}",
        best.run,
    )


def _purchases_before_run(game: Game, number: int, question: Question) -> Sequence[Record]:
    """The answers right before a run to the same question of the same company, within the same turn."""
    first = number - 1
    while first > 0:
        earlier = game.position(first - 1).question
        if earlier is None or (earlier.kind, earlier.company) != (question.kind, question.company):
            break
        if any(isinstance(event, TurnBegan) for event in game.records[first - 1].events):
            break
        first -= 1
    return game.records[first : number - 1]


def _without_claim(action: Action) -> Action:
    """An action without the price that an imported game claims for it."""
    return structs.replace(action, claim=None) if hasattr(action, "claim") else action


def _money_after(game: Game, seat: str, company: str) -> MoneyAfterRun:
    state, question = game.state, game.question
    undecided = question is not None and question.kind in views_of(game).income_questions
    return MoneyAfterRun(state.cash[seat], state.cash[company], state.revenue[company] if undecided else 0)


def _attempts(game: Game, company: str, seat: str, bought: tuple[Action, ...] = ()) -> Iterator[RunAttempt]:
    """The best run after each set of purchases that change the company's trains."""
    question = game.question
    assert question is not None
    fleet = CompanyTrains(game.table, company)
    last = repr(bought[-1]) if bought else ""
    for option in question:
        action, later = option.action, game.branch()
        if hasattr(action, "runs"):
            later.apply(action)
            yield RunAttempt(bought, best_run(game, company), _money_after(later, seat, company))
        elif option.span is None and repr(action) > last:  # each set once, in one order
            later.apply(action)
            again = later.question
            if again is None or (again.kind, again.company) != (question.kind, question.company):
                continue
            changed = CompanyTrains(later.table, company)
            if (changed.faces, changed.cars) != (fleet.faces, fleet.cars):
                yield from _attempts(later, company, seat, (*bought, action))


def _describe_better_run(start: Game, best: RunAttempt, bought: Sequence[Action], lost: MoneyAfterRun) -> str:
    money, speech = money_of(start), Speech(start)
    words = f"{money(best.run.revenue)} was there"
    missing = [speech.describe(action) for action in best.bought if action not in bought]
    needless = [speech.describe(action) for action in bought if action not in best.bought]
    if missing:
        words += f", had it chosen to {' and to '.join(missing)} first"
    if needless:
        words += f"{', and' if missing else ';'} it need not {' and '.join(needless)}"
    gains = {"for its owner": lost.player, "in its treasury": lost.treasury}
    return "; ".join([words, *(f"{money(amount)} more {where}" for where, amount in gains.items() if amount)])


def _find_needless_help(game: Game, number: int) -> Iterator[Finding]:
    """A train that a Director paid for although the company could get one with its own money and without consent."""
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
    """All answers that were certainly better than the given one."""
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
    """Answers that give a company a train at once with its own money. They leave no other company without trains, and a
    selling company has the same Director, as some games take the consent of others for granted."""
    directors = {each.id: each.director.seat for each in views_of(game).companies() if each.director is not None}
    for option in question:
        later = game.branch()
        record = later.apply(option.action)
        own = CompanyTrains(later.table, company).faces
        moved = [event for event in record.events if isinstance(event, TrainMoved) and event.card in own]
        leaves_no_train = any(later.state.trains.get(event.source) == () for event in moved)
        needs_consent = any(directors.get(event.source, question.decider) != question.decider for event in moved)
        if moved and not leaves_no_train and not needs_consent and not _added_by_director(record):
            yield option.action
