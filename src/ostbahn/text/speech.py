"""Describes a game at one moment: the question, legal answers, refusals, and consequences of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Any, Final, NamedTuple, Protocol

from msgspec import Struct

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Event, Paid, Record
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_of
from ostbahn.text.formatting import sentence_case
from ostbahn.text.words import Names, Naming, Words


class TextRenderer(Protocol):
    """The texts of a title for one game."""

    @property
    def words(self) -> Words: ...
    @property
    def table(self) -> Table: ...

    def names(self) -> Names:
        """Display names of seats, and of companies whose letters are not enough."""

    def remark(self, question: Question, action: Action) -> str:
        """An addition to an answer in a list, such as its cost; may be empty."""

    def matter(self, question: Question) -> str:
        """Details of a question that its kind does not say: an offer, or the money of a company."""

    def chapters(self, question: Question) -> tuple[str, ...]:
        """Chapters of the rulebook about a question, the most important first."""

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """The actions that a player can mean by naming a hex or a company at this question."""

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        """Further consequences of an answer, beside its events.

        later: the table after it. Nothing may be revealed beyond the next turn or a random draw.
        """

    def accounts(self, seat: str) -> set[str]:
        """The accounts that a player controls: their own and those of their companies."""

    def round_name(self) -> str: ...

    def headline(self) -> list[str]:
        """The phase, and further words for the moment of the game."""


def text_renderer_of(game: Game) -> TextRenderer:
    return kit_of(game).text_renderer(game)


DONE_LABEL: Final = "Done"
DECLINING_ACTIONS: Final = (Pass, Decline)


class Speech:
    """Describes the possible answers to a question, and the record of the given one."""

    def __init__(self, game: Game, after: Game | None = None) -> None:
        """after: the game after the answer whose events are described."""
        renderer = text_renderer_of(game)
        self.words = renderer.words
        self.naming = Naming(renderer.table, renderer.names(), has_acted_in_step(game))
        """Names before the answer, for actions."""
        self.later = self.naming if after is None else Naming(after.table, renderer.names())
        """Names after the answer, for events: a new tile can change the names of places."""

    def describe(self, action: Action) -> str:
        """An action as an imperative: "buy a share of ABC"."""
        return self.words.describe(action, self.naming)

    def describe_option(self, option: Option) -> str:
        return self.words.describe_option(option, self.naming)

    def label(self, option: Option) -> str:
        """The text of a button; passing is "Done" once the player has acted in the step."""
        if isinstance(option.action, Pass) and self.naming.begun:
            return DONE_LABEL
        return sentence_case(self.describe_option(option))

    def tell(self, event: Event) -> str:
        return self.words.tell(event, self.later)

    def did(self, record: Record) -> str:
        """A given answer in the past tense: "bought a share of ABC for 70 K"."""
        cost = sum(event.amount for event in self._own_payments(record))
        return self.words.did(record, self.naming, f" for {self.naming.money(cost)}" if cost else "")

    def company(self, record: Record) -> str | None:
        """The company for which a player answered; replies to offers are for themselves."""
        return None if isinstance(record.action, Accept | Decline) else self.naming.company

    def mentioned_events(self, record: Record) -> list[Event]:
        """Events that the words of an answer already mention, without payments to other players."""
        payer = self.naming.company or record.by
        others = {player for player in self.naming.table.state.players if player != payer}
        paid = [payment for payment in self._own_payments(record) if not {payment.source, payment.target} & others]
        action = getattr(self.naming.task, "offer", record.action)
        return [*paid, *(event for event in direct_events(record.events) if event.is_implied_by(action))]

    def _own_payments(self, record: Record) -> list[Paid]:
        """Payments by the player who acts or their company; without any, payments to them."""
        who = self.naming.company or record.by
        payments = [event for event in direct_events(record.events) if isinstance(event, Paid)]
        spent = [payment for payment in payments if payment.source == who]
        return spent or [payment for payment in payments if payment.target == who]


def direct_events(events: tuple[Event, ...]) -> Iterator[Event]:
    """Events of an answer itself, before another turn begins or something is drawn at random."""
    return takewhile(lambda event: event.preview != "out_of_reach", events)


def has_acted_in_step(game: Game) -> bool:
    """Whether the player to move has already acted in the same step.

    In a Stock Round only a sale counts, since a purchase ends the turn.
    """
    if game.over or not len(game):
        return False
    task = game.state.agenda[-1]
    company = getattr(task, "company", None)
    if company is None:
        return bool(getattr(task, "sold", ()))
    records = game.records
    for number in range(len(records) - 1, -1, -1):
        before = game.state_at(number).agenda[-1]
        is_same = type(before) is type(task)
        if getattr(before, "company", None) != company or not (is_same or hasattr(before, "offer")):
            return False  # an offer interrupts the step with a question to another player
        if is_same and not isinstance(records[number].action, DECLINING_ACTIONS):
            return True
    return False


class ListedOption(NamedTuple):
    """An option in a numbered list."""

    number: int
    option: Option
    words: str
    remark: str

    def __str__(self) -> str:
        return f"{self.words}  ({self.remark})" if self.remark else self.words


def current_question(game: Game) -> Question:
    """The current question; raise Refused when the game is over."""
    if game.question is None:
        raise Refused(Refusal("", "the game is over"))
    return game.question


def listed_options(game: Game) -> list[ListedOption]:
    renderer, question, speech = text_renderer_of(game), current_question(game), Speech(game)
    return [
        ListedOption(number, option, speech.describe_option(option), renderer.remark(question, option.action))
        for number, option in enumerate(question.options, start=1)
    ]


def question_words(game: Game) -> str:
    handler = game.rulebook.handlers[type(current_question(game).task)]
    return handler.asks_for if isinstance(handler, Decision) else current_question(game).kind


def heading(game: Game) -> list[str]:
    """Two lines: who decides what, and details."""
    renderer, question = text_renderer_of(game), current_question(game)
    whose = f" for {renderer.table.name(question.company)}" if question.company else ""
    return [f"{renderer.table.name(question.decider)}{whose}: {question_words(game)}", renderer.matter(question)]


def standings_rows(game: Game) -> list[dict[str, Any]]:
    """Wealth of all players as JSON-like rows, the richest first."""
    renderer = text_renderer_of(game)
    best = game.table.winners()
    return [
        {"seat": seat, "name": renderer.table.name(seat), "wealth": worth, "winner": game.over and seat in best}
        for seat, worth in game.worth().items()
    ]


def seat_of(game: Game, who: str) -> str:
    """The seat with this id, or with this player name in any case."""
    seats = {f"p{number}": name for number, name in enumerate(game.setup.players, start=1)}
    for seat, name in seats.items():
        if who in (seat, name):
            return seat
    matches = [seat for seat, name in seats.items() if name.casefold() == who.casefold()]
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(f"{name} ({seat})" for seat, name in seats.items())
    raise Refused(Refusal("", f"nobody here is called {who}; the players are {known}"))


MOST_REASONS = 6


def refusal_reasons(game: Game, what: str) -> list[str]:
    """Count and explain the refused actions at a hex or with a company; empty if none is about it."""
    question = current_question(game)
    actions = list(text_renderer_of(game).tries(question, what))
    if not actions:
        return []
    refusals = Counter(refusal for action in actions if (refusal := question.refusal(action)) is not None)
    legal = len(actions) - sum(refusals.values())
    reasons = [f"{f'{n} times: ' if n > 1 else ''}{refusal}" for refusal, n in refusals.most_common(MOST_REASONS)]
    return [f"{what}: {legal} of {len(actions)} possibilities are allowed.", *(f"  {reason}" for reason in reasons)]


class Consequence(Struct, frozen=True):
    text: str
    grave: bool
    """Whether the page asks for confirmation: a loan or private money for a company, a lost directorship, scrapped
    trains, a new phase, the end of a company or of the game."""


def consequences(game: Game, action: Action) -> list[Consequence]:
    """Consequences of an action for the player who gives it; none if it is not legal."""
    question, after = game.question, game.branch()
    try:
        record = after.apply(action)
    except Refused:
        return []
    assert question is not None
    renderer = text_renderer_of(game)
    events = list(direct_events(record.events))
    light = (*_remaining_money(renderer, record, events), *renderer.foresee(question, action, after.table))
    ends = after.over and len(events) == len(record.events)
    return [
        *_event_consequences(renderer, Speech(game, after), record, events),
        *(Consequence(text, grave=False) for text in light),
        *([Consequence("the game is over", grave=True)] if ends else []),
    ]


def _event_consequences(
    renderer: TextRenderer, speech: Speech, record: Record, events: list[Event]
) -> Iterator[Consequence]:
    """Events that concern the player; payments between others do not."""
    accounts, companies = renderer.accounts(record.by), renderer.table.title.charters
    for event in events:
        grave = event.is_warning_for(record.by)
        if isinstance(event, Paid):
            if not {event.source, event.target} & accounts:
                continue
            grave = grave or (event.source == record.by and event.target in companies)  # their own money
        if event.preview != "hidden":
            yield Consequence(speech.tell(event), grave)


def _remaining_money(renderer: TextRenderer, record: Record, events: Collection[Event]) -> Iterator[str]:
    spent: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            spent[event.source] += event.amount
            spent[event.target] -= event.amount
    for who in sorted(renderer.accounts(record.by) & set(spent)):
        if spent[who]:
            has = renderer.words.money(renderer.table.state.cash[who] - spent[who])
            yield f"{renderer.names().get(who, who)} then has {has}"
