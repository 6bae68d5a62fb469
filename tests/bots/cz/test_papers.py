"""Bots and the private papers of Moravia-Silesia (18CZ XI.2)."""

from __future__ import annotations

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import AssignTrain, Bid, LayTile, NamePaper, OpenAuction, RunTrains
from ostbahn.titles.cz.opponents.policy import proposals
from ostbahn.titles.cz.opponents.weights import cz_weights
from ostbahn.titles.cz.state import Auction
from tests.titles.cz.asking import asked
from tests.titles.cz.moravian import PAPERS, fresh, moravia
from tests.titles.cz.scenes import table_of
from tests.titles.cz.test_papers import GIVE, with_express
from tests.titles.cz.test_westbahn import at_prerov, round_begins


def chosen(game: Game) -> Action:
    return proposals(asked(game), game, cz_weights())[0].action


def test_the_home_of_mw_is_built_rather_than_left() -> None:
    game = round_begins(phase="a", stations={"F22.0": ["MW"]})
    assert asked(game).kind == "build_home"
    action = chosen(game)
    assert isinstance(action, LayTile)
    assert action.hex == "F22"
    offered = proposals(asked(game), game, cz_weights())
    assert offered[-1].action == Pass()
    assert len(offered) == len(asked(game).options)


def test_the_home_of_mw_is_promoted_too() -> None:
    game = round_begins(phase="d", **at_prerov())
    action = chosen(game)
    assert isinstance(action, LayTile)
    assert table_of(game).title.tiles[action.tile].colour == "green"


def test_where_nothing_can_be_built_mw_passes() -> None:
    game = round_begins(phase="a", **at_prerov())
    assert chosen(game) == Pass()


def test_a_paper_is_bid_for_up_to_what_it_is_worth_to_the_bidder() -> None:
    game = fresh()
    (opening,) = [each for each in proposals(asked(game), game, cz_weights()) if each.action == OpenAuction("S1", 35)]
    worth = 35 + int(opening.score)
    game.apply(OpenAuction("S1", worth - 10))
    assert chosen(game) == Bid(worth - 5)
    dear = fresh()
    dear.apply(OpenAuction("S1", worth - 5))
    assert chosen(dear) == Pass(), "nothing would be won by it"


def test_whoever_needs_his_money_for_a_company_only_names_a_paper() -> None:
    game = moravia(locals_of=dict.fromkeys(sorted(PAPERS), "bank"), cash={"p1": 100}, agenda=[Auction()])
    assert isinstance(chosen(game), NamePaper)


def test_the_3e_is_given_to_a_company_that_can_run_it() -> None:
    assert chosen(with_express()) == GIVE == AssignTrain("3E")
    assert isinstance(chosen(with_express(locals_of={})), RunTrains)
