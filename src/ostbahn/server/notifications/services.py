"""What the routes of notifications need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.games.services import GameServices
from ostbahn.server.notifications.config import Outlets
from ostbahn.server.notifications.delivery import Messenger
from ostbahn.server.notifications.subscriptions import Wishes


@dataclass(frozen=True, kw_only=True)
class NotificationServices(GameServices):
    wishes: Wishes
    outlets: Outlets
    messenger: Messenger
    other_settings: Callable[[str], Mapping[str, Any]]
    """What other features show on the page of an owner (empty for somebody new): `sections`, the templates to include,
    and the values that these need.
    """


GivenNotifications = NamedDependency[SkipValidation[NotificationServices]]
