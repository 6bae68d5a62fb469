"""All companies: those that operate in their order, then those that have not started, then those that are gone."""

from __future__ import annotations

from ostbahn.kernel.game import Game
from ostbahn.server.views.common import by_title
from ostbahn.server.views.cz_companies import cz_companies
from ostbahn.server.views.mag_companies import mag_companies
from ostbahn.server.views.models import CompanyView


def company_views(game: Game) -> tuple[CompanyView, ...]:
    """In an Operating Round the company in turn comes first, then those that have still to act."""
    return by_title(game, cz_companies, mag_companies)
