"""Those who play: found by name, and by what they are worth."""

from __future__ import annotations

from typing import Any

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.text.faces import face_of


def results(game: Game) -> list[dict[str, Any]]:
    """What everybody is worth, the richest first."""
    face = face_of(game)
    best = face.winners()
    return [
        {"seat": seat, "name": face.table.name(seat), "wealth": worth, "winner": game.over and seat in best}
        for seat, worth in face.standings().items()
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
