"""A game in words at one moment: who is asked what, what may be answered and why not, what came of an answer."""

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
    """A game as its title tells it to people."""

    @property
    def words(self) -> Words: ...
    @property
    def table(self) -> Table: ...

    def names(self) -> Names:
        """What people call the seats, and companies that need more than their letters."""

    def remark(self, question: Question, action: Action) -> str:
        """What to add to an answer in a list; empty where its words say all."""

    def matter(self, question: Question) -> str:
        """What a question is about, where its kind does not say it."""

    def chapters(self, question: Question) -> tuple[str, ...]:
        """The chapters of the rulebook that the question is about, the most important first."""

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """All that somebody can mean who names a hex or a company at this question."""

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        """What else somebody wants to know before they give an answer, beside what happens then.

        later: the table after it; of that, nobody may be told what lies beyond the next turn or a lot.
        """

    def accounts(self, seat: str) -> set[str]:
        """Whose money somebody decides about: his own, and that of his companies."""

    def round_name(self) -> str: ...

    def headline(self) -> list[str]:
        """The phase, and what else tells the moment of the game."""


def text_renderer_of(game: Game) -> TextRenderer:
    return kit_of(game).text_renderer(game)


DONE_LABEL: Final = "Done"
DECLINING_ACTIONS: Final = (Pass, Decline)
"""Answers with which nothing is done."""


class Speech:
    """Tells what may be answered to the question of a game, and the record of what was."""

    def __init__(self, game: Game, after: Game | None = None) -> None:
        """after: the game after the answer whose events are told."""
        renderer = text_renderer_of(game)
        self.words = renderer.words
        self.naming = Naming(renderer.table, renderer.names(), has_acted_in_step(game))
        """For answers, as things are called before they are given."""
        self.later = self.naming if after is None else Naming(after.table, renderer.names())
        """For events: places on a tile just laid are called as they lie there."""

    def describe(self, action: Action) -> str:
        """What to do: "buy a share of ABC"."""
        return self.words.describe(action, self.naming)

    def describe_option(self, option: Option) -> str:
        return self.words.describe_option(option, self.naming)

    def label(self, option: Option) -> str:
        """The same on a button: who has done something already and wants no more is done."""
        if isinstance(option.action, Pass) and self.naming.begun:
            return DONE_LABEL
        return sentence_case(self.describe_option(option))

    def tell(self, event: Event) -> str:
        return self.words.tell(event, self.later)

    def did(self, record: Record) -> str:
        """What was done: "bought a share of ABC for 70 K"."""
        cost = sum(event.amount for event in self.settled(record))
        return self.words.did(record, self.naming, f" for {self.naming.money(cost)}" if cost else "")

    def company(self, record: Record) -> str | None:
        """The company for which somebody answered; whoever is asked about an offer answers for themselves."""
        return None if isinstance(record.action, Accept | Decline) else self.naming.company

    def told(self, record: Record) -> list[Event]:
        """Events of which the words of an answer tell; what players get for it is told beside them."""
        payer = self.naming.company or record.by
        players = [player for player in self.naming.table.state.players if player != payer]
        paid = [paid for paid in self.settled(record) if paid.source not in players and paid.target not in players]
        named = getattr(self.naming.task, "offer", record.action)
        return [*paid, *(event for event in direct_events(record.events) if event.is_implied_by(named))]

    def settled(self, record: Record) -> list[Paid]:
        """What the one who acts, or their company, pays for it; or is paid, if nothing is to pay."""
        who = self.naming.company or record.by
        paid = [event for event in direct_events(record.events) if isinstance(event, Paid)]
        spent = [event for event in paid if event.source == who]
        return spent or [event for event in paid if event.target == who]


def direct_events(events: tuple[Event, ...]) -> Iterator[Event]:
    """What came of an answer itself, before another turn begins or a lot decides."""
    return takewhile(lambda event: event.preview != "out_of_reach", events)


