"""The solo game: its title, opening and task handlers (18Mag XI)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import State
from ostbahn.kernel.steps import Decision, ListedStep, PassStep, Routine
from ostbahn.kernel.table import Table
from ostbahn.kits.data import MAX_CACHED_TITLES
from ostbahn.titles.mag import istvan, istvan_track, rounds, state, trains
from ostbahn.titles.mag.actions import DraftMinor, DraftShare, LayTile
from ostbahn.titles.mag.deck import BUNDLED_DECKS, bundled_deck
from ostbahn.titles.mag.draft import minors_of, start_minor, take_from_package
from ostbahn.titles.mag.events import CompanyCardDealt
from ostbahn.titles.mag.rounds import TurnDecision
from ostbahn.titles.mag.rulebook import MagRulebook, TaskHandlers, base_handlers
from ostbahn.titles.mag.solo_table import ISTVAN, SoloFile, SoloTable, SoloTitle
from ostbahn.titles.mag.state import DealCards, IstvanBoard, MagState, MagTable, PrintedTrack, Rounds, SoloDraft
from ostbahn.titles.mag.stations import place_free_station
from ostbahn.titles.mag.title import base_data, load_data
from ostbahn.titles.mag.track import lay_tile
from ostbahn.titles.mag.two_player import TwoPlayerFile, with_changes

HUMAN: Final = "p1"


@cache
def solo_file() -> SoloFile:
    return load_data("solo.toml", SoloFile)


@lru_cache(maxsize=MAX_CACHED_TITLES)
def solo_title(length: str = "short", deck_text: str | None = None, edition: str = "second") -> SoloTitle:
    """The two-player game with István's cards, in one length of the game."""
    rules = solo_file()
    two_player = with_changes(base_data(), load_data("game_two_player.toml", TwoPlayerFile))
    tables = two_player._replace(game=replace(two_player.game, players=rules.players))
    return SoloTitle(tables, rules, length, bundled_deck(edition) if deck_text is None else deck_text)


class SoloTakeMinor(ListedStep[SoloTable, SoloDraft, DraftMinor]):
    """Draft as many minors as István has, of those that he left (XI.1/7)."""

    action = DraftMinor

    def candidates(self, table: SoloTable, task: SoloDraft) -> Iterable[DraftMinor]:
        return map(DraftMinor, table.title.minors)

    def refusal(self, table: SoloTable, task: SoloDraft, action: DraftMinor) -> Refusal | None:
        if table.state.owners.get(action.minor) != BANK:
            return table.refuse("XI.1/7", f"minor {action.minor} cannot be taken")
        if has_enough_minors(table):
            return table.refuse("XI.1/7", "both sides have the same number of minors: take a share")
        return None

    def perform(self, table: SoloTable, task: SoloDraft, action: DraftMinor) -> None:
        start_minor(table, action.minor, HUMAN)


class SoloTakeShare(ListedStep[SoloTable, SoloDraft, DraftShare]):
    """Draft a 10% share of a major of which István has none (XI.1/8)."""

    action = DraftShare

    def candidates(self, table: SoloTable, task: SoloDraft) -> Iterable[DraftShare]:
        return map(DraftShare, table.title.companies)

    def refusal(self, table: SoloTable, task: SoloDraft, action: DraftShare) -> Refusal | None:
        if not has_enough_minors(table):
            return table.refuse("XI.1/7", "take your minors first, then a share")
        if action.major not in table.title.companies:
            return table.refuse("XI.1/8", f"there is no major {action.major} in this game")
        if not table.state.package[action.major]:
            return table.refuse("XI.1/8", f"István has a share of {action.major}: take one of another major")
        return None

    def perform(self, table: SoloTable, task: SoloDraft, action: DraftShare) -> None:
        table.pop()
        take_from_package(table, action.major, HUMAN)
        mag_state = table.state
        mag_state.owners = {minor: owner for minor, owner in mag_state.owners.items() if owner != BANK}
        mag_state.package = {}


def has_enough_minors(table: MagTable) -> bool:
    return len(minors_of(table, HUMAN)) == len(minors_of(table, ISTVAN))


class SoloDraftDecision(Decision[SoloTable, SoloDraft]):
    order_rule = "XI.1/7"
    asks_for = "take a minor or a share"

    def decider(self, table: SoloTable, task: SoloDraft) -> str:
        return HUMAN


class DealIstvanCards(Routine[SoloTable, DealCards]):
    """Draw company cards of one colour and a share card for István (XI.1/3, XI.1/6)."""

    def __init__(self, colour: str) -> None:
        self.colour = colour

    def proceed(self, table: SoloTable, task: DealCards) -> None:
        table.pop()
        deck, chance = table.title.deck, Chance(table.state.chance)
        candidates = [card for card in deck.companies.values() if card.colour == self.colour]
        company_cards = sorted(chance.first(candidates, table.title.length.minors), key=lambda card: card.minor)
        share_card = chance.first(deck.shares, 1)[0]
        table.state.chance = chance.state
        table.state.istvan = IstvanBoard(
            cards={str(card.minor): card.number for card in company_cards},
            done={str(card.minor): 0 for card in company_cards},
            share_card=share_card,
            swaps={},
        )
        for card in company_cards:
            table.note(CompanyCardDealt(str(card.minor), card.number))
            start_minor(table, str(card.minor), ISTVAN)
            place_extra_stations(table, str(card.minor))
        take_from_package(table, deck.shares[share_card].start_share, ISTVAN)


