"""Random games in which seats prepare random moves, and what must hold whenever one is carried out."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec

from ostbahn import testing
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import CertificateMoved, Record, Revenue, StationPlaced, TileLaid, TrainMoved
from ostbahn.kernel.state import State
from ostbahn.programmed.choices import ProgrammableKind, programmable_kinds, programming_fault
from ostbahn.programmed.execution import ActiveMove, due_answer
from ostbahn.programmed.moves import (
    AnyProgrammedMove,
    ProgrammedBids,
    ProgrammedPass,
    ProgrammedPurchases,
    ProgrammedReplies,
    ProgrammedTurn,
)
from tests.programmed.oracle import stop_conditions_since

MOST = 4
"""Moves that a seat prepares at most."""


class Preparers:
    """Everybody at a table prepares something now and then, and whatever is due is answered by it."""

    def __init__(self, game: Game, rng: Random, policy: testing.AnswerPolicy, undo: bool = True) -> None:
        self.game, self.rng, self.policy, self.undo = game, rng, policy, undo
        self.seats = [f"p{number}" for number in range(1, len(game.setup.players) + 1)]
        self.standing: list[ActiveMove] = []
        self.tally: Counter[str] = Counter()
        """How often each kind was given, carried out and cancelled."""
        self.eager = rng.choice((0.02, 0.1, 0.4))
        self.once = rng.random() < 0.7
        """Whether to check stop conditions after every answer, or from the beginning each time."""

    def play(self) -> Game:
        while not self.game.over:
            self._prepare()
            if self._carry_out():
                continue
            if self.undo and self.rng.random() < 0.01:
                self._take_back()
            else:
                self.game.apply(self.policy(self.game, self.rng))
        assert due_answer(self.game, self.standing).action is None
        return self.game

    # Preparing

    def _prepare(self) -> None:
        for seat in self.seats:
            if self.rng.random() < self.eager and sum(each.seat == seat for each in self.standing) < MOST:
                found = programmable_kinds(self.game, seat)
                if found:
                    self._give(seat, any_move(self.rng.choice(found), self.rng))

    def _give(self, seat: str, move: AnyProgrammedMove) -> None:
        assert programming_fault(self.game, seat, move) == "", (move, programming_fault(self.game, seat, move))
        number = len(self.game)
        self.tally[f"{kind_of(move)} given"] += 1
        self.standing.append(ActiveMove(self.tally.total(), seat, move, number, number))

    def _take_back(self) -> None:
        for _ in range(self.rng.randint(1, min(6, len(self.game) or 1))):
            if len(self.game):
                self.game.undo()
        gone = [each for each in self.standing if each.given > len(self.game)]
        ended = {each.id for each, _ in due_answer(self.game, self.standing).ended}
        assert {each.id for each in gone} <= ended, "what was prepared later stands"
        # whoever goes back thinks anew, as at the table of a server
        self.standing = []

    # Carrying out

    def _carry_out(self) -> bool:
        """Whether somebody's move answered; in any case everything that is over is gone."""
        found = due_answer(self.game, self.standing)
        for each, ended in found.ended:
            self.standing.remove(each)
            self.tally[f"{kind_of(each.move)} {'done' if ended.done else 'cancelled'}"] += 1
            assert ended.why
        if self.once:
            self.standing = [each._replace(checked=len(self.game)) for each in self.standing]
        if found.action is None or found.by is None:
            return False
        by = found.by
        assert by.seat == self.game.ask().decider
        held = list(stop_conditions_since(self.game, by.seat, by.move, by.given))
        assert not held, f"{by.move} of {by.seat} is carried out although a stop condition held: {held}"
        before = self.game.state
        record = self.game.apply(found.action, by.seat)
        self.tally[f"{kind_of(by.move)} carried out"] += 1
        check_meant(self.game, by, before, record)
        return True


def kind_of(move: AnyProgrammedMove) -> str:
    return str(move.__struct_config__.tag)


def any_move(kind: ProgrammableKind, rng: Random) -> AnyProgrammedMove:
    """Some move of a kind, as the choices allow it."""
    alarms = tuple(choice.alarm for choice in kind.alarms if rng.random() < (0.9 if choice.ticked else 0.3))
    about = rng.choice(kind.about).id if kind.about else ""
    choices = kind.amounts.get(about, kind.amounts.get("", {}))
    until = rng.choice([each for each in kind.until if not choices or each in choices]) if kind.until else ""
    span = choices.get(until)
    amount = rng.randrange(span.least, span.most + 1, span.step) if span else 0
    fields: dict[str, dict[str, Any]] = {
        "pass": {"until": until},
        "buy": {"company": about, "until": until, "amount": amount},
        "bid": {"item": about, "most": amount},
        "turn": {"company": about},
        "reply": {"thing": about, "below": amount % 300 + 1, "accept": bool(about) and rng.random() < 0.5},
    }
    said = {"prepare": kind.prepare, "alarms": alarms, **fields[kind.prepare]}
    move: AnyProgrammedMove = msgspec.convert(said, AnyProgrammedMove)
    return move


# What a move may do


def check_meant(game: Game, by: ActiveMove, before: State, record: Record) -> None:
    """Whatever was answered is what its owner has said, and no more."""
    move, action, task = by.move, record.action, before.agenda[-1]
    match move:
        case ProgrammedPass():
            assert isinstance(action, Pass)
            assert getattr(task, "company", None) is None
            mine = [each for each in game.records[by.given :] if each.by == by.seat and isinstance(each.action, Pass)]
            assert move.until == "round" or len(mine) == 1
        case ProgrammedPurchases():
            check_purchase(game, by, move, before, record)
        case ProgrammedBids():
            assert isinstance(action, Pass) or price_of(action) <= move.most
            assert getattr(task, "paper", None) == move.item
        case ProgrammedTurn():
            company = getattr(task, "company", None)
            assert company is not None
            assert move.company in ("", company)
            check_nothing_new(company, record)
        case ProgrammedReplies():
            price = price_of(getattr(task, "offer", None))
            assert isinstance(action, Decline) if price < move.below else isinstance(action, Accept)
            assert isinstance(action, Decline) or (move.accept and move.thing)


def check_purchase(game: Game, by: ActiveMove, move: ProgrammedPurchases, before: State, record: Record) -> None:
    percents = game.table.title.companies[move.company].certificates

    def held(state: State) -> int:
        holders = state.certificates[move.company]
        return sum(percent for percent, holder in zip(percents, holders, strict=True) if holder == by.seat)

    assert held(game.state) - held(before) == percents[-1]
    bought = {
        event.company for event in record.events if isinstance(event, CertificateMoved) and event.target == by.seat
    }
    assert bought == {move.company}
    if move.until == "percent":
        assert held(game.state) <= move.amount
    if move.until == "number":
        assert (held(game.state) - held(game.history.states[by.given])) // percents[-1] <= move.amount


def check_nothing_new(company: str, record: Record) -> None:
    """Until the company's own turn is over, nothing was laid, placed or bought."""
    for event in record.events:
        if event.preview == "out_of_reach":
            return
        assert not isinstance(event, TileLaid | StationPlaced)
        assert not (isinstance(event, TrainMoved) and company in (event.source, event.target))
        assert not isinstance(event, Revenue) or event.company == company


def price_of(thing: Action | object) -> int:
    price = getattr(thing, "price", None)
    assert isinstance(price, int)
    return price
