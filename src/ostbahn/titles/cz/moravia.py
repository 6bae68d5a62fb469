"""Moravia-Silesia for two or three players: its data and changed handlers (18CZ XI.2)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from ostbahn.eighteen.operating import PlayerDecision
from ostbahn.eighteen.title import BoardFile, PlayersSpec, TilesFile
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.tiles import Tile
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import CardSpec, FaceSpec, State
from ostbahn.kernel.table import Table
from ostbahn.kits.data import MAX_CACHED_TITLES, Spec
from ostbahn.titles.cz import auction, papers, state
from ostbahn.titles.cz.local_railways import LayPurple, SellToBank
from ostbahn.titles.cz.moravia_board import MoraviaBoard, our_board, read_board
from ostbahn.titles.cz.moravia_table import WESTBAHN, MoraviaTable, MoraviaTitle
from ostbahn.titles.cz.rulebook import CzRulebook, Handlers, base_handlers
from ostbahn.titles.cz.state import CzState
from ostbahn.titles.cz.title import (
    CompaniesFile,
    Local,
    OpeningSpec,
    PhaseSpec,
    SizeSpec,
    Tables,
    TrainsFile,
    base_data,
    load_data,
)


class CardsSpec(Spec, frozen=True):
    letter: str
    faces: Lookup[str, int]
    count: Lookup[int, int] | None = None
    """Number of cards by number of players."""


class MoraviaFile(Spec, frozen=True):
    players: Lookup[int, PlayersSpec]
    size: SizeSpec
    boxes: tuple[str | int, ...]
    opening: OpeningSpec
    papers_close_in_phase: str
    faces: Lookup[str, FaceSpec]
    cards: tuple[CardsSpec, ...]
    phases: Lookup[str, PhaseSpec]


def tables_of(base: Tables, changes: MoraviaFile, board: MoraviaBoard, players: int) -> Tables:
    """Return the data of the five large companies on their own board (XI.2/1 to XI.2/17, XI.2/27)."""
    large = {id_: data for id_, data in base.companies.companies.items() if data.size == "large"}
    cards = tuple(
        CardSpec(cards.letter, cards.faces, None if cards.count is None else cards.count[players])
        for cards in changes.cards
    )
    red_tiles = replace(base.game.red_tiles, bonus_everywhere=True)
    return Tables(
        CompaniesFile(
            {"large": changes.size}, {id_: replace(data, homes=board.homes[id_]) for id_, data in large.items()}
        ),
        TrainsFile(changes.faces, cards, changes.phases),
        replace(
            base.game,
            players=changes.players,
            boxes=changes.boxes,
            opening=changes.opening,
            red_tiles=red_tiles,
            local_railways={},
        ),
        BoardFile(board.hexes),
        TilesFile({id_: _with_red_value(tile, board.red_value) for id_, tile in base.tiles.tiles.items()}),
    )


def _with_red_value(tile: Tile, yellow: int) -> Tile:
    """Add a value for the yellow phase, in which red tiles lie here too."""
    if tile.company is None:
        return tile
    nodes = tuple(
        node if isinstance(node.value, int) else replace(node, value={"yellow": yellow, **node.value})
        for node in tile.nodes
    )
    return replace(tile, nodes=nodes)


def papers_of(base: Tables, board: MoraviaBoard) -> dict[str, Local]:
    """Return the private papers as Local Railways; two have neither income nor powers (XI.2/18, XI.2/36)."""
    locals_ = {}
    for id_, paper in board.papers.items():
        if paper.size is not None:
            column = base.game.local_railways[paper.size]
            locals_[id_] = column.local(id_, paper.name, paper.size, paper.minimum)
        else:
            locals_[id_] = Local(id_, paper.name, "small", paper.minimum, priced=paper.kind == "railway")
    return locals_


@lru_cache(maxsize=MAX_CACHED_TITLES)
def moravia_title(players: int, board_text: str | None = None) -> MoraviaTitle:
    base, changes = base_data(), load_data("moravia.toml", MoraviaFile)
    board = read_board(our_board() if board_text is None else board_text, base)
    number = players if players in changes.players else max(changes.players)
    tables = tables_of(base, changes, board, number)
    home = board.papers[WESTBAHN].home
    assert home is not None
    return MoraviaTitle(tables, papers_of(base, board), home, changes.papers_close_in_phase)


class MoraviaRulebook(CzRulebook):
    """The handlers of the base game, with those that this variant changes."""

    def __init__(self, players: int = 3, board: str | None = None) -> None:
        base = base_handlers(
            (papers.MoraviaBuyFromPlayer(), SellToBank(), LayPurple(), papers.AssignTrainStep()),
            run=papers.MoraviaRun,
            buy_from_stack=papers.MoraviaBuyFromStack,
            buy_from_company=papers.MoraviaBuyFromCompany,
        )
        changed: Handlers = {
            state.Auction: PlayerDecision(
                "put a private paper up for auction",
                "XI.2/19",
                auction.OpenAuctionStep(),
                auction.NamePaperStep(),
                by=auction.opener,
            ),
            state.Bidding: PlayerDecision("bid or pass", "XI.2/19", auction.PlaceBid(), auction.LeaveBidding()),
            state.Timetable: papers.MoraviaNextBox(),
            state.BuildHome: PlayerDecision(
                "build at home with the Mährische Westbahn",
                "XI.2/33",
                papers.LayAtHome(),
                papers.LeaveHome(),
                by=lambda table, _: str(table.state.locals[WESTBAHN]),
            ),
            state.OperatingRound: papers.MoraviaNextCompany(),
        }
        handlers = {task: handler for task, handler in base.items() if task is not state.PreStock}
        super().__init__(moravia_title(players, board), {**handlers, **changed})

    def initial_state(self, setup: Setup) -> CzState:
        """All papers are for sale; with two players one company is left out by lot (XI.2/3, XI.2/18)."""
        opening = super().initial_state(setup)
        opening.agenda = (state.Timetable(0), state.Auction())
        opening.round = "AUC"
        if len(setup.players) == 2:
            table = self.table(setup, opening)
            companies = list(opening.certificates)
            out = table.draw_one(companies)
            opening.certificates = {id_: held for id_, held in opening.certificates.items() if id_ != out}
            opening.cash = {who: money for who, money in opening.cash.items() if who != out}
        return opening

    def table(self, setup: Setup, state: State) -> MoraviaTable:
        return MoraviaTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        rule = {state.Auction: "XI.2/21", state.Bidding: "XI.2/19", state.BuildHome: "XI.2/33"}.get(type(question.task))
        if rule is None:
            return super().turn_refusal(table, question, by)
        return table.refuse(rule, f"{table.name(question.decider)} decides now, not {table.name(by)}")
