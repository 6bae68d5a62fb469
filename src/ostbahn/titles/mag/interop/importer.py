"""Import of 18Mag games exported by 18xx.games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from ostbahn.interop.importer import Importer, SiteEntry
from ostbahn.kernel import money
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, Refusal
from ostbahn.kernel.money import BANK
from ostbahn.kernel.state import Task
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.interop.steps import SITE_MAJORS, next_site_question, site_waits, skip_decision, waits_for_sina
from ostbahn.titles.mag.modules.standard_divs import full_payout
from ostbahn.titles.mag.modules.supporters_table import DDSG, SINA
from ostbahn.titles.mag.running import assignments, best, checked_routes
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.track import terrain_cost

MAJORS: Final = {site: ours for ours, site in SITE_MAJORS.items()}

CARS: Final[Mapping[str, mag.Car]] = {"Offboard": "off_board", "Plus": "plus", "Mine": "mine"}
"""Rail car by a keyword in the site's description."""

STEPS: Final[Mapping[str, tuple[type[Task], ...]]] = {
    "lay_tile": (tasks.LayTrack,),
    "place_token": (tasks.EstablishStation, tasks.PlaceMarker),
    "discard_train": (tasks.ScrapTrains,),
    "run_routes": (tasks.OperateWithCars,),
    "buy_train": (tasks.PurchaseTrains,),
    "dividend": (tasks.PayOut,),
}
"""Entry type to the tasks in which it occurs."""


