"""The coach: what can be proven of a game, what decisions are thought to have cost, and exercises made of both.

The two are never mixed. What is estimated is told only of kinds of question of which rehearsals have shown that the
estimate is good (`lab/rehearsals.py`, `coach.toml` of a title), and with how far it may be off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ostbahn.bots.hints import Advice, Advised
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.review.estimated import CATEGORIES, Category, Estimate, Looking, Measured, Standard, standard_of
from ostbahn.review.proven import Finding, jointly, proven_at
from ostbahn.text.speech import Speech
from ostbahn.views.title_views import views_of

if TYPE_CHECKING:
    from ostbahn.bots.learnt import Weighed  # which needs NumPy; without it nothing is estimated

REASONS: Final = 3
"""Figures that are told for the best idea, at most."""


class Costly(NamedTuple):
    """A decision that is thought to have cost something. Amounts are money at the end of the game."""

    number: int
    """Of the answer, the first being 1."""
    round: str
    seat: str
    category: Category
    lost: int
    low: int
    high: int
    """Two of three such decisions cost between these."""
    played: str
    best: str
    """The best idea that was found."""
    plan: str
    """What was to follow it; empty where that is all."""
    reasons: tuple[str, ...]
    instead: Action
    """The same as an answer."""


class Decided(NamedTuple):
    """An unforced decision that was looked at, whatever it cost."""

    seat: str
    category: Category
    lost: float


class Mistakes(NamedTuple):
    """What decisions of a category cost somebody, on average."""

    seat: str
    category: Category
    decisions: int
    """Unforced ones, of which the estimate is shown to be good."""
    each: int


class Piece(NamedTuple):
    """What was found in a part of a game."""

    proven: tuple[Finding, ...] = ()
    costly: tuple[Costly, ...] = ()
    decided: tuple[Decided, ...] = ()


class Coaching(NamedTuple):
    """All that the coach has to say of a game."""

    proven: tuple[Finding, ...]
    estimated: tuple[Costly, ...]
    mistakes: tuple[Mistakes, ...]
    judged: tuple[str, ...]
    """Kinds of question of which estimates are shown to be good; none if nothing could be estimated."""

    def of(self, seats: Iterable[str]) -> Coaching:
        """Only what some seats decided."""
        own = set(seats)
        return self._replace(
            proven=tuple(each for each in self.proven if each.seat in own),
            estimated=tuple(each for each in self.estimated if each.seat in own),
            mistakes=tuple(each for each in self.mistakes if each.seat in own),
        )


def coach(game: Game, told: Callable[[int], None] | None = None, standard: Standard | None = None) -> Coaching:
    """Look at a whole game.

    told: hears how many answers have been looked at.
    standard: which estimates are good enough to be told; that of the title if nothing is said.
    """
    pieces = []
    for number in range(1, len(game) + 1):
        if told is not None:
            told(number)
        pieces.append(looked_at(game, number, number, standard))
    return together(game, pieces, standard)


def looked_at(game: Game, first: int, last: int, standard: Standard | None = None) -> Piece:
    """What there is to say of some answers; whoever shows how far they are asks for one part after the other."""
    standard = standard or standard_of(game.setup.title)
    proven: list[Finding] = []
    costly: list[Costly] = []
    decided: list[Decided] = []
    for number in range(first, last + 1):
        proven += proven_at(game, number)
        judged = _Judging(game, number, standard).judged() if standard is not None and standard.measured else None
        if judged is not None:
            decided.append(judged.decided)
            costly += [] if judged.costly is None else [judged.costly]
    return Piece(tuple(proven), tuple(costly), tuple(decided))


def together(game: Game, pieces: Sequence[Piece], standard: Standard | None = None) -> Coaching:
    """The parts of a game as one; the dearest estimates first."""
    standard = standard or standard_of(game.setup.title)
    return Coaching(
        proven=tuple(jointly(game, [each for piece in pieces for each in piece.proven])),
        estimated=tuple(sorted((each for piece in pieces for each in piece.costly), key=lambda each: -each.lost)),
        mistakes=tuple(_mistakes(game, [each for piece in pieces for each in piece.decided])),
        judged=tuple(standard.measured) if standard is not None and standard.holds(game.setup) else (),
    )


def _mistakes(game: Game, decided: Sequence[Decided]) -> Iterable[Mistakes]:
    for seat in game.state.players:
        for category in CATEGORIES:
            lost = [each.lost for each in decided if (each.seat, each.category) == (seat, category)]
            if lost:
                yield Mistakes(seat, category, len(lost), round(sum(lost) / len(lost)))


# One decision


class _Judged(NamedTuple):
    decided: Decided
    costly: Costly | None


class _Judging:
    """What one answer is thought to have cost."""

    def __init__(self, game: Game, number: int, standard: Standard) -> None:
        self.before, self.record, self.standard = game.at(number - 1), game.records[number - 1], standard

    def judged(self) -> _Judged | None:
        question = self.before.question
        if question is None or question.kind not in self.standard.categories or question.obvious:
            return None
        looking = Looking(self.before, question)
        measured = self.standard.shown(looking)
        if measured is None or looking.doubt() > measured.doubt:
            return None
        found = looking.estimate(self.record.action, self.standard.categories[question.kind])
        part = None if found is None else found.cost(measured)
        if found is None or part is None or found.best.doubt > measured.doubt:
            return None
        decided = Decided(found.seat, found.category, part * found.best.wealth)
        return _Judged(decided, self._costly(found, part, measured) if part >= self.standard.least else None)

    def _costly(self, found: Estimate, part: float, measured: Measured) -> Costly:
        wealth, speech = found.best.wealth, Speech(self.before)
        hint = Advice(self.before, [_advised(found.best), _advised(found.played)]).hint("N")
        return Costly(
            number=found.number,
            round=views_of(self.before).round,
            seat=found.seat,
            category=found.category,
            lost=_rounded(part * wealth),
            low=max(0, _rounded((part - measured.spread) * wealth)),
            high=_rounded((part + measured.spread) * wealth),
            played=speech.describe(found.played.idea.action),
            best=speech.describe(found.best.idea.action),
            plan=hint.plan,
            reasons=hint.reasons[:REASONS],
            instead=found.best.idea.action,
        )


def _advised(weighed: Weighed) -> Advised:
    idea = weighed.idea
    return Advised(idea.action, idea.plan, idea.reasons, weighed.value, weighed.wealth, weighed.doubt)


def _rounded(amount: float) -> int:
    return round(amount / 10) * 10
