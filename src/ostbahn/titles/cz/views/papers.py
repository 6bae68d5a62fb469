"""Local Railways and private papers as somebody holds them."""

from __future__ import annotations

from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.state import CzTable
from ostbahn.views.models import PaperView


def locals_of(table: CzTable, owner: str) -> tuple[PaperView, ...]:
    """The Local Railways or private papers of a player or a company."""
    return tuple(local_view(table, local) for local, holder in table.state.locals.items() if holder == owner)


def local_view(table: CzTable, local: str) -> PaperView:
    spec, used = table.title.locals[local], local in table.state.used_powers
    words = [spec.name, f"income {spec.income} K" if spec.income else "", "its power is used up" if used else ""]
    return PaperView(
        id=local,
        name=spec.name,
        label=table.label(local),
        kind="private paper" if isinstance(table, MoraviaTable) else "Local Railway",
        size=spec.size,
        income=spec.income,
        price=spec.price,
        value=table.state.local_price if spec.priced else 0,
        power_used=used,
        words=", ".join(word for word in words if word),
    )
