"""Text renderer of 18Mag: remarks on actions, previews, and the parsing of typed answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_args

from ostbahn.eighteen.text import BaseTextRenderer, QuestionsFile, hex_of_name, joined, lays_on, proceeds, track_words
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Accept, Action
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.money import director, holding, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.text.formatting import without_accents
from ostbahn.text.words import Names, Naming, plural
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.cars import car_price
from ostbahn.titles.mag.costs import station_cost, track_cost, train_cost
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.rounds import current_set, next_phase
from ostbahn.titles.mag.running import CAR_NAMES, best, checked_routes, owner_income
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stock import payout_spaces
from ostbahn.titles.mag.title import MagTitle, load_data
from ostbahn.titles.mag.track import terrain_cost, track_for_choices
from ostbahn.titles.mag.words.cards import supporter_effect, table_with_town
from ostbahn.titles.mag.words.words import WORDS, offer_terms


@cache
def _questions() -> QuestionsFile:
    return load_data("questions.toml", QuestionsFile)


def mag_table(game: Game) -> MagTable:
    table = game.table
    if not isinstance(table, MagTable):
        raise OstbahnError(f"{game.setup.title} is not 18Mag")
    return table


class MagTextRenderer(BaseTextRenderer[MagTable]):
    words = WORDS

    def names(self) -> Names:
        return {**super().names(), **{minor: self.table.name(minor) for minor in self.table.title.minors}}

    def remark(self, question: Question, action: Action) -> str:
        table = self.table
        match action:
            case mag.DraftMinor():
                return minor_words(table.title, action.minor)
            case mag.DraftShare() | mag.BuyShare() | mag.SellShares():
                return _share_remark(table, question, action)
            case mag.LayTile():
                return _track_remark(table, question, action)
            case mag.PlaceStation():
                price = station_cost(table, question.company or "", action)
                return joined(hex_of_name(table, action.city), f"costs {price} Ft")
            case mag.BuyCar():
                return _car_remark(table, question, action)
            case mag.RunTrains():
                return _run_remark(table, question, action)
            case mag.BuyTrain():
                return joined(f"costs {train_cost(table, action)} Ft", begun_phase_words(table, action.face))
            case mag.OfferForTrain():
                owner = table.state.owners.get(table.owner_of(action.card) or "")
                return "" if owner == question.decider else f"{table.name(owner)} decides"
            case mag.PayDividend():
                return _payout_remark(table, question, action)
            case Accept() if isinstance(question.task, tasks.Consent):
                return f"{question.task.offer.price} Ft"
            case _:
                return _module_remark(table, question, action)

    def matter(self, question: Question) -> str:
        """Words for the offer to accept or decline, or a company's resources."""
        task, table = question.task, self.table
        if isinstance(task, tasks.Consent):
            buyer = f"minor {task.company} ({table.name(table.state.owners.get(task.company))})"
            return f"{buyer} offers {offer_terms(task.offer, Naming(table), str(task.offer.price))}"
        return _resources(table, task.company) if isinstance(task, tasks.CompanyTask) else super().matter(question)

    def chapters(self, question: Question) -> tuple[str, ...]:
        title = self.table.title
        return _questions().chapters(question.kind, question, [title.variant, *title.modules])

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """Possible actions for a typed word; the case of hexes matters only on maps with lower-case ones."""
        table, task = self.table, question.task
        hexes = table.title.map.hexes
        hex_ = hexes.get(what) or hexes.get(what.upper())
        if hex_ is not None and isinstance(task, tasks.LayTrack):
            yield from _typed_lays(table, task, hex_)
        elif hex_ is not None and isinstance(task, tasks.EstablishStation | tasks.PlaceMarker):
            for node in range(len(table.state.board.face(table.title.tile_set, hex_).nodes) or 1):
                yield mag.PlaceStation(city_id(hex_.id, node))
        elif isinstance(task, tasks.Draft | tasks.StockRound):
            yield from _typed_papers(table, task, what)
        elif isinstance(task, tasks.PurchaseTrains):
            if (face := what.partition("-")[0]) in table.title.stacks:
                yield mag.BuyTrain(face)
        elif isinstance(task, tasks.OperateWithCars):
            yield from _typed_cars(table, what)

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        table = self.table
        assert isinstance(later, MagTable)
        match action:
            case mag.DraftMinor():
                spec = table.title.minor
                trains = " and ".join(f"a {face}-train" for face in spec.trains)
                yield f"minor {action.minor} gets {spec.cash} Ft from the bank, {trains} and {spec.stations} stations"
            case mag.BuyShare():
                yield self.certificates_then(later, question.decider)
            case mag.SellShares():
                yield self.certificates_then(later, question.decider)
                yield f"{action.major} may not be bought again in this share round"
            case mag.PayDividend():
                yield from _preview_payout(table, question.company or "", action.amount)
            case mag.BuyTrain() | mag.OfferForTrain():
                yield from _preview_trains(table, later, question.company or "", action)

    def accounts(self, seat: str) -> set[str]:
        return {*super().accounts(seat), *minors_of(self.table, seat)}

    def headline(self) -> list[str]:
        state = self.table.state
        phrases = [f"{state.phase} phase"]
        current = current_set(self.table)
        if current is not None and current.round:
            if current.last:
                phrases.append(f"the last set, of {current.length} operating rounds")
            elif state.phase_began:
                phrases.append("a phase began, so the set ends with this round")
            elif current.length > 1:
                phrases.append(f"set of {current.length} operating rounds")
        return phrases


