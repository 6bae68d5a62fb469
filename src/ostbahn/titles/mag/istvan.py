"""István, the automaton of the solo game: turns, company cards and shares (18Mag XI.2 to XI.4)."""

from __future__ import annotations

from msgspec.structs import replace

from ostbahn.eighteen.running import note_revenue
from ostbahn.kernel import chart, money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK, director, holding, share_unit
from ostbahn.kernel.records import TrainMoved, TurnBegan
from ostbahn.kernel.steps import Routine
from ostbahn.titles.mag import rounds, trains
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.actions import Car, OfferForTrain
from ostbahn.titles.mag.deck import CardEntry
from ostbahn.titles.mag.events import CardEntryDone, CardEntrySkipped
from ostbahn.titles.mag.impossible_entries import TWO_TRAIN, is_impossible
from ostbahn.titles.mag.majors import pay_major_and_bank, pay_out_treasury, pay_service
from ostbahn.titles.mag.running import CAR_NAMES, best, owner_income, split_income
from ostbahn.titles.mag.solo_table import ISTVAN, SoloTable, is_istvans
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stations import next_price, place_from_charter, placement_refusal
from ostbahn.titles.mag.stock import buy_share_and_end_turn, end_turn_by_pass
from ostbahn.titles.mag.trains import train_limit_refusal

# His turns in an Operating Round


class SoloNextCompany(rounds.NextCompany):
    def minor_turn(self, table: MagTable, minor: str) -> None:
        """Begin the turn of a minor; István's minors act by their cards (XI.2)."""
        if not is_istvans(table, minor):
            super().minor_turn(table, minor)
            return
        table.note(TurnBegan(minor))
        table.push(
            tasks.EndTurn(minor),
            tasks.IstvanBuys(minor),
            tasks.IstvanRuns(minor),
            tasks.IstvanScraps(minor),
            tasks.IstvanStation(minor),
            tasks.IstvanTrack(minor),
        )

    def major_turn(self, table: MagTable, major: str) -> None:
        """Begin the turn of a major; one directed by István places no marker and pays out everything (XI.3/1)."""
        if director(table, major) != ISTVAN:
            super().major_turn(table, major)
            return
        table.note(TurnBegan(major))
        pay_out_treasury(table, major)


# His company cards: stations, scrapping, running and buying trains


class StationByCard(Routine[SoloTable, tasks.IstvanStation]):
    """Place the station of the next entry once it is connected, free and affordable (XI.2.2/7)."""

    def proceed(self, table: SoloTable, task: tasks.IstvanStation) -> None:
        table.pop()
        minor = task.company
        if must_buy_first_train(table, minor):
            return
        skip_impossible_entries(table, minor)
        entry = table.entry(minor)
        if entry is None or entry.do != "station":
            return
        reachable = table.title.surveyor.reach(table.state.board, minor).nodes
        nodes = range(len(table.state.board.face(table.title.tile_set, table.title.map[entry.hex or ""]).nodes))
        cities = [city_id(entry.hex or "", node) for node in nodes]
        open_cities = [city for city in cities if city in reachable and placement_refusal(table, minor, city) is None]
        if not open_cities or not table.state.markers[minor]:
            if table.ruled("istvan_closed_station") == "it is skipped":
                table.finish_entry(minor, CardEntrySkipped)
            return
        if next_price(table, minor) <= table.state.cash[minor]:
            pay_service(table, minor, "station", next_price(table, minor), "station", "stations")
            place_from_charter(table, minor, open_cities[0])
            table.finish_entry(minor, CardEntryDone)


def must_buy_first_train(table: SoloTable, minor: str) -> bool:
    """Whether the standing order of a red card applies: without a train, buy one first (XI.2.2/3)."""
    return bool(table.card(minor).standing) and not table.trains_of(minor)


def skip_impossible_entries(table: SoloTable, minor: str) -> None:
    """Skip impossible entries if the ruling says so; called in the first step that reads the card."""
    if table.ruled("istvan_impossible_entry") == "it is skipped":
        while (entry := table.entry(minor)) is not None and is_impossible(table, minor, entry):
            table.finish_entry(minor, CardEntrySkipped)


class ScrapByCard(Routine[SoloTable, tasks.IstvanScraps]):
    """Scrap a 2-train for a better one when the treasury is above the threshold (XI.2.2/8, XI.2.2/9)."""

    def proceed(self, table: SoloTable, task: tasks.IstvanScraps) -> None:
        table.pop()
        minor, entry = task.company, table.entry(task.company)
        if entry is None or entry.do != "swap_over" or minor in table.istvan.swaps:
            return
        two_train = next((train for train in table.trains_of(minor) if train.face == TWO_TRAIN), None)
        if two_train is None or table.state.cash[minor] <= (entry.threshold or 0):
            return
        face = table.title.solo.swaps[entry.threshold or 0]
        trains_before = table.state.trains
        table.take_train(minor, two_train.card)
        must_afford = table.ruled("istvan_scraps") == "only if he can pay after the run"
        if must_afford and cash_after_run(table, minor) < table.title.stacks[face].price:
            table.state.trains = trains_before
            return
        table.note(TrainMoved(two_train.card, two_train.face, minor, "stack"))
        table.state.istvan = replace(table.istvan, swaps={**table.istvan.swaps, minor: face})


def cash_after_run(table: SoloTable, minor: str) -> int:
    """Treasury of a minor after a run with its present trains."""
    cars, car_price = useful_car(table, minor)
    run = best(table, minor, cars)
    minor_part = run.revenue - owner_income(table, run.revenue)
    return table.state.cash[minor] - car_price + minor_part + run.subsidy


