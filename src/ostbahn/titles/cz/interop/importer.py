"""Import of 18CZ games exported by 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from ostbahn.interop.importer import Importer, SiteEntry
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadFile
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.interop import steps
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import home_places
from ostbahn.titles.cz.title import cz_title

STEPS = {
    "lay_tile": (tasks.RedHome, tasks.LayTrack, tasks.LayWaived),
    "place_token": (tasks.HomeCity, tasks.EstablishStation),
    "run_routes": (tasks.OperateTrains,),
    "dividend": (tasks.UseIncome,),
    "buy_corporation": (tasks.Acquire,),
    "swap_train": (tasks.SettleTrains,),
    "remove_token": (tasks.ReturnStation, tasks.JoinStations),
    "discard_train": (tasks.SettleTrains, tasks.ReturnTrains),
    "buy_train": (tasks.PurchaseTrains,),
}
"""Tasks in which an entry type belongs; other types may come at any point of a turn."""

LAST = {"buy_company", "sell_company"}
"""Entry types that may follow the purchase of trains, beside powers."""


class CzImporter(Importer[CzTable]):
    turns = (tasks.PreStock, tasks.StockRound)

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__(document, "18CZ", "bohemia" if len(document["players"]) == 2 else "base")
        self._companies: dict[str, str] = {company.upper(): company for company in cz_title().companies}
        self.past_trains: str | None = None
        """Company that has passed the purchase of trains, but not the step after it."""
        self.home_city = 0
        self.turned: set[steps.TurnedTrain] = set()

    # Who and where

    def company(self, site: str) -> str:
        return self._companies[site.upper()]

    def acts_for(self, private: SiteEntry) -> str:
        """Return the owner, for whom a Local Railway acts."""
        return self.table.state.locals[str(private["entity"])]

    def hex(self, site: str) -> str:
        return f"{site[0]}{int(site[1:]) - steps.SHIFTED}"

    def actor(self, entry: SiteEntry) -> str:
        """Return the actor; for a home split by another company's tile, not the site's but ours."""
        if entry["type"] == "place_token" and not self.game.over and isinstance(self.question.task, tasks.HomeCity):
            return self.question.task.company
        return super().actor(entry)

    # Applying an entry

    def apply_entry(self, entry: SiteEntry) -> None:
        actor = self.actor(entry)
        while self.to_move() != actor:
            self.skip()
        if entry["type"] in STEPS and entry.get("entity_type") != "company":
            self.lingering = None
        if entry["type"] == "pass":
            self.pass_for(actor)
            return
        if entry["type"] == "dividend" and not isinstance(self.question.task, tasks.UseIncome):
            return  # nothing was earned, so there was nothing to decide
        self.reach_step(entry)
        laying = isinstance(self.question.task, (tasks.LayTrack, tasks.LayWaived, tasks.HomeCity))
        self.game.apply(self.translate(entry, actor))
        if laying and isinstance(self.question.task, tasks.EstablishStation):
            self.lingering = self.question.task.company
        if self.lingering is not None and not steps.is_lingering(self.table, self.lingering):
            self.lingering = None

    def pass_for(self, actor: str) -> None:
        if self.lingering is not None:
            self.lingering = None
        elif isinstance(self.question.task, tasks.PurchaseTrains) and self.more_in_turn(actor):
            self.past_trains = actor
        else:
            self.past_trains = None
            self.skip()

    def more_in_turn(self, actor: str) -> bool:
        """Whether more of this turn follows, in the site's step after the trains.

        If the same company's next turn follows at once, this turn ends with the last pass before a lay. If another turn
        follows or the file ends, the step exists if the site would wait in it.
        """
        for passes, (_, entry) in enumerate(islice(self.moves, self.moves_done, None)):
            is_own = self.actor(entry) == actor
            if is_own and (entry["type"] in LAST or entry.get("entity_type") == "company"):
                return True
            if not is_own or entry["type"] == "lay_tile":
                return passes > 0
            if entry["type"] != "pass":
                break
        in_train_step = self.past_trains != actor and steps.can_buy_train(self.table, actor)
        return in_train_step and steps.waits_for_locals(self.table, actor)

    def reach_step(self, entry: SiteEntry) -> None:
        """Skip steps until the one to which an entry belongs."""
        fitting_tasks = STEPS.get(entry["type"])
        task = self.question.task
        if entry["type"] == "discard_train" and isinstance(task, tasks.SettleTrains):
            card = card_from_site(str(entry["train"]))
            if card not in task.cards or (task.company, card) in self.turned:
                self.skip()
        if fitting_tasks is None or (entry.get("entity_type") == "company" and self.purple(entry)):
            return
        while not isinstance(self.question.task, fitting_tasks):
            self.skip()

    def skip(self) -> None:
        task = self.question.task
        if isinstance(task, tasks.OperateTrains):
            self.game.apply(cz.RunTrains((), 0))
        elif isinstance(task, tasks.HomeCity):
            self.game.apply(self.home(task, self.home_city))
        elif isinstance(task, (tasks.ReturnStation, tasks.JoinStations)):
            self.game.apply(cz.ChooseReturn(task.cities[-1]))
        else:
            self.game.apply(Pass())

    def skip_to_next_entry(self) -> None:
        """Skip at once what the site skips, so that effects (prices, ends of rounds) belong to the previous action."""
        while not self.game.over and self.passed_by_itself():
            self.skip()
        next_move = self.next_move
        if self.game.over or next_move is None or next_move["type"] == "pass":
            return
        if self.to_move() == self.actor(next_move):
            self.reach_step(next_move)

    def passed_by_itself(self) -> bool:
        task, next_move = self.question.task, self.next_move
        if next_move is None:
            return self.nothing_to_do()
        if isinstance(task, tasks.HomeCity) and next_move["type"] != "place_token":
            return True
        if self.to_move() == self.actor(next_move):
            skipped = self.lingering is None and isinstance(task, CompanyTask) and not self.site_waits(task, next_move)
            return skipped or self.can_only_pass(next_move)
        if isinstance(task, (tasks.UseIncome, tasks.RedHome)):
            return False
        self.lingering = None
        return True

    def site_waits(self, task: CompanyTask, next_move: SiteEntry) -> bool:
        if isinstance(task, tasks.SettleTrains) and next_move["type"] not in ("swap_train", "discard_train"):
            return steps.has_unsettled_trains(self.table, task, self.turned)
        return steps.site_waits(self.table, task)

    def nothing_to_do(self) -> bool:
        """Whether the site skips this step at the end of the file because nothing can be done in it."""
        task = self.question.task
        if isinstance(task, tasks.PurchaseTrains):
            return not (
                steps.can_buy_train(self.table, task.company) or steps.waits_for_locals(self.table, task.company)
            )
        if isinstance(task, (tasks.PreStock, tasks.StockRound)):
            return self.question.obvious and self.question.options[0].action == Pass()
        return self.lingering is None and isinstance(task, CompanyTask) and not steps.site_waits(self.table, task)

    # Translation

    def translate(self, entry: SiteEntry, actor: str) -> Action:
        kind = entry["type"]
        if kind not in TRANSLATED:
            raise BadFile(f"Ostbahn does not know the action {kind!r} of 18xx.games")
        return TRANSLATED[kind](self, entry)

    def purple(self, entry: SiteEntry) -> bool:
        tile = self.table.title.tiles.get(str(entry["tile"]).rpartition("-")[0]) if "tile" in entry else None
        return tile is not None and tile.purple

    def lay(self, entry: SiteEntry) -> Action:
        hex_id, tile, rotation = self.lay_of(entry)
        if isinstance(self.question.task, tasks.RedHome):
            return cz.LayRedTile(hex_id, rotation)
        local = str(entry["entity"]) if entry.get("entity_type") == "company" else None
        if local is not None and self.purple(entry):
            return cz.LayPurpleTile(local, hex_id, tile, rotation)
        return cz.LayTile(hex_id, tile, rotation, local)

    def place(self, entry: SiteEntry) -> Action:
        city = self.city(str(entry["city"]))
        task = self.question.task
        if not isinstance(task, tasks.HomeCity):
            return cz.PlaceStation(city)
        self.home_city = int(city.partition(".")[2])
        return self.home(task, self.home_city)

    def home(self, task: tasks.HomeCity, node: int) -> Action:
        """Return the home choice; on a bare hex the site names a city, and our station stands in the hex."""
        places = home_places(self.table, task.hex)
        return cz.ChooseCity(places[node] if node < len(places) else places[0])

    def run_of(self, entry: SiteEntry) -> Action:
        runs = tuple(cz.TrainRun(card_from_site(train), path) for train, path in self.routes(entry))
        return cz.RunTrains(runs, self.claim(entry))

    def discard(self, entry: SiteEntry) -> Action:
        card = card_from_site(str(entry["train"]))
        return cz.ScrapTrain(card) if isinstance(self.question.task, tasks.SettleTrains) else cz.ReturnTrain(card)

    def turn(self, entry: SiteEntry) -> Action:
        table, company, card = self.table, self.actor(entry), card_from_site(str(entry["train"]))
        self.turned.add((company, card))
        faces, size = table.title.stack.spec[card[0]].faces, table.size(company)
        return cz.TurnTrain(card, next(face for face in faces if table.title.train_faces[face].size == size))

    def buy_train(self, entry: SiteEntry) -> Action:
        card = card_from_site(str(entry["train"]))
        if self.table.owner_of(card) is not None:
            return cz.OfferForTrain(card, int(entry["price"]))
        face = str(entry.get("variant") or entry["train"].rpartition("-")[0])  # `3+3e` is face 3+3 of an e-card
        return cz.BuyTrain(card, face[:-1])

    def start(self, entry: SiteEntry) -> Action:
        return cz.StartCompany(self.company(str(entry["corporation"])), int(entry["share_price"].split(",")[0]))

    def take_over(self, entry: SiteEntry) -> Action:
        return cz.OfferAcquisition(self.company(str(entry["corporation"])), int(entry["price"]))


TRANSLATED: Final[Mapping[str, Callable[[CzImporter, SiteEntry], Action]]] = {
    "bid": lambda _, entry: cz.BuyLocal(str(entry["company"])),
    "par": CzImporter.start,
    "buy_shares": lambda importer, entry: cz.BuyShare(importer.company_of_share(entry)),
    "sell_shares": lambda importer, entry: cz.SellShares(importer.company_of_share(entry), int(entry["percent"])),
    "special_buy": lambda *_: cz.RepayDebt(),
    "lay_tile": CzImporter.lay,
    "place_token": CzImporter.place,
    "remove_token": lambda importer, entry: cz.ChooseReturn(importer.city(str(entry["city"]))),
    "run_routes": CzImporter.run_of,
    "dividend": lambda _, entry: cz.PayOut() if entry["kind"] == "payout" else cz.Withhold(),
    "buy_train": CzImporter.buy_train,
    "swap_train": CzImporter.turn,
    "discard_train": CzImporter.discard,
    "buy_company": lambda _, entry: cz.OfferForLocal(str(entry["company"]), int(entry["price"])),
    "sell_company": lambda _, entry: cz.SellLocal(str(entry["company"])),
    "buy_corporation": CzImporter.take_over,
}
"""Translation of each entry type."""


def card_from_site(site: str) -> str:
    """`3d-1` is the second d-card."""
    name, _, number = site.rpartition("-")
    return f"{name[-1]}{int(number) + 1}"
