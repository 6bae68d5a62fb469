"""Figures of all titles and variants: they agree with each other, with the records and with what may be answered."""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec
import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, RoundBegan
from ostbahn.table.room import Room
from ostbahn.table.table_view import PAST, TableView, open_view
from ostbahn.titles.cz.actions import PayOut
from ostbahn.views.question import question_view
from ostbahn.views.title_views import RecordStats, record_stats_of, views_of
from ostbahn.views.turns import OrderView, TurnPanelView, order_view, round_view, turn_panel_view
from ostbahn.views.wealth import SheetView, sheet_view
from tests.selling import SALE
from tests.server.sample_games import SAMPLES, moments, sample

SHARES: Final = frozenset(("pre_stock", "auction", "bidding", "stock_round", "draft", "solo_draft"))
"""Kinds of questions in which shares and papers are bought, sold or taken."""
OWN: Final = frozenset(("pass", "repay_debt"))
"""Answers to them that are about nothing with a card."""
INCOMES: Final = ("dividend of ", "income of ", "half of the income of ")
"""How payments are told that somebody earns."""

STATES: Final = ("done", "now", "ahead")


@pytest.fixture(params=SAMPLES, ids=lambda chosen: "-".join(map(str, chosen)))
def game(request: pytest.FixtureRequest) -> Game:
    return sample(*request.param)


def sheet(game: Game) -> SheetView:
    views = views_of(game)
    return sheet_view(views.players(None), views.companies(), views.record_stats)


# What is being decided


def test_a_scene_goes_by_what_is_asked(game: Game) -> None:
    seen = set()
    for moment in moments(game, 7):
        question, scene = moment.question, round_view(moment).scene
        view = question_view(moment, answers=False)
        assert scene == ("over" if question is None else "shares" if question.kind in SHARES else "operating")
        assert view is None or view.scene == scene
        seen.add(scene)
    assert seen >= {"shares", "operating"}


def test_whatever_can_be_answered_about_shares_stands_on_a_card_once(game: Game) -> None:
    seen: Counter[str] = Counter()
    for moment in moments(game, 7):
        view = question_view(moment)
        if view is None or view.scene != "shares":
            assert view is None or not view.offers
            continue
        offers = [offer for offers in view.offers.values() for offer in offers]
        offered = [offer.index for offer in offers if offer.index is not None]
        assert sorted(offered) == [answer.index for answer in view.answers if answer.kind not in OWN]
        seen.update("refused" if offer.refusal else offer.kind for offer in offers)
        for subject, own in view.offers.items():
            for offer in own:
                answer = None if offer.index is None else view.answers[offer.index]
                assert answer is None or answer.subject in (subject, None)
                assert answer is None or answer.kind == SALE or offer.price in (answer.cost, None) or offer.span
                assert (offer.index is None) == (offer.refusal is not None)
                assert offer.refusal is None or (offer.refusal.text and " " not in offer.refusal.rule)
        known = {company.id for company in views_of(moment).companies()} | _items(moment)
        assert set(view.offers) <= known
    assert len(seen) > 2


def test_whatever_is_refused_on_a_card_is_told_in_few_words(game: Game) -> None:
    for moment in moments(game, 7):
        view = question_view(moment)
        for offers in view.offers.values() if view is not None else ():
            for offer in offers:
                assert offer.refusal is None or len(offer.refusal.text) <= 40, offer.refusal


# What records tell


def test_incomes_are_the_payments_that_are_told_as_such(game: Game) -> None:
    seen = 0
    for moment in moments(game, 41):
        events = [*moment.opening, *(event for record in moment.records for event in record.events)]
        begins = [at for at, event in enumerate(events) if isinstance(event, RoundBegan) and event.round[:2] == "OR"]
        if not begins:
            continue
        earned = Counter[str]()
        for event in events[begins[-1] :]:
            if isinstance(event, Paid) and event.why.startswith(INCOMES):
                earned[event.target] += event.amount
        for player in views_of(moment).players(None):
            if player.role != "bystander":
                assert player.last_income == earned[player.seat]
                seen += bool(player.last_income)
    assert seen


def told(past: RecordStats) -> dict[str, object]:
    """Everything in it that is no note of its own."""
    return {name: value for name, value in vars(past).items() if not name.startswith("_")}


