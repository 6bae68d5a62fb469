"""What the coach may tell, held to the published rehearsals (docs/tuning/coach.jsonl)."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ostbahn.kits.catalogue import kits
from ostbahn.review.estimated import EstimateAccuracy, coach_standard_of

LINES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "docs" / "tuning" / "coach.jsonl").read_text(encoding="utf-8").splitlines()
]
SHIPPED = [
    (title, name, measured)
    for title, kit in kits().items()
    if kit.policy.has_learnt and (standard := coach_standard_of(title)) is not None
    for name, measured in standard.measured.items()
]


def lines_of(title: str, name: str, measured: EstimateAccuracy) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Those that the factor was fitted on, and those that it was held against: the last set of their kind."""
    own = [each for each in LINES if (each["title"], each["kind"]) == (title, name)]
    sure = [each for each in own if each["doubt"] <= measured.doubt]
    last = max(each["set"] for each in sure)
    return [each for each in sure if each["set"] < last], [each for each in sure if each["set"] == last]


@pytest.mark.parametrize(("title", "name", "measured"), SHIPPED)
def test_of_moves_marked_as_losing_something_the_mean_loss_is_within_a_quarter(
    title: str, name: str, measured: EstimateAccuracy
) -> None:
    fitted, others = lines_of(title, name, measured)
    said = sum(each["said"] ** 2 for each in fitted)
    factor = sum(each["said"] * each["cost"] for each in fitted) / said
    assert factor == pytest.approx(measured.factor, abs=0.02)
    standard = coach_standard_of(title)
    assert standard is not None
    marked = [each for each in others if measured.factor * each["said"] >= standard.least]
    assert len(marked) >= 10
    told = measured.factor * fmean(each["said"] for each in marked)
    assert fmean(each["cost"] for each in marked) == pytest.approx(told, rel=0.25)


def test_something_is_shipped_for_each_title_that_has_learnt() -> None:
    assert {title for title, _, _ in SHIPPED} == {title for title, kit in kits().items() if kit.policy.has_learnt}
