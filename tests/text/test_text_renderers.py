"""What each title says of a game."""

from __future__ import annotations

from typing import get_args

import pytest

from ostbahn.bots.search import GreedyBot
from ostbahn.eighteen.text import QuestionsFile
from ostbahn.kernel.questions import Question
from ostbahn.kernel.steps import Decision
from ostbahn.kits.catalogue import CATALOGUE, new_game, rulebook
from ostbahn.text.rules import find_rules
from ostbahn.text.speech import text_renderer_of
from ostbahn.titles.cz.actions import Offer
from ostbahn.titles.cz.title import load_data as read_cz
from ostbahn.titles.mag.title import load_data as read_mag
from tests.golden.games import GOLDEN, golden_game
from tests.titles.cz.scenes import scene as cz_scene
from tests.titles.mag.scenes import scene as mag_scene


def asked(title: str) -> set[str]:
    """The kinds of question that some variant of a title asks."""
    books = [rulebook(title, entry.variant, entry.players[0]) for entry in CATALOGUE if entry.title == title]
    return {
        str(task.__struct_config__.tag)
        for book in books
        for task, handler in book.handlers.items()
        if isinstance(handler, Decision)
    }


def test_every_question_has_chapters_and_all_of_them_exist() -> None:
    offers = {str(offer.__struct_config__.tag) for offer in get_args(Offer)}
    kinds = {"18CZ": asked("18CZ") - {"consent"} | offers, "18Mag": asked("18Mag")}
    for title, file in (("18CZ", read_cz), ("18Mag", read_mag)):
        found = file("questions.toml", QuestionsFile)
        assert set(found.questions) == kinds[title]
        assert {kind for kind, chapters in found.questions.items() if not chapters} == set(found.otherwise)
        added = [chapters for kinds_of in found.also.values() for chapters in kinds_of.values()]
        linked = {
            chapter
            for chapters in (*found.questions.values(), *found.answers.values(), *found.otherwise.values(), *added)
            for chapter in chapters
        }
        rules = rulebook(title).title.rules
        assert not [name for name in linked if not any(rule.startswith(f"{name}/") for rule in rules)]


LINKS: dict[tuple[str, str], dict[str, set[str]]] = {
    ("18CZ", "base"): {
        "pre_stock": {"VI"},
        "stock_round: start": {"VII.3 VII.5"},
        "stock_round: buy, sell": {"VII.3 VII.6"},
        "stock_round: start, buy, sell": {"VII.3 VII.5 VII.6"},
        "red_home": {"VIII.4 IV.2.d"},
        "lay_track": {"VIII.4 VIII.5"},
        "establish_station": {"VIII.6"},
        "operate_trains": {"VIII.7 VIII.8"},
        "use_income": {"VIII.8 IX.2"},
        "acquire": {"VIII.9"},
        "purchase_trains": {"VIII.10 VIII.11"},
    },
    ("18CZ", "bohemia"): {
        "pre_stock": {"VI XI.1"},
        "stock_round: start, buy": {"VII.3 VII.5 XI.1"},
        "lay_track": {"VIII.4 VIII.5", "VIII.4 VIII.5 XI.1"},
        "establish_station": {"VIII.6", "VIII.6 XI.1"},
        "purchase_trains": {"VIII.10 VIII.11 XI.1"},
    },
    ("18CZ", "moravia"): {
        "auction": {"XI.2"},
        "bidding": {"XI.2"},
        "stock_round: start": {"VII.3 VII.5 XI.2"},
        "use_income": {"VIII.8 IX.2 XI.2"},
        "purchase_trains": {"VIII.10 VIII.11 XI.2"},
    },
    ("18Mag", "base"): {
        "draft": {"V"},
        "stock_round: buy": {"VII.5"},
        "stock_round: buy, sell": {"VII.5 VII.4"},
        "lay_track": {"VI.3.2 VI.3.3"},
        "establish_station": {"VI.3.4"},
        "scrap_trains": {"VI.3.5"},
        "operate_trains": {"VI.3.6 VI.3.7"},
        "purchase_trains": {"VI.3.8", "VI.3.8 III.3.2"},
        "place_marker": {"VI.4.2"},
        "pay_out": {"VI.4.3"},
    },
    ("18Mag", "two_player"): {
        "draft": {"V X"},
        "stock_round: buy, sell": {"VII.5 VII.4 X"},
        "operate_trains": {"VI.3.6 VI.3.7 X"},
        "pay_out": {"VI.4.3 X"},
    },
    ("18Mag", "solo"): {
        "solo_draft": {"XI.1"},
        "istvan_promotes": {"XI.2.1"},
        "stock_round: buy": {"VII.5 XI.4"},
        "lay_track": {"VI.3.2 VI.3.3"},
    },
}
"""Where the rules link of questions leads, as a player expects it; rounds of shares by what is offered there."""
SHARES = {"start": "start_company", "buy": "buy_share", "sell": "sell_shares"}


