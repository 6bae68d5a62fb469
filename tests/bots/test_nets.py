"""A net judges tables of any size, whatever the order of companies and seats, and takes nothing but nets from files."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from ostbahn.bots.nets import MAX_NET_BYTES, Net, load_net, net_of_package
from ostbahn.bots.policies import TableFeatures
from ostbahn.kernel.errors import BadData
from ostbahn.kits.catalogue import CATALOGUE, kit_named, new_game
from ostbahn.kits.kit import CatalogueEntry

GAME, COMPANY, PLAYER, WIDTH = 3, 4, 2, 5


def some_net(seed: int = 1) -> Net:
    """A net of random numbers."""
    lots = np.random.default_rng(seed)
    shapes = {
        "company_1": (COMPANY, WIDTH),
        "company_game": (GAME, WIDTH),
        "company_2": (WIDTH, WIDTH),
        "aux": (WIDTH, 3),
        "player_1": (PLAYER, WIDTH),
        "player_game": (GAME, WIDTH),
        "player_own": (2 * WIDTH, WIDTH),
        "player_2": (WIDTH, WIDTH),
        "table": (WIDTH, WIDTH),
        "last": (WIDTH, WIDTH),
        "out": (WIDTH, 2),
        "rounds": (WIDTH + GAME, 1),
    }
    layers: dict[str, Any] = {"trust": np.array([0.5])}
    for name, shape in shapes.items():
        layers[f"{name}_weight"] = lots.normal(size=shape)
        layers[f"{name}_bias"] = lots.normal(size=shape[1])
    for name, width in (("game", GAME), ("company", COMPANY), ("player", PLAYER)):
        layers[f"{name}_mean"], layers[f"{name}_scale"] = np.zeros(width), np.ones(width)
    return Net(layers)


def some_sight(seats: int, companies: int, seed: int = 1) -> TableFeatures:
    lots = np.random.default_rng(seed)
    return TableFeatures(
        seats=tuple(f"p{number}" for number in range(seats)),
        companies=tuple(f"C{number}" for number in range(companies)),
        game=lots.normal(size=GAME).tolist(),
        company=lots.normal(size=(companies, COMPANY)).tolist(),
        player=lots.normal(size=(seats, PLAYER)).tolist(),
        foreseen=lots.uniform(100, 900, size=seats).tolist(),
        held=lots.uniform(size=(seats, companies)).tolist(),
        directed=lots.integers(0, 2, size=(seats, companies)).astype(float).tolist(),
    )


def turned(sight: TableFeatures) -> TableFeatures:
    """The same table told the other way round."""
    return TableFeatures(
        seats=sight.seats[::-1],
        companies=sight.companies[::-1],
        game=sight.game,
        company=sight.company[::-1],
        player=sight.player[::-1],
        foreseen=sight.foreseen[::-1],
        held=[row[::-1] for row in sight.held[::-1]],
        directed=[row[::-1] for row in sight.directed[::-1]],
    )


def test_the_order_of_companies_and_seats_does_not_matter() -> None:
    net, sight = some_net(), some_sight(4, 6)
    there, back = net.predict([sight])[0], net.predict([turned(sight)])[0]
    assert there.wealth == pytest.approx(dict(back.wealth), rel=1e-4)
    assert there.price == pytest.approx(dict(back.price), rel=1e-4)
    assert len(set(there.wealth.values())) == 4, "and it does not judge everybody alike"


def test_tables_of_different_sizes_are_judged_together_as_they_are_alone() -> None:
    net, tables = some_net(), [some_sight(2, 3, 1), some_sight(6, 9, 2), some_sight(3, 5, 3)]
    for alone, together in zip((net.predict([table])[0] for table in tables), net.predict(tables), strict=True):
        assert together.wealth == pytest.approx(dict(alone.wealth), rel=1e-4)
        assert together.payouts == pytest.approx(dict(alone.payouts), rel=1e-4)


def test_nothing_is_judged_at_once() -> None:
    assert some_net().predict([]) == []


@pytest.mark.parametrize("data", [b"", b"no net", b"PK\x03\x04 broken"])
def test_a_file_without_a_net_is_refused(data: bytes) -> None:
    with pytest.raises(BadData, match=r"net\.npz holds no net"):
        load_net(data, "net.npz")


def test_a_file_that_would_run_something_is_refused() -> None:
    file = BytesIO()
    np.savez(file, out_weight=np.array([object()], dtype=object))
    with pytest.raises(BadData, match="holds no net"):
        load_net(file.getvalue(), "net.npz")


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadData, match="at most"):
        load_net(bytes(MAX_NET_BYTES + 1), "net.npz")


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: f"{entry.title} {entry.variant}")
def test_the_net_of_a_title_judges_all_its_tables(entry: CatalogueEntry) -> None:
    learnt = kit_named(entry.title).policy.learnt
    if learnt is None:
        pytest.skip("nothing has been learnt for this title")
    net = net_of_package(learnt.package)
    assert net is not None
    for number in entry.players:
        game = new_game(entry.title, [f"Player {seat}" for seat in range(number)], variant=entry.variant)
        judged = net.predict([learnt.features_of(game.table)])[0]
        assert list(judged.wealth) == list(game.state.players)
        assert all(amount > 0 for amount in judged.wealth.values())
