"""Two plans side by side, or a plan and the game: who is worth what, and what every company would run for."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from ostbahn.analysis.runs import best_run, companies_of
from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.text.formatting import printable
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.models import CompanyView, MarkView, PlayerView
from ostbahn.views.title_views import views_of

PATIENCE: Final = 200_000
"""Steps of the search for the best run of one company."""
LAST: Final = 1_000_000
"""No minor has such a number."""


class PlayerFigures(Struct, frozen=True, kw_only=True):
    """What a player has in a plan, or in the game."""

    seat: str
    name: str
    worth: int | None
    cash: int | None
    income: int | None
    """What their holdings brought in the last Operating Round, or the present one."""


class CompanyFigures(Struct, frozen=True, kw_only=True):
    """What a company has in a plan, or in the game."""

    company: str
    mark: MarkView
    director: str
    price: int | None
    treasury: int | None
    trains: tuple[str, ...]
    revenue: int | None
    """Its best run on the board; null if it runs no trains."""
    proven: bool
    """Whether there is certainly no better run."""


class Figures(Struct, frozen=True, kw_only=True):
    """How things stand at the end of a plan, or in the game."""

    name: str
    number: int
    """How many answers have been given."""
    round: str
    phase: str
    players: tuple[PlayerFigures, ...]
    """By seat."""
    companies: tuple[CompanyFigures, ...]
    """Those that have something, by name."""


class PlayerRow(Struct, frozen=True):
    """A player in both."""

    one: PlayerFigures
    """In the first."""
    other: PlayerFigures
    """In the second."""


class CompanyRow(Struct, frozen=True):
    """A company in both; null where it has nothing yet, or nothing any more."""

    company: str
    one: CompanyFigures | None
    """In the first."""
    other: CompanyFigures | None
    """In the second."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Two plans, or a plan and the game, side by side."""

    currency: str
    one: Figures
    """The first."""
    other: Figures
    """The second."""
    players: tuple[PlayerRow, ...]
    companies: tuple[CompanyRow, ...]


def compare(one: Figures, other: Figures, currency: str) -> Comparison:
    """Row by row; both are of the same game, so the same players sit there."""
    first, second = ({company.company: company for company in side.companies} for side in (one, other))
    return Comparison(
        currency=currency,
        one=one,
        other=other,
        players=tuple(PlayerRow(*pair) for pair in zip(one.players, other.players, strict=True)),
        companies=tuple(
            CompanyRow(company, first.get(company), second.get(company))
            for company in sorted(first | second, key=_place)
        ),
    )


def _place(company: str) -> tuple[int, str]:
    """Minors by their numbers, then all others by their letters."""
    return (int(company), "") if company.isdecimal() else (LAST, company)


def figures(name: str, game: Game) -> Figures:
    views, renderer = views_of(game), text_renderer_of(game)
    running = companies_of(game)
    return Figures(
        name=name,
        number=len(game),
        round="the end" if game.over else renderer.round_name(),
        phase=renderer.headline()[0],
        players=tuple(sorted(map(_player, views.players(None)), key=lambda player: player.seat)),
        companies=tuple(
            _company(game, view, running)
            for view in views.companies()
            if view.director is not None or view.trains or view.treasury
        ),
    )


def _player(view: PlayerView) -> PlayerFigures:
    return PlayerFigures(
        seat=view.seat, name=printable(view.name), worth=view.worth, cash=view.cash, income=view.last_income
    )


def _company(game: Game, view: CompanyView, running: list[str]) -> CompanyFigures:
    run = best_run(game, view.id, StepBudget(PATIENCE)) if view.id in running else None
    return CompanyFigures(
        company=view.id,
        mark=view.mark,
        director="" if view.director is None else printable(view.director.name),
        price=view.price,
        treasury=view.treasury,
        trains=tuple(train.face for train in view.trains),
        revenue=None if run is None else run.revenue + run.subsidy,
        proven=run is None or run.proven,
    )
