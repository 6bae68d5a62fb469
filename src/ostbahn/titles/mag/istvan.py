"""István, who plays by his cards (18Mag XI.2 to XI.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from ostbahn.kernel import certificates, chart
from ostbahn.kernel.agenda import Task
from ostbahn.kernel.board import Hex, city_id, hex_of
from ostbahn.kernel.certificates import director, holding, share_unit
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.hexes import opposite, sides_of
from ostbahn.kernel.ledger import BANK, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Noted, TrainMoved
from ostbahn.kernel.steps import Decision, Routine, Step
from ostbahn.titles.mag import operating, trains
from ostbahn.titles.mag.actions import Car, LayTile, OfferForTrain
from ostbahn.titles.mag.cars import service
from ostbahn.titles.mag.deck import CompanyCard, Deck, Entry
from ostbahn.titles.mag.draft import give_new_train
from ostbahn.titles.mag.payouts import pay_everything
from ostbahn.titles.mag.phases import train_sold
from ostbahn.titles.mag.running import best, split
from ostbahn.titles.mag.services import pay_parts, pay_service
from ostbahn.titles.mag.shares import certificate_limit, change_director_if_outdone, exchange_for_director
from ostbahn.titles.mag.state import (
    EndTurn,
    Istvan,
    IstvanBuys,
    IstvanPromotes,
    IstvanRuns,
    IstvanScraps,
    IstvanStation,
    IstvanStock,
    IstvanTrack,
    MagTable,
    PurchaseTrains,
    StockRound,
)
from ostbahn.titles.mag.stations import next_price, no_place, put
from ostbahn.titles.mag.title import Tables
from ostbahn.titles.mag.track import lay, lays, terrain_cost
from ostbahn.titles.mag.trains import no_room, take, trains_of
from ostbahn.titles.mag.turns import acted, passed
from ostbahn.titles.mag.two_player import TwoPlayerTitle

ISTVAN: Final = "p2"
"""His seat; the human has the first one."""


class SoloTitle(TwoPlayerTitle):
    """The solo game with its cards."""

    def __init__(self, tables: Tables, rules: SoloRules, deck: Deck | None = None) -> None:
        super().__init__(tables, "solo")
        self.solo = rules
        self.deck = deck or Deck((), ())


class SoloRules:
    """What chapter XI fixes beside the cards."""

    def __init__(self, fee: tuple[str, int, str], swaps: dict[int, str], income: dict[str, int], opponent: str) -> None:
        self.fee_phase, self.fee, self.fee_major = fee
        self.swaps = swaps
        self.income = income
        """For both sides at the start of an Operating Round, by phase."""
        self.opponent = opponent


class SoloTable(MagTable):
    title: SoloTitle

    @property
    def istvan(self) -> Istvan:
        board = self.state.istvan
        assert board is not None, "István has no board"
        return board

    def card(self, minor: str) -> CompanyCard:
        return self.title.deck.companies[self.istvan.cards[minor]]

    def entry(self, minor: str) -> Entry | None:
        """The next entry on a minor's card; each is done once, strictly one after another (XI.2.2/1)."""
        actions, done = self.card(minor).actions, self.istvan.done[minor]
        return actions[done] if done < len(actions) else None

    def finish_entry(self, minor: str) -> None:
        self.state.istvan = replace(self.istvan, done={**self.istvan.done, minor: self.istvan.done[minor] + 1})
        self.note(Noted("card entry done", minor, self.istvan.done[minor]))

    def free_stations(self, company: str) -> int:
        """A card may put a further station on the map (XI.2.2/5)."""
        extra = sum(entry.hex is not None for entry in self.card(company).setup) if is_his(self, company) else 0
        return super().free_stations(company) + extra

    def stock_turn(self, turn: StockRound) -> Task:
        return IstvanStock(turn) if turn.player == ISTVAN else turn


def is_his(table: MagTable, minor: str) -> bool:
    return table.state.owners.get(minor) == ISTVAN


# Operating Rounds


class NextCompany(operating.NextCompany):
    def minor_turn(self, table: MagTable, minor: str) -> None:
        """His minors act by their cards (XI.2)."""
        if not is_his(table, minor):
            super().minor_turn(table, minor)
            return
        table.note(Noted("turn", minor))
        table.push(
            EndTurn(minor),
            IstvanBuys(minor),
            IstvanRuns(minor),
            IstvanScraps(minor),
            IstvanStation(minor),
            IstvanTrack(minor),
        )

    def major_turn(self, table: MagTable, major: str) -> None:
        """Majors that he directs place no markers and pay out everything (XI.3/1)."""
        if director(table, major) != ISTVAN:
            super().major_turn(table, major)
            return
        table.note(Noted("turn", major))
        pay_everything(table, major)