def minor_words(title: MagTitle, minor: str) -> str:
    """Name, home and terrain tokens of a minor."""
    spec = title.minors[minor]
    tokens = plural(spec.terrain_tokens, "terrain token") if spec.terrain_tokens else ""
    return joined(f"{spec.name}, home {home_name(title, minor)} in {spec.home.hex}", tokens)


def home_name(title: MagTitle, minor: str) -> str:
    home = title.minors[minor].home
    printed = title.map[home.hex].printed
    return printed.city_names[home.node] if printed.city_names else printed.name or home.hex


def goods_sold(title: MagTitle, major: str) -> str:
    """Words for the goods of a major: "off-board cars", "2- and 4-trains"."""
    goods = [f"{CAR_NAMES[car]}s" for car, spec in title.rail_cars.items() if spec.major == major]
    services = {
        "terrain": "terrain",
        "extra_tile": "extra tiles",
        "station": "stations",
        "red_to_red": "sleeping cars from red to red",
    }
    goods += [services[service] for service, spec in title.services.items() if spec.major == major]
    trains = [face for face, stack in title.stacks.items() if stack.seller == major]
    if trains:
        goods.append(
            f"{'-, '.join(trains[:-1])}- and {trains[-1]}-trains" if len(trains) > 1 else f"{trains[0]}-trains"
        )
    return ", ".join(goods)


def _share_remark(table: MagTable, question: Question, action: mag.DraftShare | mag.BuyShare | mag.SellShares) -> str:
    major, price = action.major, chart.price(table, action.major)
    about = f"sells {goods_sold(table.title, major)}"
    if isinstance(action, mag.SellShares):
        return f"brings {proceeds(table, major, action.percent)} Ft; {price_after_sale(table, major)}"
    director_words = "makes you director" if _makes_director(table, question.decider, major) else ""
    price_words = f"price {price} Ft" if isinstance(action, mag.DraftShare) else f"costs {price} Ft"
    return f"{about}; {joined(price_words, director_words)}"


def price_after_sale(table: MagTable, major: str) -> str:
    return _price_move(table, major, table.title.chart.sale)


def _makes_director(table: MagTable, player: str, major: str) -> bool:
    """Whether one more share makes a player director: as a second share, or by exceeding the director."""
    current, held = director(table, major), holding(table, player, major)
    if current is None:
        return held > 0
    return current != player and held + share_unit(table, major) > holding(table, current, major)


