"""What somebody may prepare at the moment, with its alarms; why something may not be prepared; both in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, holding, ordinary_certificates, share_unit
from ostbahn.programmed.preparing import (
    ALARMS,
    Alarm,
    AnyMove,
    PreparedBids,
    PreparedPass,
    PreparedPurchases,
    PreparedReplies,
    PreparedTurn,
    Thing,
    preparing_of,
)
from ostbahn.text.formatting import sentence_case
from ostbahn.text.speech import Speech
from ostbahn.text.words import plural

DEAREST: Final = 100_000
"""No price that somebody names is above it."""


class AlarmChoice(Struct, frozen=True):
    """An event that can cancel a prepared move."""

    alarm: Alarm
    """Its name, for `alarms`."""
    words: str
    ticked: bool
    """Whether it is set unless you decide otherwise."""


class AmountChoice(Struct, frozen=True):
    """A range of amounts to choose from."""

    least: int
    most: int
    step: int = 1


class PreparedKind(Struct, frozen=True, kw_only=True):
    """A kind of move that can be prepared now, with all its choices."""

    prepare: str
    """The tag of the move: `pass`, `buy` and so on."""
    words: str
    about: tuple[Thing, ...] = ()
    """What it can be about; empty where nothing has to be chosen."""
    until: Mapping[str, str] = {}
    """How long it can stand: each value of `until` in words."""
    amounts: Mapping[str, Mapping[str, AmountChoice]] = {}
    """For each thing and each value of `until`, the amounts allowed; an empty name stands for all things."""
    alarms: tuple[AlarmChoice, ...] = ()
    """The events that can cancel it."""


def kinds(game: Game, seat: str) -> tuple[PreparedKind, ...]:
    """Everything that somebody may prepare now; nothing when the game is over."""
    return () if game.over else (*_in_shares(game, seat), *_in_other_rounds(game, seat))


def _in_shares(game: Game, seat: str) -> Iterator[PreparedKind]:
    preparing, table = preparing_of(game), game.table
    tags = {str(task.__struct_config__.tag) for task in table.state.agenda}
    if not tags & preparing.share_questions:
        return
    floats: dict[Alarm, bool] = {"float": False} if preparing.floats else {}
    yield PreparedKind(
        prepare="pass",
        words="Pass",
        until={"round": "until the round is over", "once": "once"},
        alarms=_alarms({"sale": True, "directorship": True, "affordable": True, "price": False, **floats}),
    )
    on_sale = [each for each in preparing.on_sale(table) if preparing.purchase(table, each) is not None]
    if not on_sale:
        return
    until = {"number": "so many shares", "percent": "up to a percentage"}
    if preparing.floats and any(company not in preparing.floated(table) for company in on_sale):
        until["floats"] = "until it floats"
    yield PreparedKind(
        prepare="buy",
        words="Buy shares",
        about=tuple(Thing(company, company) for company in on_sale),
        until=until,
        amounts={company: _amounts(game, seat, company) for company in on_sale},
        alarms=_alarms({"price": True, "sale": True, "directorship": True, "bought": False, **floats}),
    )


def _amounts(game: Game, seat: str, company: str) -> dict[str, AmountChoice]:
    preparing, table = preparing_of(game), game.table
    left, unit = len(ordinary_certificates(table, BANK, company)), share_unit(table, company)
    held = holding(table, seat, company)
    amounts = {
        "number": AmountChoice(1, left),
        "percent": AmountChoice(held + unit, held + unit * left, unit),
    }
    return amounts if company in preparing.floated(table) else {**amounts, "floats": AmountChoice(1, 1)}


def _in_other_rounds(game: Game, seat: str) -> Iterator[PreparedKind]:
    preparing, table, naming = preparing_of(game), game.table, Speech(game).naming
    if items := preparing.items(table):
        most = AmountChoice(1, max(1, table.state.cash[seat]))
        yield PreparedKind(prepare="bid", words="Bid up to", about=tuple(items), amounts={"": {"": most}})
    if mine := preparing.companies(table, seat):
        now = game.question.company if game.question is not None else None
        mine.sort(key=lambda company: company != now)
        turns = (
            Thing(company, f"{'this' if company == now else 'the next'} turn of {naming.who(company)}")
            for company in mine
        )
        yield PreparedKind(
            prepare="turn",
            words=sentence_case(preparing.routine),
            about=(*turns, Thing("", "all my companies, until an Operating Round is over")),
            alarms=_alarms({"phase": True, "directorship": True, "price": False}),
        )
    if things := preparing.things(table, seat):
        yield PreparedKind(
            prepare="reply",
            words="Decline offers below",
            about=(Thing("", "anything"), *things),
            amounts={"": {"": AmountChoice(1, DEAREST)}},
            alarms=_alarms({"phase": True}),
        )


def _alarms(ticked: Mapping[Alarm, bool]) -> tuple[AlarmChoice, ...]:
    return tuple(AlarmChoice(alarm, ALARMS[alarm], on) for alarm, on in ticked.items())


def unfit(game: Game, seat: str, move: AnyMove) -> str:
    """Why somebody may not prepare a move now; empty if they may."""
    tag = str(move.__struct_config__.tag)
    kind = next((kind for kind in kinds(game, seat) if kind.prepare == tag), None)
    if kind is None:
        return "that cannot be prepared now"
    about = str(getattr(move, "company", getattr(move, "item", getattr(move, "thing", ""))))
    if kind.about and about not in {thing.id for thing in kind.about}:
        return f"there is nothing to prepare for {about[:20] or 'that'} now"
    until = str(getattr(move, "until", ""))
    amount = getattr(move, "amount", getattr(move, "most", getattr(move, "below", 1)))
    span = kind.amounts.get(about, kind.amounts.get("", {})).get(until if tag == "buy" else "")
    if kind.amounts and span is None:
        return f"{about} cannot be bought that way"
    if span is not None and until != "floats" and (not span.least <= amount <= span.most or amount % span.step):
        return f"choose {span.least} to {span.most}, not {amount}"
    if isinstance(move, PreparedReplies) and move.accept and not move.thing:
        return "say what you would part with for that"
    strange = set(move.alarms) - {each.alarm for each in kind.alarms}
    return "this cannot happen to it: " + ALARMS[min(strange)] if strange else ""


# In words


def described(game: Game, move: AnyMove) -> str:
    """What somebody has prepared: `buy 2 shares of ABC`."""
    naming = Speech(game).naming
    match move:
        case PreparedPass():
            return "pass until the round is over" if move.until == "round" else "pass once"
        case PreparedPurchases(until="floats"):
            return f"buy {move.company} until it floats"
        case PreparedPurchases(until="percent"):
            return f"buy {move.company} up to {move.amount} %"
        case PreparedPurchases():
            return f"buy {plural(move.amount, 'share')} of {move.company}"
        case PreparedBids():
            return f"bid for {move.item} up to {naming.money(move.most)}"
        case PreparedTurn():
            whose = naming.who(move.company) if move.company else "all my companies"
            return f"{whose}: {preparing_of(game).routine}"
        case PreparedReplies():
            preparing, table = preparing_of(game), game.table
            things = (thing for seat in table.state.players for thing in preparing.things(table, seat))
            called = next((thing.words for thing in things if thing.id == move.thing), move.thing)
            what = f"for {called} " if called else ""
            accept = ", accept others" if move.accept else ""
            return f"decline offers {what}below {naming.money(move.below)}{accept}"
