"""What comes next in 18CZ: forced purchases, scrapping and exports, told before and held to what then happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Paid, PhaseBegan, Record, TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyTrain
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.events import JoinedVaclav, LoanTaken
from ostbahn.titles.cz.state import OperatingRound, ReturnTrains, StockRound, Timetable
from ostbahn.titles.cz.words.text_renderer import cz_table
from ostbahn.views.outlook import LoserView, outlook_view
from tests.golden.games import GOLDEN, golden_game
from tests.titles.cz.scenes import scene, state_of

GAMES = [golden.name for golden in GOLDEN if golden.title == "18CZ"]
of_each = pytest.mark.parametrize("name", GAMES)


def answers(name: str) -> Iterator[tuple[Game, Record, Game]]:
    """Every answer of a golden game, with the game before and after it."""
    game = golden_game(name)
    for number, record in enumerate(game.records, start=1):
        yield game.position(number - 1), record, game.position(number)


def scrapped(events: Iterable[Event]) -> Counter[tuple[str, str]]:
    """Companies and faces that went to the scrap."""
    return Counter(
        (event.source, event.face)
        for event in events
        if isinstance(event, TrainMoved) and event.target == "scrap" and event.source != "pool"
    )


def foretold(losers: Iterable[LoserView]) -> Counter[tuple[str, str]]:
    return Counter((loser.company, face) for loser in losers for face in loser.trains)


# Emergency financing


def in_a_stock_round(game: Game) -> Game:
    """The same position when p1 comes to buy and sell in Stock Round 2."""
    second = [at for at, box in enumerate(cz_table(game).title.boxes) if box == "SR"][1]
    agenda = (Timetable(second + 1), StockRound(first=False, player="p1"))
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(state_of(game), agenda=agenda))


@pytest.mark.rule("18CZ VIII.11/1", "18CZ VIII.11/6")
def test_directors_add_and_borrow_what_was_told() -> None:
    seen = loans = 0
    for name in GAMES:
        for before, record, _ in answers(name):
            added = [e.amount for e in record.events if isinstance(e, Paid) and e.purpose == "emergencies"]
            if not added:
                continue
            company = before.question.company if before.question else None
            told = next(each for each in outlook_view(before).must_buy if each.company == company)
            assert isinstance(record.action, BuyTrain)
            if record.action.face == told.train:
                loan = sum(event.amount for event in record.events if isinstance(event, LoanTaken))
                assert (told.lacks, told.borrows, told.payer.seat) == (sum(added), loan, record.by)
                seen, loans = seen + 1, loans + bool(loan)
    assert seen >= 10
    assert loans >= 3


@pytest.mark.rule("18CZ VIII.10/1", "18CZ VIII.11/5", "18CZ VIII.11/12")
def test_who_must_buy_in_the_next_operating_round_is_told_in_the_stock_round() -> None:
    """EKJ (small) and BN (medium) have no train; p1 directs both, and a card d shows 3 for 120 and 3+3 for 180."""
    game = scene(
        phase="d",
        started={"EKJ": (60, "p1"), "BN": (55, "p1"), "OFE": (50, "p2")},
        shares={"EKJ": {"p1": 1}, "BN": {"p1": 1}, "OFE": {"p2": 1}},
        cash={"EKJ": 90, "BN": 40, "OFE": 500, "p1": 100},
        trains={},
    )
    game = in_a_stock_round(game)
    told = {each.company: each for each in outlook_view(game).must_buy}
    assert [each.company for each in outlook_view(game).must_buy] == ["EKJ", "BN", "OFE"], "as they act, by price"
    small, medium, rich = told["EKJ"], told["BN"], told["OFE"]
    assert (small.train, small.price, small.lacks, small.adds, small.borrows) == ("3", 120, 30, 30, 0)
    assert (medium.train, medium.price, medium.lacks, medium.adds, medium.borrows) == ("3+3", 180, 140, 70, 70)
    assert (rich.lacks, rich.adds, rich.borrows, rich.enough) == (0, 0, 0, True)
    assert medium.can_raise is not None
    assert medium.enough == (medium.can_raise >= 70)


@pytest.mark.rule("18CZ VIII.11/12")
def test_in_an_operating_round_nobody_can_sell_shares_for_it() -> None:
    game = scene(
        phase="d",
        started={"EKJ": (60, "p1")},
        shares={"EKJ": {"p1": 1}},
        cash={"EKJ": 0, "p1": 10},
        trains={},
        agenda=[OperatingRound(("EKJ",))],
    )
    (told,) = outlook_view(game).must_buy
    assert (told.can_raise, told.adds, told.borrows, told.enough) == (None, 10, 110, False)


@pytest.mark.rule("18CZ XI.1/14")
def test_vaclavs_companies_need_not_buy() -> None:
    game = golden_game("18CZ-bohemia-2")
    for number in range(0, len(game), 3):
        moment = game.position(number)
        assert not any(is_his(cz_table(moment), each.company) for each in outlook_view(moment).must_buy)


# Scrapping


@of_each
@pytest.mark.rule("18CZ VIII.12/18", "18CZ VIII.12/20", "18CZ VIII.12/22")
def test_purchases_scrap_what_was_told(name: str) -> None:
    for before, record, after in answers(name):
        if not isinstance(record.action, BuyTrain) or any(isinstance(event, JoinedVaclav) for event in record.events):
            continue
        if all(event.source != "stack" for event in record.events if isinstance(event, TrainMoved)):
            continue
        buyer = before.question.company if before.question else None
        coming = [each for each in outlook_view(before).coming if each.before == 0]
        losers = [
            loser for each in coming for sale in each.sales if sale.train == record.action.face for loser in sale.losers
        ]
        assert foretold(losers) == scrapped(record.events)
        asked = {task.company for task in after.state.agenda if isinstance(task, ReturnTrains)} - {buyer}
        assert {loser.company for loser in losers if loser.over_limit} - {buyer} == asked
        for loser in losers:
            bare = not [t for t in after.state.trains[loser.company] if _own(after, loser.company, t)]
            assert loser.company == buyer or loser.without == bare


def _own(game: Game, company: str, train: Train) -> bool:
    table = cz_table(game)
    return table.title.train_faces[train.face].size == table.size(company)


@of_each
@pytest.mark.rule("18CZ VIII.12/21", "18CZ VIII.13/1", "18CZ VIII.13/2")
def test_exports_scrap_what_was_told(name: str) -> None:
    seen = 0
    for before, record, _ in answers(name):
        if record.action != Pass():
            continue
        if not any(isinstance(event, TrainMoved) and event.target == "abroad" for event in record.events):
            continue
        leaving = outlook_view(before).leaving
        assert leaving is not None
        assert foretold(leaving.losers) == scrapped(record.events)
        assert [leaving.begins] == ([e.phase for e in record.events if isinstance(e, PhaseBegan)] or [""])
        seen += 1
    assert seen or name == "18CZ-bohemia-2"


@pytest.mark.rule("18CZ VIII.13/4")
def test_nothing_leaves_after_the_last_set() -> None:
    game = golden_game("18CZ-base-3")
    last = [number for number in range(len(game)) if cz_table(game.position(number)).state.round.startswith("OR 8.")]
    assert last
    assert all(outlook_view(game.position(number)).leaving is None for number in last[:: max(1, len(last) // 5)])


# The end of a Stock Round


@pytest.mark.rule("18CZ IX.3/3", "18CZ VII.2/3", "18CZ IV.1/5")
def test_by_hand_what_the_end_of_a_stock_round_brings() -> None:
    """OFE is sold out and rises from 60 to 63; p2 has the most money; L1 pays p3 before the companies act by price."""
    game = scene(
        phase="d",
        started={"EKJ": (65, "p1"), "OFE": (60, "p2")},
        shares={"EKJ": {"p1": 1}, "OFE": {"p2": 1, "p3": 1}},
        cash={"EKJ": 500, "OFE": 500, "p1": 90, "p2": 300, "p3": 120},
        locals_of={"L1": "p3"},
    )
    ended = outlook_view(in_a_stock_round(game)).ended
    assert ended is not None
    assert [(each.company, each.before, each.after, each.rule) for each in ended.markers] == [("OFE", 60, 63, "IX.3/3")]
    assert [who.seat for who in ended.order] == ["p2", "p3", "p1"]
    assert [each.company for each in ended.runs] == ["EKJ", "OFE"]
    assert {income.seat: income.amount for income in ended.incomes} == {"p1": 0, "p2": 0, "p3": 20}