# Track


class Track(Routine[SoloTable, IstvanTrack]):
    """One promotion, if there is one; among equally good ones the human chooses (XI.2.1)."""

    def proceed(self, table: SoloTable, task: IstvanTrack) -> None:
        table.pop()
        self._fee(table, task.company)
        found = promotions(table, task.company)
        # A tile that looks the same in several rotations is one possibility, but 0.1 asked for the rotation.
        alike = [rotation for lay in found for rotation in table.title.tile_set.alike[lay.tile][lay.rotation]]
        if len(alike) == 1:
            promote(table, task.company, found[0])
        elif found:
            table.push(IstvanPromotes(task.company))

    def _fee(self, table: SoloTable, minor: str) -> None:
        """In the yellow phase a minor with a train pays SzKÉV, if it has the money (XI.2.1/6)."""
        rules = table.title.solo
        due = table.state.phase == rules.fee_phase and trains_of(table, minor)
        if due and table.state.cash[minor] >= rules.fee:
            pay(table, minor, rules.fee_major, rules.fee, "building in the yellow phase")


def promotions(table: SoloTable, minor: str) -> list[LayTile]:
    """The promotions among which there is a choice: of the home, or else of the nearest cities (XI.2.1/4, /5)."""
    found: dict[str, list[LayTile]] = {}
    for hex_id, tile, rotation in lays(table, minor):
        if hex_id in table.state.board.tiles and "city" in table.title.tile_set.faces[tile][rotation].kinds:
            found.setdefault(hex_id, []).append(LayTile(hex_id, tile, rotation))
    home = table.title.minors[minor].home.hex
    if home in found:
        chosen = [home]
    else:
        stations = table.state.board.stations_of(minor)
        from_home = distances(table, minor, [city for city in stations if hex_of(city) == home])
        far = from_home if from_home.keys() & found.keys() else distances(table, minor, stations)
        nearest = min((far[hex_id] for hex_id in found if hex_id in far), default=0)
        chosen = [hex_id for hex_id in found if far.get(hex_id) == nearest]
    return [action for hex_id in chosen for action in best_joining(table, hex_id, found[hex_id])]


def distances(table: SoloTable, minor: str, stations: Sequence[str]) -> dict[str, int]:
    """For every hex with a city that track leads to from some stations, how many hexes away it is along the track."""
    board, title = table.state.board, table.title
    found: dict[str, int] = {}
    queue: list[tuple[Hex, int, int]] = []
    for city in stations:
        hex_id, _, number = city.partition(".")
        found[hex_id] = 0
        exits = board.face(title.tile_set, title.map[hex_id]).node_exits[int(number)]
        queue += [(title.map[hex_id], side, 0) for side in sides_of(exits)]
    seen: set[tuple[str, int]] = set()
    for here, side, steps in queue:
        there, entry = here.neighbours[side], opposite(side)
        if there is None or (there.id, entry) in seen:
            continue
        seen.add((there.id, entry))
        face = board.face(title.tile_set, there)
        onward = list(face.through[entry])
        for node in face.node_at[entry]:
            if face.nodes[node].kind == "city":
                found.setdefault(there.id, steps + 1)
            if not title.surveyor.closed(board, there, node, minor):
                onward += [other for other in sides_of(face.node_exits[node]) if other != entry]
        queue += [(there, other, steps + 1) for other in onward]
    return found


def best_joining(table: SoloTable, hex_id: str, actions: list[LayTile]) -> list[LayTile]:
    """Those that join the most loose tracks which end at the hex (XI.2.1/5)."""
    board, title = table.state.board, table.title
    hex_ = title.map[hex_id]
    old = board.face(title.tile_set, hex_).exits
    loose = 0
    for side, there in enumerate(hex_.neighbours):
        if there is not None and not old >> side & 1:
            loose |= (board.face(title.tile_set, there).exits >> opposite(side) & 1) << side
    joined = {a: (title.tile_set.faces[a.tile][a.rotation].exits & loose).bit_count() for a in actions}
    most = max(joined.values())
    return [action for action in actions if joined[action] == most]


def promote(table: SoloTable, minor: str, action: LayTile) -> None:
    """The bank pays for the terrain, as if his tokens had no end (XI.2.1/3)."""
    pay_service(table, BANK, "terrain", terrain_cost(table, action.hex), f"terrain of {action.hex}")
    lay(table, minor, action)


