"""The table of Bohemia, and which companies are Vaclav's (18CZ XI.1)."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.money import director
from ostbahn.kits.data import Spec
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle, Tables

VACLAV: Final = "Vaclav"
"""Holder of his certificates; he is no seat and has no money, order card or turn (XI.1/5)."""


class Invitation(Spec, frozen=True):
    """The phase in which Vaclav gets a company, its candidates, and how many certificates he gets."""

    phase: str
    size: str
    candidates: tuple[str, ...]
    certificates: int


class BohemiaTitle(CzTitle):
    between_sets = ("trains", "to Vaclav")
    """Instead of an export, his companies get trains."""
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
    """Return Vaclav's companies in the order in which they get trains: small, medium, large (XI.1/15)."""
    return [
        company for invitation in table.title.invitations for company in invitation.candidates if is_his(table, company)
    ]
