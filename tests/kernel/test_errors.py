"""Errors are lines for people, also where they quote what somebody has sent."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import LONGEST, BadFile, BadSetup, OstbahnError, Refusal, Refused, shortened
from ostbahn.kits.catalogue import new_game


@pytest.mark.parametrize("error", [OstbahnError("x" * 10**6), BadFile("x" * 10**6), Refused(Refusal("", "x" * 10**6))])
def test_an_error_is_never_longer_than_anybody_reads(error: OstbahnError) -> None:
    assert len(str(error)) == LONGEST


def test_what_is_short_enough_stays_as_it_is() -> None:
    assert shortened("x" * LONGEST) == "x" * LONGEST


def test_both_ends_of_a_long_error_are_told() -> None:
    with pytest.raises(BadSetup, match=r"^there is no xxx.*xxx … .*known are 18CZ \(base\), .*18Mag \(solo\)$"):
        new_game("x" * 10**6, ["Anna", "Ben", "Cyril"])
