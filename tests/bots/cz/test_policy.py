"""G at a table of 18CZ: it always finds a legal answer, and its answers are those of somebody who wants to win."""

from importlib import resources

import pytest
from msgspec import structs

from ostbahn.bots.playing import RandomBot
from ostbahn.bots.policies import parse_weights
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadData
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import BuyLocal, StartCompany
from ostbahn.titles.cz.opponents.policy import proposals
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_weights
from ostbahn.titles.cz.state import CzTable

NAMES = ("Anna", "Bert", "Cilli", "Dora")


def play(game: Game, seats: set[str], answers: int = 10_000) -> Game:
    """G in some seats, chance in the others."""
    chance = RandomBot(5)
    while game.question is not None and len(game) < answers:
        question = game.question
        if question.decider in seats and not question.obvious:
            found = proposals(question, game, cz_weights())
            assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
            game.apply(found[0].action, by=question.decider)
        else:
            game.apply(chance.choose(question, game))
    return game


@pytest.mark.parametrize(("variant", "players"), [("moravia", 2), ("moravia", 3), ("bohemia", 2)])
def test_plays_every_variant_to_its_end(variant: str, players: int) -> None:
    game = new_game("18CZ", NAMES[:players], variant=variant, seed=2)
    assert play(game, set(game.state.players)).over


def test_beats_chance_by_far() -> None:
    game = play(new_game("18CZ", NAMES[:3], seed=4), {"p1"})
    assert isinstance(game.table, CzTable)
    wealth = game.table.standings()
    assert wealth["p1"] > 2 * max(wealth["p2"], wealth["p3"])


def test_every_proposal_is_a_legal_answer() -> None:
    game = new_game("18CZ", NAMES, seed=1)
    while game.question is not None and len(game) < 150:
        found = proposals(game.question, game, cz_weights())
        assert found
        assert all(each.action in game.question for each in found)
        game.apply(found[0].action)


def test_keeps_the_money_for_a_company_and_starts_it() -> None:
    game = new_game("18CZ", NAMES[:3], seed=1)
    play(game, set(game.state.players), answers=40)
    kinds = [type(action) for _, action in game.actions()]
    assert kinds[0] is BuyLocal
    assert kinds.count(StartCompany) >= 2


def keeping(*amounts: int) -> CzWeights:
    """G's numbers, with other amounts to keep, for one player, two, three..."""
    weights = cz_weights()
    return structs.replace(weights, shares=structs.replace(weights.shares, keep_for_start=amounts))


@pytest.mark.parametrize(
    ("players", "amounts", "buys"),
    [
        pytest.param(3, (0, 0, 9999, 0, 0), False, id="the third is for three"),
        pytest.param(4, (9999, 9999, 9999, 0, 9999), True, id="the fourth is for four"),
        pytest.param(4, (9999, 9999, 0), True, id="without a fourth the last is for four"),
        pytest.param(6, (0, 0, 0, 9999), False, id="and for six"),
        pytest.param(5, (0,), True, id="a single one is for all"),
    ],
)
def test_what_is_kept_for_a_company_depends_on_how_many_play(
    players: int, amounts: tuple[int, ...], buys: bool
) -> None:
    game = new_game("18CZ", (*NAMES, "Emil", "Franz")[:players], seed=1)
    assert game.question is not None
    found = proposals(game.question, game, keeping(*amounts))
    assert any(isinstance(each.action, BuyLocal) for each in found) == buys


@pytest.mark.parametrize(("amounts", "bids"), [((9999, 0, 9999), True), ((0, 9999, 0), False), ((0,), True)])
def test_so_does_what_is_bid_for_a_private_paper(amounts: tuple[int, ...], bids: bool) -> None:
    """Two play, and a paper has been named."""
    game = new_game("18CZ", NAMES[:2], variant="moravia", seed=1)
    play(game, set(game.state.players), answers=1)
    assert game.question is not None
    assert game.question.kind == "bidding"
    assert (proposals(game.question, game, keeping(*amounts))[0].action != Pass()) == bids


def test_exactly_what_is_to_be_kept_may_be_left() -> None:
    game = new_game("18CZ", NAMES[:3], seed=1)
    assert game.question is not None
    cash = game.state.cash[game.question.decider]
    dearest = max(
        (each.action for each in proposals(game.question, game, keeping(0)) if isinstance(each.action, BuyLocal)),
        key=lambda action: price_of(game, action),
    )
    left = cash - price_of(game, dearest)
    for keep, expected in ((left, True), (left + 1, False)):
        found = [each.action for each in proposals(game.question, game, keeping(keep))]
        assert (dearest in found) == expected


def price_of(game: Game, purchase: BuyLocal) -> int:
    assert isinstance(game.table, CzTable)
    return game.table.title.locals[purchase.local].price


def test_answers_the_same_whenever_it_is_asked() -> None:
    game = play(new_game("18CZ", NAMES[:3], seed=1), {"p1", "p2", "p3"}, answers=60)
    assert game.question is not None
    assert proposals(game.question, game, cz_weights()) == proposals(game.question, game.copy(), cz_weights())


def test_a_misspelt_weight_is_told_with_its_file() -> None:
    with pytest.raises(BadData, match=r"weights\.toml.*grouth"):
        parse_weights("[future]\ngrouth = 1", "weights.toml", CzWeights)


@pytest.mark.parametrize("file", ["weights.toml", "search_weights.toml"])
@pytest.mark.parametrize(
    ("was", "now"), [("joins =", "joinz ="), ("other_goals = 0.1", ""), ("swaps = 6", "swaps = 6.5")]
)
def test_so_is_a_fixed_number_that_is_misspelt_missing_or_of_another_kind(file: str, was: str, now: str) -> None:
    text = resources.files("ostbahn.titles.cz.opponents").joinpath("data", file).read_text(encoding="utf-8")
    assert text.count(was) == 1
    parse_weights(text, file, CzWeights)
    with pytest.raises(BadData, match=rf"{file}.*fixed"):
        parse_weights(text.replace(was, now), file, CzWeights)
