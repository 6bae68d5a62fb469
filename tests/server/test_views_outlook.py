"""What comes next is what then really came: every golden game is asked before, and looked at after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, PhaseBegan, Revenue, RoundBegan, TrainMoved, TurnBegan
from ostbahn.views.outlook import EndedView, outlook_view
from ostbahn.views.title_views import views_of
from tests.golden.games import GOLDEN, USUAL, golden_game
from tests.lengths import others_in_soak

of_each = pytest.mark.parametrize("name", others_in_soak([golden.name for golden in GOLDEN], USUAL))


class Ending(NamedTuple):
    """A round of shares that ended with a pass."""

    game: Game
    number: int
    """Of the last pass, the first answer being 1."""

    @property
    def before(self) -> Game:
        return self.game.position(self.number - 1)

    @property
    def after(self) -> Game:
        return self.game.position(self.number)

    @property
    def told(self) -> EndedView:
        ended = outlook_view(self.before).ended
        assert ended is not None
        return ended


def endings(name: str) -> Iterator[Ending]:
    """All rounds of shares of a golden game that end when somebody passes."""
    game = golden_game(name)
    for number, record in enumerate(game.records, start=1):
        if record.action == Pass() and any(isinstance(event, RoundBegan) for event in record.events):
            before = game.position(number - 1)
            if views_of(before).scene(before.question) == "shares":
                yield Ending(game, number)


def turns_after(ending: Ending) -> list[str]:
    """The companies that acted in the round that followed."""
    found: list[str] = []
    rounds = 0
    for record in ending.game.records[ending.number - 1 :]:
        for event in record.events:
            rounds += isinstance(event, RoundBegan)
            if rounds > 1:
                return found
            if isinstance(event, TurnBegan):
                found.append(event.company)
    return found


@of_each
def test_markers_move_as_was_told(name: str) -> None:
    for ending in endings(name):
        before, after = ending.before.table, ending.after.table
        prices = {
            each: (chart.price(before, each), chart.price(after, each)) for each in chart.companies_by_price(before)
        }
        moved = {company: pair for company, pair in prices.items() if pair[0] != pair[1]}
        assert {each.company: (each.before, each.after) for each in ending.told.markers} == moved
        assert all(each.rule and each.why == "sold out" for each in ending.told.markers)


@of_each
def test_players_follow_each_other_as_was_told(name: str) -> None:
    """Who begins the next round of shares is the first in the order that was told."""
    for ending in endings(name):
        game, told = ending.game, ending.told
        nexts = (
            moment
            for moment in map(game.position, range(ending.number, len(game)))
            if views_of(moment).round.startswith("SR") and views_of(moment).round != views_of(ending.before).round
        )
        moment = next(nexts, None)
        if moment is None or moment.question is None:
            continue
        seats = [who.seat for who in told.order]
        assert sorted(seats) == sorted(moment.state.order)
        assert views_of(moment).progress().priority == seats[0]
        if views_of(moment).role(seats[0]) == "player" and moment.question.company is None:
            assert moment.question.decider == seats[0]
        assert told.order_changes == (seats != _order(ending.before))


def _order(game: Game) -> list[str]:
    """Of the players as the page shows them now, from whoever has priority."""
    seats = sorted((view.place, view.seat, view.has_priority) for view in views_of(game).players(None) if view.place)
    first = next(at for at, (_, _, priority) in enumerate(seats) if priority)
    return [seat for _, seat, _ in (*seats[first:], *seats[:first])]


@of_each
def test_companies_act_as_was_told(name: str) -> None:
    """But for those that are taken over before their turn."""
    for ending in endings(name):
        told = [each.company for each in ending.told.runs]
        acted = turns_after(ending)
        closed = [each for each in told if each not in acted]
        assert [each for each in told if each not in closed] == acted
        assert set(closed) <= set(getattr(ending.game.state, "closed", ())), "they were taken over"


@of_each
def test_papers_pay_what_was_told(name: str) -> None:
    """Local Railways and private papers pay before the first company acts; so does whoever else has an income there."""
    for ending in endings(name):
        paid: dict[str, int] = {}
        for event in _at_the_start(ending):
            if isinstance(event, Paid) and event.purpose == "incomes" and event.target in ending.before.state.order:
                paid[event.target] = paid.get(event.target, 0) + event.amount
        companies = set(ending.before.table.title.charters)
        told = {
            income.seat: sum(part.amount for part in income.parts if part.name not in companies)
            for income in ending.told.incomes
        }
        assert {seat: amount for seat, amount in told.items() if amount} == paid
        assert all(income.amount == sum(part.amount for part in income.parts) for income in ending.told.incomes)


def _at_the_start(ending: Ending) -> Iterator[object]:
    """What happens from the last pass on until a company acts; somebody may be asked meanwhile."""
    for record in ending.game.records[ending.number - 1 :]:
        if record is not ending.game.records[ending.number - 1] and record.action != Pass():
            return
        for event in record.events:
            if isinstance(event, TurnBegan):
                return
            yield event
        if any(isinstance(event, RoundBegan) and event.round.startswith("SR") for event in record.events):
            return


def test_companies_earn_what_was_told_where_nothing_is_built_before_they_run() -> None:
    """Nor anything bought: then the best run of now is the run that is made."""
    seen = 0
    for golden in GOLDEN:
        for ending in endings(golden.name):
            told = {each.company: each.amount for each in ending.told.earnings if each.source == "run"}
            made = dict(_runs_on_the_same_board(ending))
            assert made.items() <= told.items()
            seen += len(made)
    assert seen >= 5


def _runs_on_the_same_board(ending: Ending) -> Iterator[tuple[str, int]]:
    """Companies that then ran as they could have done before, with what they earned."""
    was = ending.before.state
    for number in range(ending.number + 1, len(ending.game)):
        record, state = ending.game.records[number - 1], ending.game.position(number - 1).state
        if (state.board, state.phase, state.trains) != (was.board, was.phase, was.trains):
            return
        runs = getattr(record.action, "runs", ())
        if runs and not any(getattr(run, "cars", ()) for run in runs):
            yield from ((event.company, event.amount) for event in record.events if isinstance(event, Revenue))


# Trains


@of_each
def test_phases_begin_after_as_many_trains_as_was_told(name: str) -> None:
    game = golden_game(name)
    for number in range(0, len(game), 11):
        for coming in outlook_view(game.position(number)).coming:
            if coming.begins and game.setup.title == "18CZ":
                assert _sold_before(game, number, coming.begins) in (coming.before, None)


def _sold_before(game: Game, number: int, phase: str) -> int | None:
    """How many trains left the stack before the one that began a phase; None if it never did."""
    gone = 0
    for record in game.records[number:]:
        for event in record.events:
            gone += isinstance(event, TrainMoved) and event.source == "stack"
            if isinstance(event, PhaseBegan) and event.phase == phase:
                return gone - 1
    return None


@of_each
def test_purchases_begin_the_phases_that_were_told(name: str) -> None:
    game = golden_game(name)
    for number, record in enumerate(game.records, start=1):
        face = getattr(record.action, "face", None)
        if record.action.__struct_config__.tag != "buy_train" or face is None:
            continue
        began = [event.phase for event in record.events if isinstance(event, PhaseBegan)]
        coming = outlook_view(game.position(number - 1)).coming
        told = [each.begins for each in coming if each.before == 0 and face in [sale.train for sale in each.sales]]
        assert [phase for phase in told if phase] == began[:1], f"answer {number}"


# At any moment


@of_each
def test_it_tells_nothing_of_lots(name: str) -> None:
    """Whatever the game will draw, it looks the same."""
    game = golden_game(name)
    for number in range(0, len(game), 41):
        moment = game.position(number)
        other = msgspec.structs.replace(moment.state, chance=987654321)
        assert outlook_view(moment) == outlook_view(Game.from_state(game.rulebook, game.setup, other))
