"""The accounts of a game agree with its states to the last coin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from ostbahn.bots.playing import RandomBot
from ostbahn.interop import files
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid, Revenue
from ostbahn.kits.catalogue import new_game
from ostbahn.review.accounts import SETTING_UP, Accounts, accounts_of
from tests.golden.games import golden_game
from tests.interop.reference import MISSING, imported, reference_games

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = sorted(path for path in GOLDEN.glob("*.json") if not path.name.endswith(".18xx.json"))
REFERENCE = reference_games("18CZ") + reference_games("18Mag")
THREE_CZ, SOLO = GOLDEN / "18CZ-base-3.json", GOLDEN / "18Mag-solo-1-easy-short.json"


def differences(game: Game, accounts: Accounts) -> Iterator[str]:
    """Where payments do not lead from one sum to the next."""
    for number, round_ in enumerate(accounts.rounds, start=1):
        sums = {each.seat: each.cash for each in round_.players}
        sums |= {each.company: each.treasury for each in round_.companies if each.treasury is not None}
        for account, amount in sums.items():
            if accounts.balance(account, number) != amount:
                yield f"{round_.name}: {account} has {amount}, by payments {accounts.balance(account, number)}"
    for account, amount in game.state.cash.items():
        if accounts.balance(account, len(accounts.rounds)) != amount:
            yield f"now: {account} has {amount}"


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_payments_lead_from_each_round_to_the_next(path: Path) -> None:
    game = golden_game(path.stem)
    accounts = accounts_of(game)
    assert not list(differences(game, accounts))
    assert sum(accounts.opening.values()) == 0, "the bank's account included"


@pytest.mark.skipif(not REFERENCE, reason=MISSING)
def test_the_same_holds_in_games_of_people_and_of_the_site() -> None:
    for path in REFERENCE:
        game = imported(path).game
        accounts = accounts_of(game)
        assert not list(differences(game, accounts)), path.stem
        assert not list(accounts.differences()), path.stem
        assert sum(accounts.opening.values()) == 0, path.stem
        if path.parent.name == "18Mag":
            for major, services in accounts.services().items():
                assert sum(services.values()) == sum(flow.received for flow in accounts.flows(major).values())


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_payment_says_what_it_is_for(path: Path) -> None:
    game = golden_game(path.stem)
    accounts = accounts_of(game)
    assert {each.why for each in accounts.payments if each.purpose == "other"} == set()
    assert sum(each.amount for each in accounts.payments) == sum(
        event.amount
        for events in [game.opening, *(record.events for record in game.records)]
        for event in events
        if isinstance(event, Paid)
    )


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_wealth_in_the_end_is_that_of_the_reckoning(path: Path) -> None:
    game = golden_game(path.stem)
    accounts = accounts_of(game)
    assert accounts.over
    assert {each.seat: each.worth for each in accounts.rounds[-1].players} == game.worth()


def test_what_companies_earn_they_pay_out_or_keep() -> None:
    """18CZ VIII.8: nothing of a run is lost."""
    game = files.open_game(THREE_CZ)
    accounts = accounts_of(game)
    kept: Counter[str] = Counter()
    for each in accounts.payments:
        if each.purpose == "runs":
            kept[each.target] += each.amount
    assert sum(kept.values()) > 0, "somebody withholds"
    ran: Counter[str] = Counter()
    for record in game.records:
        for event in record.events:
            if isinstance(event, Revenue):
                ran[event.company] += event.amount
    for company, amount in ran.items():
        figures = [each for round_ in accounts.rounds for each in round_.companies if each.company == company]
        assert sum(each.revenue for each in figures) == amount
        assert sum(each.paid for each in figures) + kept[company] == amount


def test_incomes_of_players_are_what_they_received_for_holdings() -> None:
    game = files.open_game(GOLDEN / "18Mag-base-3.json")
    accounts = accounts_of(game)
    earned = sum(
        each.amount
        for each in accounts.payments
        if each.target in game.state.players and each.why.startswith(("dividend of", "half of the income of"))
    )
    assert sum(each.income for round_ in accounts.rounds for each in round_.players) == earned > 0


def test_what_follows_the_end_of_a_round_belongs_to_the_next_one() -> None:
    """Local Railways pay when an Operating Round begins, with the answer that ends the Stock Round (18CZ IV.1/2)."""
    accounts = accounts_of(files.open_game(THREE_CZ))
    local = [each for each in accounts.payments if each.purpose == "incomes"]
    assert local
    assert all(each.round.startswith("OR") for each in local)
    before = {each.name: each for each in accounts.rounds}
    stock = before["SR 1"]
    assert any(each.number == stock.last for each in local), "the same answer"


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_came_and_went_makes_what_is_left(path: Path) -> None:
    game = golden_game(path.stem)
    accounts = accounts_of(game)
    for account, amount in game.state.cash.items():
        flows = accounts.flows(account).values()
        gained = sum(flow.received for flow in flows) - sum(flow.spent for flow in flows)
        assert accounts.opening[account] + gained == amount, account


SERVICES = {
    **{"SzKÉV": {"track", "stations"}, "SIK": {"track"}, "MÁVAG": {"trains"}, "LdStEG": {"trains"}},
    **{major: {"cars"} for major in ("RÁBA", "G&C", "SNW")},
}
"""18Mag III.3.3: extra tiles and stations, terrain, small and large trains, and three kinds of rail cars."""


@pytest.mark.parametrize("major", SERVICES)
def test_a_major_lives_on_what_it_sells(major: str) -> None:
    flows = accounts_of(files.open_game(GOLDEN / "18Mag-base-3.json")).flows(major)
    assert {purpose for purpose, flow in flows.items() if flow.received} == SERVICES[major]


SOLD_BY = {
    "RÁBA": {"off-board car"},
    "G&C": {"plus car"},
    "SNW": {"mine car"},
    "SIK": {"terrain"},
    "SzKÉV": {"extra tile", "station"},
    "LdStEG": {"2-train", "4-train"},
    "MÁVAG": {"3-train", "6-train"},
    "CIWL": {"sleeping cars from red to red"},
}
"""18Mag III.3.3, tables 2 to 4 and 7, and M.4/9."""


@pytest.mark.parametrize("path", [path for path in GAMES if "Mag-base" in path.name], ids=lambda path: path.stem)
def test_what_majors_earned_by_services_is_all_that_they_received(path: Path) -> None:
    accounts = accounts_of(golden_game(path.stem))
    services = accounts.services()
    for major, service in SOLD_BY.items():
        sold, flows = services.get(major, Counter()), accounts.flows(major)
        assert set(sold) <= service
        assert sum(sold.values()) == sum(flow.received for flow in flows.values())
        paid = sum(each.paid for round_ in accounts.rounds for each in round_.companies if each.company == major)
        assert paid == (flows["dividends"].spent if paid else 0)
    assert services.keys() <= SOLD_BY.keys()
    assert len(services) >= 6, "nearly all of them sell something"


def test_where_companies_sell_nothing_there_are_no_services() -> None:
    assert accounts_of(files.open_game(THREE_CZ)).services() == {}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_accounts_check_themselves(path: Path) -> None:
    accounts = accounts_of(golden_game(path.stem))
    assert not list(accounts.differences())
    at = len(accounts.payments) // 2
    wrong = structs.replace(accounts.payments[at], amount=accounts.payments[at].amount + 1)
    forged = structs.replace(accounts, payments=(*accounts.payments[:at], wrong, *accounts.payments[at + 1 :]))
    assert list(forged.differences()), "a coin too much would be found"


def test_phases_and_trains_are_told_with_their_rounds() -> None:
    game = files.open_game(THREE_CZ)
    accounts = accounts_of(game)
    assert [each.phase for each in accounts.phases] == sorted(each.phase for each in accounts.phases)
    assert accounts.phases[-1].phase == game.state.phase
    for each in accounts.trains:
        round_ = next(round_ for round_ in accounts.rounds if round_.name == each.round)
        assert each.number <= round_.last
    owned = {company: len(trains) for company, trains in game.state.trains.items() if trains}
    assert set(owned) <= {each.company for each in accounts.trains}


def test_a_director_and_an_owner_are_told_alike() -> None:
    accounts = accounts_of(files.open_game(SOLO))
    last = accounts.rounds[-1]
    for player in last.players:
        assert {each.company for each in last.companies if each.director == player.seat} == set(player.directs)
    assert any(player.directs for player in last.players)


@pytest.mark.parametrize(
    ("title", "names"), [("18CZ", ["Anna", "Ben", "Cyril"]), ("18Mag", ["Anna", "Ben", "Cyril", "Dana"])]
)
@pytest.mark.parametrize("answers", [0, 1, 40, 150, 333])
def test_a_running_game_has_accounts_too(title: str, names: list[str], answers: int) -> None:
    game, bot = new_game(title, names, seed=11), RandomBot(3)
    while len(game) < answers and game.question is not None:
        game.apply(bot.choose(game.question, game))
    accounts = accounts_of(game)
    assert not list(differences(game, accounts))
    assert accounts.over == game.over
    assert len({round_.name for round_ in accounts.rounds}) == len(accounts.rounds)
    assert SETTING_UP not in {round_.name for round_ in accounts.rounds}
    assert BANK in accounts.opening
