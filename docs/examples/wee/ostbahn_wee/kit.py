"""The kit of 18Wee: the import paths of its parts. Pictures and terminal use the defaults."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.kit import PlainKit
from ostbahn.kits.kit import CatalogueEntry

KIT: Final = PlainKit(
    CatalogueEntry("18Wee", "base", "18Wee", (2, 3, 4), "A little island, four companies, half an hour."),
    rulebook="ostbahn_wee.rulebook:RULEBOOK",
    actions="ostbahn_wee.actions:WeeAction",
    running="ostbahn_wee.operating:RUNNING",
    text_renderer="ostbahn_wee.words:WeeTextRenderer",
    policy="ostbahn_wee.opponent:POLICY",
    views="ostbahn_wee.views:WeeViews",
)
