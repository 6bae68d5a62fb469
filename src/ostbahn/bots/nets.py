"""A net that judges tables, evaluated with NumPy alone.

It sees a table as a set of companies and a set of players (`TableFeatures`). Every company is judged by itself;
what a player holds and directs is added up; then every player is judged among the others. So one net serves for any
number of players and companies. `lab/training.py` says how it is trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from io import BytesIO
from typing import Any, Final, NamedTuple, Protocol
from zipfile import BadZipFile

from ostbahn.bots.policies import NET_FILE, TableFeatures
from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadData

with require_extra("learnt", "a bot that has learnt needs"):
    import numpy as np
    from numpy.typing import NDArray

Array = NDArray[np.float32]
FEATURE_ARRAYS: Final = ("game", "company", "player", "foreseen", "held", "directed")
"""The parts of a sight that are arrays."""
PAYOUT_SCALE, PRICE_SCALE, RUN_SCALE = 1000.0, 100.0, 200.0
"""What the future payouts of a company, its last price and its next run are measured by."""
MIN_WEALTH: Final = 50.0
"""Whoever ends with less counts as having this: a logarithm needs something."""
MAX_NET_BYTES: Final = 4_000_000
"""Bytes of a net's file."""


class Prediction(NamedTuple):
    """What a net foresees of a table."""

    wealth: Mapping[str, float]
    """What everybody will have in the end."""
    doubt: Mapping[str, float]
    """How far that may be off: the logarithm's standard deviation."""
    payouts: Mapping[str, float]
    """What each company will still pay to all who hold it, with what that becomes."""
    price: Mapping[str, float]
    """What a share of each company will cost in the end."""


class Predictor(Protocol):
    """Whoever says what will come of tables."""

    def predict(self, sights: Sequence[TableFeatures]) -> list[Prediction]: ...


class HeuristicPredictor:
    """Where a net has learnt nothing of a game: what the rules of thumb foresee, without a doubt of its own."""

    def predict(self, sights: Sequence[TableFeatures]) -> list[Prediction]:
        return [certain_prediction(dict(zip(sight.seats, sight.foreseen, strict=True))) for sight in sights]


def certain_prediction(wealth: Mapping[str, float]) -> Prediction:
    """Of everybody's wealth alone, as if that were sure."""
    return Prediction(wealth, dict.fromkeys(wealth, 0.0), {}, {})


def stack_features(sights: Sequence[TableFeatures], seats: int = 0) -> dict[str, Array]:
    """Several tables as arrays; those with fewer companies or seats are filled up."""
    companies = max((len(sight.companies) for sight in sights), default=0)
    seats = max([seats, *(len(sight.seats) for sight in sights)])
    number = len(sights)
    width, breadth = (len(sights[0].company[0]), len(sights[0].player[0])) if sights else (0, 0)
    found = {
        "game": np.array([sight.game for sight in sights], dtype=np.float32),
        "company": np.zeros((number, companies, width), dtype=np.float32),
        "player": np.zeros((number, seats, breadth), dtype=np.float32),
        "foreseen": np.zeros((number, seats), dtype=np.float32),
        "held": np.zeros((number, seats, companies), dtype=np.float32),
        "directed": np.zeros((number, seats, companies), dtype=np.float32),
        "seated": np.zeros((number, seats), dtype=np.float32),
    }
    for place, sight in enumerate(sights):
        few, own = len(sight.companies), len(sight.seats)
        found["company"][place, :few] = sight.company
        found["player"][place, :own] = sight.player
        found["foreseen"][place, :own] = np.log(np.maximum(sight.foreseen, MIN_WEALTH))
        found["held"][place, :own, :few] = sight.held
        found["directed"][place, :own, :few] = sight.directed
        found["seated"][place, :own] = 1
    return found


class Net:
    """Layers of numbers, and what they make of tables."""

    def __init__(self, layers: Mapping[str, NDArray[Any]]) -> None:
        self.layers = {name: value.astype(np.float32) for name, value in layers.items()}

    def predict(self, sights: Sequence[TableFeatures]) -> list[Prediction]:
        """What will come of tables, all at once: that takes hardly longer than for one."""
        if not sights:
            return []
        seen = stack_features(sights)
        wealth, doubt, aux, _ = self.outputs(seen)
        return [_prediction(sight, wealth[place], doubt[place], aux[place]) for place, sight in enumerate(sights)]

    def outputs(self, seen: Mapping[str, Array]) -> tuple[Array, Array, Array, Array]:
        """The logarithm of everybody's wealth with its doubt, three figures of each company, and the rounds left."""
        game = self._scaled("game", seen["game"])
        company = self._scaled("company", seen["company"])
        player = self._scaled("player", seen["player"])
        hidden = self._dense("company_1", company) + self._dense("company_game", game)[:, None, :]
        of_company = _relu(self._dense("company_2", _relu(hidden)))
        aux = self._dense("aux", of_company)
        own = np.concatenate([seen["held"] @ of_company, seen["directed"] @ of_company], axis=2)
        hidden = self._dense("player_1", player) + self._dense("player_game", game)[:, None, :]
        of_player = _relu(self._dense("player_2", _relu(hidden + self._dense("player_own", own))))
        seated = seen["seated"][:, :, None]
        table = (of_player * seated).sum(axis=1) / np.maximum(seated.sum(axis=1), 1)
        all_ = self._dense("table", table)[:, None, :]
        last = _relu(self._dense("last", of_player) + all_)
        out = self._dense("out", last)
        rounds = self._dense("rounds", np.concatenate([table, game], axis=1))[:, 0]
        return out[:, :, 0] + self.layers["trust"] * seen["foreseen"], out[:, :, 1], aux, rounds

    def _scaled(self, name: str, value: Array) -> Array:
        scaled: Array = (value - self.layers[f"{name}_mean"]) * self.layers[f"{name}_scale"]
        return np.clip(scaled, -5, 5)

    def _dense(self, name: str, value: Array) -> Array:
        found: Array = value @ self.layers[f"{name}_weight"] + self.layers[f"{name}_bias"]
        return found


def _relu(value: Array) -> Array:
    return np.maximum(value, 0, out=value)


def _prediction(sight: TableFeatures, logs: Array, doubts: Array, aux: Array) -> Prediction:
    return Prediction(
        wealth={seat: float(np.exp(logs[place])) for place, seat in enumerate(sight.seats)},
        doubt={seat: float(np.exp(doubts[place])) for place, seat in enumerate(sight.seats)},
        payouts={
            company: max(0.0, float(aux[place, 0])) * PAYOUT_SCALE for place, company in enumerate(sight.companies)
        },
        price={company: max(0.0, float(aux[place, 1])) * PRICE_SCALE for place, company in enumerate(sight.companies)},
    )


def load_net(data: bytes, name: str) -> Net:
    """A net of a file; whatever else is in such a file is refused."""
    if len(data) > MAX_NET_BYTES:
        raise BadData(f"{name}: a net has at most {MAX_NET_BYTES} bytes, and this one {len(data)}")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            return Net({layer: file[layer] for layer in file.files})
    except (ValueError, OSError, EOFError, KeyError, BadZipFile) as fault:
        raise BadData(f"{name} holds no net: {fault}") from None


@lru_cache(maxsize=8)
def net_of_package(package: str) -> Net | None:
    """The net that comes with a title; None if it has none."""
    file = resources.files(package).joinpath("data", NET_FILE)
    return load_net(file.read_bytes(), f"{package}/{NET_FILE}") if file.is_file() else None
