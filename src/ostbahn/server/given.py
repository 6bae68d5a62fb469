"""What the application gives to routes that ask for it by name."""

from __future__ import annotations

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.access import Access
from ostbahn.server.people import Visitor
from ostbahn.server.visitors import GivenServices, Guest

__all__ = ("GivenAccess", "GivenGuest", "GivenServices", "GivenVisitor")

GivenAccess = NamedDependency[SkipValidation[Access]]
"""As `access`: what the key in the address opens."""
GivenVisitor = NamedDependency[SkipValidation[Visitor | None]]
"""As `visitor`: who is known by his cookie."""
GivenGuest = NamedDependency[SkipValidation[Guest]]
"""As `guest`: the same, made known if he was not."""
