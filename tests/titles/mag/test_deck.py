"""The deck of the solo game: faults are told, what it says is played, and ours keeps to its constraints (18Mag XI)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadData, BadSetup, OstbahnError
from ostbahn.kits.catalogue import CATALOGUE, entry_of, new_game, rulebook, start_game, with_all_rulings
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.titles.mag.deck import REQUIRED_FIELDS, CompanyCard, ShareCard, bundled_deck, read_deck
from ostbahn.titles.mag.solo import solo_title
from ostbahn.titles.mag.state import EndTurn, EstablishStation, Rounds
from tests.titles.mag.share_scenes import play_until, question_of
from tests.titles.mag.solo_scenes import (
    MAJORS,
    MINORS,
    board_of_his,
    deck,
    deck_text,
    opening,
    printed,
    solo_scene,
    state_of,
    table_of,
)

CARDS = list(deck().companies.values())
SHARES = list(deck().shares.values())
every_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: f"card {card.number}")
every_share_card = pytest.mark.parametrize("card", SHARES, ids=lambda card: f"card {card.letter}")

# Faults


def fault_in(text: str) -> str:
    with pytest.raises(BadData) as caught:
        read_deck(text, solo_title())
    assert "\n" not in str(caught.value)
    return str(caught.value)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


PIECE = {"hex": "D9", "tile": "57", "rotation": 2, "exits": ["NW", "SE"]}
COMPANY_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown field": ({"colours": "red"}, "colours"),
    "a field that is missing": ({"actions": None}, "actions"),
    "a word for a number": ({"minor": "two"}, "minor"),
    "an unknown colour": ({"colour": "blue"}, "blue"),
    "an unknown provenance": ({"provenance": "guess"}, "guess"),
    "an unknown standing order": ({"standing": ["buy_4"]}, "buy_4"),
    "a minor that is not in this game": ({"minor": 5}, "no minor 5"),
    "an unknown symbol": ({"actions": [{"do": "dance"}]}, "dance"),
    "an unknown field of a symbol": ({"actions": [{"do": "station", "hex": "D9", "at": 1}]}, "at"),
    "a train without its kind": ({"actions": [{"do": "buy_train"}]}, "train"),
    "a station without a hex": ({"actions": [{"do": "station", "city": "Szeged"}]}, "hex"),
    "an exchange without a threshold": ({"actions": [{"do": "swap_over"}]}, "threshold"),
    "a purchase without a price": ({"actions": [{"do": "buy_2_up"}]}, "price"),
    "two purchases with one price": ({"actions": [{"do": "buy_2_up_or_down", "price_up": 30}]}, "price_down"),
    "a train that does not exist": ({"actions": [{"do": "buy_train", "train": "6"}]}, "6-trains"),
    "a station off the map": ({"actions": [{"do": "station", "hex": "Z9"}]}, "Z9"),
    "a station where there is no city": ({"actions": [{"do": "station", "hex": "B7"}]}, "B7"),
    "an exchange for nothing": ({"actions": [{"do": "swap_over", "threshold": 100}]}, "100"),
    "a price below 0": ({"actions": [{"do": "buy_2_up", "price": -30}]}, "-30"),
    "a token among the entries": ({"actions": [{"do": "extra_token"}]}, "extra_token"),
    "an entry in the set-up": ({"setup": [{"do": "buy_train", "train": "2"}]}, "buy_train"),
    "a token off the map": ({"setup": [{"do": "extra_token", "hex": "Z9"}]}, "Z9"),
    "a token where there is no city": ({"setup": [{"do": "extra_token", "hex": "B7"}]}, "B7"),
    "a token in the home of another": ({"setup": [{"do": "extra_token", "hex": "E10"}]}, "E10"),
    "a tile off the map": ({"prelay": [{**PIECE, "hex": "Z9"}]}, "Z9"),
    "an unknown tile": ({"prelay": [{**PIECE, "tile": "999"}]}, "999"),
    "a tile that does not fit": ({"prelay": [{**PIECE, "tile": "8"}]}, "8"),
    "a green tile": ({"prelay": [{**PIECE, "tile": "14"}]}, "14"),
    "a strange rotation": ({"prelay": [{**PIECE, "rotation": 7}]}, "57"),
    "other exits": ({"prelay": [{**PIECE, "exits": ["NW", "E"]}]}, "exits"),
    "an unknown side": ({"prelay": [{**PIECE, "exits": ["NW", "South"]}]}, "exits"),
    "track off the map": ({"prelay": [{"hex": "B3", "tile": "57", "rotation": 1, "exits": ["W", "E"]}]}, "B3"),
    "a train that costs a fortune": ({"actions": [{"do": "buy_2_up", "price": 1001}]}, "1 to 1000 Ft"),
    "a city with an endless name": ({"actions": [{"do": "station", "hex": "D9", "city": "x" * 41}]}, "40 letters"),
    "a fifth station": ({"setup": [{"do": "extra_token"}, {"do": "extra_token"}]}, "no fifth"),
    "an endless card": ({"actions": [{"do": "buy_train", "train": "2"}] * 21}, "at most 20"),
    "track without end": ({"prelay": [PIECE] * 21}, "at most 20"),
    "a standing order without end": ({"standing": ["no_train_buy_2"] * 21}, "at most 20"),
    "track across the lake": (
        {"prelay": [{"hex": "D5", "tile": "9", "rotation": 2, "exits": ["NW", "SE"]}]},
        "D5",
    ),
}


@pytest.mark.rule("18Mag II.3/6")
@pytest.mark.parametrize("case", COMPANY_FAULTS)
def test_a_fault_of_a_company_card_is_told_with_the_card_and_its_line(case: str) -> None:
    changes, word = COMPANY_FAULTS[case]
    text = deck_text({3: changes})
    message = fault_in(text)
    start = text.index("number = 3\n")
    line = text[: text.rindex("[[company_card]]", 0, start)].count("\n") + 1
    assert message.startswith(f"the deck, line {line}: company_card number 3: ")
    assert word in message.partition("number 3: ")[2]


ORDER = [{"major": major, "max_percent": 40} for major in MAJORS]
SHARE_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown field": ({"start": "SIK"}, "start"),
    "a field that is missing": ({"order": None}, "order"),
    "a major that is not in this game": ({"order": [*ORDER[1:], {"major": "G&C", "max_percent": 40}]}, "RÁBA"),
    "a major twice": ({"order": [*ORDER, ORDER[0]]}, "once"),
    "a major that is missing": ({"order": ORDER[1:]}, "RÁBA"),
    "a start share of nothing": ({"start_share": "G&C"}, "G&C"),
    "a maximum above 60": ({"order": [{"major": "RÁBA", "max_percent": 70}, *ORDER[1:]]}, "60"),
    "a maximum of 0": ({"order": [{"major": "RÁBA", "max_percent": 0}, *ORDER[1:]]}, "10"),
    "a maximum of 25": ({"order": [{"major": "RÁBA", "max_percent": 25}, *ORDER[1:]]}, "tens"),
    "a maximum in words": ({"order": [{"major": "RÁBA", "max_percent": "all"}, *ORDER[1:]]}, "max_percent"),
}


@pytest.mark.rule("18Mag II.3/6")
@pytest.mark.parametrize("case", SHARE_FAULTS)
def test_a_fault_of_a_share_card_is_told_with_the_card_and_its_line(case: str) -> None:
    changes, word = SHARE_FAULTS[case]
    text = deck_text(shares={"C": changes})
    message = fault_in(text)
    line = line_of(text, 'letter = "C"\n') - 1
    assert message.startswith(f"the deck, line {line}: share_card number 3: ")
    assert word in message.partition("number 3: ")[2]


WHOLE_FAULTS = {
    "nothing": ("", "company card"),
    "an endless letter": (bundled_deck().replace('letter = "C"', f'letter = "{"x" * 41}"'), "40 letters"),
    "a share card for everybody": (
        bundled_deck() + bundled_deck()[bundled_deck().index("[[share_card]]") :] * 7,
        "1 to 50",
    ),
    "no share card": (bundled_deck()[: bundled_deck().index("[[share_card]]")], "share card"),
    "a card that is missing": (bundled_deck()[bundled_deck().index("[[company_card]]\nnumber = 2\n") :], "every minor"),
    "a minor twice in a colour": (deck_text({3: {"minor": 4}}), "every minor in every colour"),
    "a number twice": (deck_text({3: {"number": 4}}), "number 4"),
    "a letter twice": (deck_text(shares={"B": {"letter": "A"}}), "letter A"),
    "a clash of two cards": (
        deck_text({4: {"prelay": [{"hex": "D9", "tile": "57", "rotation": 0, "exits": ["SW", "NE"]}]}}),
        "different tiles on D9",
    ),
    "something unknown": (bundled_deck() + "[privates]\nA = 1\n", "privates"),
    "no list of cards": ("company_card = 5\n", "company_card"),
    "one card that is no list": ("[company_card]\nnumber = 1\n", "company_card"),
    "no TOML": (bundled_deck().replace("[[share_card]]", "[[share_card", 1), "TOML"),
}


@pytest.mark.rule("18Mag II.3/6", "18Mag XI.1/10")
@pytest.mark.parametrize("case", WHOLE_FAULTS)
def test_a_fault_of_the_whole_deck_is_told(case: str) -> None:
    text, words = WHOLE_FAULTS[case]
    message = fault_in(text)
    assert "the deck" in message
    assert words in message


@pytest.mark.rule("18Mag XI.1/10")
def test_more_tiles_than_there_are_are_a_fault() -> None:
    """There are four tiles 7, and one of them lies on B7."""
    pieces = [{"hex": name, "tile": "7", "rotation": 1, "exits": ["W", "NW"]} for name in ("B11", "C4", "D3", "E12")]
    assert len(read_deck(deck_text({6: {"prelay": pieces[:3]}}), solo_title()).companies[6].prelay) == 3
    message = fault_in(deck_text({6: {"prelay": pieces[:2]}, 7: {"prelay": pieces[2:]}}))
    assert "green" in message
    assert "tiles 7" in message


@pytest.mark.rule("18Mag II.3/6")
def test_a_file_that_is_no_toml_is_told_with_its_line() -> None:
    text = bundled_deck().replace("[[share_card]]", "[[share_card", 1)
    assert f"line {line_of(text, '[[share_card')}" in fault_in(text)


@pytest.mark.rule("18Mag II.3/6")
def test_a_faulty_deck_begins_no_game() -> None:
    with pytest.raises(OstbahnError, match="line"):
        opening(deck=deck_text({3: {"minor": 5}}))


# A deck of one's own


OWN = deck_text(
    {number: {"actions": [{"do": "buy_train", "train": "4"}], "prelay": []} for number in range(8, 15)},
    {letter: {"start_share": "LdStEG"} for letter in "ABCDEFG"},
)


@pytest.mark.rule("18Mag II.3/6", "18Mag XI.1/10")
def test_a_replaced_deck_is_played_with_and_restored_from_a_save() -> None:
    game = opening(5, deck=OWN)
    play_until(game, lambda question: state_of(game).round == "SR 3")
    for now in (game, saves.load(saves.dump(game))):
        assert now.setup.deck == OWN
        assert not state_of(now).board.tiles
        assert state_of(now).certificates["LdStEG"].count("p2") >= 1
        number = next(iter(board_of_his(now).cards.values()))
        assert [entry.do for entry in table_of(now).title.deck.companies[number].actions] == ["buy_train"]
        assert now.state.digest == game.state.digest
    ours = opening(5)
    assert ours.setup.deck is None
    assert ours.state.digest != opening(5, deck=OWN).state.digest


@pytest.mark.rule("18Mag II.3/6")
def test_our_deck_given_as_a_file_makes_no_difference() -> None:
    assert opening(5, deck=bundled_deck()).state == opening(5).state
    assert opening(5, deck=deck_text()).state == opening(5).state


@pytest.mark.rule("18Mag XI.1/3", "18Mag II.3/6")
def test_the_first_cards_are_dealt_where_that_is_the_ruling() -> None:
    first = opening(5, rulings={"istvan_cards": "first"})
    assert table_of(first).title.deck.companies == table_of(opening(5, deck=bundled_deck("first"))).title.deck.companies
    assert table_of(first).title.deck.companies != deck().companies
    with pytest.raises(BadSetup, match="istvan_cards is one of second, first, not third"):
        start_game(msgspec.structs.replace(first.setup, rulings={**first.setup.rulings, "istvan_cards": "third"}))


@pytest.mark.rule("18Mag XI.1/3")
def test_a_game_older_than_the_second_cards_goes_on_with_the_first() -> None:
    setup = opening(5).setup
    older = {name: value for name, value in setup.rulings.items() if name != "istvan_cards"}
    kept = with_all_rulings(msgspec.structs.replace(setup, rulings=older))
    first = opening(5, rulings={"istvan_cards": "first"})
    assert table_of(start_game(kept)).title.deck.companies == table_of(first).title.deck.companies


@pytest.mark.rule("18Mag XI.1/2", "18Mag XI.1/3", "18Mag II.3/6")
@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if entry.variant != "solo"], ids=str)
def test_no_other_game_takes_a_deck_or_options(entry: Any) -> None:
    names = list("ABCDEF"[: entry.players[0]])
    with pytest.raises(BadSetup, match="no cards"):
        new_game(entry.title, names, variant=entry.variant, deck=bundled_deck())
    with pytest.raises(BadSetup, match="no option length"):
        new_game(entry.title, names, variant=entry.variant, options={"length": "long"})


@pytest.mark.rule("18Mag XI.1/2")
def test_the_solo_game_takes_no_other_options_and_no_board() -> None:
    with pytest.raises(BadSetup, match="no option weather; known are difficulty, length"):
        new_game("18Mag", ["Me"], variant="solo", options={"weather": "fine"})
    with pytest.raises(BadSetup, match="printed board"):
        new_game("18Mag", ["Me"], variant="solo", board="")


@pytest.mark.rule("18Mag XI.2.2/8", "18Mag XI.4/1", "18Mag XI.2.2/7")
def test_the_rulings_about_istvan_are_those_of_the_solo_game_alone() -> None:
    his = {"istvan_scraps", "istvan_certificate_limit", "istvan_closed_station", "istvan_impossible_entry"}
    assert his <= set(rulebook("18Mag", "solo").title.rulings)
    for variant in ("base", "two_player"):
        assert not his & set(rulebook("18Mag", variant).title.rulings)
    with pytest.raises(BadSetup, match="no ruling istvan_scraps"):
        new_game("18Mag", ["A", "B"], variant="two_player", rulings={"istvan_scraps": "whenever above the threshold"})


# The reconstruction is called so


@pytest.mark.rule("18Mag II.3/6")
def test_only_what_the_rulebook_shows_is_called_printed() -> None:
    assert [card.number for card in CARDS if card.provenance == "printed"] == [16]
    assert [card.letter for card in SHARES if card.provenance == "printed"] == ["A"]
    assert deck().companies[16].prelay_provenance == "reconstruction", "the back of that card is not shown"


@pytest.mark.rule("18Mag II.3/6")
def test_people_are_told_of_the_reconstruction() -> None:
    assert bundled_deck().startswith("# RECONSTRUCTION")
    note = entry_of("18Mag", "solo").note
    assert "reconstruction" in note
    assert "from a file" in note


# The constraints of a deck


@pytest.mark.rule("18Mag II.3/6")
def test_there_are_21_company_cards_and_7_share_cards() -> None:
    assert (len(CARDS), len(SHARES), len(CARDS) + len(SHARES)) == (21, 7, 28)
    pairs = [(colour, int(minor)) for colour in ("green", "yellow", "red") for minor in MINORS]
    assert [(card.colour, card.minor) for card in CARDS] == pairs, "numbered by colour, then by minor"
    assert [card.number for card in CARDS] == list(range(1, 22))
    assert {card.start_share for card in SHARES} <= set(MAJORS)


@pytest.mark.rule("18Mag XI.1/10")
@pytest.mark.parametrize("colour", ["green", "yellow", "red"])
def test_cards_of_one_colour_agree_and_fit_the_supply(colour: str) -> None:
    title = solo_title()
    pieces = [piece for card in CARDS if card.colour == colour for piece in card.prelay]
    tiles = {piece.hex: (piece.tile, piece.rotation) for piece in pieces}
    assert all(tiles[piece.hex] == (piece.tile, piece.rotation) for piece in pieces)
    for name, number in Counter(title.piece(tile) for tile, _ in tiles.values()).items():
        assert number <= title.tiles[name].count
        assert title.tiles[name].colour == "yellow"
    assert "D5" not in tiles, "the lake is left alone"


@pytest.mark.rule("18Mag XI.1/10", "18Mag XI.2.2/7")
@every_card
def test_a_card_by_itself_joins_home_and_targets_and_lets_a_2_train_run(card: CompanyCard) -> None:
    minor, home = str(card.minor), solo_title().minors[str(card.minor)].home.hex
    assert home in printed(card.number)
    other = "11" if minor != "11" else "2"
    runs = solo_scene(his={minor: card.number}, mine=(other,), turns=[minor], tiles=printed(card.number), cash={})
    assert state_of(runs).revenue[minor] > 0
    # Were it the human's, it could put a station into every city that the card names.
    game = solo_scene(
        his={other: card.number},
        mine=(minor,),
        agenda=[Rounds(2, 1, 1), EndTurn(minor), EstablishStation(minor)],
        tiles=printed(card.number),
        cash={minor: 500},
    )
    cities = [option.action.city for option in question_of(game) if isinstance(option.action, PlaceStation)]
    hexes = {city.partition(".")[0] for city in cities}
    taken = {solo_title().minors[other].home.hex}
    assert {entry.hex for entry in card.actions if entry.do == "station"} <= hexes | taken


@pytest.mark.rule("18Mag XI.2.2/5", "18Mag XI.2.2/7")
@every_card
def test_stations_are_not_more_than_the_minor_has(card: CompanyCard) -> None:
    targets = [entry.hex for entry in card.actions if entry.do == "station"]
    assert len(targets) <= 2 + len(card.setup)
    assert len(set(targets)) == len(targets)
    assert solo_title().minors[str(card.minor)].home.hex not in targets
    for hex_id in targets:
        assert {node.kind for node in solo_title().map[hex_id or ""].printed.nodes} == {"city"}


@pytest.mark.rule("18Mag XI.2.2/6", "18Mag XI.2.2/8", "18Mag XI.2.2/10")
@every_card
def test_trains_are_there_to_be_exchanged_and_there_is_room_for_those_bought(card: CompanyCard) -> None:
    trains = ["2"]
    for entry in card.actions:
        if entry.do == "swap_over":
            trains.remove("2")
            trains.append({95: "3", 175: "4"}[entry.threshold or 0])
        elif entry.do in ("buy_2_up", "buy_2_up_or_down"):
            trains.append("2")
        elif entry.do == "buy_train":
            trains.append(entry.train or "")
        assert len(trains) <= 2


@pytest.mark.rule("18Mag XI.1/3", "18Mag XI.2.2/3")
@pytest.mark.parametrize("minor", MINORS)
def test_red_cards_do_more_than_yellow_and_yellow_more_than_green(minor: str) -> None:
    green, yellow, red = (card for card in CARDS if card.minor == int(minor))
    assert (green.standing, yellow.standing, red.standing) == ((), (), ("no_train_buy_2",))
    assert len(green.actions) < len(yellow.actions) <= len(red.actions)
    stations = [sum(entry.do == "station" for entry in card.actions) for card in (green, yellow, red)]
    assert stations[0] <= stations[1] < stations[2]


@pytest.mark.rule("18Mag XI.2.2/5", "18Mag XI.2.2/6", "18Mag XI.2.2/8", "18Mag XI.2.2/9", "18Mag XI.2.2/11")
def test_every_symbol_that_the_rulebook_explains_is_on_some_card() -> None:
    entries = {(entry.do, entry.threshold or entry.train) for card in CARDS for entry in (*card.setup, *card.actions)}
    assert entries >= {("swap_over", 95), ("swap_over", 175), ("buy_train", "2"), ("buy_train", "4")}
    assert {do for do, _ in entries} == set(REQUIRED_FIELDS)


@pytest.mark.rule("18Mag XI.2.2/1", "18Mag XI.2.2/7")
@every_card
def test_no_card_begins_with_a_station_that_another_one_could_close(card: CompanyCard) -> None:
    assert card.actions[0].do != "station"


@pytest.mark.rule("18Mag XI.1/3", "18Mag X/11")
@pytest.mark.parametrize("colour", ["green", "yellow", "red"])
def test_every_colour_has_4_trains_so_that_istvan_can_begin_the_last_phase(colour: str) -> None:
    with_4 = [
        card.number
        for card in CARDS
        if card.colour == colour and any(entry.train == "4" or entry.threshold == 175 for entry in card.actions)
    ]
    assert len(with_4) > len(MINORS) / 2


@pytest.mark.rule("18Mag XI.4/2")
@every_share_card
def test_share_cards_list_each_major_once_and_let_istvan_become_a_director(card: ShareCard) -> None:
    assert sorted(wish.major for wish in card.order) == sorted(MAJORS)
    maxima = {wish.major: wish.max_percent for wish in card.order}
    assert set(maxima.values()) <= {10, 20, 30, 40, 50, 60}
    assert maxima[card.start_share] >= 20
