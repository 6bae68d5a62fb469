"""Import from 18xx.games for every title. The site skips steps without a decision, the engine asks every question:
the importer answers what the site skipped, up to the step of the next action in the file."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Generic, TypeVar, cast

from ostbahn.interop.files import FileMark, ImportedGame
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, BadSetup, Refused
from ostbahn.kernel.map.board import Board, Hex, city_id
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.kernel.table import Table
from ostbahn.kernel.title import Title
from ostbahn.kits.catalogue import SITE, new_game

SiteEntry = dict[str, Any]
CHAT = "message"
"""Undo skips chat, and chat has no effect."""


def has_no_effect(entry: SiteEntry) -> bool:
    """Whether an entry is chat or a programmed move, whose results are entries of their own."""
    kind = str(entry.get("type"))
    return kind == CHAT or kind.startswith("program_")


def effective_entries(entries: Iterable[SiteEntry]) -> list[SiteEntry]:
    """The entries that were not undone, in order."""
    effective: list[SiteEntry] = []
    undone: list[list[SiteEntry]] = []
    for entry in entries:
        kind = entry.get("type")
        if entry.get("skip"):
            continue
        if kind == "undo":
            undone.append(_undo(effective, entry.get("action_id")))
        elif kind == "redo":
            if undone:
                effective.extend(undone.pop())
        else:
            if kind != CHAT:
                undone.clear()
            effective.append(entry)
    return effective


def _undo(effective: list[SiteEntry], down_to: int | None) -> list[SiteEntry]:
    """Remove the last entry, or all after `down_to`, and return them."""
    moves = [entry for entry in effective if entry.get("type") != CHAT]
    undone = moves[-1:] if down_to is None else [entry for entry in moves if entry["id"] > down_to]
    effective[:] = [entry for entry in effective if entry not in undone]
    return undone


def with_auto_actions(entry: SiteEntry) -> list[SiteEntry]:
    """An entry and the automatic moves that the site attached to it."""
    return [entry, *(entry.get("auto_actions") or [])]


def seed_of(document: Mapping[str, Any]) -> int:
    """The seed of the site's generator: a setting, or the first number in the game's id."""
    seed = (document.get("settings") or {}).get("seed")
    if seed not in (None, ""):
        return int(seed)
    number = re.search(r"\d+", str(document.get("id", "")))
    return int(number.group()) if number else 0


MALFORMED: Final = (LookupError, TypeError, ValueError, AttributeError, AssertionError, StopIteration)
"""Errors that malformed entries raise."""

T = TypeVar("T", bound=Table)


class Importer(ABC, Generic[T]):
    """Replays the effective entries of a file, every one checked, under the site's rulings."""

    turns: tuple[type[Task], ...]
    """Tasks in which players decide, one turn after the other."""

    def __init__(self, document: Mapping[str, Any], title: str, variant: str, modules: Sequence[str] = ()) -> None:
        players = [str(player["name"]) for player in document["players"]]
        seed = seed_of(document)
        try:
            self.game = new_game(
                title, players, variant=variant, preset=SITE, draw_order=False, seed=seed, modules=modules
            )
        except BadSetup as fault:
            raise BadFile(str(fault)) from None
        self.entries = effective_entries(document["actions"])
        self.moves = [
            (entry["id"], part)
            for entry in self.entries
            for part in with_auto_actions(entry)
            if not has_no_effect(part)
        ]
        """All moves in order, with the id of their entry."""
        self.finished = document.get("status") == "finished"
        self.marks: list[FileMark] = []
        self.moves_done = 0
        self.lingering: str | None = None
        """The company that the site keeps in the track step after its last tile."""
        self._seats = seats_of(document["players"])
        self._laid: dict[str, str] = {}
        """Tile copy to the hex where it was laid last."""
        self._seen: tuple[int, T] | None = None

    # What a title knows

    @abstractmethod
    def apply_entry(self, entry: SiteEntry) -> None:
        """Apply an entry of the file."""

    @abstractmethod
    def skip(self) -> None:
        """Answer a question that the site skipped."""

    @abstractmethod
    def skip_to_next_entry(self) -> None:
        """Skip what the site skipped before the next entry."""

    @abstractmethod
    def translate(self, entry: SiteEntry, actor: str) -> Action:
        """Our action for an entry."""

    @abstractmethod
    def company(self, site: str) -> str:
        """Our name of a company."""

    @abstractmethod
    def acts_for(self, private: SiteEntry) -> str:
        """The seat or company that a private company acts for."""

    def hex(self, site: str) -> str:
        """Our name of a hex."""
        return site

    # What all do

    @property
    def is_lingering(self) -> bool:
        """Whether the site is still in a step that is over for us."""
        return self.lingering is not None

    @property
    def table(self) -> T:
        """The table, read-only, cached until the next answer."""
        if self._seen is None or self._seen[0] != len(self.game):
            self._seen = (len(self.game), cast(T, self.game.table))
        return self._seen[1]

    def run(self) -> ImportedGame:
        with self.name_move_in_errors(0):
            self.skip_to_next_entry()
        self.marks.append(FileMark(0, len(self.game)))
        for entry in self.entries:
            while self.moves_done < len(self.moves) and self.moves[self.moves_done][0] == entry["id"]:
                self.move(self.moves[self.moves_done][1])
            self.marks.append(FileMark(int(entry["id"]), len(self.game), self.is_lingering))
        if self.finished:
            self.finish()
        return ImportedGame(self.game, self.marks)

    def move(self, move: SiteEntry) -> None:
        self.moves_done += 1
        if move["type"] == "end_game":
            self.finished = False
            return
        with self.name_move_in_errors(self.moves_done - 1):
            self.apply_entry(move)
        with self.name_move_in_errors(self.moves_done):
            self.skip_to_next_entry()

    @contextmanager
    def name_move_in_errors(self, place: int) -> Iterator[None]:
        """Name the move at this index (or the last one) in errors."""
        number, move = [*self.moves, *self.moves[-1:]][place] if self.moves else (0, {})
        label = f"action {number} ({move.get('type')} by {move.get('entity')})"
        try:
            yield
        except Refused as refused:
            raise BadFile(f"{label} is refused: {refused}") from None
        except BadFile as fault:
            raise BadFile(f"{label} cannot be read: {fault}") from None
        except MALFORMED as fault:
            raise BadFile(f"{label} cannot be read: {type(fault).__name__} {fault}") from fault

    def finish(self) -> None:
        """Skip to the end of a finished game; nothing happens if it was ended by hand."""
        with suppress(Refused):
            while not self.game.over:
                self.skip()
        self.marks[-1] = self.marks[-1]._replace(actions=len(self.game))

    @property
    def next_move(self) -> SiteEntry | None:
        return self.moves[self.moves_done][1] if self.moves_done < len(self.moves) else None

    @property
    def question(self) -> Question:
        question = self.game.question
        if question is None:
            raise BadFile("the file goes on after the end of the game")
        return question

    def can_only_pass(self, next_move: SiteEntry) -> bool:
        """Whether a player can only pass, so that the next entry belongs to a later turn."""
        if not isinstance(self.question.task, self.turns) or len(self.question) > 1:
            return False
        return next_move["type"] == "pass" or self.translate(next_move, self.to_move()) not in self.question

    def to_move(self) -> str:
        question = self.question
        return question.company or question.decider

    # What the fields of an action mean

    def actor(self, entry: SiteEntry) -> str:
        if entry.get("entity_type") == "company":
            return self.acts_for(entry)
        name = str(entry["entity"])
        return self._seats[name] if entry.get("entity_type") == "player" else self.company(name)

    def company_of_share(self, entry: SiteEntry) -> str:
        """`ABC_3` is a share of ABC."""
        return self.company(str(entry["shares"][0]).rpartition("_")[0])

    def lay_of(self, entry: SiteEntry) -> tuple[str, str, int]:
        """Hex, tile and rotation of a lay; notes where the copy lies."""
        hex_id = self.hex(str(entry["hex"]))
        self._laid[str(entry["tile"])] = hex_id
        return hex_id, str(entry["tile"]).rpartition("-")[0], int(entry["rotation"])

    def city(self, site: str) -> str:
        """`621-0-1` is the second city of the first copy of tile 621; `B9-0-0` one printed on a hex."""
        tile, _, node = site.rpartition("-")
        return city_id(self._laid.get(tile) or self.hex(tile.partition("-")[0]), int(node))

    def routes(self, entry: SiteEntry) -> list[tuple[str, tuple[str, ...]]]:
        """The site's trains of a run with their routes."""
        title, board = self.table.title, self.table.state.board
        routes = []
        for route in entry["routes"]:
            chains = [[self.hex(str(hex_id)) for hex_id in chain] for chain in route.get("connections") or []]
            if chains:
                routes.append((str(route["train"]), path_of_chains(title, board, chains)))
        return routes

    def claim(self, entry: SiteEntry) -> int:
        """The revenue claimed for a run."""
        earned = sum(int(route.get("revenue") or 0) for route in entry["routes"])
        return earned + int(entry.get("extra_revenue") or 0)