class MagImporter(Importer[MagTable]):
    turns = (tasks.StockRound,)

    def __init__(self, document: Mapping[str, Any]) -> None:
        modules = tuple(map(str, (document.get("settings") or {}).get("optional_rules") or ()))
        super().__init__(document, "18Mag", "two_player" if len(document["players"]) == 2 else "base", modules)
        self.cards: defaultdict[str, list[str]] = defaultdict(list)
        """The site's train id to ours, the latest last: the site reuses some ids."""
        self.feketehazy: tuple[str, str] | None = None
        """Minor and Operating Round in which Feketeházy, declared before the tile, pays the next terrain."""

    def company(self, site: str) -> str:
        return MAJORS.get(site, site)

    def acts_for(self, private: SiteEntry) -> str:
        """The minor that a supporter acts for: the one in turn on the site."""
        question = next_site_question(self.game)
        return (question and question.company) or ""

    # Entries of the file

    def apply_entry(self, entry: SiteEntry) -> None:
        actor = self.actor(entry)
        while self.to_move() != actor:
            self.skip()
        if entry["type"] == "pass":
            lingering, self.lingering = self.lingering, None
            if lingering != actor:  # else the pass ends a track step that is over for us
                self.skip()
            return
        if entry.get("choice") == "virtual_token":
            self.feketehazy = (actor, self.table.state.round)
            return
        if self.discards_nothing(entry, actor):
            return
        task_types = self.step_of(entry)
        while task_types and not isinstance(self.question.task, task_types):
            self.skip()
        was_laying = isinstance(self.question.task, tasks.LayTrack)
        self.game.apply(self.translate(entry, actor))
        if was_laying and not isinstance(self.question.task, tasks.LayTrack) and waits_for_sina(self.table, actor):
            self.lingering = actor

    def step_of(self, entry: SiteEntry) -> tuple[type[Task], ...]:
        """The tasks in which an entry occurs; empty if it depends on the context."""
        if entry["type"] == "special_buy":
            return (tasks.LayTrack,) if "Terrain" in entry["description"] else (tasks.OperateWithCars,)
        if entry["type"] == "choose_ability":
            return (tasks.LayTrack,) if entry["choice"] == "virtual_token" else ()
        return STEPS.get(entry["type"], ())

    def skip(self) -> None:
        skip_decision(self.game)

    def skip_to_next_entry(self) -> None:
        """Pass everything that the site passed by itself before the next action of the file, or at its end."""
        while not self.game.over and not self.is_lingering and not (self.site_waits() and self.is_next()):
            self.skip()

    def is_next(self) -> bool:
        """Whether the decider gives the next answer of the file, as far as the file shows."""
        next_move = self.next_move
        if next_move is None or isinstance(self.question.task, tasks.PayOut):
            return True
        return self.to_move() == self.actor(next_move) and not self.can_only_pass(next_move)

    def site_waits(self) -> bool:
        """Whether the site waits here for the company; it did if the next entry belongs here."""
        next_move, task = self.next_move, self.question.task
        if next_move and self.to_move() == self.actor(next_move) and isinstance(task, self.step_of(next_move)):
            return True
        return site_waits(self.table, self.question)

    # Translation

    def translate(self, entry: SiteEntry, actor: str) -> Action:
        match entry["type"]:
            case "bid":
                return self.draft_action(entry)
            case "buy_shares":
                return self.share_purchase(entry)
            case "sell_shares":
                return mag.SellShares(self.company_of_share(entry), int(entry["percent"]))
            case "lay_tile":
                return self.lay_action(entry, actor)
            case "place_token":
                kind = mag.PlaceByDdsg if entry["entity"] == DDSG else mag.PlaceStation
                return kind(self.city(str(entry["city"])))
            case "choose_ability":
                return self.supporter_action(entry, actor)
            case "discard_train":
                return mag.ScrapTrain(self.card_of(str(entry["train"]), actor))
            case "special_buy":
                return self.special_purchase(entry)
            case "run_routes":
                return self.run_action(entry, actor)
            case "buy_train":
                return self.train_purchase(entry, actor)
            case "dividend":
                return mag.PayDividend(self.dividend_amount(entry, actor))
        raise BadFile(f"Ostbahn does not know the action {entry['type']!r} of 18xx.games")

    def lay_action(self, entry: SiteEntry, actor: str) -> Action:
        """Lay of a tile by the minor or Sina; a declared Feketeházy pays the next terrain of the turn."""
        hex_id, tile, rotation = self.lay_of(entry)
        table, task = self.table, self.question.task
        assert isinstance(task, tasks.LayTrack)
        terrain = terrain_cost(table, hex_id) > 0
        # On the site a token declared as well has the same effect, so one of the two is wasted.
        feketehazy_pays = terrain and self.feketehazy == (actor, table.state.round) and not task.token
        if terrain:
            self.feketehazy = None
        if entry["entity"] == SINA:
            return mag.PromoteBySina(hex_id, tile, rotation, feketehazy=feketehazy_pays)
        return (mag.LayByFeketehazy if feketehazy_pays else mag.LayTile)(hex_id, tile, rotation)

    def supporter_action(self, entry: SiteEntry, actor: str) -> Action:
        """The choice of Rothschild's gift, or of a train for Magyar Államvasutak by its face."""
        if entry["choice"] == "claim":
            return mag.TakeFromRothschild()
        for train in self.table.trains_of(actor):
            if train.face == str(entry["choice"]):
                return mag.AddTown(train.card)
        raise BadFile(f"minor {actor} has no {entry['choice']}-train")

    def draft_action(self, entry: SiteEntry) -> Action:
        if "minor" in entry:
            for face in self.table.title.minor.trains:
                self.map_drawn_train(f"{face}-{self.table.state.cards.get(face, 0)}")
            return mag.DraftMinor(str(entry["minor"]))
        if "company" in entry:
            return mag.DraftSupporter(str(entry["company"]))
        return mag.DraftShare(self.company(str(entry["corporation"])))

    def share_purchase(self, entry: SiteEntry) -> Action:
        """Purchase of a share, or of the director share if no other is left."""
        major = self.company_of_share(entry)
        is_last = not money.ordinary_certificates(self.table, BANK, major)
        is_director_share = str(entry["shares"][0]).rpartition("_")[2] == "0"
        return mag.BuyDirectorShare(major) if is_last and is_director_share else mag.BuyShare(major)

    def map_drawn_train(self, site: str) -> None:
        """Map a train of the site to the next card of our stack."""
        face = site.rpartition("-")[0]
        self.cards[site].append(f"{face}-{self.table.state.cards.get(face, 0) + 1}")

    def card_of(self, site: str, minor: str) -> str:
        """Our card for a train of the site, preferably one that the minor has."""
        cards = self.cards.get(site)
        if not cards:
            raise BadFile(f"there is no train {site!r} yet")
        own = {train.card for train in self.table.trains_of(minor)}
        return next((card for card in reversed(cards) if card in own), cards[-1])

    def discards_nothing(self, entry: SiteEntry, minor: str) -> bool:
        """Whether the site scraps nothing, since another minor has the latest train of that id."""
        site = entry["train"] if entry["type"] == "discard_train" else None
        return site is not None and self.cards[site][-1:] != [self.card_of(site, minor)]

    def special_purchase(self, entry: SiteEntry) -> Action:
        """A declared terrain token, or a rail car, by the site's description."""
        description = str(entry["description"])
        if "Terrain" in description:
            return mag.DeclareToken()
        cost = int(entry["cost"])
        if "Upgrade" in description and "Offboard" in description:
            return mag.BuyCar(self.infer_raba_car(entry), cost)
        for keyword, car in CARS.items():
            if keyword in description:
                return mag.BuyCar(car, cost)
        raise BadFile(f"Ostbahn does not know what {description!r} buys")

    def infer_raba_car(self, entry: SiteEntry) -> mag.Car:
        """The car bought of RÁBA in the two-player game, as the run shows; without a run the better one."""
        for _, later in self.moves[self.moves_done :]:
            if later["type"] == "run_routes" and later["entity"] == entry["entity"]:
                exceeds_stops = any(
                    len(route.get("connections") or []) + 1 > int(str(route["train"]).partition("-")[0])
                    for route in later["routes"]
                )
                return "plus" if exceeds_stops else "off_board"
        table, minor = self.table, str(entry["entity"])
        return "plus" if best(table, minor, ("plus",)).worth > best(table, minor, ("off_board",)).worth else "off_board"

    def run_action(self, entry: SiteEntry, actor: str) -> Action:
        """The run with its claimed revenue, and rail cars assigned so that they yield it."""
        table, task = self.table, self.question.task
        assert isinstance(task, tasks.OperateWithCars)
        paths = [(self.card_of(train, actor), path) for train, path in self.routes(entry)]
        claim = self.claim(entry)
        subsidy = sum(int(route.get("subsidy") or 0) for route in entry["routes"])
        for cars in assignments(table.trains_of(actor), task.cars):
            runs = tuple(mag.TrainRun(card, path, cars.get(card, ())) for card, path in paths)
            routes = checked_routes(table, actor, runs, task.cars)
            if not isinstance(routes, Refusal) and sum(route.revenue for route in routes) == claim:
                return mag.RunTrains(runs, claim, subsidy)
        return mag.RunTrains(tuple(mag.TrainRun(card, path) for card, path in paths), claim, subsidy)

    def train_purchase(self, entry: SiteEntry, actor: str) -> Action:
        """Purchase from the stack, which states a variant, or from another minor."""
        site = str(entry["train"])
        face = site.rpartition("-")[0]
        if "variant" in entry:
            self.map_drawn_train(site)
            cheaper = int(entry["price"]) < self.table.title.stacks[face].price
            return mag.BuyByKando(face) if cheaper else mag.BuyTrain(face)
        return mag.OfferForTrain(self.card_of(site, actor), int(entry["price"]))

    def dividend_amount(self, entry: SiteEntry, actor: str) -> int:
        if entry["kind"] == "variable":
            return int(entry["amount"])
        return full_payout(self.table, actor) if entry["kind"] == "payout" else 0
