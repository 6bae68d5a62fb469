"""Which moves a player can programme now, with their stop conditions; validation; descriptions in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, holding, ordinary_certificates, share_unit
from ostbahn.programmed.moves import (
    STOP_CONDITIONS,
    AnyProgrammedMove,
    MoveSubject,
    ProgrammedBids,
    ProgrammedPass,
    ProgrammedPurchases,
    ProgrammedReplies,
    ProgrammedTurn,
    StopCondition,
    programmable_of,
)
from ostbahn.text.formatting import sentence_case
from ostbahn.text.speech import Speech
from ostbahn.text.words import plural

HIGHEST_PRICE: Final = 100_000


class StopConditionChoice(Struct, frozen=True):
    """An event that can cancel a programmed move."""

    alarm: StopCondition
    """Its name, for `alarms`."""
    words: str
    ticked: bool
    """Whether it is set by default."""


class AmountChoice(Struct, frozen=True):
    """A range of amounts to choose from."""

    least: int
    most: int
    step: int = 1


class ProgrammableKind(Struct, frozen=True, kw_only=True):
    """A kind of move that you can programme now, with all its choices."""

    prepare: str
    """The tag of the move: `pass`, `buy` and so on."""
    words: str
    about: tuple[MoveSubject, ...] = ()
    """What it can be about; empty where there is nothing to choose."""
    until: Mapping[str, str] = {}
    """How long it can stand: each value of `until` in words."""
    amounts: Mapping[str, Mapping[str, AmountChoice]] = {}
    """For each thing and each value of `until`, the amounts allowed; an empty name stands for all things."""
    alarms: tuple[StopConditionChoice, ...] = ()
    """The events that can cancel it."""


def programmable_kinds(game: Game, seat: str) -> tuple[ProgrammableKind, ...]:
    return () if game.over else (*_for_share_rounds(game, seat), *_for_other_rounds(game, seat))


def _for_share_rounds(game: Game, seat: str) -> Iterator[ProgrammableKind]:
    programmable, table = programmable_of(game), game.table
    tags = {str(task.__struct_config__.tag) for task in table.state.agenda}
    if not tags & programmable.share_questions:
        return
    floats: dict[StopCondition, bool] = {"float": False} if programmable.floats else {}
    yield ProgrammableKind(
        prepare="pass",
        words="Pass",
        until={"round": "until the round is over", "once": "once"},
        alarms=_stop_conditions({"sale": True, "directorship": True, "affordable": True, "price": False, **floats}),
    )
    on_sale = [company for company in programmable.on_sale(table) if programmable.purchase(table, company) is not None]
    if not on_sale:
        return
    until = {"number": "so many shares", "percent": "up to a percentage"}
    if programmable.floats and any(company not in programmable.floated(table) for company in on_sale):
        until["floats"] = "until it floats"
    yield ProgrammableKind(
        prepare="buy",
        words="Buy shares",
        about=tuple(MoveSubject(company, company) for company in on_sale),
        until=until,
        amounts={company: _amounts(game, seat, company) for company in on_sale},
        alarms=_stop_conditions({"price": True, "sale": True, "directorship": True, "bought": False, **floats}),
    )


def _amounts(game: Game, seat: str, company: str) -> dict[str, AmountChoice]:
    programmable, table = programmable_of(game), game.table
    left, unit = len(ordinary_certificates(table, BANK, company)), share_unit(table, company)
    held = holding(table, seat, company)
    amounts = {
        "number": AmountChoice(1, left),
        "percent": AmountChoice(held + unit, held + unit * left, unit),
    }
    return amounts if company in programmable.floated(table) else {**amounts, "floats": AmountChoice(1, 1)}


def _for_other_rounds(game: Game, seat: str) -> Iterator[ProgrammableKind]:
    programmable, table, naming = programmable_of(game), game.table, Speech(game).naming
    if items := programmable.auction_items(table):
        most = AmountChoice(1, max(1, table.state.cash[seat]))
        yield ProgrammableKind(prepare="bid", words="Bid up to", about=tuple(items), amounts={"": {"": most}})
    if companies := programmable.companies(table, seat):
        in_turn = game.question.company if game.question is not None else None
        companies.sort(key=lambda company: company != in_turn)
        turns = (
            MoveSubject(company, f"{'this' if company == in_turn else 'the next'} turn of {naming.who(company)}")
            for company in companies
        )
        yield ProgrammableKind(
            prepare="turn",
            words=sentence_case(programmable.routine),
            about=(*turns, MoveSubject("", "all my companies, until an Operating Round is over")),
            alarms=_stop_conditions({"phase": True, "directorship": True, "price": False}),
        )
    if items := programmable.offerable_items(table, seat):
        yield ProgrammableKind(
            prepare="reply",
            words="Decline offers below",
            about=(MoveSubject("", "anything"), *items),
            amounts={"": {"": AmountChoice(1, HIGHEST_PRICE)}},
            alarms=_stop_conditions({"phase": True}),
        )


def _stop_conditions(ticked: Mapping[StopCondition, bool]) -> tuple[StopConditionChoice, ...]:
    return tuple(StopConditionChoice(name, STOP_CONDITIONS[name], is_ticked) for name, is_ticked in ticked.items())


def programming_fault(game: Game, seat: str, move: AnyProgrammedMove) -> str:
    """Why a player cannot programme a move now; empty if they can."""
    tag = str(move.__struct_config__.tag)
    kind = next((kind for kind in programmable_kinds(game, seat) if kind.prepare == tag), None)
    if kind is None:
        return "that cannot be prepared now"
    about = str(getattr(move, "company", getattr(move, "item", getattr(move, "thing", ""))))
    if kind.about and about not in {subject.id for subject in kind.about}:
        return f"there is nothing to prepare for {about[:20] or 'that'} now"
    until = str(getattr(move, "until", ""))
    amount = getattr(move, "amount", getattr(move, "most", getattr(move, "below", 1)))
    span = kind.amounts.get(about, kind.amounts.get("", {})).get(until if tag == "buy" else "")
    if kind.amounts and span is None:
        return f"{about} cannot be bought that way"
    if span is not None and until != "floats" and (not span.least <= amount <= span.most or amount % span.step):
        return f"choose {span.least} to {span.most}, not {amount}"
    if isinstance(move, ProgrammedReplies) and move.accept and not move.thing:
        return "say what you would part with for that"
    unsuitable = set(move.alarms) - {choice.alarm for choice in kind.alarms}
    return "this cannot happen to it: " + STOP_CONDITIONS[min(unsuitable)] if unsuitable else ""


# In words


def describe_move(game: Game, move: AnyProgrammedMove) -> str:
    """A move in words: `buy 2 shares of ABC`."""
    naming = Speech(game).naming
    match move:
        case ProgrammedPass():
            return "pass until the round is over" if move.until == "round" else "pass once"
        case ProgrammedPurchases(until="floats"):
            return f"buy {move.company} until it floats"
        case ProgrammedPurchases(until="percent"):
            return f"buy {move.company} up to {move.amount} %"
        case ProgrammedPurchases():
            return f"buy {plural(move.amount, 'share')} of {move.company}"
        case ProgrammedBids():
            return f"bid for {move.item} up to {naming.money(move.most)}"
        case ProgrammedTurn():
            whose = naming.who(move.company) if move.company else "all my companies"
            return f"{whose}: {programmable_of(game).routine}"
        case ProgrammedReplies():
            programmable, table = programmable_of(game), game.table
            items = (item for seat in table.state.players for item in programmable.offerable_items(table, seat))
            words = next((item.words for item in items if item.id == move.thing), move.thing)
            what = f"for {words} " if words else ""
            accept = ", accept others" if move.accept else ""
            return f"decline offers {what}below {naming.money(move.below)}{accept}"
