"""The title, read from its data files, and the tasks on the agenda of 18Wee."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.state import CompanyTask as CompanyTask
from ostbahn.eighteen.state import OperateTrains as OperateTrains
from ostbahn.eighteen.state import PurchaseTrains as PurchaseTrains
from ostbahn.eighteen.state import StockRound as StockRound
from ostbahn.eighteen.title import PlainTitle
from ostbahn.kernel.state import Task

TITLE: Final = PlainTitle("18Wee", __package__)


class Rounds(Task, frozen=True, tag="rounds"):
    """Begin the next round."""

    begun: int = 0


class OperatingRound(Task, frozen=True, tag="operating_round"):
    waiting: tuple[str, ...]


class LayTrack(CompanyTask, frozen=True, tag="lay_track"):
    laid: int = 0


class UseIncome(CompanyTask, frozen=True, tag="use_income"):
    pass
