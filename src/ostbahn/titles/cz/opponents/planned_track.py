"""S's turn at track: a power of a Local Railway where it brings enough, then the lay with the best future."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, or_pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.opponents import powers
from ostbahn.titles.cz.opponents.building import Builder
from ostbahn.titles.cz.opponents.prospects import View


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    builder = Builder(question, view)
    if purple := powers.proposals(question, builder):
        return purple
    futures = builder.futures()
    best = max(futures, key=lambda lay: futures[lay][0], default=None)
    most = max((added for _, added in futures.values()), default=0.0)
    found = [
        Proposal(lay, worth, _reasons(added, most if lay == best else 0.0)) for lay, (worth, added) in futures.items()
    ]
    kept = builder.thrift * view.table.state.cash[builder.company]
    return or_pass(found, "no track is expected to earn what it costs", kept)


def _reasons(added: float, most: float) -> tuple[str, ...]:
    """What a lay adds at once; of one that is better in the end than others that add more, what it is better for."""
    found = (f"adds {added:.0f} K to runs",) if added >= 1 else ("leads to new places",)
    return (
        (*found, f"better for later runs than the lay that adds {most:.0f} K at once") if most >= added + 1 else found
    )
