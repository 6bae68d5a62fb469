"""What the routes of reports and of the coach need."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices
from ostbahn.server.reviews.coaches import Coaches
from ostbahn.server.reviews.reports import Reports


@dataclass(frozen=True, kw_only=True)
class ReviewServices(GameServices):
    reports: Reports
    coaches: Coaches


GivenReviews = NamedDependency[SkipValidation[ReviewServices]]
