"""What lies on the table of Bohemia, and which companies there are Vaclav's (18CZ XI.1)."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.money import director
from ostbahn.kits.data import Spec
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle, Tables

VACLAV: Final = "Vaclav"
"""He holds certificates under this name, but is no seat: he has no money, no order card and no turn (XI.1/5)."""


class Invitation(Spec, frozen=True):
    """When Vaclav gets a company, which ones it may be, and how many of its certificates are his."""

    phase: str
    size: str
    candidates: tuple[str, ...]
    certificates: int


class BohemiaTitle(CzTitle):
    between_sets = ("trains", "to Vaclav")
    """Nothing is exported: his companies get trains."""
    players_rule = "XI.1/1"
    companies_rule = "XI.1/3"

    def __init__(self, tables: Tables, invitations: tuple[Invitation, ...]) -> None:
        super().__init__(tables, "bohemia")
        self.invitations = invitations


class BohemiaTable(CzTable):
    title: BohemiaTitle

    def builds_free(self, company: str) -> bool:
        """Vaclav's companies pay neither for terrain nor for stations (XI.1/11, XI.1/12)."""
        return is_his(self, company)


def is_his(table: CzTable, company: str) -> bool:
    return company in table.state.certificates and director(table, company) == VACLAV


def his_companies(table: BohemiaTable) -> list[str]:
    """In the order in which they get their trains: small, medium, large (XI.1/15)."""
    return [
        company for invitation in table.title.invitations for company in invitation.candidates if is_his(table, company)
    ]
