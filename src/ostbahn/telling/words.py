"""Actions and events in words, for people. What only one title knows of is told by the words of that title."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
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

BETWEEN: Final = "–"
COMMON: Final[Mapping[type[Action], Text]] = {
    Pass: "pass",
    Accept: "accept the offer",
    Decline: "decline the offer",
}


class Words:
    """How a title is told."""

    def __init__(
        self,
        currency: str,
        actions: Mapping[type[Action], Text],
        notes: Mapping[str, str],
        rounds: Mapping[str, str],
        *,
        ahead: Collection[str] = (),
        grave: Collection[str] = (),
        beyond: Collection[str] = ("turn",),
    ) -> None:
        self.currency = currency
        self.actions = {**COMMON, **actions}
        self.notes = notes
        """What the engine notes: by its key, the sentence about `{who}` and `{amount}`."""
        self.rounds = rounds
        """By its letters, the full name of a kind of round."""
        self.ahead = ahead
        """The notes of which somebody is told before he does what leads to them."""
        self.grave = grave
        """The notes that should make him think twice; they are told ahead too."""
        self.beyond = beyond
        """The notes with which something begins that is not told ahead: another turn, or what a lot decides."""

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

        def who(account: str) -> str:
            return "the bank" if account == BANK else names.get(account, account)

        match event:
            case records.Paid():
                return f"{who(event.source)} pays {who(event.target)} {self.money(event.amount)} ({self.why(event)})"
            case records.PriceMoved():
                return self._price_moved(event)
            case records.CertificateMoved():
                return f"{event.percent}% of {event.company}: {who(event.source)} to {who(event.target)}"
            case records.DirectorChanged():
                return self.director(event, who(event.before), who(event.after))
            case records.TileLaid():
                return f"{who(event.company)} lays tile {event.tile} on {event.hex}, rotation {event.rotation}"
            case records.StationPlaced():
                return self.station(event, who(event.company))
            case records.TrainMoved():
                return _train_moved(event, who(event.source), who(event.target))
            case records.PhaseBegan():
                return self.phase(event)
            case records.RoundBegan():
                return f"{self.round_name(event.round)} begins"
            case records.Noted():
                return self._noted(event, who(event.who))
        return str(event)

    def why(self, event: records.Paid) -> str:
        """What is paid for."""
        return event.why

    def director(self, event: records.DirectorChanged, before: str, after: str) -> str:
        return f"{after} is Director of {event.company} instead of {before}"

    def station(self, event: records.StationPlaced, who: str) -> str:
        return f"{who} has a station in {event.city}"

    def phase(self, event: records.PhaseBegan) -> str:
        return f"phase {event.phase} begins"

    def _price_moved(self, event: records.PriceMoved) -> str:
        after = self.money(event.after)
        if not event.before:
            return f"{event.company} enters the chart at {after}"
        verb = "rises" if event.after > event.before else "falls"
        return f"{event.company} {verb} from {self.money(event.before)} to {after} ({event.why})"

    def _noted(self, event: records.Noted, who: str) -> str:
        text = self.notes.get(event.what)
        if text is None:
            return f"{event.what}: {who}" + (f", {event.amount}" if event.amount else "")
        return text.format(who=who, amount=event.amount)

    def round_name(self, code: str) -> str:
        """A round by its full name: `OR 5.2` is Operating Round 5.2."""
        kind, _, number = code.partition(" ")
        return f"{self.rounds.get(kind, kind)} {number}".strip()


def _train_moved(event: records.TrainMoved, source: str, target: str) -> str:
    train = f"{event.face}-train {event.card}" if event.face else f"train {event.card}"
    match event.source, event.target:
        case "pool", "pool":
            return f"card {event.card} stays in the pool as a {event.face}-train"
        case before, after if before == after:
            return f"{source} turns card {event.card} into a {event.face}-train"
        case _, "abroad":
            return f"{train} goes abroad"
        case "stack", "scrap":
            return f"{train} is scrapped"
        case _, "scrap":
            return f"the {train} of {source} is scrapped"
        case _, "pool":
            return f"the {train} of {source} goes to the pool"
        case "stack" | "pool", _:
            return f"{target} gets {train} from the {source}"
        case _:
            return f"{target} gets {train} from {source}"
