"""What everybody is worth: from round to round, and at the end with its parts."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan
from ostbahn.text.faces import Face, face_of
from ostbahn.text.formatting import printable
from ostbahn.views.common import listed, ranks
from ostbahn.views.title_views import views_of
from ostbahn.views.wealth_models import PartView, ResultPlace, ResultView, WealthPoint, WealthView


def wealth_over_time(game: Game) -> WealthView:
    """The beginning of every round, and today; one earlier state is looked at for each."""
    face = face_of(game)
    seats = face.table.state.players
    return WealthView(
        currency=face.words.currency,
        names={seat: printable(face.table.name(seat)) for seat in seats},
        points=tuple(_point(game.at(number), round_) for number, round_ in _moments(game)),
    )


def _moments(game: Game) -> Iterator[tuple[int, str]]:
    """The numbers after which a round had begun, the opening and today included."""
    yield 0, views_of(game.at(0)).round
    for number, record in enumerate(game.records, start=1):
        begun = [event.round for event in record.events if isinstance(event, RoundBegan)]
        if begun:
            yield number, begun[-1]
    yield len(game), ""


def _point(game: Game, round_: str) -> WealthPoint:
    face = face_of(game)
    return WealthPoint(
        number=len(game),
        round=round_ or _today(game),
        round_name=face.words.round_name(round_) if round_ else _today(game),
        worth={seat: face.standings()[seat] for seat in face.table.state.players},
    )


def _today(game: Game) -> str:
    return "the end" if game.over else "now"


def result_view(game: Game) -> ResultView | None:
    """How a game has ended; None while it goes on."""
    if not game.over:
        return None
    face = face_of(game)
    worth, winners = face.standings(), face.winners()
    places = ranks(worth)
    currency = face.words.currency
    return ResultView(
        currency=currency,
        places=tuple(_place(game, face, seat, places[seat], winners) for seat in worth),
        winners=tuple(winners),
        words=_words(face, winners, worth, currency),
    )


def _place(game: Game, face: Face, seat: str, place: int, winners: list[str]) -> ResultPlace:
    views = views_of(game)
    return ResultPlace(
        place=place,
        seat=seat,
        name=printable(face.table.name(seat)),
        role=views.role(seat),
        worth=face.standings()[seat],
        parts=tuple(PartView(name=name, amount=amount) for name, amount in views.wealth_parts(seat).items()),
        winner=seat in winners,
    )


def _words(face: Face, winners: list[str], worth: dict[str, int], currency: str) -> str:
    """Who wins; where a rule says so, that need not be the richest."""
    names = listed(printable(face.table.name(seat)) for seat in winners)
    verb = "share the win" if len(winners) > 1 else "wins"
    return f"{names} {verb} with {worth[winners[0]]} {currency}"
