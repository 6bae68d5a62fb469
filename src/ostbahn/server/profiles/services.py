"""What the routes of profiles need."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.accounts.visitors import AccountServices
from ostbahn.server.profiles.profiles import Profiles


@dataclass(frozen=True, kw_only=True)
class ProfileServices(AccountServices):
    profiles: Profiles


GivenProfiles = NamedDependency[SkipValidation[ProfileServices]]