def _price_move(table: MagTable, major: str, spaces: int) -> str:
    """Words for the price after a move."""
    prices, space = table.title.prices, chart.position(table, major)
    assert space is not None, f"{major} has no marker on the chart"
    target = min(max(space + spaces, 0), len(prices) - 1)
    if target == space:
        return f"the price stays at {prices[space]} Ft"
    return f"the price {'rises' if target > space else 'falls'} to {prices[target]} Ft"


def _track_remark(table: MagTable, question: Question, action: mag.LayTile) -> str:
    """Remark on a tile: its track, and what the minor pays or saves."""
    task, price, saving = question.task, "", ""
    if isinstance(task, tasks.LayTrack):
        terrain, extra, payer = track_cost(table, task, action)
        costs = [f"{terrain} Ft for the terrain"] if terrain and not payer else []
        costs += [f"{extra} Ft for the extra tile"] if extra else []
        price = f"costs {' and '.join(costs)}" if costs else ""
        saving = f"{payer} saves {terrain} Ft" if terrain and payer else ""
    elif isinstance(task, tasks.IstvanPromotes) and (terrain := terrain_cost(table, action.hex)):
        price = f"the bank pays {terrain} Ft for the terrain"  # XI.2.1/3
    return joined(hex_of_name(table, action.hex), track_words(table, action.tile, action.rotation), price, saving)


def _car_remark(table: MagTable, question: Question, action: mag.BuyCar) -> str:
    task, seller = question.task, table.title.rail_cars.get(action.car)
    if not isinstance(task, tasks.OperateWithCars) or seller is None:
        return ""
    before, after = best(table, task.company, task.cars), best(table, task.company, (*task.cars, action.car))
    income, mine_income = after.revenue - before.revenue, after.subsidy - before.subsidy
    gain = joined(f"{income:+} Ft" if income else "", f"mine {mine_income:+} Ft" if mine_income else "")
    return f"of {seller.major}, costs {car_price(table, task)} Ft; best run: {gain or 'no more than without it'}"


def _run_remark(table: MagTable, question: Question, action: mag.RunTrains) -> str:
    """Remark on a run: its earnings and their distribution."""
    task = question.task
    if not isinstance(task, tasks.OperateWithCars):
        return ""
    routes = checked_routes(table, task.company, action.runs, task.cars)
    if isinstance(routes, Refusal) or not routes:
        return ""
    minor, revenue = task.company, sum(route.revenue for route in routes)
    owner_part = owner_income(table, revenue)
    mine_income = sum(route.subsidy for route in routes)
    owner = table.name(table.state.owners[minor])
    mine_words = f", and {mine_income} Ft from the mine" if mine_income else ""
    earned = " + ".join(f"{route.revenue}" for route in routes)
    bonus = sum(route.red_to_red for route in routes)
    sleeping_cars = f"; {bonus} Ft of it from red to red, and the bank pays CIWL as much" if bonus else ""
    run = best(table, minor, task.cars)
    doubt = "" if run.proven else f"; not proven to be the best, but none brings more than {run.bound} Ft"
    shares = f"{owner} {owner_part} Ft, minor {minor} {revenue - owner_part} Ft{mine_words}"
    return f"earns {earned} Ft: {shares}{sleeping_cars}{doubt}"


def begun_phase_words(table: MagTable, face: str) -> str:
    """The phase that the next train from a stack begins, if any."""
    following = next_phase(table)
    return f"begins the {following} phase" if following and face in table.state.indicators else ""


def _payout_remark(table: MagTable, question: Question, action: mag.PayDividend) -> str:
    major = question.company or ""
    share = action.amount * share_unit(table, major) // 100
    return joined(
        f"{share} Ft a share" if share else "", _price_move(table, major, payout_spaces(table, action.amount))
    )


