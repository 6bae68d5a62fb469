"""What routes need to know of people; every layer above adds its own services to these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.accounts.attempts import Attempts
from ostbahn.server.accounts.browsers import Browsers
from ostbahn.server.accounts.devices import Devices
from ostbahn.server.accounts.people import People
from ostbahn.server.db.database import Archive
from ostbahn.table.rendering import Renderer


@dataclass(frozen=True, kw_only=True)
class AccountServices:
    archive: Archive
    clock: Callable[[], datetime]
    people: People
    attempts: Attempts
    devices: Devices
    browsers: Browsers
    renderer: Renderer
    is_key: Callable[[str], bool]
    """Whether it opens a table."""


GivenAccounts = NamedDependency[SkipValidation[AccountServices]]
"""As `services`: the application hands over one object with the services of all layers."""