def has_acted_in_step(game: Game) -> bool:
    """Whether the one who is asked has already done something in the same step.

    In a turn without a company that is a sale: whoever has bought has ended it.
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
            return False  # an offer was made in the step, and somebody else asked about it
        if is_same and not isinstance(records[number].action, DECLINING_ACTIONS):
            return True
    return False


class ListedOption(NamedTuple):
    """An option as a list shows it."""

    number: int
    option: Option
    words: str
    remark: str

    def __str__(self) -> str:
        return f"{self.words}  ({self.remark})" if self.remark else self.words


def current_question(game: Game) -> Question:
    """The current question; after the end there is none."""
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
    """Who is asked what, and what they should know."""
    renderer, question = text_renderer_of(game), current_question(game)
    whose = f" for {renderer.table.name(question.company)}" if question.company else ""
    return [f"{renderer.table.name(question.decider)}{whose}: {question_words(game)}", renderer.matter(question)]


def standings_rows(game: Game) -> list[dict[str, Any]]:
    """What everybody is worth, the richest first."""
    renderer = text_renderer_of(game)
    best = game.table.winners()
    return [
        {"seat": seat, "name": renderer.table.name(seat), "wealth": worth, "winner": game.over and seat in best}
        for seat, worth in game.worth().items()
    ]


def seat_of(game: Game, who: str) -> str:
    """A seat by itself or by the player's name."""
    seats = {f"p{number}": name for number, name in enumerate(game.setup.players, start=1)}
    for seat, name in seats.items():
        if who in (seat, name):
            return seat
    found = [seat for seat, name in seats.items() if name.casefold() == who.casefold()]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{name} ({seat})" for seat, name in seats.items())
    raise Refused(Refusal("", f"nobody here is called {who}; the players are {known}"))


MOST_REASONS = 6
"""Reasons that are told at most."""


def refusal_reasons(game: Game, what: str) -> list[str]:
    """Why a hex or a company does not (or not only) stand among the answers; empty if there is nothing to say."""
    question = current_question(game)
    tries = list(text_renderer_of(game).tries(question, what))
    if not tries:
        return []
    refusals = Counter(refusal for action in tries if (refusal := question.refusal(action)) is not None)
    legal = len(tries) - sum(refusals.values())
    lines = [f"{what}: {legal} of {len(tries)} possibilities are allowed."]
    counted = (
        (f"{count} times: " if count > 1 else "", refusal) for refusal, count in refusals.most_common(MOST_REASONS)
    )
    return lines + [f"  {times}{refusal}" for times, refusal in counted]


class Consequence(Struct, frozen=True):
    text: str
    grave: bool
    """Whether one should think twice: a loan or one's own money for a company, a lost directorship, scrapped trains, a
    new phase, the end of a company or of the game. Where nothing is grave, nobody need be asked before it is done."""


def consequences(game: Game, action: Action) -> list[Consequence]:
    """What matters to somebody about to give an answer; nothing if it would be refused."""
    question, after = game.question, game.branch()
    try:
        record = after.apply(action)
    except Refused:
        return []
    assert question is not None
    renderer = text_renderer_of(game)
    events = list(direct_events(record.events))
    light = (*_left(renderer, record, events), *renderer.foresee(question, action, after.table))
    ends = after.over and len(events) == len(record.events)
    return [
        *_told(renderer, Speech(game, after), record, events),
        *(Consequence(text, grave=False) for text in light),
        *([Consequence("the game is over", grave=True)] if ends else []),
    ]


def _told(renderer: TextRenderer, speech: Speech, record: Record, events: list[Event]) -> Iterator[Consequence]:
    """What happens, as far as it concerns them: payments between others are their own affair."""
    accounts, companies = renderer.accounts(record.by), renderer.table.title.charters
    for event in events:
        grave = event.is_warning_for(record.by)
        if isinstance(event, Paid):
            if not {event.source, event.target} & accounts:
                continue
            grave = grave or (event.source == record.by and event.target in companies)  # their own money
        if event.preview != "hidden":
            yield Consequence(speech.tell(event), grave)


def _left(renderer: TextRenderer, record: Record, events: Collection[Event]) -> Iterator[str]:
    spent: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            spent[event.source] += event.amount
            spent[event.target] -= event.amount
    for who in sorted(renderer.accounts(record.by) & set(spent)):
        if spent[who]:
            has = renderer.words.money(renderer.table.state.cash[who] - spent[who])
            yield f"{renderer.names().get(who, who)} then has {has}"