def place_extra_stations(table: SoloTable, minor: str) -> None:
    """Give a minor its further stations, placed where its card names a hex (XI.2.2/5)."""
    for entry in table.card(minor).setup:
        if entry.hex is None:
            table.state.markers = {**table.state.markers, minor: table.state.markers[minor] + 1}
        else:
            place_free_station(table, minor, city_id(entry.hex, 0))


class LayPrintedTrack(Routine[SoloTable, PrintedTrack]):
    """Lay the tiles on the backs of István's cards for free (XI.1/10)."""

    def proceed(self, table: SoloTable, task: PrintedTrack) -> None:
        table.pop()
        for minor in table.istvan.cards:
            for piece in table.card(minor).prelay:
                if piece.hex not in table.state.board.tiles:
                    lay_tile(table, minor, LayTile(piece.hex, piece.tile, piece.rotation))


class SoloNextRound(rounds.NextRound):
    def proceed(self, table: MagTable, task: Rounds) -> None:
        """Begin the next round; an Operating Round of the short game starts with an income for both sides (XI.1/4)."""
        assert isinstance(table, SoloTable)
        round_before = table.state.round
        super().proceed(table, task)
        if table.state.round != round_before and table.state.round.startswith("OR"):
            for player in table.state.players:
                amount = table.title.length.income[table.state.phase]
                pay(table, BANK, player, amount, "income of the empty space", "incomes")


def solo_handlers() -> TaskHandlers:
    """Handlers of the base game without its draft, with those of the solo game."""
    order = "VI.3.1/1"
    base = {task: handler for task, handler in base_handlers().items() if task is not state.Draft}
    return {
        **base,
        state.Rounds: SoloNextRound(),
        SoloDraft: SoloDraftDecision(SoloTakeMinor(), SoloTakeShare()),
        PrintedTrack: LayPrintedTrack(),
        state.OperatingRound: istvan.SoloNextCompany(),
        state.PurchaseTrains: TurnDecision(
            "buy trains", order, trains.BuyFromStack(), istvan.SoloBuyFromMinor(), PassStep()
        ),
        state.IstvanStock: istvan.BuyByShareCard(),
        state.IstvanTrack: istvan_track.PromoteCity(),
        state.IstvanPromotes: istvan_track.PromotionDecision(istvan_track.ChoosePromotionStep()),
        state.IstvanStation: istvan.StationByCard(),
        state.IstvanScraps: istvan.ScrapByCard(),
        state.IstvanRuns: istvan.RunWithBestCar(),
        state.IstvanBuys: istvan.BuyByCard(),
    }


class SoloRulebook(MagRulebook):
    def __init__(
        self, options: Mapping[str, str] | None = None, deck: str | None = None, edition: str = "second"
    ) -> None:
        """deck: the text of a file with cards, or None for the bundled edition."""
        rules = solo_file()
        length = (options or {}).get("length", "short")
        difficulty = (options or {}).get("difficulty", "medium")
        if length not in rules.lengths:
            raise BadSetup(f"the length is one of {', '.join(rules.lengths)}, not {length} (18Mag XI.1/2)")
        if difficulty not in rules.difficulties:
            known = ", ".join(rules.difficulties)
            raise BadSetup(f"the difficulty is one of {known}, not {difficulty} (18Mag XI.1/3)")
        if edition not in BUNDLED_DECKS:
            raise BadSetup(f"the ruling istvan_cards is one of {', '.join(BUNDLED_DECKS)}, not {edition}")
        super().__init__(
            solo_title(length, deck, edition),
            {**solo_handlers(), DealCards: DealIstvanCards(rules.difficulties[difficulty])},
        )
        self.opponent = rules.opponent

    def seats(self, number: int) -> tuple[str, ...]:
        return (HUMAN, ISTVAN)

    def initial_state(self, setup: Setup) -> MagState:
        """Deal István's cards first; then the human drafts minors and a share (XI.1)."""
        if len(setup.players) != 1:
            raise BadSetup(f"18Mag (solo) is for 1 player, not {len(setup.players)} (18Mag {self.title.players_rule})")
        if self.opponent in setup.players:
            raise BadSetup(f"a player has the same name as {self.opponent}, the opponent")
        opening = super().initial_state(replace(setup, draw_order=False))
        opening.priority = ISTVAN
        opening.agenda = (Rounds(1, 0, 1), PrintedTrack(), SoloDraft(), DealCards())
        return opening

    def table(self, setup: Setup, state: State) -> SoloTable:
        return SoloTable(self.title, state, setup.rulings, (*setup.players, self.opponent))

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        rule = {SoloDraft: "XI.1/7", state.IstvanPromotes: "XI.2.1/4"}.get(type(question.task))
        if rule is None:
            return super().turn_refusal(table, question, by)
        return table.refuse(rule, f"{table.name(question.decider)} decides now, not {table.name(by)}")
