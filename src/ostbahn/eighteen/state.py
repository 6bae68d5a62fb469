"""Tasks that every title with companies has on its agenda."""

from __future__ import annotations

from ostbahn.kernel.state import Task


class CompanyTask(Task, frozen=True):
    """Something that a company does in its turn."""

    company: str
