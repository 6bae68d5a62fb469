"""Prepared moves in words, for their owner."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.programmed.moves import (
    AnyMove,
    PreparedBids,
    PreparedPass,
    PreparedPurchases,
    PreparedReplies,
    PreparedTurn,
)
from ostbahn.programmed.preparing import preparing_of
from ostbahn.text.speech import face_of
from ostbahn.text.words import Naming


def described(game: Game, move: AnyMove) -> str:
    """What somebody has prepared: `buy 2 shares of ABC`."""
    face = face_of(game)
    naming = Naming(face.table, face.names())
    match move:
        case PreparedPass():
            return "pass until the round is over" if move.until == "round" else "pass once"
        case PreparedPurchases():
            return _purchases(move)
        case PreparedBids():
            return f"bid for {move.item} up to {naming.money(move.most)}"
        case PreparedTurn():
            whose = naming.who(move.company) if move.company else "all my companies"
            return f"{whose}: {preparing_of(game).routine}"
        case PreparedReplies():
            what = f"for {_called(game, move.thing)} " if move.thing else ""
            accept = ", accept others" if move.accept else ""
            return f"decline offers {what}below {naming.money(move.below)}{accept}"


def _purchases(move: PreparedPurchases) -> str:
    if move.until == "floats":
        return f"buy {move.company} until it floats"
    if move.until == "percent":
        return f"buy {move.company} up to {move.amount} %"
    return f"buy {move.amount} share{'s' if move.amount > 1 else ''} of {move.company}"


def _called(game: Game, thing: str) -> str:
    preparing, table = preparing_of(game), game.table
    things = (found for seat in table.state.players for found in preparing.things(table, seat))
    return next((found.words for found in things if found.id == thing), thing)