def test_records_are_read_on_from_where_one_ended(game: Game) -> None:
    """Reading bit by bit, or all at once, comes to the same; and what was taken back is forgotten."""
    half, views = game.position(len(game) // 2), views_of(game)
    bit_by_bit = record_stats_of(half, views_of(half))
    assert record_stats_of(game, views, bit_by_bit) is bit_by_bit
    assert told(bit_by_bit) == told(record_stats_of(game, views))
    assert told(record_stats_of(half, views, bit_by_bit)) == told(record_stats_of(half, views)) != told(bit_by_bit)


def test_a_table_remembers_only_what_still_stands() -> None:
    """After a dividend was taken back, the open view is that of a table that never knew of it."""
    game = sample("18CZ", "base")
    number = max(at for at, record in enumerate(game.records, start=1) if isinstance(record.action, PayOut))
    room, twin = (Room(name, name, game.setup, {}, 0, True) for name in ("room", "twin"))
    room.begin(game.position(number))
    before = open_view(room, room.game, room.number)
    assert PAST in room.memory
    room.undo(number - 1, "p1")
    twin.begin(game.position(number - 1))
    after, never = open_view(room, room.game, room.number), open_view(twin, twin.game, twin.number)
    assert (after.players, after.companies) == (never.players, never.companies)
    assert (after.sheet, after.mat) == (never.sheet, never.mat)
    assert after.players != before.players


def test_looking_back_does_not_make_a_table_forget() -> None:
    game = sample("18CZ", "base")
    room = Room("room", "room", game.setup, {}, 0, True)
    room.begin(game.position(200))
    open_view(room, room.game, 200)
    known = room.memory[PAST]
    earlier = open_view(room, room.at(100), 100)
    assert earlier.sheet == sheet(game.position(100))
    assert room.memory[PAST] is known


# Turns


def test_a_turn_has_one_present_step_and_all_before_it_are_over(game: Game) -> None:
    seen = set()
    for moment in moments(game, 5):
        mat, in_turn = turn_panel_view(views_of(moment)), round_view(moment).in_turn
        assert (mat is None) == (in_turn is None)
        if mat is not None:
            states = [step.state for step in mat.steps]
            assert mat.company == in_turn
            now = states.index("now")
            assert set(states[:now]) <= {"done", "skipped"}
            assert set(states[now + 1 :]) <= {"ahead"}
            seen.update(states)
    assert seen == {"done", "skipped", "now", "ahead"}


def test_the_order_has_every_company_of_the_round_once(game: Game) -> None:
    for moment in moments(game, 5):
        view = round_view(moment)
        order = order_view(views_of(moment))
        companies = [place.company for place in order]
        assert len(set(companies)) == len(companies)
        assert [place.company for place in order if place.state == "now"] == ([view.in_turn] if view.in_turn else [])
        assert [place.company for place in order if place.state == "ahead"] == [*view.waiting]
        places = [STATES.index(place.state) for place in order]
        assert places == sorted(places)


# The spreadsheet


def test_rows_add_up_to_what_players_are_worth(game: Game) -> None:
    for moment in moments(game):
        for row in sheet(moment).rows:
            assert row.shares_value == sum(cell.value for cell in row.shares.values())
            if row.worth is not None:
                assert row.worth == (row.cash or 0) + row.shares_value + row.papers_value - row.owed


def test_columns_add_up_to_all_shares(game: Game) -> None:
    for moment in moments(game):
        shown = sheet(moment)
        assert {column.company for column in shown.columns} == set(moment.state.certificates)
        for column in shown.columns:
            held = sum(row.shares[column.company].percent for row in shown.rows if column.company in row.shares)
            assert held + (column.bank_percent or 0) == 100


def test_incomes_are_told_for_every_operating_round(game: Game) -> None:
    events = [*game.opening, *(event for record in game.records for event in record.events)]
    rounds = [event.round for event in events if isinstance(event, RoundBegan) and event.round.startswith("OR")]
    shown = sheet(game)
    assert [income.round for income in shown.incomes] == rounds
    last = {player.seat: player.last_income for player in views_of(game).players(None) if player.role != "bystander"}
    assert shown.incomes[-1].received == last


def test_all_of_it_is_plain_data(game: Game) -> None:
    """The JSON interface sends it as it is."""
    views = views_of(game.position(len(game) * 2 // 3))
    mat, order, table = turn_panel_view(views), order_view(views), sheet(views.game)
    assert msgspec.json.decode(msgspec.json.encode(mat), type=TurnPanelView | None) == mat
    assert msgspec.json.decode(msgspec.json.encode(order), type=tuple[OrderView, ...]) == order
    assert msgspec.json.decode(msgspec.json.encode(table), type=SheetView) == table
    assert {"mat", "order", "sheet"} <= set(TableView.__struct_fields__)


def _items(game: Game) -> set[str]:
    """What can be had beside shares of companies."""
    assert game.question is not None
    return {item.id for item in views_of(game).items(game.question)}
