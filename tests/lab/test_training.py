"""Training, where torch is installed: what is learnt comes out of the file as it went in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab import features
from ostbahn.bots.nets import FEATURE_ARRAYS, load_net

torch = pytest.importorskip("torch", reason="torch is not installed: the extra `train` brings it")
training = pytest.importorskip("lab.training")


def lessons(games: int = 40) -> features.Columns:
    """Made-up positions in which who holds more of the better company ends richer."""
    lots = np.random.default_rng(1)
    number, seats, companies = games * 12, 3, 4
    company = lots.normal(size=(number, companies, 5)).astype(np.float32)
    held = lots.dirichlet(np.ones(seats), size=(number, companies)).transpose(0, 2, 1).astype(np.float32)
    worth = np.exp(company[:, :, 0]) * 500
    wealth = np.full((number, features.SEATS), features.UNKNOWN, dtype=np.float32)
    wealth[:, :seats] = np.einsum("npc,nc->np", held, worth) + 200
    seated = np.zeros((number, features.SEATS), dtype=np.float32)
    seated[:, :seats] = 1

    def padded(value: np.ndarray) -> np.ndarray:
        found = np.zeros((number, features.SEATS, *value.shape[2:]), dtype=np.float32)
        found[:, :seats] = value
        return found

    return {
        "game": lots.normal(size=(number, 3)).astype(np.float32),
        "company": company,
        "player": padded(lots.normal(size=(number, seats, 4))),
        "foreseen": padded(np.full((number, seats), np.log(600.0))),
        "held": padded(held),
        "directed": padded(np.zeros((number, seats, companies))),
        "seated": seated,
        "wealth": wealth,
        "grown": worth.astype(np.float32),
        "price": worth.astype(np.float32) / 10,
        "next_run": worth.astype(np.float32) / 5,
        "meta": np.stack(
            [np.repeat(np.arange(games), 12), lots.integers(0, 9, number), lots.integers(0, 5, number)], 1
        ),
    }


def test_a_net_learns_who_will_be_rich_and_its_file_says_the_same(tmp_path: Path) -> None:
    data = lessons()
    net, log = training.trained(data, passes=30, seed=1, device="cpu")
    assert log[-1]["unlearnt"] < log[0]["unlearnt"]
    told = training.foresight(net, data, "cpu")
    assert min(line["net"] for line in told.values()) > 0.8
    layers: dict[str, Any] = dict(net.layers())
    np.savez_compressed(tmp_path / "net.npz", **layers)
    again = load_net((tmp_path / "net.npz").read_bytes(), "net.npz")
    seen = {name: data[name][:32] for name in (*FEATURE_ARRAYS, "seated")}
    with torch.no_grad():
        expected = net({name: torch.tensor(value) for name, value in seen.items()})
    for ours, theirs in zip(again.outputs(seen), expected, strict=True):
        assert np.allclose(ours, theirs.numpy(), atol=1e-3)


def test_what_goes_together_correlates_within_its_table() -> None:
    final = np.array([[100.0, 200.0, -1.0], [300.0, 100.0, 200.0]])
    assert training.within_table(final, final) == 1.0
    assert training.within_table(np.array([[200.0, 100.0, 0.0], [100.0, 300.0, 200.0]]), final) == -1.0