def situation(question: Question) -> str:
    offered = {str(option.action.__struct_config__.tag) for option in question.options}
    names = [name for name, tag in SHARES.items() if tag in offered]
    return f"{question.kind}: {', '.join(names)}" if question.kind == "stock_round" else question.kind


@pytest.mark.parametrize(("title", "variant"), LINKS)
def test_the_rules_link_of_a_question_leads_to_what_it_is_about(title: str, variant: str) -> None:
    found: dict[str, set[str]] = {}
    for golden in GOLDEN:
        if (golden.title, golden.variant) != (title, variant) or golden.modules:
            continue
        game = golden_game(golden.name)
        now = game.position(0)
        for _, action in game.actions():
            assert now.question is not None
            chapters = text_renderer_of(now).chapters(now.question)
            found.setdefault(situation(now.question), set()).add(" ".join(chapters))
            now.apply(action)
    for kind, expected in LINKS[title, variant].items():
        assert found.get(kind) == expected, kind


@pytest.mark.parametrize(
    ("modules", "kind", "chapter"),
    [
        (("standard_divs",), "pay_out", "M.2"),
        (("new_minors_simple",), "draft", "M.3"),
        (("new_minors_challenge",), "draft", "M.3"),
        (("new_major",), "draft", "M.4"),
        (("new_major",), "operate_trains", "M.4"),
        (("supporters",), "draft", "M.5"),
    ],
)
def test_modules_add_their_chapter_where_they_change_something(
    modules: tuple[str, ...], kind: str, chapter: str
) -> None:
    def linked(*chosen: str) -> tuple[str, ...]:
        game, bot = new_game("18Mag", ["Anna", "Ben", "Cyril"], modules=chosen, seed=2), GreedyBot()
        while game.question is not None and game.question.kind != kind:
            game.apply(bot.choose(game.question, game))
        assert game.question is not None
        return text_renderer_of(game).chapters(game.question)

    assert chapter in linked(*modules)
    assert chapter not in linked()


def test_several_chapters_are_looked_up_at_once() -> None:
    """As the page asks for them, one after the other and each rule once."""
    book = rulebook("18CZ").title
    ids = [rule.id for rule in find_rules(book, ["VII.3", "VII.5", "VII.5/1"])]
    assert ids == [rule for rule in book.rules if rule.startswith("VII.3/")] + [
        rule for rule in book.rules if rule.startswith(("VII.5/", "VII.5."))
    ]


def test_one_decides_about_ones_own_money_and_that_of_ones_companies() -> None:
    cz = text_renderer_of(cz_scene(started={"EKJ": (60, "p1"), "BN": (60, "p2")}))
    assert cz.accounts("p1") == {"p1", "EKJ"}
    assert cz.accounts("p3") == {"p3"}
    mag = text_renderer_of(mag_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 1}}, owners={"1": "p1", "2": "p2"}))
    assert mag.accounts("p1") == {"p1", "1"}
    assert mag.accounts("p2") == {"p2", "2", "SIK"}
