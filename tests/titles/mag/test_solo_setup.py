"""The solo game is set up, and played at random to its end (18Mag II.3, XI, XI.1)."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from ostbahn import testing
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import CertificateMoved, Paid, Record, RoundBegan, StationPlaced, TileLaid
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import entry_of, new_game
from ostbahn.titles.mag.actions import DraftMinor, DraftShare
from ostbahn.titles.mag.events import CompanyCardDealt
from ostbahn.titles.mag.state import IstvanPromotes, Rounds, SoloDraft, StockRound
from ostbahn.titles.mag.two_player import two_player_title
from tests.titles.mag import invariants
from tests.titles.mag.share_scenes import is_offered, play_until, question_of, refusal_rule
from tests.titles.mag.solo_scenes import (
    COLOURS,
    HIM,
    MAJORS,
    ME,
    MINORS,
    board_of_his,
    deck,
    events,
    faces,
    opening,
    payments,
    solo_scene,
    state_of,
    table_of,
)

every_game = pytest.mark.parametrize(
    ("difficulty", "length"), [(level, length) for level in COLOURS for length in ("short", "long")]
)


def draft(game: Game) -> Game:
    """The human takes whatever is offered first."""
    while isinstance(question_of(game).task, SoloDraft):
        game.apply(question_of(game).options[0].action)
    return game


def owned_by(game: Game, player: str) -> list[str]:
    return [minor for minor, owner in state_of(game).owners.items() if owner == player]


def drawn(letter: str) -> Game:
    """An opening in which a certain share card was drawn."""
    games = (opening(seed) for seed in range(200))
    return next(game for game in games if board_of_his(game).share_card == letter)


# XI: what it is


@pytest.mark.rule("18Mag XI/1")
def test_one_human_plays_against_istvan_by_the_rules_for_two() -> None:
    game = opening()
    title, two = table_of(game).title, two_player_title()
    assert state_of(game).players == (ME, HIM)
    assert table_of(game).name(HIM) == "István"
    assert tuple(title.minors) == MINORS
    assert tuple(title.companies) == MAJORS
    assert list(title.stacks) == ["2", "3", "4"]
    assert list(title.phases) == ["yellow", "green", "brown"]
    assert title.prices == two.prices
    assert {hex_.id: hex_.printed for hex_ in title.map} == {hex_.id: hex_.printed for hex_ in two.map}


@pytest.mark.rule("18Mag XI/1", "18Mag I/1")
def test_exactly_one_human_plays() -> None:
    assert entry_of("18Mag", "solo").players == (1,)
    for names in ([], ["A", "B"], ["A", "B", "C"]):
        with pytest.raises(BadSetup, match=r"18Mag XI/1"):
            new_game("18Mag", names, variant="solo")


def test_nobody_can_be_mistaken_for_istvan() -> None:
    """Names tell people apart."""
    with pytest.raises(BadSetup, match="same name"):
        new_game("18Mag", ["István"], variant="solo")


# XI.1: lengths, difficulties and cards


@pytest.mark.rule("18Mag XI.1/1", "18Mag XI.1/2")
@every_game
def test_istvan_has_two_or_three_company_cards_and_a_share_card(difficulty: str, length: str) -> None:
    board = board_of_his(opening(4, difficulty, length))
    assert len(board.cards) == {"short": 2, "long": 3}[length]
    assert board.share_card in deck().shares


@pytest.mark.rule("18Mag XI.1/2")
@pytest.mark.parametrize("length", ["1", "2", "3", "4", "middle", ""])
def test_there_are_two_lengths(length: str) -> None:
    with pytest.raises(BadSetup, match="short, long"):
        opening(length=length)


@pytest.mark.rule("18Mag XI.1/3")
@pytest.mark.parametrize("difficulty", ["green", "hard", ""])
def test_there_are_three_difficulties(difficulty: str) -> None:
    with pytest.raises(BadSetup, match=r"medium, easy, difficult"):
        opening(difficulty=difficulty)


@pytest.mark.rule("18Mag XI.1/2", "18Mag XI.1/3")
def test_what_is_not_said_is_a_short_game_of_medium_difficulty() -> None:
    game = new_game("18Mag", ["Me"], variant="solo")
    assert dict(game.setup.options) == {"difficulty": "medium", "length": "short"}
    assert state_of(game) == state_of(opening())


@pytest.mark.rule("18Mag XI.1/3")
@every_game
def test_cards_of_one_colour_are_dealt_and_their_minors_are_his(difficulty: str, length: str) -> None:
    for seed in range(6):
        game = opening(seed, difficulty, length)
        cards = {minor: deck().companies[number] for minor, number in board_of_his(game).cards.items()}
        assert {card.colour for card in cards.values()} == {COLOURS[difficulty]}
        assert [str(card.minor) for card in cards.values()] == list(cards) == owned_by(game, HIM)


@pytest.mark.rule("18Mag XI.1/3")
def test_his_minors_begin_like_any_others() -> None:
    game = opening(2, "medium", "long")
    for minor in owned_by(game, HIM):
        home = table_of(game).title.minors[minor].home
        assert faces(game, minor) == ["2"]
        assert state_of(game).cash[minor] == 50
        assert state_of(game).board.stations_of(minor) == [f"{home.hex}.{home.node}"]
        assert state_of(game).markers[minor] == 2


def test_what_istvan_gets_is_told_before_the_first_answer() -> None:
    game = opening(2, "medium", "long")
    his = owned_by(game, HIM)
    assert {event.company for event in game.opening if isinstance(event, CompanyCardDealt)} == set(his)
    assert {event.company for event in game.opening if isinstance(event, StationPlaced)} == set(his)
    assert payments(game, source=BANK) == [(BANK, minor, 50) for minor in his]
    assert [event.target for event in game.opening if isinstance(event, CertificateMoved)] == [HIM]


@pytest.mark.rule("18Mag XI.1/3", "18Mag XI.1/6")
def test_chance_deals_every_card_and_the_seed_decides() -> None:
    companies: Counter[int] = Counter()
    shares: Counter[str] = Counter()
    for seed in range(120):
        board = board_of_his(opening(seed))
        companies.update(board.cards.values())
        shares[board.share_card] += 1
    assert sorted(companies) == list(range(8, 15))
    assert sorted(shares) == list("ABCDEFG")
    assert board_of_his(opening(77)) == board_of_his(opening(77))


# Income


def income(game: Game) -> list[tuple[str, str, int]]:
    """What the bank pays players right at the start of the last round of operations that began."""
    events = list(game.records[-1].events if game.records else game.opening)
    starts = [place for place, event in enumerate(events) if isinstance(event, RoundBegan) and "OR" in event.round]
    found = []
    for event in events[starts[-1] + 1 :]:
        if not isinstance(event, Paid) or event.target not in (ME, HIM):
            break
        found.append((event.source, event.target, event.amount))
    return found


@pytest.mark.rule("18Mag XI.1/4")
@pytest.mark.parametrize(("phase", "amount"), [("yellow", 30), ("green", 60), ("brown", 0)])
def test_in_the_short_game_both_sides_get_an_income_by_the_phase(phase: str, amount: int) -> None:
    game = solo_scene(his={"2": 9, "3": 10}, mine=("1", "4"), length="short", phase=phase, agenda=[Rounds(3, 0, 0)])
    assert income(game) == ([(BANK, ME, amount), (BANK, HIM, amount)] if amount else [])
    assert (state_of(game).cash[ME], state_of(game).cash[HIM]) == (amount, amount)


@pytest.mark.rule("18Mag XI.1/4")
def test_the_income_comes_in_every_operating_round_and_in_no_share_round() -> None:
    game = solo_scene(his={"2": 9, "3": 10}, mine=("1", "4"), length="short", phase="green", agenda=[Rounds(3, 0, 0)])
    play_until(game, lambda question: state_of(game).round == "OR 3.2")
    assert income(game) == [(BANK, ME, 60), (BANK, HIM, 60)]
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert not [paid for paid in payments(game) if paid == (BANK, ME, 60)][2:]


@pytest.mark.rule("18Mag XI.1/5")
@pytest.mark.parametrize("phase", ["yellow", "green", "brown"])
def test_in_the_long_game_there_is_no_income(phase: str) -> None:
    game = solo_scene(his={"2": 9, "3": 10, "6": 12}, mine=("1", "4", "7"), phase=phase, agenda=[Rounds(3, 0, 0)])
    assert income(game) == []
    assert state_of(game).cash[ME] == state_of(game).cash[HIM] == 0


# Shares and minors


@pytest.mark.rule("18Mag XI.1/6")
@pytest.mark.parametrize("letter", list("ABCDEFG"))
def test_his_start_share_is_on_the_share_card(letter: str) -> None:
    game = drawn(letter)
    held = {major for major, holders in state_of(game).certificates.items() if HIM in holders}
    assert held == {deck().shares[letter].start_share}
    assert all(holders.count(HIM) <= 1 and holders[0] == BANK for holders in state_of(game).certificates.values())


@pytest.mark.rule("18Mag XI.1/6", "18Mag XI.1/8")
def test_with_card_a_istvan_has_szkev_and_the_human_takes_another() -> None:
    game = drawn("A")
    assert state_of(game).certificates["SzKÉV"].count(HIM) == 1
    while not is_offered(game, DraftShare("SIK")):
        game.apply(question_of(game).options[0].action)
    assert [option.action for option in question_of(game)] == [DraftShare(major) for major in ("RÁBA", "SIK", "LdStEG")]
    assert refusal_rule(game, DraftShare("SzKÉV")) == "18Mag XI.1/8"
    assert refusal_rule(game, DraftShare("G&C")) == "18Mag XI.1/8"
    game.apply(DraftShare("SIK"))
    assert state_of(game).certificates["SIK"].count(ME) == 1
    assert sum(holders.count(ME) for holders in state_of(game).certificates.values()) == 1


@pytest.mark.rule("18Mag XI.1/7")
@every_game
def test_the_human_takes_as_many_of_the_other_minors(difficulty: str, length: str) -> None:
    game = opening(3, difficulty, length)
    his = owned_by(game, HIM)
    others = [minor for minor in MINORS if minor not in his]
    assert refusal_rule(game, DraftMinor(his[0])) == "18Mag XI.1/7"
    assert refusal_rule(game, DraftMinor("5")) == "18Mag XI.1/7"
    assert refusal_rule(game, Pass()) == "18Mag XI.1/7"
    assert refusal_rule(game, DraftShare("SIK")) == "18Mag XI.1/7", "the share comes last"
    for taken, minor in enumerate(others[-len(his) :]):
        assert [option.action for option in question_of(game)] == [
            DraftMinor(other) for other in others if other not in others[-len(his) :][:taken]
        ]
        game.apply(DraftMinor(minor))
        assert (faces(game, minor), state_of(game).cash[minor]) == (["2"], 50)
    assert refusal_rule(game, DraftMinor(others[0])) == "18Mag XI.1/7"
    game.apply(question_of(game).options[0].action)
    mine = owned_by(game, ME)
    assert len(mine) == len(his)
    assert set(state_of(game).owners) == {*mine, *his}, "those left over are out"
    stations = {company for companies in state_of(game).board.stations.values() for company in companies}
    assert stations == {*mine, *his}, "their homes are ordinary cities"


@pytest.mark.rule("18Mag XI.1/7")
def test_only_the_human_chooses_and_a_refusal_says_so_plainly() -> None:
    game = opening()
    assert question_of(game).decider == ME
    refusal = game.refusal(question_of(game).options[0].action, by=HIM)
    assert refusal is not None
    assert "nobody" not in refusal.text


@pytest.mark.rule("18Mag XI.1/9")
@pytest.mark.parametrize("seed", range(4))
def test_istvan_has_the_priority_deal_and_opens_the_first_share_round(seed: int) -> None:
    game = draft(opening(seed))
    assert state_of(game).priority == HIM
    play_until(game, lambda question: isinstance(question.task, StockRound))
    task = question_of(game).task
    assert isinstance(task, StockRound)
    assert (task.player, state_of(game).round) == (ME, "SR 2")
    acted = task.passes == 1 or task.last == HIM
    assert acted, "he has had his turn before the human is asked"


@pytest.mark.rule("18Mag XI/1", "18Mag XI.1/10")
@every_game
def test_after_the_set_up_there_is_one_operating_round_and_then_the_second_share_round(
    difficulty: str, length: str
) -> None:
    """The choice of minors and a share is the first Share Round."""
    game = draft(opening(2, difficulty, length))
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert [event.round for event in events(game, RoundBegan)] == ["OR 1.1", "SR 2"]


# Track


@pytest.mark.rule("18Mag XI.1/10")
@every_game
def test_the_track_of_his_cards_lies_before_the_first_round_and_costs_nothing(difficulty: str, length: str) -> None:
    for seed in range(5):
        game = opening(seed, difficulty, length)
        assert not state_of(game).board.tiles
        draft(game)
        cards = [deck().companies[number] for number in board_of_his(game).cards.values()]
        wanted = {piece.hex: (piece.tile, piece.rotation) for card in cards for piece in card.prelay}
        assert dict(state_of(game).board.tiles) == wanted
        invariants.check_tiles(table_of(game).title, state_of(game))
        assert state_of(game).cash["SIK"] == 0
        assert not payments(game, target="SIK")


@pytest.mark.rule("18Mag XI.1/10")
def test_home_stations_stand_where_the_track_is() -> None:
    """Minor 7's station is in the city of E6 with the track, and minor 1's is still in Pest."""
    game = next(
        game for game in (opening(seed, "difficult", "long") for seed in range(200)) if {"1", "7"} <= set(owned(game))
    )
    draft(game)
    assert state_of(game).board.stations["E6.0"] == ("7",)
    title = table_of(game).title
    (pest,) = [city for city, companies in state_of(game).board.stations.items() if companies == ("1",)]
    face = state_of(game).board.face(title.tile_set, title.map["C8"])
    assert pest.startswith("C8.")
    assert face.node_exits[int(pest[3:])] == 0b101000, "north-east and south-east"


def owned(game: Game) -> list[str]:
    return owned_by(game, HIM)


# Random games


class Watch:
    """What must hold in every step of a solo game."""

    def __init__(self, save_every: int = 100) -> None:
        self.save_every = save_every

    def __call__(self, game: Game, question: Question, before: State, record: Record) -> None:
        invariants.check_invariants(game)
        testing.check_money(before, record, game.state)
        invariants.check_train_events(invariants.state_of(before), record, invariants.state_of(game.state))
        testing.check_undo(game, before, record)
        self.check_istvan(game, question, before, record)
        if len(game) % self.save_every == 0 or game.over:
            testing.check_save(game)
            testing.check_earlier(game, max(0, len(game) - self.save_every))
        if not game.over:
            testing.check_options(game, Random(len(game)), 2)
            testing.check_turn(game, (ME, HIM))
            testing.check_copy(game, game.ask().options[0].action)

    def check_istvan(self, game: Game, question: Question, before: State, record: Record) -> None:
        """He is never asked, decides nothing, lays nothing yellow and sells nothing."""
        assert question.decider == record.by == ME
        his = {HIM, *owned_by(game, HIM)}
        title = table_of(game).title
        if not isinstance(question.task, IstvanPromotes):
            assert question.company not in his
            assert before.certificates.get(question.company or "", (ME,))[0] != HIM
        else:
            assert question.company in his
        draft_over = isinstance(record.action, DraftShare)
        for event in record.events:
            if isinstance(event, TileLaid) and event.company in his and not draft_over:
                assert title.tiles[event.tile].colour in ("green", "brown")
            if isinstance(event, Paid) and event.source == BANK and event.target == HIM:
                assert "share" not in event.why, "only a sale brings money for shares"


def play(seed: int, difficulty: str, length: str) -> Game:
    values = {
        "istvan_scraps": ("only if he can pay after the run", "whenever above the threshold"),
        "istvan_certificate_limit": ("yes", "no"),
        "istvan_closed_station": ("it waits", "it is skipped"),
        "istvan_impossible_entry": ("it is skipped", "it waits"),
    }
    rulings = {name: options[seed >> place & 1] for place, (name, options) in enumerate(values.items())}
    game = opening(seed, difficulty, length, rulings=rulings)
    return testing.play_random(game, Random(seed), watch=[Watch()])


@pytest.mark.rule("18Mag XI/1", "18Mag XI.2.1/1", "18Mag XI.4/8")
@every_game
def test_everything_adds_up_in_a_random_game(difficulty: str, length: str) -> None:
    game = play(len(difficulty) + len(length), difficulty, length)
    assert game.over
    assert game.state.phase == "brown"


@pytest.mark.soak
@every_game
def test_everything_adds_up_in_many_random_games(difficulty: str, length: str) -> None:
    for seed in range(int(os.environ.get("OSTBAHN_SOAK_GAMES", "60"))):
        try:
            assert play(seed, difficulty, length).over
        except Exception as fault:
            fault.add_note(f"in the {length} {difficulty} solo game with seed {seed}")
            raise
