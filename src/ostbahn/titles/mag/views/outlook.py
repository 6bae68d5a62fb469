"""What comes next in 18Mag: incomes of minors and majors, and the trains that begin a phase.

Nobody is forced to buy a train, and no train is scrapped by another (VI.3.5, VI.3.8).
"""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.money import holdings
from ostbahn.kernel.routes.search import Patience
from ostbahn.titles.mag.running import best
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.trains import trains_of
from ostbahn.views.outlook import ComingView, SaleView
from ostbahn.views.title_views import Earning


def earning(table: MagTable, company: str, patience: Patience) -> Earning | None:
    """A minor runs, without rail cars; a major lives on what minors have paid it (VI.4.3/1)."""
    if company in table.title.companies:
        return Earning(table.state.cash[company], "treasury")
    if not trains_of(table, company):
        return None
    found = best(table, company, (), patience)
    return Earning(found.revenue, proven=found.proven)


def shared_out(table: MagTable, company: str, amount: int) -> dict[str, int]:
    """Half of a minor's income is its owner's (III.3.2/5), and every 10% of a major bring a tenth (VI.4.3/3)."""
    if company in table.title.companies:
        return {seat: amount * percent // 100 for seat, percent in holdings(table, company).items()}
    numerator, denominator = table.title.minor.owner_part
    return {table.state.owners[company]: amount * numerator // denominator}


def _either(faces: tuple[str, ...]) -> str:
    *front, last = faces
    return f"{'-, '.join(front)}- or {last}" if front else last


def coming_trains(table: MagTable) -> Iterator[ComingView]:
    """The first train of any stack with an indicator tile begins the next phase (VI.3.9/1 to VI.3.9/3)."""
    phases = list(table.title.phases)
    following = phases.index(table.state.phase) + 1
    if table.state.indicators and following < len(phases):
        yield ComingView(
            words=f"the first {_either(table.state.indicators)}-train",
            before=0,
            begins=phases[following],
            phase_name=f"the {phases[following]} phase",
            colour=phases[following],
            sales=tuple(SaleView(train=face) for face in table.state.indicators),
        )
