"""The rules of a title, as far as somebody looks for them."""

from __future__ import annotations

from ostbahn.kits.catalogue import kits
from ostbahn.server.faults import NotHere
from ostbahn.text.rules import title_named
from ostbahn.views.rules import RuleView, rule_views


def rules_of(title: str, words: str) -> list[RuleView]:
    if title_named(title) not in kits():
        raise NotHere(f"there is no title {title_named(title)}; there are {', '.join(kits())}")
    return rule_views(title, words)
