"""Ratings by OpenSkill: how strong somebody is thought to be, from the places in which games ended.

Only people are rated, by their order among each other. Bots are left out: nobody has measured their levels on this
scale, and who plays against them all day would rise without ever having met a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

FEWEST: Final = 2
"""People without whom there is nothing to compare."""
START: Final = 1000
STRETCH: Final = 40
"""What people are shown begins at START, and one unit of OpenSkill is so many points."""

_MODEL: Final = PlackettLuce()


class Rating(NamedTuple):
    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """What somebody has shown for certain: three deviations below what is expected of them."""
        known = _MODEL.create_rating([self.mu, self.sigma])
        return round(known.ordinal(alpha=STRETCH, target=START))


def new_rating() -> Rating:
    begun = _MODEL.rating()
    return Rating(begun.mu, begun.sigma)


def after_game(places: Mapping[str, int], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of people after a game that ended in these places; none where there are too few of them."""
    if len(places) < FEWEST:
        return {}
    people = sorted(places)  # so that it makes no difference who is told first
    known = [before.get(person) or new_rating() for person in people]
    teams = [[_MODEL.create_rating([each.mu, each.sigma])] for each in known]
    rated = _MODEL.rate(teams, ranks=[float(places[person]) for person in people])
    return {person: Rating(team[0].mu, team[0].sigma) for person, team in zip(people, rated, strict=True)}
