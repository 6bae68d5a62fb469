"""Looking back at a game of the title, for which it need say nothing."""

from __future__ import annotations

from ostbahn.bots.playing import RandomBot
from ostbahn.kits.catalogue import new_game
from ostbahn.review.accounts import accounts_of
from ostbahn.review.explore import facts_of
from ostbahn.review.reports.report import page_of, report_of


def test_a_game_has_its_report() -> None:
    game, bot = new_game("18Wee", ("Anna", "Ben"), seed=1), RandomBot(1)
    while game.question is not None:
        game.apply(bot.choose(game.question, game))
    assert not list(accounts_of(game).differences())
    report = report_of(game)
    assert {"result", "worth", "money", "companies", "forecast", "findings"} <= {each.id for each in report.sections}
    forecast = next(each for each in report.sections if each.id == "forecast")
    assert forecast.words == ("No net has learnt this game, so nobody says who was ahead when.",)
    assert page_of(report)
    facts = facts_of(game)
    assert sum(seat.won for seat in facts.seats) == 1
    assert {heading for seat in facts.seats for heading, _ in seat.took} == {"Start prices"}
