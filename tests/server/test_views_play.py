"""What a page shows of a question: answers that can be sent back as they are, routes, and what a dividend does."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from ostbahn.interop.saves import decode_action
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.hexes import hex_of
from ostbahn.kernel.records import Paid, PriceMoved, Record, RoundBegan, TurnBegan
from ostbahn.kernel.steps import Decision
from ostbahn.kits.catalogue import kits, new_game, rulebook
from ostbahn.titles.cz.words.text_renderer import cz_table
from ostbahn.views.question import QuestionView, RoutesView, dividend_views, question_data, question_view
from ostbahn.views.routes import routes_view
from ostbahn.views.title_views import views_of
from tests.server.sample_games import NAMES, SAMPLES, moments, random_game, sample
from tests.titles.mag.solo_scenes import printed, solo_scene, with_entries

COSTLY = ("lay_tile", "place_station", "buy_local", "start_company", "buy_share", "buy_train", "turn_train", "buy_car")


@pytest.fixture(params=SAMPLES, ids=lambda chosen: "-".join(map(str, chosen)))
def game(request: pytest.FixtureRequest) -> Game:
    return sample(*request.param)


def shown(game: Game) -> QuestionView:
    view = question_view(game)
    assert view is not None
    return view


def asked(game: Game, kind: str, every: int = 1) -> typing.Iterator[Game]:
    """The moments of a game at which a kind of question is asked."""
    return (moment for moment in moments(game, every) if not moment.over and moment.ask().kind == kind)


def routes(game: Game, runs: Any = None) -> RoutesView:
    view = routes_view(game, runs)
    assert view is not None
    return view


# Questions and answers


@pytest.mark.parametrize("title", kits())
def test_every_widget_is_that_of_a_question(title: str) -> None:
    asked: set[str] = set()
    views: set[str] = set()
    for entry in kits()[title].entries:
        handlers = rulebook(title, entry.variant, entry.players[0]).handlers
        tasks = [task for task, handler in handlers.items() if isinstance(handler, Decision)]
        asked |= {str(task.__struct_config__.tag) for task in tasks}
        views |= views_of(new_game(title, NAMES[: entry.players[0]], variant=entry.variant)).widgets.keys()
    assert views <= asked


@pytest.mark.parametrize("title", kits())
def test_every_answer_has_a_heading(title: str) -> None:
    entry = kits()[title].entries[0]
    kinds = {kind.__struct_config__.tag for kind in typing.get_args(kits()[title].actions)}
    assert kinds <= views_of(new_game(title, NAMES[: entry.players[0]])).groups.keys()


def test_answers_that_differ_in_one_thing_only_stand_in_lists(game: Game) -> None:
    """Together in one list are answers about one company, and each of them says what it stands for."""
    for moment in moments(game, 97):
        question = question_view(moment)
        lists: dict[tuple[str, str | None], list[str]] = {}
        for answer in question.answers if question is not None else ():
            assert (answer.pick is not None) == (answer.kind in views_of(moment).picked)
            if answer.pick is not None:
                lists.setdefault((answer.pick.label, answer.subject), []).append(answer.pick.option)
        assert len({label for label, _ in lists}) == len(lists)
        assert all(len(set(options)) == len(options) for options in lists.values())


def test_answers_can_be_sent_back_and_stand_for_the_options(game: Game) -> None:
    for moment in moments(game, 19):
        if moment.over:
            assert question_view(moment) is None
            continue
        view, question = shown(moment), moment.ask()
        assert len(view.answers) == len(question.options)
        assert set(view.groups) == {answer.group for answer in view.answers}
        for answer, option in zip(view.answers, question.options, strict=True):
            assert decode_action(moment.setup.title, answer.action) == option.action
            assert (answer.kind, answer.index) == (answer.action["do"], question.options.index(option))
            assert (answer.span is None) == (option.span is None)
            assert answer.words


def test_a_place_is_on_the_board_and_a_price_is_free_within_its_span(game: Game) -> None:
    for moment in moments(game, 19):
        if moment.over:
            continue
        map_ = moment.table.title.map
        for answer in shown(moment).answers:
            assert answer.place is None or hex_of(answer.place) in map_
            if answer.span is not None:
                assert answer.action["price"] == answer.span.low <= answer.span.high


def paid_out(record: Record, payers: tuple[str | None, ...]) -> int:
    """What a player and his company pay to others, up to the next turn."""
    found = 0
    for event in record.events:
        if isinstance(event, RoundBegan | TurnBegan):
            break
        if isinstance(event, Paid) and event.source in payers and event.target not in payers:
            found += event.amount
    return found


def test_a_cost_is_what_is_paid(game: Game) -> None:
    checked = 0
    for moment in moments(game, 3):
        if moment.over or moment.ask().kind == "istvan_promotes":  # after which István goes on by himself
            continue
        question = moment.ask()
        answers = shown(moment).answers
        for answer in (*answers[:3], *answers[-3:]):
            if answer.span is None and answer.kind in COSTLY:
                record = moment.copy().apply(decode_action(moment.setup.title, answer.action))
                assert (answer.cost or 0) == paid_out(record, (question.decider, question.company)), answer
                checked += 1
    assert checked > 30


def test_those_who_look_on_are_told_the_question_but_no_answers() -> None:
    game = new_game("18CZ", NAMES[:3])
    view = question_view(game, answers=False)
    assert view is not None
    assert view.answers == ()
    assert view.heading == shown(game).heading


def test_a_question_says_who_decides_for_whom() -> None:
    moment = next(asked(random_game("18CZ", "base"), "lay_track"))
    view = shown(moment)
    assert view.heading == f"{view.decider.name} for {view.company}: lay track"
    assert (view.widget, view.chapter, view.chapters) == ("track", "VIII.4", ("VIII.4", "VIII.5"))
    assert {answer.place for answer in view.answers if answer.kind == "lay_tile"} <= {*moment.table.title.map.hexes}


def test_trains_in_the_pool_stand_under_a_heading_of_their_own() -> None:
    seen = set()
    for moment in asked(random_game("18CZ", "base"), "purchase_trains"):
        pool = {train.card for train in cz_table(moment).state.pool}
        for answer in shown(moment).answers:
            if answer.kind == "buy_train":
                seen.add(answer.group)
                assert (answer.group == "Trains from the pool") == (answer.action["card"] in pool)
    assert "Trains from the bank" in seen


@pytest.mark.rule("18Mag XI.2.1/3")
def test_no_cost_is_told_beside_a_promotion_that_the_bank_pays() -> None:
    tiles = printed(13)
    game = solo_scene(turns=["7"], his={"7": 5}, trains={"7": ()}, deck=with_entries(), phase="green", tiles=tiles)
    view = shown(game)
    assert view.kind == "istvan_promotes"
    assert {answer.cost for answer in view.answers} == {None}
    told = [view.matter, *(answer.remark for answer in view.answers)]
    assert not [text for text in told if "cost" in text or "token" in text]
    assert not [answer for answer in question_data(game, view).answers if answer.cost]


# Routes


def test_the_run_on_offer_is_legal_and_its_stops_pay_what_it_earns(game: Game) -> None:
    seen = 0
    for moment in asked(game, "operate_trains", 3):
        view = routes(moment)
        if not any(answer.kind == "run_trains" for answer in shown(moment).answers):
            continue
        assert view.legal
        assert view.refusal is None
        assert view.bound == view.most
        assert view.revenue + view.subsidy == view.most
        for route in view.routes:
            assert sum(stop.value for stop in route.stops if stop.counted) == route.revenue + route.subsidy
        assert decode_action(moment.setup.title, view.action) in moment.ask()
        seen += bool(view.revenue)
    assert seen or game.setup.variant == "solo"


def test_there_are_no_routes_at_other_questions() -> None:
    assert routes_view(new_game("18CZ", NAMES[:3])) is None


def earning(title: str, trains: int) -> Game:
    """A moment at which a company with so many trains at least is to run for money."""
    return next(
        moment
        for moment in asked(sample(title, "base"), "operate_trains")
        if sum(bool(route.path) for route in routes(moment).routes) >= trains
    )


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_trains_left_at_home_earn_less_than_they_could(title: str) -> None:
    view = routes(earning(title, 1), [])
    assert not view.legal
    assert view.refusal is not None
    assert str(view.most) in view.refusal.text
    assert view.refusal.rule.startswith(title)
    assert (view.revenue, [route.path for route in view.routes]) == (0, [()] * len(view.routes))


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_way_that_is_none_is_refused_by_itself(title: str) -> None:
    moment = earning(title, 1)
    run = next(route for route in routes(moment).routes if route.path)
    view = routes(moment, [{"card": run.card, "path": [run.path[0]]}])
    broken = next(route for route in view.routes if route.card == run.card)
    assert broken.refusal is not None
    assert "two different revenue locations" in broken.refusal.text
    assert (view.legal, view.refusal) == (False, broken.refusal)
    assert broken.stops == ()


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_trains_on_the_same_track_are_refused_together_only(title: str) -> None:
    moment = earning(title, 2)
    first, second = [route for route in routes(moment).routes if route.path][:2]
    shorter = min((first, second), key=lambda route: len(route.stops))
    view = routes(moment, [{"card": card, "path": list(shorter.path)} for card in (first.card, second.card)])
    assert view.refusal is not None
    assert "share track" in view.refusal.text


def test_a_train_that_nobody_has_is_refused() -> None:
    moment = earning("18CZ", 1)
    view = routes(moment, [{"card": "z9", "path": ["E11.0", "E13.0"]}])
    assert not view.legal
    assert view.routes[-1].refusal is not None


def test_runs_that_are_no_runs_are_a_fault_of_the_sender() -> None:
    with pytest.raises(BadFile):
        routes_view(earning("18CZ", 1), [{"card": 7}])


# Dividends


@pytest.mark.parametrize(("title", "kind"), [("18CZ", "use_income"), ("18Mag", "pay_out")])
def test_a_preview_is_what_then_happens(title: str, kind: str) -> None:
    seen = 0
    for moment in asked(random_game(title, "base"), kind):
        question = moment.ask()
        views = dividend_views(moment)
        assert views
        for view in (views[0], views[-1]):
            later = moment.copy()
            before = dict(later.state.cash)
            record = later.apply(question.options[view.index].action)
            own = [e for e in record.events if isinstance(e, PriceMoved) and e.company == question.company]
            assert view.price_after == (own[0].after if own else view.price_before)
            paid = [e for e in record.events if isinstance(e, Paid) and e.why == f"dividend of {question.company}"]
            assert {receipt.who.seat: receipt.amount for receipt in view.received} == {e.target: e.amount for e in paid}
            assert view.treasury_before == before[question.company or ""]
            given = view.treasury_before - view.treasury_after
            assert title == "18CZ" or given == sum(receipt.amount for receipt in view.received) + view.to_bank
            seen += 1
        assert len(moment) == len(moment.records)
    assert seen > 10


def test_income_that_is_kept_goes_to_the_treasury_and_the_price_does_not_rise() -> None:
    moment = next(asked(random_game("18CZ", "base"), "use_income"))
    out, kept = dividend_views(moment)
    assert kept.treasury_after > kept.treasury_before
    assert kept.received == ()
    assert kept.price_after <= kept.price_before <= out.price_after
    assert out.treasury_after == out.treasury_before


def test_there_is_no_preview_at_other_questions() -> None:
    assert dividend_views(new_game("18Mag", NAMES[:3])) == ()