def useful_car(table: SoloTable, minor: str) -> tuple[tuple[Car, ...], int]:
    """RÁBA's better rail car with its price; none if useless or unaffordable (XI.2.2/4)."""
    price = table.phase.rail_cars[0]
    if price > table.state.cash[minor]:
        return (), 0
    gains: dict[Car, int] = {car: best(table, minor, (car,)).worth for car in ("off_board", "plus")}
    chosen: Car = "plus" if gains["plus"] > gains["off_board"] else "off_board"
    return ((chosen,), price) if gains[chosen] > best(table, minor).worth else ((), 0)


class RunWithBestCar(Routine[SoloTable, tasks.IstvanRuns]):
    """Run for the most, with a rail car of RÁBA if useful (XI.2.2/4)."""

    def proceed(self, table: SoloTable, task: tasks.IstvanRuns) -> None:
        table.pop()
        minor = task.company
        cars, price = useful_car(table, minor)
        for car in cars:
            pay_major_and_bank(table, minor, table.title.rail_cars[car], price, CAR_NAMES[car], "cars")
        run = best(table, minor, cars)
        note_revenue(table, minor, run.revenue, run.paths)
        split_income(table, minor, run.revenue, run.subsidy)


class BuyByCard(Routine[SoloTable, tasks.IstvanBuys]):
    """Buy only what the card says (XI.2.2/6, XI.2.2/13)."""

    def proceed(self, table: SoloTable, task: tasks.IstvanBuys) -> None:
        """A pending exchange comes first; if unaffordable, the standing order still holds (XI.2.2/3)."""
        table.pop()
        minor = task.company
        if minor in table.istvan.swaps:
            self._carry_out_entries(table, minor)
        if not must_buy_first_train(table, minor) or buy_from_stack(table, minor, TWO_TRAIN):
            self._carry_out_entries(table, minor)

    def _carry_out_entries(self, table: SoloTable, minor: str) -> None:
        while (entry := table.entry(minor)) is not None and carry_out_purchase(table, minor, entry):
            pass


def buy_from_stack(table: SoloTable, minor: str, face: str) -> bool:
    """Buy a train from its stack if limit and treasury allow; return whether the minor bought it."""
    price = table.title.stacks[face].price
    if train_limit_refusal(table, minor) is not None or price > table.state.cash[minor]:
        return False
    trains.sell_from_stack(table, minor, face, price)
    return True


def carry_out_purchase(table: SoloTable, minor: str, entry: CardEntry) -> bool:
    """Carry out a purchase on the card; return whether the next entry may follow."""
    higher, done = other_minors(table, minor, higher=True), False
    match entry.do:
        case "buy_train":
            done = buy_from_stack(table, minor, entry.train or "")
        case "swap_over":
            done = minor in table.istvan.swaps and buy_from_stack(table, minor, table.istvan.swaps[minor])
        case "buy_2_up" if not higher:
            table.finish_entry(minor, CardEntrySkipped)  # the highest of his minors buys nothing (XI.2.2/10)
            return True
        case "buy_2_up":
            done = buy_used_train(table, minor, higher, entry.price or 0)
        case "buy_2_up_or_down":
            lower = other_minors(table, minor, higher=False)
            done = buy_used_train(table, minor, higher, entry.price_up or 0)
            done = done or buy_used_train(table, minor, lower, entry.price_down or 0)
    if done:
        table.finish_entry(minor, CardEntryDone)
    return done


def other_minors(table: SoloTable, minor: str, higher: bool) -> list[str]:
    """István's other minors with higher or lower numbers, the nearest first."""
    others = [other for other in table.istvan.cards if (int(other) > int(minor)) == higher and other != minor]
    return sorted(others, key=int, reverse=not higher)


def buy_used_train(table: SoloTable, minor: str, sellers: list[str], price: int) -> bool:
    """Buy a 2-train from the first seller that has one; return whether the minor bought it (XI.2.2/10, XI.2.2/11)."""
    for seller in sellers:
        for train in table.trains_of(seller):
            if train.face == TWO_TRAIN:
                if train_limit_refusal(table, minor) is not None or price > table.state.cash[minor]:
                    return False
                trains.trade_train(table, minor, OfferForTrain(train.card, price))
                return True
    return False


class SoloBuyFromMinor(trains.BuyFromMinor):
    def sale_refusal(self, table: MagTable, seller: str) -> Refusal | None:
        """István trades among his own minors only (XI.2.2/10)."""
        if is_istvans(table, seller):
            return table.refuse("XI.2.2/10", f"minor {seller} is István's, who sells trains to his own minors only")
        return None


# His turns in Share Rounds


class BuyByShareCard(Routine[SoloTable, tasks.IstvanStock]):
    """Buy a share of the first major on the share card that he may and can buy; never sell (XI.4/2, XI.4/8)."""

    def proceed(self, table: SoloTable, task: tasks.IstvanStock) -> None:
        table.replace(task.turn)
        major = share_to_buy(table)
        if major is None:
            end_turn_by_pass(table, task.turn)
        else:
            buy_share_and_end_turn(table, task.turn, major)


def share_to_buy(table: SoloTable) -> str | None:
    """The first major on the share card that István may buy and can afford (XI.4/2)."""
    limit_applies = table.ruled("istvan_certificate_limit") == "yes"
    if limit_applies and money.count_certificates(table, ISTVAN) >= table.certificate_limit:
        return None
    for preference in table.title.deck.shares[table.istvan.share_card].order:
        major = preference.major
        limit = min(preference.max_percent, table.title.major.holding_limit)
        if (
            chart.price(table, major) <= table.state.cash[ISTVAN]
            and money.ordinary_certificates(table, BANK, major)
            and holding(table, ISTVAN, major) + share_unit(table, major) <= limit
        ):
            return major
    return None
