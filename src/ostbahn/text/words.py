"""Describes actions and events in words. Titles add texts for their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Event, Record
from ostbahn.kernel.state import Task
from ostbahn.kernel.table import Table
from ostbahn.text.formatting import in_past_tense, printable, with_article

if TYPE_CHECKING:
    from ostbahn.analysis.runs import TrainPath

Names = Mapping[str, str]
"""Display names of seats, and of companies that have no name of their own."""

LONGEST_ROUTE: Final = 4
"""Routes with more stops are named by their ends and the number of stops."""


class Naming:
    """Display names on one table: of seats, places on its board, and trains."""

    def __init__(self, table: Table, names: Names | None = None, begun: bool = False) -> None:
        self.table = table
        self.names = names or {}
        """Names that differ from those of the table."""
        self.begun = begun
        """Whether the player has already acted in the present step."""

    @property
    def task(self) -> Task | None:
        return self.table.state.agenda[-1] if self.table.state.agenda else None

    @property
    def company(self) -> str | None:
        return getattr(self.task, "company", None)

    # Names

    def who(self, account: object) -> str:
        """A seat, a company or the bank."""
        name = str(account)
        return "the bank" if name == BANK else self.names.get(name) or printable(self.table.name(name))

    def money(self, amount: int) -> str:
        return f"{amount} {self.table.title.currency}"

    def place(self, place: object) -> str:
        return self.table.place(str(place))

    def at(self, place: object) -> str:
        """`in Praha`, but `on D22`."""
        return self.table.at(str(place))

    def train(self, card: object) -> str:
        """`3-train`"""
        return self.table.train(str(card))

    def owner(self, card: object) -> str:
        """The name of the company that has a train."""
        owners = (company for company, held in self.table.state.trains.items() if any(t.card == card for t in held))
        return self.who(next(owners, "nobody"))

    # Routes

    def way(self, path: Sequence[str]) -> str:
        """The names of the stops of a route, without hexes of plain track."""
        stops = [self.place(hex_of(place)) for place in path if "." in place]
        if len(stops) > LONGEST_ROUTE:
            return f"{stops[0]} – … – {stops[-1]} ({len(stops)} stops)"
        return self.table.route_name(path)

    def ways(self, runs: Iterable[TrainPath]) -> str:
        return join_words([self.way(run.path) for run in runs])


class NamedFields:
    """Display names for the fields of an action or event: `{at.hex}` in a text is the name of that place."""

    def __init__(self, thing: object, call: Callable[[object], str]) -> None:
        self._thing = thing
        self._call = call

    def __getattr__(self, field: str) -> str:
        return self._call(getattr(self._thing, field))


def join_words(words: Iterable[str]) -> str:
    """a, b and c"""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def plural(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


ActionText = str | Callable[[Any, Naming, str], str]
"""An action in words, verb first: "buy a share of {a.company}". `{a.hex}` is a field; `{who.company}`, `{at.hex}` and
`{train.card}` are the names of the owner, place or train in that field; `{price}` is its price or range of prices."""
EventText = str | Callable[[Any, Naming], str]
"""An event in words: `{e.amount}` is a field, `{money.amount}` an amount with its currency, the others as above."""
DeedText = str | Callable[[Record, Naming], str]
"""A given answer in the past tense, with its result: "sold {a.percent}% of {a.company}{cost}"."""

BETWEEN: Final = "–"
COMMON_ACTIONS: Final[Mapping[type[Action], ActionText]] = {
    Accept: "accept the offer",
    Decline: "decline the offer",
}


def _price_moved(event: records.PriceMoved, naming: Naming) -> str:
    company, after = naming.who(event.company), naming.money(event.after)
    if not event.before:
        return f"{company} starts at {after}"
    verb = "rises" if event.after > event.before else "falls"
    return f"{company} {verb} from {event.before} to {after} ({event.why})"


def _train_moved(event: records.TrainMoved, naming: Naming) -> str:
    train = f"{event.face}-train" if event.face else "train"
    source, target = naming.who(event.source), naming.who(event.target)
    match event.source, event.target:
        case "pool", "pool":
            return f"a train in the pool becomes a {train}"
        case before, after if before == after:
            return f"{source} turns a train into a {train}"
        case "stack", "abroad":
            return f"the next {train} goes abroad"
        case _, "abroad":
            return f"a {train} goes abroad"
        case "stack" | "pool", "scrap":
            return f"a {train} in the {event.source} is scrapped"
        case _, "scrap":
            return f"a {train} of {source} is scrapped"
        case _, "pool" | "stack":
            return f"a {train} of {source} goes back to the {event.target}"
        case "stack" | "pool", _:
            return f"{target} gets a {train} from the {event.source}"
        case _:
            return f"{target} gets a {train} from {source}"


def _director_changed(event: records.DirectorChanged, naming: Naming) -> str:
    instead = "" if event.before == BANK else f" instead of {naming.who(event.before)}"
    return f"{naming.who(event.after)} becomes director of {naming.who(event.company)}{instead}"


COMMON_EVENTS: Final[Mapping[type[Event], EventText]] = {
    records.Paid: "{who.source} pays {who.target} {money.amount} ({e.why})",
    records.PriceMoved: _price_moved,
    records.CertificateMoved: "{e.percent}% of {who.company} goes from {who.source} to {who.target}",
    records.DirectorChanged: _director_changed,
    records.OfferDeclined: "{who.player} declines {money.price}",
    records.Wealth: "{who.player} is worth {money.amount}",
    records.TileLaid: lambda event, naming: f"{naming.who(event.company)} lays {event.tile} {naming.at(event.hex)}",
    records.StationPlaced: "{who.company} has a station in {at.city}",
    records.TrainMoved: _train_moved,
    records.Revenue: "{who.company} earns {money.amount}",
    records.ClaimBelieved: "{who.company} is believed to earn {money.revenue}",
    records.NotProven: "this may not be the best run of {who.company}; none brings more than {money.bound}",
    records.PhaseBegan: "phase {e.phase} begins",
    records.TurnBegan: "it is the turn of {who.company}",
}
"""Events of every title; a title can replace their texts."""


COMMON_SUMMARIES: Final[Mapping[type[Event], EventText]] = {
    records.DirectorChanged: "{who.after} becomes director of {who.company}",
    records.OfferDeclined: "",
    records.Wealth: "{who.player} {money.amount}",
    records.NotProven: "not proven to be the best",
    records.StationPlaced: "station in {at.city}",
    records.Revenue: lambda event, naming: f"earns {naming.money(event.amount)}" if event.amount else "earns nothing",
}
"""Short texts; an empty one leaves the event out."""


class Passing(NamedTuple):
    """Texts for passing at a kind of question."""

    words: str
    """`lay no track`"""
    more: str = ""
    """After the player has acted: `lay no more track`; empty if the words stay the same."""
    why: str = ""
    """Why the player had to pass: `no track can be laid`."""


class Words:
    """The texts of a title."""

    def __init__(
        self,
        currency: str,
        actions: Mapping[type[Action], ActionText],
        events: Mapping[type[Event], EventText],
        rounds: Mapping[str, str],
        *,
        passing: Mapping[str, Passing] | None = None,
        deeds: Mapping[type[Action], DeedText] | None = None,
        summaries: Mapping[type[Event], EventText] | None = None,
    ) -> None:
        self.currency = currency
        self.actions = {**COMMON_ACTIONS, **actions}
        self.events: Mapping[type[Event], EventText] = {
            records.RoundBegan: lambda event, _: f"{self.round_name(event.round)} begins",
            **COMMON_EVENTS,
            **events,
        }
        self.rounds = rounds
        """Full names of the kinds of rounds, by their letters."""
        self.passing = passing or {}
        """By kind of question."""
        self.deeds = deeds or {}
        """Texts of the log for answers, where the action and its cost are not enough."""
        self.summaries: Mapping[type[Event], EventText] = {**COMMON_SUMMARIES, **(summaries or {})}
        """Short texts of events, for the log."""

    # Answers

    def money(self, amount: int) -> str:
        return f"{amount} {self.currency}"

    def describe(self, action: Action, naming: Naming) -> str:
        """An action in words: "lay 57 in Praha"."""
        return self._with_price(action, naming, str(getattr(action, "price", "")))

    def describe_option(self, option: Option, naming: Naming) -> str:
        """An option in words; a free price as its range."""
        span = option.span
        if span is None or span.low == span.high:
            return self.describe(option.action, naming)
        return self._with_price(option.action, naming, f"{span.low}{BETWEEN}{span.high}")

    def _with_price(self, action: Action, naming: Naming, price: str) -> str:
        if isinstance(action, Pass):
            return self.passes(naming)
        text = self.actions.get(type(action))
        if text is None:
            return str(type(action).__struct_config__.tag).replace("_", " ")
        if isinstance(text, str):
            return with_article(text.format(a=action, price=price, **_named_fields(action, naming)))
        return with_article(text(action, naming, price))

    def passes(self, naming: Naming) -> str:
        kind = str(naming.task.__struct_config__.tag) if naming.task is not None else ""
        passing = self.passing.get(kind, Passing("pass"))
        return passing.more or passing.words if naming.begun else passing.words

    # What happened

    def did(self, record: Record, naming: Naming, cost: str = "") -> str:
        """A given answer in words: "laid 57 in Praha for 10 K".

        naming: of the table before it.
        cost: what it cost or brought, as " for 10 K".
        """
        action = record.action
        if isinstance(action, Pass):
            return in_past_tense(self.passes(naming))
        deed = self.deeds.get(type(action))
        if deed is None:
            return in_past_tense(self.describe(action, naming)) + cost
        if isinstance(deed, str):
            return with_article(deed.format(a=action, cost=cost, **_named_fields(action, naming)))
        return with_article(deed(record, naming))

    def tell(self, event: Event, naming: Naming) -> str:
        """An event in words: "Anna pays the bank 30 K (terrain)"."""
        text = self.events.get(type(event))
        return _list_fields(event, naming) if text is None else event_in_words(text, event, naming)

    def round_name(self, code: str) -> str:
        """A round by its full name: `OR 5.2` is operating round 5.2."""
        kind, _, number = code.partition(" ")
        return f"{self.rounds.get(kind, kind)} {number}".strip()


def event_in_words(text: EventText, event: Event, naming: Naming) -> str:
    if not isinstance(text, str):
        return with_article(text(event, naming))
    money = NamedFields(event, lambda amount: naming.money(int(str(amount))))
    return with_article(text.format(e=event, money=money, **_named_fields(event, naming)))


def _named_fields(thing: object, naming: Naming) -> dict[str, NamedFields]:
    return {
        "who": NamedFields(thing, naming.who),
        "at": NamedFields(thing, naming.place),
        "train": NamedFields(thing, naming.train),
    }


def _list_fields(event: Event, naming: Naming) -> str:
    """Tag and fields of an event for which the title has no text."""
    fields = ((field, getattr(event, field)) for field in event.__struct_fields__)
    values = [naming.who(value) if field in event.parties else str(value) for field, value in fields]
    return f"{str(event.__struct_config__.tag).replace('_', ' ')}: {', '.join(values)}"
