"""What stands on a page agrees with what lies on the table, in every variant and at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import RoundBegan, TurnBegan
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.words.text_renderer import cz_table
from ostbahn.views.models import CompanyView, PlayerView, RoundView, TrainsView
from ostbahn.views.outlook import OutlookView, outlook_view
from ostbahn.views.question import QuestionView, question_view
from ostbahn.views.title_views import views_of
from ostbahn.views.turns import round_view
from ostbahn.views.wealth import ResultView, WealthView, result_view, wealth_over_time
from tests.server.sample_games import SAMPLES, moments, random_game, sample


def player_views(game: Game) -> tuple[PlayerView, ...]:
    return views_of(game).players(game.question.decider if game.question is not None else None)


def company_views(game: Game) -> tuple[CompanyView, ...]:
    return views_of(game).companies()


def trains_view(game: Game) -> TrainsView:
    return views_of(game).trains()


ALL: dict[Callable[[Game], Any], Any] = {
    player_views: tuple[PlayerView, ...],
    company_views: tuple[CompanyView, ...],
    trains_view: TrainsView,
    outlook_view: OutlookView,
    round_view: RoundView,
    question_view: QuestionView | None,
    wealth_over_time: WealthView,
    result_view: ResultView | None,
}
"""Views, and what they can be read back as."""


@pytest.fixture(params=SAMPLES, ids=lambda chosen: "-".join(map(str, chosen)))
def game(request: pytest.FixtureRequest) -> Game:
    return sample(*request.param)


def of(game: Game) -> dict[str, CompanyView]:
    return {company.id: company for company in company_views(game)}


def test_every_view_is_plain_data(game: Game) -> None:
    for moment in moments(game, 67):
        for view, kind in ALL.items():
            data = msgspec.json.encode(view(moment))
            assert msgspec.json.encode(msgspec.json.decode(data, type=kind)) == data


def test_money_of_players_companies_and_bank_is_all_there_is(game: Game) -> None:
    for moment in moments(game):
        cash = moment.state.cash
        players = sum(player.cash or 0 for player in player_views(moment))
        treasuries = sum(company.treasury or 0 for company in company_views(moment))
        assert players + treasuries + cash[BANK] == 0


def test_shares_of_a_company_are_a_hundred_percent(game: Game) -> None:
    for moment in moments(game):
        for company in company_views(moment):
            if company.id in moment.state.certificates:
                assert sum(share.percent for share in company.shares) == 100
                assert sum(share.certificates for share in company.shares) == len(moment.state.certificates[company.id])
            else:
                assert not company.shares


def test_holdings_of_players_are_the_shares_of_companies(game: Game) -> None:
    for moment in moments(game):
        held = {
            (player.seat, holding.company): (holding.percent, holding.is_director)
            for player in player_views(moment)
            for holding in player.holdings
        }
        shares = {
            (share.holder.seat, company.id): (share.percent, share.is_director)
            for company in company_views(moment)
            for share in company.shares
            if share.kind != "bank"
        }
        assert held == shares


def test_worth_is_cash_shares_and_papers_less_what_is_owed(game: Game) -> None:
    for moment in moments(game):
        standings = moment.worth()
        for player in player_views(moment):
            if player.role == "bystander":
                assert player.worth is None
                continue
            values = sum(held.value for held in player.holdings) + sum(paper.value for paper in player.papers)
            assert player.worth == standings[player.seat]
            assert player.worth == (player.cash or 0) + values - player.debt - player.penalty


def test_every_company_is_shown_once_and_those_in_turn_first(game: Game) -> None:
    for moment in moments(game):
        title = moment.table.title
        found = company_views(moment)
        ids = [company.id for company in found]
        assert sorted(ids) == sorted((*title.companies, *getattr(title, "minors", ())))
        places = [company.operating_place for company in found if company.operating_place is not None]
        assert places == sorted(places)
        assert places == [company.operating_place for company in found][: len(places)], "others stand between them"


def test_the_company_in_turn_is_the_one_that_was_noted_last(game: Game) -> None:
    seen = 0
    for number in range(1, len(game) + 1, 7):
        moment = game.position(number)
        in_turn = round_view(moment).in_turn
        if in_turn is not None:
            turns = [e.company for r in moment.records for e in r.events if isinstance(e, TurnBegan)]
            assert turns[-1] == in_turn
            seen += 1
    assert seen > 10


def test_prices_are_those_of_the_chart(game: Game) -> None:
    for moment in moments(game, 50):
        table = moment.table
        prices = {company.id: company.price for company in company_views(moment) if company.price is not None}
        assert prices == {company: chart.price(table, company) for company in chart.companies_by_price(table)}


def test_trains_are_where_they_lie(game: Game) -> None:
    for moment in moments(game, 50):
        lying = {card: owner for owner, trains in moment.state.trains.items() for card, _ in trains}
        shown = {
            train.card: company.id for company in company_views(moment) for train in company.trains if not train.guest
        }
        assert shown == lying


def test_phases_and_boxes_are_done_before_the_present_one_and_ahead_after_it(game: Game) -> None:
    for moment in moments(game, 50):
        phases = {phase.id: phase.state for phase in trains_view(moment).phases}
        done = list(phases).index(moment.state.phase)
        assert list(phases.values()) == ["done"] * done + ["now"] + ["ahead"] * (len(phases) - done - 1)
        boxes = [box.state for box in round_view(moment).boxes]
        assert boxes.count("now") == 1
        assert boxes == sorted(boxes, key=["done", "now", "ahead"].index)


def test_the_present_box_is_the_present_round(game: Game) -> None:
    for moment in moments(game, 11):
        view = round_view(moment)
        now = next(box for box in view.boxes if box.state == "now")
        if now.kind in ("shares", "operating"):
            assert (now.id, now.words) == (view.round, view.round_name)
        else:
            assert now.kind == ("end" if moment.over else "opening")


def rounds_begun(game: Game) -> Iterator[str]:
    """The rounds in which somebody was asked something; of several that began at once the last one."""
    for record in game.records:
        begun = [event.round for event in record.events if isinstance(event, RoundBegan)]
        yield from begun[-1:]


def test_wealth_has_a_point_for_every_round(game: Game) -> None:
    view = wealth_over_time(game)
    assert [point.round for point in view.points[1:-1]] == list(rounds_begun(game))
    assert dict(view.points[-1].worth) == game.worth()
    assert all(list(point.worth) == list(view.names) for point in view.points)


def test_a_result_is_there_at_the_end_only_and_its_parts_add_up(game: Game) -> None:
    assert result_view(game.position(0)) is None
    result = result_view(game)
    if not game.over:
        assert result is None
        return
    assert result is not None
    assert [place.seat for place in result.places] == list(game.worth())
    assert all(sum(part.amount for part in place.parts) == place.worth for place in result.places)
    assert {place.seat for place in result.places if place.winner} == set(result.winners) != set()


# What only one title or variant has


def test_a_new_game_of_18cz_says_when_companies_open() -> None:
    companies = of(new_game("18CZ", ("Anna", "Boris", "Clara")))
    states = {company.kind: (company.state, company.state_words) for company in companies.values()}
    assert states["small"] == ("not started", "can be started in a stock round")
    assert states["medium"] == ("unavailable", "opens with the first b-train")
    assert states["large"] == ("unavailable", "opens with the first d-train")


def test_vaclav_is_a_bystander_with_companies_but_without_money() -> None:
    game = random_game("18CZ", "bohemia")
    *players, vaclav = player_views(game)
    assert [player.role for player in players] == ["player", "player"]
    assert (vaclav.name, vaclav.role, vaclav.cash, vaclav.worth) == ("Vaclav", "bystander", None, None)
    assert vaclav.holdings
    led = [company for company in company_views(game) if company.director and company.director.seat == "Vaclav"]
    assert {company.id for company in led} == {held.company for held in vaclav.holdings if held.is_director}


def test_istvan_is_an_automaton_and_his_cards_are_told() -> None:
    game = random_game("18Mag", "solo").position(20)
    istvan = next(player for player in player_views(game) if player.seat == "p2")
    assert (istvan.name, istvan.role) == ("István", "automaton")
    assert istvan.notes[0].startswith("share card ")
    for paper in istvan.papers:
        assert of(game)[paper.id].notes[0].startswith("István's card ")


@pytest.mark.rule("18Mag XI.1/6", "18Mag XI.1/8")
def test_the_share_that_istvan_got_is_not_told_as_one_to_be_taken() -> None:
    game = new_game("18Mag", ["Eva"], variant="solo", seed=5)
    (share,) = [major for major, holders in game.state.certificates.items() if "p2" in holders]
    told = {name for name, company in of(game).items() if "1 share can be taken now" in company.notes}
    assert told == set(game.state.certificates) - {share}


@pytest.mark.rule("18Mag XI.2.1/3")
def test_terrain_tokens_of_istvan_are_not_counted() -> None:
    game = random_game("18Mag", "solo").position(20)
    for name, company in of(game).items():
        if company.kind == "minor" and company.director is not None:
            assert (company.terrain_tokens is None) == (company.director.seat == "p2"), name


def test_stacks_of_18cz_hold_what_has_not_gone() -> None:
    game = random_game("18CZ", "base")
    for moment in moments(game, 31):
        table = cz_table(moment)
        view = trains_view(moment)
        finite = sum(spec.count or 0 for spec in table.title.stack.spec.values())
        left = sum(stack.left for stack in view.stacks if stack.left is not None)
        assert left == max(finite - table.state.cards_gone, 0)
        assert [stack.top for stack in view.stacks].count(True) == 1
        assert view.stacks[0].top
        assert set(view.scrapped) == set(table.state.scrapped)


def test_a_train_says_what_will_scrap_it() -> None:
    view = trains_view(new_game("18CZ", ("Anna", "Boris", "Clara")))
    e_cards = next(stack for stack in view.stacks if stack.id == "e")
    assert e_cards.begins == "e"
    assert "the first 4-train scraps 2-trains" in e_cards.words
    small = random_game("18CZ", "base")
    for moment in moments(small, 31):
        for company in company_views(moment):
            for train in company.trains:
                if train.face == "2":
                    assert train.scrapped_by == "scrapped by the first 4-train (cards e)"
                if train.face == "5":
                    assert not train.scrapped_by


def test_the_first_train_of_a_marked_stack_begins_the_next_phase_of_18mag() -> None:
    stacks = {stack.id: stack for stack in trains_view(new_game("18Mag", ("Anna", "Boris", "Clara"))).stacks}
    assert {face: stack.begins for face, stack in stacks.items()} == {
        "2": None,
        "3": "green",
        "4": "green",
        "6": "green",
    }
    assert stacks["3"].seller == "MÁVAG"


def test_what_comes_next_is_told() -> None:
    new = new_game("18CZ", ("Anna", "Boris", "Clara"))
    assert round_view(new).next == "Stock round 1"
    game = random_game("18CZ", "base")
    last = next(moment for moment in moments(game, 1) if round_view(moment).round == "OR 1.1")
    assert round_view(last).next == "a train card goes abroad, then Stock round 2"
    assert round_view(new_game("18Mag", ("Anna", "Boris", "Clara"))).next == "1 operating round"


def test_names_stand_as_people_wrote_them_and_escaping_is_left_to_the_page() -> None:
    game = new_game("18CZ", ("Ann & <b>", "Boris", "Clara"))
    assert {player.name for player in player_views(game)} == {"Ann & <b>", "Boris", "Clara"}