def _resources(table: MagTable, company: str) -> str:
    state = table.state
    if company not in table.title.minors:
        price = chart.price(table, company)
        return f"{company} has {state.cash[company]} Ft; markers left: {state.markers[company]}; price {price} Ft"
    phrases = [
        f"minor {company} has {state.cash[company]} Ft",
        f"trains: {', '.join(train.face for train in table.trains_of(company)) or 'none'}",
        f"stations left: {state.markers[company]}",
    ]
    tokens = table.terrain_tokens(company)
    if tokens != 0:
        phrases.append("the bank pays for terrain" if tokens is None else f"terrain tokens: {tokens}")
    return "; ".join(phrases)


def _module_remark(table: MagTable, question: Question, action: Action) -> str:
    """Remarks on actions of the expansion's modules (M)."""
    match action:
        case mag.DraftSupporter():
            return supporter_effect(action.supporter)
        case mag.BuyDirectorShare():
            return f"costs {chart.price(table, action.major)} Ft and the share you have; makes you director"
        case mag.TakeFromRothschild():
            return "once in an operating round, at any time of a minor's turn"
        case mag.AddTown():
            return _town_remark(table, question, action)
        case _:
            return ""


def _town_remark(table: MagTable, question: Question, action: mag.AddTown) -> str:
    """Remark on an additional town: the gain of the best run, once the minor is about to run."""
    task = question.task
    if not isinstance(task, tasks.OperateWithCars):
        return "in the run of this turn"
    with_town = best(table_with_town(table, action.card), task.company, task.cars)
    gain = with_town.worth - best(table, task.company, task.cars).worth
    return f"best run: {f'{gain:+} Ft' if gain else 'no more than without it'}"


def _preview_payout(table: MagTable, major: str, amount: int) -> Iterator[str]:
    """Dividend per share, and what the major keeps (VI.4.3)."""
    share = amount * share_unit(table, major) // 100
    yield f"{amount} Ft is {share} Ft a share ({share_unit(table, major)}%)"
    yield f"{major} keeps {table.state.cash[major] - amount} Ft"


def _preview_trains(
    table: MagTable, later: MagTable, minor: str, action: mag.BuyTrain | mag.OfferForTrain
) -> Iterator[str]:
    """Number of trains after a purchase, and the effect of a new phase (VI.3.8, VI.3.9)."""
    seller = table.owner_of(action.card) if isinstance(action, mag.OfferForTrain) else None
    is_pending = isinstance(action, mag.OfferForTrain) and later.owner_of(action.card) == seller
    if is_pending:
        yield f"{table.name(table.state.owners.get(seller or ''))} decides"
        return
    yield f"minor {minor} then has {len(later.trains_of(minor))} of {table.title.minor.train_limit} trains"
    if later.state.phase != table.state.phase:
        yield f"{later.state.phase} tiles can be laid, and the set of operating rounds ends with this one"


def _typed_lays(table: MagTable, task: tasks.LayTrack, hex_: Hex) -> Iterator[Action]:
    """Every lay on a hex, paid with money."""
    for tile, rotation in lays_on(table, hex_):
        for other in track_for_choices(table, task.company, hex_.id, tile):
            yield mag.LayTile(hex_.id, tile, rotation, track_for=other)


def _typed_papers(table: MagTable, task: tasks.Draft | tasks.StockRound, typed: str) -> Iterator[Action]:
    major = next((name for name in table.title.companies if without_accents(name) == without_accents(typed)), None)
    if isinstance(task, tasks.StockRound):
        if major is not None:
            yield mag.BuyShare(major)
            yield mag.SellShares(major, share_unit(table, major))
    elif major is not None:
        yield mag.DraftShare(major)
    elif typed in table.title.minors:
        yield mag.DraftMinor(typed)
    for supporter, spec in table.title.supporters.items() if isinstance(task, tasks.Draft) else ():
        if without_accents(typed) in (without_accents(supporter), without_accents(spec.short)):
            yield mag.DraftSupporter(supporter)


def _typed_cars(table: MagTable, typed: str) -> Iterator[Action]:
    """A rail car by its name or its seller."""
    for car in get_args(mag.Car):
        seller = table.title.rail_cars.get(car)
        if without_accents(typed) in (car.replace("_", "-"), without_accents(seller.major if seller else "")):
            yield mag.BuyCar(car)
