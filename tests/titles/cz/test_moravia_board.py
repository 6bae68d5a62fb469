"""The board file of Moravia-Silesia: faults are told with the line, and what it says is played (18CZ XI.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ostbahn.analysis.runs import run_with_tile
from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadData, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import LayRedTile, LayTile, OpenAuction, Withhold
from ostbahn.titles.cz.moravia_board import our_board, read_board
from ostbahn.titles.cz.state import OperatingRound
from ostbahn.titles.cz.title import base_data, cz_title
from tests.kernel.trails import COMPASS, beyond, exits
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.lines import RED
from tests.titles.cz.looking import refused_by
from tests.titles.cz.moravian import COMPANIES, answers, fresh, moravia
from tests.titles.cz.scenes import state_of, table_of

# Faults


def changed(old: str, new: str) -> str:
    """Our board with one place of its text changed."""
    text = our_board()
    assert text.count(old) == 1, f"{old} is there {text.count(old)} times"
    return text.replace(old, new)


def line_of(text: str, part: str) -> int:
    """The line in which a part of a text begins."""
    return text[: text.index(part)].count("\n") + 1


def fault_in(text: str) -> str:
    with pytest.raises(BadData) as caught:
        read_board(text, base_data())
    assert "\n" not in str(caught.value)
    return str(caught.value)


LONG = "x" * 41
TOWNS = ", ".join(['{ kind = "town" }'] * 14)

FAULTS = {
    "no hex of this grid": ("B22 = {}", "B23 = {}", "B23 is no hex"),
    "no name of a hex": ("B22 = {}", "Brno = {}", "Brno is no hex"),
    "an unknown field": ("B22 = {}", "B22 = { coast = 40 }", "coast"),
    "a word for a number": ('D28 = { terrain = "hill", cost = 20 }', 'D28 = { cost = "much" }', "D28"),
    "a number for a hex": ("B22 = {}", "B22 = 7", "B22"),
    "an unknown label": ("B22 = {}", 'B22 = { label = "Q" }', "no tile is marked Q"),
    "an unknown ground": ("B22 = {}", 'B22 = { ground = "swamp" }', "swamp"),
    "a cost of nothing": ("B22 = {}", "B22 = { cost = 40 }", "a cost comes from"),
    "a cost below 0": ("B22 = {}", 'B22 = { terrain = "hill", cost = -20 }', "a cost comes from"),
    "an unknown terrain": ("B22 = {}", 'B22 = { terrain = "glacier", cost = 20 }', "a cost comes from"),
    "an unknown side": ("B22 = {}", 'B22 = { stubs = ["N"] }', "sides are called"),
    "an unknown side of track": ("B22 = {}", 'B22 = { track = [["W", "South"]] }', "sides are called"),
    "track to no place": ("B22 = {}", 'B22 = { track = [["W", 0]] }', "a node that it does not have"),
    "a place of no kind": ("B22 = {}", 'B22 = { nodes = [{ kind = "village" }] }', "B22"),
    "an unknown company": ('By = ["G13"]', 'By = ["G13"]\nBN = ["D18"]', "there is no large company BN"),
    "a company without a home": ('By = ["G13"]', "By = []", "By has no home"),
    "a home off the board": ('By = ["G13"]', 'By = ["F2"]', "F2 is no red hex"),
    "a home that is not red": ('By = ["G13"]', 'By = ["H14"]', "H14 is no red hex"),
    "another's home": ('By = ["G13"]', 'By = ["E17"]', "E17 is no red hex that is reserved for By"),
    "a home that is not a list": ('By = ["G13"]', "By = 13", "By"),
    "a reserved hex that is no home": ("B22 = {}", 'B22 = { ground = "red", reserved_for = "By" }', "not its home"),
    "a bid below 0": ("minimum = 35", "minimum = -5", "S1: a minimum bid is not below 0"),
    "a Local Railway of no size": ('size = "small", name = "W', 'name = "W', "S1: a Local Railway has a size"),
    "a Local Railway of a strange size": ('size = "small"', 'size = "tiny"', "S1: a Local Railway has a size"),
    "a train with a size": ('kind = "train"', 'kind = "train", size = "small"', "3E"),
    "an unknown kind of paper": ('kind = "train"', 'kind = "boat"', "3E"),
    "another train": ('"3E" = {', '"4E" = {', "4E: the train is the 3E"),
    "another railway": ("MW = {", "KFN = {", "KFN: the railway is MW"),
    "a railway without a home": (', home = "F22"', "", "MW: the railway is MW, at home on a hex with one city"),
    "a railway at home in a town": ('home = "F22"', 'home = "G21"', "at home on a hex with one city"),
    "a railway at home in two cities": ('home = "F22"', 'home = "D26"', "at home on a hex with one city"),
    "a value that is no number": ("yellow = 20", 'yellow = "twenty"', "yellow"),
    "a red value below 0": ("yellow = 20", "yellow = -20", "yellow"),
    "a red value of another phase": ("yellow = 20", "yellow = 20\ngreen = 35", "green"),
    "a red value misspelt": ("yellow = 20", "jellow = 20", "jellow"),
    "a red value beyond all others": ("yellow = 20", "yellow = 1001", "0 to 1000 K"),
    "a cost beyond all others": ("B22 = {}", 'B22 = { terrain = "hill", cost = 1001 }', "0 to 1000 K"),
    "a terrain that cannot be drawn": ("B22 = {}", 'B22 = { terrain = "glacier" }', "a cost comes from"),
    "more places than have room": ("B22 = {}", f"B22 = {{ nodes = [{TOWNS}] }}", "it has 14 nodes, and at most 4"),
    "a million slots": ("B22 = {}", 'B22 = { nodes = [{ kind = "city", slots = 1000000 }] }', "1 to 4 slots"),
    "a city without slots": ("B22 = {}", 'B22 = { nodes = [{ kind = "city" }] }', "1 to 4 slots"),
    "a town with slots": ("B22 = {}", 'B22 = { nodes = [{ kind = "town", slots = 1 }] }', "no slots"),
    "a mine": ("B22 = {}", 'B22 = { nodes = [{ kind = "mine" }] }', "not mine"),
    "a place worth a fortune": ("B22 = {}", 'B22 = { nodes = [{ kind = "town", value = 1001 }] }', "0 to 1000 K"),
    "a place worth less than nothing": ("B22 = {}", 'B22 = { nodes = [{ kind = "town", value = -10 }] }', "0 to 1000"),
    "a value for one colour": (
        "B22 = {}",
        'B22 = { nodes = [{ kind = "red", value = { brown = 50 } }] }',
        "has one for",
    ),
    "an endless location": ("B22 = {}", f'B22 = {{ nodes = [{{ kind = "town", location = "{LONG}" }}] }}', "location"),
    "track from a side to itself": ("B22 = {}", 'B22 = { track = [["W", "W"]] }', "joins two sides"),
    "track between places": ("B22 = {}", 'B22 = { nodes = [{ kind = "town" }], track = [[0, 0]] }', "joins two sides"),
    "an unknown side of a barrier": ("B22 = {}", 'B22 = { barriers = ["N"] }', "sides are called"),
    "an unknown side of a shore": ("B22 = {}", 'B22 = { shores = [["W"], ["N"]] }', "sides are called"),
    "a label that binds from nowhere": ("B22 = {}", 'B22 = { label_from = "blue" }', "not from blue"),
    "an endless name": ("B22 = {}", f'B22 = {{ name = "{LONG}" }}', "at most 40 letters"),
    "three names": ("B22 = {}", 'B22 = { name = "Brno & Praha & Plzeň" }', "two names"),
    "two names of nothing": ("B22 = {}", 'B22 = { name = " & " }', "two names"),
    "a name of several lines": ("B22 = {}", r'B22 = { name = "Brno\nPraha" }', "one line"),
    "names of cities that are none": ("B22 = {}", 'B22 = { city_names = ["Brno"] }', "names of cities"),
    "a paper with an endless name": ("Wolframs – Teltsch", LONG, "at most 40 letters"),
    "a bid beyond all others": ("minimum = 35", "minimum = 1001", "at most 1000 K"),
}


@pytest.mark.rule("18CZ XI.2/1")
@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_with_its_line(case: str) -> None:
    old, new, words = FAULTS[case]
    text = changed(old, new)
    number = line_of(text, new or "MW = {") + new.count("\n")
    message = fault_in(text)
    assert message.startswith(f"the Moravia board, line {number}: ")
    assert words in message


@pytest.mark.rule("18CZ XI.2/1")
@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("\n".join(f"{row}{column} = {{}}" for row in "QSUWY" for column in range(1, 99, 2)), "at most 200"),
        ("\n".join(f'Z{column} = {{ track = [["W", "E"]] }}' for column in range(0, 62, 2)), "31 pieces of track"),
    ],
    ids=["hexes", "track"],
)
def test_a_board_beyond_all_measure_is_refused(added: str, words: str) -> None:
    text = our_board().replace("[homes]", f"{added}\n[homes]")
    assert fault_in(text).startswith(f"the Moravia board, line {line_of(text, '[hexes]')}: there are ")
    assert words in fault_in(text)


@pytest.mark.rule("18CZ XI.2/1")
def test_thirty_pieces_of_track_may_be_printed() -> None:
    added = "\n".join(f'Z{column} = {{ track = [["W", "E"]] }}' for column in range(0, 60, 2))
    board = read_board(our_board().replace("[homes]", f"{added}\n[homes]"), base_data())
    assert sum(len(hex_.track) for hex_ in board.hexes.values()) == 30


@pytest.mark.rule("18CZ XI.2/1")
@pytest.mark.parametrize("table", ["homes", "privates", "red_tiles", "hexes"])
def test_a_table_that_is_missing_is_named(table: str) -> None:
    text = our_board()
    start = text.index(f"\n[{table}]") + 1
    following = text.find("\n[", start)
    rest = text[:start] + (text[following + 1 :] if following > 0 else "")
    assert table in fault_in(rest)


@pytest.mark.rule("18CZ XI.2/1")
@pytest.mark.parametrize(
    ("added", "at_end"),
    [("colour = 1\n", False), ("[stations]\nfirst = 40\n", True), ("[[stations]]\nfirst = 40\n", True)],
    ids=["value", "table", "list of tables"],
)
def test_something_unknown_is_told_with_its_line(added: str, at_end: bool) -> None:
    text = our_board() + added if at_end else added + our_board()
    name = added.strip("[").split()[0].rstrip("]")
    message = fault_in(text)
    assert f"line {line_of(text, added)}: {name} is unknown" in message


@pytest.mark.rule("18CZ XI.2/18")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "train"', 'kind = "local", size = "small"'),
        ("MW = {", 'S3 = { kind = "local", size = "small", name = "X", minimum = 5 }\nMW = {'),
    ],
    ids=["no train", "six papers"],
)
def test_five_papers_of_their_kinds_are_demanded(old: str, new: str) -> None:
    text = changed(old, new)
    assert fault_in(text).startswith(f"the Moravia board, line {line_of(text, '[privates]')}: there are five papers")


@pytest.mark.rule("18CZ XI.2/3")
def test_a_company_that_is_not_mentioned_is_told_at_the_table_of_homes() -> None:
    text = changed('By = ["G13"]', "# By")
    assert fault_in(text).startswith(f"the Moravia board, line {line_of(text, '[homes]')}: By has no home")


@pytest.mark.rule("18CZ XI.2/1")
def test_a_red_hex_on_which_the_red_tile_cannot_lie_is_told() -> None:
    """Only I19 would be left beside a home in the very south."""
    text = changed("I17 = { ground", "J18 = { ground").replace('kk = ["I17"]', 'kk = ["J18"]')
    text = text.replace("I19 = {}\n", "")
    assert fault_in(text).startswith(f"the Moravia board, line {line_of(text, 'kk = [')}: the red tile of kk")


@pytest.mark.rule("18CZ XI.2/1")
@pytest.mark.parametrize(
    ("header", "wrong"), [("[hexes.B22]", 'ground = "swamp"'), ('[privates."3E"]', "minimum = -5")]
)
def test_a_fault_is_found_in_a_table_of_its_own_as_well(header: str, wrong: str) -> None:
    text = our_board()
    (old,) = [line for line in text.splitlines() if line.startswith(("B22 =", '"3E" =')) and line[:3] in header]
    rest = "" if "B22" in header else 'kind = "train"\nname = "3E-train"\n'
    text = text.replace(f"{old}\n", "") + f"{header}\n{rest}{wrong}\n"
    number = line_of(text, header)
    assert f"line {number}: " in fault_in(text) or f"line {line_of(text, wrong)}: " in fault_in(text)


@pytest.mark.rule("18CZ XI.2/1")
def test_a_file_that_is_no_toml_is_told_with_its_line() -> None:
    text = changed("B22 = {}", "B22 = {")
    assert f"line {line_of(text, 'B22 = {')}" in fault_in(text)


# Our board


@pytest.mark.rule("18CZ XI.2/1", "18CZ XI.2/18")
def test_our_board_says_that_it_is_a_reconstruction() -> None:
    board = read_board(our_board(), base_data())
    assert len(board.reconstruction.split()) > 50
    for word in ("E17", "G13", "minimum bids", "Local Railways", "20", "printed board"):
        assert word in board.reconstruction


@pytest.mark.rule("18CZ XI.2/1")
def test_hexes_of_the_main_map_are_those_of_the_main_map() -> None:
    """All but the two that were made into homes."""
    ours, main = table_of(fresh()).title.map, cz_title().map
    assert {hex_.id for hex_ in ours if hex_.printed != main[hex_.id].printed} == {"E17", "G13"}


@pytest.mark.rule("18CZ XI.2/1", "18CZ XI.2/3")
@pytest.mark.parametrize("company", sorted(COMPANIES))
def test_the_red_home_tile_fits_on_every_home_hex(company: str) -> None:
    game = alone(company)
    title = table_of(game).title
    lays = [action for action in answers(game, LayRedTile) if isinstance(action, LayRedTile)]
    assert {action.hex for action in lays} == set(title.companies[company].homes)
    for action in lays:
        for side in exits(title.tiles[RED[company]], action.rotation):
            neighbour = title.map[beyond(action.hex, side)]
            assert neighbour.printed.ground in ("open", "yellow"), "it leads to where track can be laid"


# A board of one's own

OWN = changed("yellow = 20", "yellow = 35").replace("minimum = 35", "minimum = 15").replace("D22 = {}\n", "")


@pytest.mark.rule("18CZ XI.2/1", "18CZ XI.2/13", "18CZ XI.2/18")
def test_a_changed_board_is_played_on_and_restored_from_a_save() -> None:
    game = fresh(board=OWN)
    for now in (game, saves.load(saves.dump(game))):
        title = table_of(now).title
        assert "D22" not in title.map.hexes
        assert refused_by(now, OpenAuction("S1", 14)) == "18CZ XI.2/19"
        assert refused_by(now, OpenAuction("S1", 15)) == "allowed"
        assert title.tiles[RED["kk"]].nodes[0].value == {"yellow": 35, "green": 30, "brown": 40, "grey": 50}
        assert now.setup.board == OWN
    game.apply(OpenAuction("S1", 15))
    game.apply(Pass())
    again = saves.load(saves.dump(game))
    assert again.state.digest == game.state.digest
    assert "D22" in table_of(fresh()).title.map.hexes, "our own is as it was"
    assert refused_by(fresh(), OpenAuction("S1", 15)) == "18CZ XI.2/19"


@pytest.mark.rule("18CZ XI.2/1")
def test_only_this_variant_takes_a_board() -> None:
    with pytest.raises(BadSetup, match="printed board"):
        new_game("18CZ", ["Ada", "Ben", "Cleo"], board=our_board())
    with pytest.raises(BadSetup, match="printed board"):
        new_game("18CZ", ["Ada", "Ben"], variant="bohemia", board=our_board())


def ostbahn(*args: str | Path, status: int = 0) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert result.exit_code == status, result.output
    return result


def new(tmp_path: Path, text: str | None, status: int = 0) -> Result:
    board = tmp_path / "mine.toml"
    if text is not None:
        board.write_text(text, encoding="utf-8")
    args = ("--variant", "moravia", "--players", "3", "--board", board)
    return ostbahn("new", tmp_path / "game.json", *args, status=status)


@pytest.mark.rule("18CZ XI.2/1")
def test_the_command_line_takes_a_board(tmp_path: Path) -> None:
    assert "reconstruction" not in new(tmp_path, OWN).stdout, "it is not ours"
    game = saves.read(tmp_path / "game.json")
    assert game.setup.board == OWN
    assert "D22" not in table_of(game).title.map.hexes
    assert "D24" in ostbahn("show", tmp_path / "game.json").stdout
    plain = ostbahn("new", tmp_path / "other.json", "--variant", "moravia", "--players", "2").stdout
    assert "reconstruction" in plain


@pytest.mark.rule("18CZ XI.2/1")
def test_the_command_line_tells_file_and_line_of_a_fault(tmp_path: Path) -> None:
    text = changed("B22 = {}", 'B22 = { label = "Q" }')
    told = new(tmp_path, text, status=2).stderr
    assert told.count("\n") == 1
    assert f"{tmp_path / 'mine.toml'}: " in told
    assert f"line {line_of(text, 'B22 = ')}: B22: no tile is marked Q" in told
    assert not (tmp_path / "game.json").exists()


@pytest.mark.rule("18CZ XI.2/1")
def test_the_command_line_tells_of_a_board_that_is_not_there(tmp_path: Path) -> None:
    assert "mine.toml" in new(tmp_path, None, status=2).stderr
    args = ("--players", "3", "--board", tmp_path / "mine.toml")
    assert "mine.toml" in ostbahn("new", tmp_path / "game.json", *args, status=2).stderr


# Every company can live here


def alone(company: str) -> Game:
    """Seven turns of a company that has the board to itself, with trains of the green phases."""
    return moravia(
        phase="e",
        started={company: (60, "p1")},
        shares={company: {"p1": 3}},
        cash={company: 1000},
        trains={company: [("d1", "3"), ("e1", "4")]},
        agenda=[OperatingRound((company,))] * 7,
    )


def steps_from(hexes: Iterable[str], on_board: Collection[str]) -> dict[str, int]:
    """How far every hex is from the nearest of these."""
    steps = dict.fromkeys(hexes, 0)
    waiting = list(steps)
    for here in waiting:
        for side in COMPASS:
            there = beyond(here, side)
            if there in on_board and there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps


def prospects(game: Game, company: str, action: LayTile) -> tuple[int, ...]:
    """Revenue first, then cities on the network, then how near it comes to others."""
    revenue = run_with_tile(game, company, action.hex, action.tile, action.rotation).revenue
    twin = game.copy()
    twin.apply(action)
    title, board = table_of(twin).title, state_of(twin).board
    reach = title.surveyor.reach(board, company)
    reached = {city.partition(".")[0] for city in reach.nodes}
    steps = steps_from((name for name in reach.sides if name not in board.tiles), title.map.hexes)
    cities = {hex_.id for hex_ in title.map if hex_.printed.name}
    nearest = sorted(steps.get(name, 99) for name in cities - reached)
    return revenue, len(cities & reached), -nearest[0], -sum(nearest[:3]), len(reach.sides)


def grown(company: str, home: Action) -> int:
    """What the company earns at last if it always lays the most promising tile; it never places a second station."""
    game = alone(company)
    game.apply(home)
    while not game.over:
        lays = [action for action in answers(game, LayTile) if isinstance(action, LayTile)]
        if lays:
            game.apply(max(lays, key=lambda action: prospects(game, company, action)))
        elif asked(game).kind == "use_income":
            game.apply(Withhold())
        else:
            game.apply(idle(game))
    return state_of(game).revenue[company]


@pytest.mark.rule("18CZ XI.2/1", "18CZ XI.2/3")
@pytest.mark.parametrize("company", sorted(COMPANIES))
def test_every_company_finds_a_living_on_our_board(company: str) -> None:
    """By its homes and directions: By 110, Pr 110 and 140, Sx 120, 120 and 150, Ug 120 each, kk 80 and 110 K."""
    revenues = [grown(company, home) for home in answers(alone(company), LayRedTile)]
    assert max(revenues) >= 100
    assert min(revenues) >= 70