class Choose(Step[SoloTable, IstvanPromotes, LayTile]):
    """Only among the promotions that his rules leave open (XI.2.1/4, XI.2.1/5)."""

    action = LayTile

    def answers(self, table: SoloTable, task: IstvanPromotes) -> Iterator[Option]:
        for action in promotions(table, task.company):
            yield Option(action)

    def refusal(self, table: SoloTable, task: IstvanPromotes, action: LayTile) -> Refusal | None:
        allowed = promotions(table, task.company)
        if action in allowed:
            return None
        hexes = {other.hex for other in allowed}
        if action.hex not in hexes:
            where = " or ".join(sorted(hexes))
            return table.refuse("XI.2.1/4", f"minor {task.company} promotes its home or the nearest city: {where}")
        return table.refuse("XI.2.1/5", f"the new tile on {action.hex} must join as many loose tracks as it can")

    def perform(self, table: SoloTable, task: IstvanPromotes, action: LayTile) -> None:
        table.pop()
        promote(table, task.company, action)


class PromotionChosen(Decision[SoloTable, IstvanPromotes]):
    order_rule = "XI.2.1/4"
    asks_for = "which of István's promotions to lay"

    def decider(self, table: SoloTable, task: IstvanPromotes) -> str:
        return next(player for player in table.state.players if player != ISTVAN)

    def company(self, table: SoloTable, task: IstvanPromotes) -> str | None:
        return task.company


# Stations and trains


class Station(Routine[SoloTable, IstvanStation]):
    """A station that the card names, when it is connected, free and affordable (XI.2.2/7)."""

    def proceed(self, table: SoloTable, task: IstvanStation) -> None:
        table.pop()
        minor, entry = task.company, table.entry(task.company)
        if entry is None or entry.do != "station" or nothing_before_a_train(table, minor):
            return
        reached = table.title.surveyor.reach(table.state.board, minor).nodes
        nodes = range(len(table.state.board.face(table.title.tile_set, table.title.map[entry.hex or ""]).nodes))
        cities = [city_id(entry.hex or "", node) for node in nodes]
        places = [city for city in cities if city in reached and no_place(table, minor, city) is None]
        if not places or not table.state.markers[minor]:
            if table.ruled("istvan_closed_station") == "it is skipped":
                table.finish_entry(minor)
            return
        if next_price(table, minor) <= table.state.cash[minor]:
            pay_service(table, minor, "station", next_price(table, minor), "station")
            put(table, minor, places[0])
            table.finish_entry(minor)


def nothing_before_a_train(table: SoloTable, minor: str) -> bool:
    """The standing order of red cards: without a train it buys one first (XI.2.2/3)."""
    return bool(table.card(minor).standing) and not trains_of(table, minor)


class Scraps(Routine[SoloTable, IstvanScraps]):
    """With more than the threshold a 2-train makes room for a better one (XI.2.2/8, XI.2.2/9)."""

    def proceed(self, table: SoloTable, task: IstvanScraps) -> None:
        table.pop()
        minor, entry = task.company, table.entry(task.company)
        if entry is None or entry.do != "swap_over" or minor in table.istvan.swaps:
            return
        old = next((train for train in trains_of(table, minor) if train.face == "2"), None)
        if old is None or table.state.cash[minor] <= (entry.threshold or 0):
            return
        face = table.title.solo.swaps[entry.threshold or 0]
        before = table.state.trains
        take(table, minor, old.card)
        waits = table.ruled("istvan_scraps") == "only if he can pay after the run"
        if waits and cash_after_run(table, minor) < table.title.stacks[face].price:
            table.state.trains = before
            return
        table.note(TrainMoved(old.card, old.face, minor, "stack"))
        table.state.istvan = replace(table.istvan, swaps={**table.istvan.swaps, minor: face})


def cash_after_run(table: SoloTable, minor: str) -> int:
    """The treasury after the run with the trains that are left."""
    cars, price = useful_car(table, minor)
    found = best(table, minor, cars)
    numerator, denominator = table.title.minor.owner_part
    half = found.revenue - found.revenue * numerator // denominator
    return table.state.cash[minor] - price + half + found.subsidy


def useful_car(table: SoloTable, minor: str) -> tuple[tuple[Car, ...], int]:
    """The service of RÁBA's that earns more, if it earns anything and can be paid (XI.2.2/4)."""
    price = table.phase.rail_cars[0]
    if price > table.state.cash[minor]:
        return (), 0
    gains: dict[Car, int] = {car: best(table, minor, (car,)).worth for car in ("off_board", "plus")}
    chosen: Car = "plus" if gains["plus"] > gains["off_board"] else "off_board"
    return ((chosen,), price) if gains[chosen] > best(table, minor).worth else ((), 0)


