"""A bot's hint as plain data and in words."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ostbahn.bots.hints import ExpectedWealth, Hint
from ostbahn.interop.saves import encode_action
from ostbahn.kernel.game import Game
from ostbahn.text.formatting import sentence_case
from ostbahn.text.speech import Speech


class ExpectedView(Struct, frozen=True):
    """What you can expect to have in the end. About two of three games end between `low` and `high`."""

    amount: int
    low: int
    high: int


class AlternativeView(Struct, frozen=True):
    """Another answer, and how it compares."""

    words: str
    action: dict[str, Any]
    plan: str
    told: str
    expected: ExpectedView | None
    less: int | None
    """How much less it is expected to bring; negative if more; null where rules of thumb decide."""


class HintView(Struct, frozen=True):
    """What a bot would answer in your place."""

    version: int
    """The version of the game that it is for."""
    words: str
    action: dict[str, Any]
    reasons: tuple[str, ...]
    by: str
    """The code of the bot."""
    plan: str
    expected: ExpectedView | None
    outlook: str
    """What is expected, in words."""
    alternatives: tuple[AlternativeView, ...]
    lines: tuple[str, ...]
    """All of it in words: the answer first, then the plan, what is expected, reasons and alternatives."""


def hint_view(game: Game, hint: Hint, version: int) -> HintView:
    speech = Speech(game)
    return HintView(
        version=version,
        words=sentence_case(speech.describe(hint.action)),
        action=encode_action(hint.action),
        reasons=hint.reasons,
        by=hint.by,
        plan=hint.plan,
        expected=_expected(hint.expected),
        outlook=hint.outlook,
        alternatives=tuple(
            AlternativeView(
                words=sentence_case(speech.describe(each.action)),
                action=encode_action(each.action),
                plan=each.plan,
                told=each.told,
                expected=_expected(each.expected),
                less=each.less,
            )
            for each in hint.alternatives
        ),
        lines=tuple(map(sentence_case, hint_lines(game, hint))),
    )


def hint_lines(game: Game, hint: Hint) -> list[str]:
    """Describe a hint line by line, the answer first."""
    speech = Speech(game)
    lines = [f"{hint.by} would {speech.describe(hint.action)}"]
    if hint.plan:
        lines.append(f"the plan: {hint.plan}")
    lines += [line for line in (hint.outlook, *hint.reasons) if line]
    for each in hint.alternatives:
        plan = f" ({each.plan})" if each.plan else ""
        lines.append(f"or {speech.describe(each.action)}{plan}: {each.told}")
    return lines


def _expected(expected: ExpectedWealth | None) -> ExpectedView | None:
    return None if expected is None else ExpectedView(*expected)
