"""Figures of the title, all of which follow from what every plain title has."""

from __future__ import annotations

from ostbahn_wee import actions as wee

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.views.outlook import outlook_view
from ostbahn.views.question import question_view
from ostbahn.views.title_views import views_of
from ostbahn.views.turns import order_view, turn_panel_view
from ostbahn.views.wealth import sheet_view


def started() -> Game:
    """Anna has started a company, and everybody has passed since."""
    game = new_game("18Wee", ("Anna", "Ben"), seed=1, draw_order=False)
    question = game.question
    assert question is not None
    start = question.only(wee.StartCompany)[0].action
    game.apply(start)
    return game


def test_what_may_be_done_with_shares_stands_on_the_cards_of_companies() -> None:
    view = question_view(started())
    assert view is not None
    assert view.scene == "shares"
    assert {offer.kind for offers in view.offers.values() for offer in offers} == {"buy", "start"}
    listed = sorted(offer.index or 0 for offers in view.offers.values() for offer in offers)
    assert listed == [answer.index for answer in view.answers if answer.kind != "pass"]


def test_a_turn_has_the_usual_steps_of_which_there_is_a_chapter() -> None:
    game = started()
    while views_of(game).operating_order().in_turn is None:
        game.apply(Pass())
    views = views_of(game)
    mat = turn_panel_view(views)
    assert mat is not None
    assert [(step.name, step.state) for step in mat.steps] == [
        ("Track", "now"),
        ("Run", "ahead"),
        ("Income", "ahead"),
        ("Trains", "ahead"),
    ]
    assert [place.state for place in order_view(views)] == ["now"]


def test_companies_and_players_have_their_figures() -> None:
    game = started()
    views = views_of(game)
    (company,) = (view for view in views.companies() if view.price is not None)
    assert company.start_price == company.price
    assert company.marks == ("no train", "first run next")
    assert company.bank_percent == 60
    sheet = sheet_view(views.players(None), views.companies(), views.record_stats)
    assert sheet.rows[0].shares[company.id].percent == 40


def test_what_would_follow_is_played_out_and_the_train_of_the_next_phase_is_counted_down_to() -> None:
    game = started()
    outlook = outlook_view(game)
    assert outlook.ended is not None
    assert [each.company for each in outlook.ended.runs] == [each for stack in game.state.chart for each in stack]
    (coming,) = outlook.coming
    assert coming.before > 0
    while views_of(game).operating_order().in_turn is None:
        game.apply(Pass())
    assert outlook.ended.order[0].seat == views_of(game).progress().priority
    assert outlook_view(game).ended is None
