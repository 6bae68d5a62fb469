"""What somebody can raise by selling, found out by really selling: every order, every size."""

from __future__ import annotations

from ostbahn.kernel.game import Game

SALE = "sell_shares"


def most_by_selling(game: Game) -> int:
    """The most that the one who is asked can get for shares before doing anything else, whatever is sold in turn."""
    question = game.question
    assert question is not None
    seat, seen = question.decider, dict[str, int]()

    def most(position: Game) -> int:
        known = position.state.digest
        if known not in seen:
            asked = position.question
            sales = [] if asked is None or asked.decider != seat else [option.action for option in asked.options]
            best = position.state.cash[seat]
            for sale in sales:
                if sale.__struct_config__.tag == SALE:
                    after = position.copy()
                    after.apply(sale)
                    best = max(best, most(after))
            seen[known] = best
        return seen[known]

    return most(game) - game.state.cash[seat]
