"""Profiles: for everybody whose owner wants that, else for themselves."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, Response
from litestar.params import PathParameter

from ostbahn.server.accounts.rate_limits import PROFILES
from ostbahn.server.accounts.visitors import GivenVisit
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.profiles.service import GivenProfiles, ProfileView
from ostbahn.server.routing import get

Name = Annotated[str, PathParameter(max_length=LONGEST_FIELD)]


class ProfilePages(Controller):
    include_in_schema = False
    middleware = (PROFILES.middleware,)

    @get("/people/{name:str}")
    def profile(self, visit: GivenVisit, services: GivenProfiles, name: Name) -> Response[str]:
        profile = services.profiles.of(name, visit.visitor)
        return visit.page("profile.html", profile=profile)


class PeopleApi(Controller):
    path = "/api/people"
    tags = ("lobby",)
    middleware = (PROFILES.middleware,)

    @get("/{name:str}", operation_id="getProfile", summary="Get a public profile")
    def profile(self, services: GivenProfiles, name: Name) -> ProfileView:
        """Past games, records and ratings of a player who has made them public."""
        return services.profiles.of(name, None)