def seats_of(players: Sequence[dict[str, Any]]) -> dict[str, str]:
    """Seats by the ids and names of players in the file."""
    seats: dict[str, str] = {}
    for seat, player in enumerate(players, start=1):
        seats[str(player.get("id", player["name"]))] = f"p{seat}"
        seats.setdefault(str(player["name"]), f"p{seat}")
    return seats


def path_of_chains(title: Title, board: Board, chains: list[list[str]]) -> tuple[str, ...]:
    """Join chains of hexes to one route."""
    ordered = _oriented(chains)
    hexes, stops = [ordered[0][0]], {0}
    for chain in ordered:
        hexes += chain[1:]
        stops.add(len(hexes) - 1)
    return tuple(
        _place(title, board, hexes, position) if position in stops else hex_id for position, hex_id in enumerate(hexes)
    )


def _place(title: Title, board: Board, hexes: list[str], position: int) -> str:
    """The revenue location that the track from or to the neighbouring hex reaches."""
    hex_: Hex = title.map[hexes[position]]
    other = hexes[position - 1] if position else hexes[1]
    face = board.face(title.tile_set, hex_)
    nodes = face.node_at[hex_.towards[other]] if other in hex_.towards else ()
    return city_id(hex_.id, nodes[0] if nodes else 0)


def _oriented(chains: list[list[str]]) -> list[list[str]]:
    """Orient the chains so that each begins where the previous one ends."""
    if len(chains) == 1:
        return chains
    first, second = chains[:2]
    ends = (second[0], second[-1])
    if first[-1] not in ends and first[0] in ends:
        first = first[::-1]
    elif first[-1] in ends and first[0] in ends and len(chains) > 2:
        third = (chains[2][0], chains[2][-1])
        if (second[0] if second[-1] == first[-1] else second[-1]) not in third:
            first = first[::-1]
    ordered = [first]
    for chain in chains[1:]:
        ordered.append(chain if chain[0] == ordered[-1][-1] else chain[::-1])
    return ordered
