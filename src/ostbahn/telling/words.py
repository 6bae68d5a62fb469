"""Actions and events in words, for people. What only one title knows of is told by the words of that title."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Event

Names = Mapping[str, str]
"""What people call seats, and those companies that have no name to speak of."""
Text = str | Callable[[Any, str], str]
"""An action in words: `{a.hex}` stands for its field, `{price}` for the price or the prices it may have."""
Sentence = str | Callable[[Any, "Naming", str], str]
"""An event in words: `{e.hex}` stands for its field, `{who.company}` for what people call whom that field names, and
`{currency}` for the currency."""

BETWEEN: Final = "–"
COMMON: Final[Mapping[type[Action], Text]] = {
    Pass: "pass",
    Accept: "accept the offer",
    Decline: "decline the offer",
}


class Naming:
    """Whom the fields of an event name, as people call them."""

    def __init__(self, event: Event, names: Names) -> None:
        self._event = event
        self._names = names

    def __getattr__(self, field: str) -> str:
        account = str(getattr(self._event, field))
        return "the bank" if account == BANK else self._names.get(account, account)


def _price_moved(event: records.PriceMoved, _: Naming, currency: str) -> str:
    after = f"{event.after} {currency}"
    if not event.before:
        return f"{event.company} enters the chart at {after}"
    verb = "rises" if event.after > event.before else "falls"
    return f"{event.company} {verb} from {event.before} {currency} to {after} ({event.why})"


def _train_moved(event: records.TrainMoved, who: Naming, _: str) -> str:
    train = f"{event.face}-train {event.card}" if event.face else f"train {event.card}"
    match event.source, event.target:
        case "pool", "pool":
            return f"card {event.card} stays in the pool as a {event.face}-train"
        case before, after if before == after:
            return f"{who.source} turns card {event.card} into a {event.face}-train"
        case _, "abroad":
            return f"{train} goes abroad"
        case "stack", "scrap":
            return f"{train} is scrapped"
        case _, "scrap":
            return f"the {train} of {who.source} is scrapped"
        case _, "pool":
            return f"the {train} of {who.source} goes to the pool"
        case "stack" | "pool", _:
            return f"{who.target} gets {train} from the {who.source}"
        case _:
            return f"{who.target} gets {train} from {who.source}"


COMMON_EVENTS: Final[Mapping[type[Event], Sentence]] = {
    records.Paid: "{who.source} pays {who.target} {e.amount} {currency} ({e.why})",
    records.PriceMoved: _price_moved,
    records.CertificateMoved: "{e.percent}% of {e.company}: {who.source} to {who.target}",
    records.DirectorChanged: "{who.after} is Director of {e.company} instead of {who.before}",
    records.OfferDeclined: "{who.player} declines {e.price} {currency}",
    records.Wealth: "{who.player} is worth {e.amount} {currency}",
    records.TileLaid: "{who.company} lays tile {e.tile} on {e.hex}, rotation {e.rotation}",
    records.StationPlaced: "{who.company} has a station in {e.city}",
    records.TrainMoved: _train_moved,
    records.Revenue: "{who.company} earns {e.amount} {currency}",
    records.ClaimBelieved: "{who.company} is believed to earn {e.revenue} {currency}",
    records.NotProven: "whether this is the best run of {who.company} is not proven; "
    "none brings more than {e.bound} {currency}",
    records.PhaseBegan: "phase {e.phase} begins",
    records.TurnBegan: "it is the turn of {who.company}",
}
"""What may happen in every title; a title may tell it in its own words."""


class Words:
    """How a title is told."""

    def __init__(
        self,
        currency: str,
        actions: Mapping[type[Action], Text],
        events: Mapping[type[Event], Sentence],
        rounds: Mapping[str, str],
    ) -> None:
        self.currency = currency
        self.actions = {**COMMON, **actions}
        self.events: Mapping[type[Event], Sentence] = {
            records.RoundBegan: self._round_began,
            **COMMON_EVENTS,
            **events,
        }
        self.rounds = rounds
        """By its letters, the full name of a kind of round."""

    # Answers

    def money(self, amount: int) -> str:
        return f"{amount} {self.currency}"

    def describe(self, action: Action) -> str:
        """An action in words: "lay tile 57 on D4, rotation 2"."""
        return self._with_price(action, str(getattr(action, "price", "")))

    def describe_option(self, option: Option) -> str:
        """An option in words; where the price is free, the prices between which it is."""
        if option.span is None:
            return self.describe(option.action)
        return self._with_price(option.action, f"{option.span.low}{BETWEEN}{option.span.high}")

    def _with_price(self, action: Action, price: str) -> str:
        text = self.actions.get(type(action))
        if text is None:
            return str(type(action).__struct_config__.tag).replace("_", " ")
        return text.format(a=action, price=price) if isinstance(text, str) else text(action, price)

    # What happened

    def tell(self, event: Event, names: Names) -> str:
        """An event in words: "Anna pays the bank 30 K (terrain)"."""
        who, text = Naming(event, names), self.events.get(type(event))
        if text is None:
            return _without_words(event, who)
        if isinstance(text, str):
            return text.format(e=event, who=who, currency=self.currency)
        return text(event, who, self.currency)

    def _round_began(self, event: records.RoundBegan, *_: object) -> str:
        return f"{self.round_name(event.round)} begins"

    def round_name(self, code: str) -> str:
        """A round by its full name: `OR 5.2` is Operating Round 5.2."""
        kind, _, number = code.partition(" ")
        return f"{self.rounds.get(kind, kind)} {number}".strip()


def _without_words(event: Event, who: Naming) -> str:
    """An event of which the title has no words: its tag and its fields."""
    told = [getattr(who if field in event.parties else event, field) for field in event.__struct_fields__]
    return f"{str(event.__struct_config__.tag).replace('_', ' ')}: {', '.join(map(str, told))}"