class Runs(Routine[SoloTable, IstvanRuns]):
    """For the most, with RÁBA's help whenever it helps (XI.2.2/4)."""

    def proceed(self, table: SoloTable, task: IstvanRuns) -> None:
        table.pop()
        minor = task.company
        cars, price = useful_car(table, minor)
        for car in cars:
            seller = service(table, car)
            assert seller is not None
            pay_parts(table, minor, seller.major, price, seller.part, f"rail car {car}")
        found = best(table, minor, cars)
        split(table, minor, found.revenue, found.subsidy)


class Buys(Routine[SoloTable, IstvanBuys]):
    """What his card says, and nothing else (XI.2.2/6, XI.2.2/13)."""

    def proceed(self, table: SoloTable, task: IstvanBuys) -> None:
        table.pop()
        minor = task.company
        if minor in table.istvan.swaps:
            if not buy(table, minor, table.istvan.swaps[minor]):
                return
            swaps = {other: face for other, face in table.istvan.swaps.items() if other != minor}
            table.state.istvan = replace(table.istvan, swaps=swaps)
            table.finish_entry(minor)
        if nothing_before_a_train(table, minor) and not buy(table, minor, "2"):
            return
        while (entry := table.entry(minor)) is not None and carry_out(table, minor, entry):
            table.finish_entry(minor)


def buy(table: SoloTable, minor: str, face: str) -> bool:
    """A train from its stack, if there is room and money."""
    stack = table.title.stacks[face]
    if no_room(table, minor) is not None or stack.price > table.state.cash[minor]:
        return False
    pay_parts(table, minor, stack.seller, stack.price, stack.part, f"{face}-train")
    give_new_train(table, minor, face)
    train_sold(table, face)
    return True


def carry_out(table: SoloTable, minor: str, entry: Entry) -> bool:
    """Do an entry that belongs in the purchase of trains; whether it is done."""
    match entry.do:
        case "buy_train":
            return buy(table, minor, entry.train or "")
        case "buy_2_up":
            higher = others_of(table, minor, higher=True)
            return not higher or buy_used(table, minor, higher, entry.price or 0)
        case "buy_2_up_or_down":
            up, down = others_of(table, minor, higher=True), others_of(table, minor, higher=False)
            return buy_used(table, minor, up, entry.price_up or 0) or buy_used(
                table, minor, down, entry.price_down or 0
            )
        case _:
            return False


def others_of(table: SoloTable, minor: str, higher: bool) -> list[str]:
    """His other minors with higher or lower numbers, the nearest first."""
    found = [other for other in table.istvan.cards if (int(other) > int(minor)) == higher and other != minor]
    return sorted(found, key=int, reverse=not higher)


def buy_used(table: SoloTable, minor: str, sellers: list[str], price: int) -> bool:
    """A 2-train of the first of the sellers that has one (XI.2.2/10, XI.2.2/11)."""
    for seller in sellers:
        for train in trains_of(table, seller):
            if train.face == "2":
                if no_room(table, minor) is not None or price > table.state.cash[minor]:
                    return False
                trains.trade(table, minor, OfferForTrain(train.card, price))
                return True
    return False


class BuyFromMinor(trains.BuyFromMinor):
    def refusal(self, table: MagTable, task: PurchaseTrains, action: OfferForTrain) -> Refusal | None:
        """István trades among his own minors only (XI.2.2/10)."""
        seller = trains.owner_of(table, action.card)
        if seller is not None and is_his(table, seller):
            return table.refuse("XI.2.2/10", f"minor {seller} is István's, who sells trains to his own minors only")
        return super().refusal(table, task, action)


# Share Rounds


class Stock(Routine[SoloTable, IstvanStock]):
    """He buys the topmost major on his share card that he can have; he never sells (XI.4/2, XI.4/8)."""

    def proceed(self, table: SoloTable, task: IstvanStock) -> None:
        table.replace(task.turn)
        major = wanted_share(table)
        if major is None:
            passed(table, task.turn)
            return
        pay(table, ISTVAN, BANK, chart.price(table, major), f"share of {major}")
        certificates.move(table, major, certificates.ordinary(table, BANK, major)[0], ISTVAN)
        exchange_for_director(table, major, ISTVAN)
        change_director_if_outdone(table, major)
        acted(table, task.turn)


def wanted_share(table: SoloTable) -> str | None:
    bound = table.ruled("istvan_certificate_limit") == "yes"
    if bound and certificates.count(table, ISTVAN) >= certificate_limit(table):
        return None
    for wish in table.title.deck.shares[table.istvan.share_card].order:
        most = min(wish.max_percent, table.title.major.holding_limit)
        if (
            chart.price(table, wish.major) <= table.state.cash[ISTVAN]
            and certificates.ordinary(table, BANK, wish.major)
            and holding(table, ISTVAN, wish.major) + share_unit(table, wish.major) <= most
        ):
            return wish.major
    return None
