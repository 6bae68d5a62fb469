"""Hexes and companies in texts, which a page shows at a click."""

from __future__ import annotations

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.views.log import MentionFinder
from ostbahn.views.models import TextPart
from tests.server.sample_games import VARIANTS, random_game


def marked(parts: tuple[TextPart, ...]) -> str:
    """The text with what can be shown in brackets: `[E11 Praha]`."""
    return "".join(
        f"[{part.hex or part.company} {part.text}]" if part.hex or part.company else part.text for part in parts
    )


@pytest.fixture(scope="module")
def cz() -> Game:
    return new_game("18CZ", ["Anna", "Brno", "Cyril"])


@pytest.fixture(scope="module")
def mag() -> Game:
    return new_game("18Mag", ["Anna", "Ben", "Cyril"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("laid 8863 in Chomutov & Most", "laid 8863 in [C7 Chomutov & Most]"),
        ("laid 9 on D22 for 10 K", "laid 9 on [D22 D22] for 10 K"),
        ("ran Praha – Plzeň – E5 for 90 K", "ran [E11 Praha] – [F6 Plzeň] – [E5 E5] for 90 K"),
        ("By floats", "[By By] floats"),
        ("kk 90 → 100 · ATE 50 → 45", "[kk kk] 90 → 100 · [ATE ATE] 50 → 45"),
        ("bought Local Railway S1 and a 3E-train by M2", "bought Local Railway S1 and a 3E-train by M2"),
        ("station in Praha (north-east)", "station in [E11 Praha] (north-east)"),
        ("Böhmische Nordbahn; 20% costs 70 K", "[BN Böhmische Nordbahn]; 20% costs 70 K"),
        ("Brno pays the bank 30 K", "Brno pays the bank 30 K"),
        ("", ""),
    ],
)
def test_in_our_words(cz: Game, text: str, told: str) -> None:
    assert marked(MentionFinder(cz).parts(text)) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("minor 12 gets a 2-train from minor 1", "[12 minor 12] gets a 2-train from [1 minor 1]"),
        ("12 more, SIK 70 → 80", "12 more, [SIK SIK] 70 → 80"),
        ("G&C pays out 20 Ft", "[G&C G&C] pays out 20 Ft"),
        ("has a station in Pest", "has a station in [E12 Pest]"),
    ],
)
def test_minors_are_called_by_their_number(mag: Game, text: str, told: str) -> None:
    assert marked(MentionFinder(mag).parts(text)) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Who goes to Plzen?", "Who goes to [F6 Plzen]?"),
        ("ATE is mine, BN yours", "[ATE ATE] is mine, [BN BN] yours"),
        ("By the way, I sell By now", "By the way, I sell [By By] now"),
        ("Fine. Most of it goes to Most", "Fine. Most of it goes to [C7 Most]"),
        ("Praha is full", "[E11 Praha] is full"),
        ("we meet in D22, not d22", "we meet in [D22 D22], not d22"),
        ("<b>Praha</b>", "<b>[E11 Praha]</b>"),
    ],
)
def test_in_what_people_write(cz: Game, text: str, told: str) -> None:
    assert marked(MentionFinder(cz).mentions_in_chat(text)) == told


def test_a_company_comes_with_its_mark(cz: Game) -> None:
    (part,) = MentionFinder(cz).parts("ATE")
    assert part.mark is not None
    assert (part.company, part.mark.letters, part.mark.colour) == ("ATE", "ATE", "#ffd700")


@pytest.mark.parametrize(("title", "variant"), VARIANTS)
def test_all_hexes_and_companies_of_a_game_are_found(title: str, variant: str) -> None:
    game = random_game(title, variant)
    mentions, table = MentionFinder(game), game.table
    for hex_ in table.title.map:
        assert {part.hex for part in mentions.parts(f"laid 9 {table.at(hex_.id)} now")} == {None, hex_.id}
    for company in table.title.charters:
        assert {part.company for part in mentions.parts(f"so {table.name(company)} floats")} == {None, company}
