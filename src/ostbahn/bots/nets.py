"""A net that predicts the final wealth of players, evaluated with NumPy alone.

Its input is a set of companies and a set of players (`TableFeatures`). It encodes each company, sums the encodings over
what each player holds and directs, and then encodes each player among the others. So it works for any number of players
and companies. `lab/training.py` trains it.
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
"""The array fields of `TableFeatures`."""
PAYOUT_SCALE, PRICE_SCALE, RUN_SCALE = 1000.0, 100.0, 200.0
"""Units of a company's future payouts, final price and next run."""
MIN_WEALTH: Final = 50.0
"""Lower bound of wealth before its logarithm is taken."""
MAX_NET_BYTES: Final = 4_000_000


class Prediction(NamedTuple):
    """The end of a game as predicted from a table."""

    wealth: Mapping[str, float]
    """Expected final wealth of each seat."""
    doubt: Mapping[str, float]
    """Standard deviation of the logarithm of `wealth`."""
    payouts: Mapping[str, float]
    """Future payouts of each company and its successors to all holders."""
    price: Mapping[str, float]
    """Final share price of each company."""


class Predictor(Protocol):
    def predict(self, tables: Sequence[TableFeatures]) -> list[Prediction]: ...


class HeuristicPredictor:
    """Predicts wealth by heuristics, without doubt; used if the net was not trained with the game's modules."""

    def predict(self, tables: Sequence[TableFeatures]) -> list[Prediction]:
        return [certain_prediction(dict(zip(table.seats, table.foreseen, strict=True))) for table in tables]


def certain_prediction(wealth: Mapping[str, float]) -> Prediction:
    """A prediction of wealth alone, without doubt."""
    return Prediction(wealth, dict.fromkeys(wealth, 0.0), {}, {})


def stack_features(tables: Sequence[TableFeatures], seats: int = 0) -> dict[str, Array]:
    """Stack tables into arrays, padded with zeros to equal numbers of companies and seats."""
    companies = max((len(table.companies) for table in tables), default=0)
    seats = max([seats, *(len(table.seats) for table in tables)])
    number = len(tables)
    company_width, player_width = (len(tables[0].company[0]), len(tables[0].player[0])) if tables else (0, 0)
    arrays = {
        "game": np.array([table.game for table in tables], dtype=np.float32),
        "company": np.zeros((number, companies, company_width), dtype=np.float32),
        "player": np.zeros((number, seats, player_width), dtype=np.float32),
        "foreseen": np.zeros((number, seats), dtype=np.float32),
        "held": np.zeros((number, seats, companies), dtype=np.float32),
        "directed": np.zeros((number, seats, companies), dtype=np.float32),
        "seated": np.zeros((number, seats), dtype=np.float32),
    }
    for row, table in enumerate(tables):
        own_companies, own_seats = len(table.companies), len(table.seats)
        arrays["company"][row, :own_companies] = table.company
        arrays["player"][row, :own_seats] = table.player
        arrays["foreseen"][row, :own_seats] = np.log(np.maximum(table.foreseen, MIN_WEALTH))
        arrays["held"][row, :own_seats, :own_companies] = table.held
        arrays["directed"][row, :own_seats, :own_companies] = table.directed
        arrays["seated"][row, :own_seats] = 1
    return arrays


class Net:
    """The trained weights of a net, by layer."""

    def __init__(self, layers: Mapping[str, NDArray[Any]]) -> None:
        self.layers = {name: value.astype(np.float32) for name, value in layers.items()}

    def predict(self, tables: Sequence[TableFeatures]) -> list[Prediction]:
        """Predict many tables in one batch, which takes hardly longer than one table."""
        if not tables:
            return []
        wealth, doubt, aux, _ = self.outputs(stack_features(tables))
        return [_prediction(table, wealth[row], doubt[row], aux[row]) for row, table in enumerate(tables)]

    def outputs(self, features: Mapping[str, Array]) -> tuple[Array, Array, Array, Array]:
        """Log wealth of each player and its log doubt, three figures per company, and the rounds left."""
        game = self._scaled("game", features["game"])
        company = self._scaled("company", features["company"])
        player = self._scaled("player", features["player"])
        hidden = self._dense("company_1", company) + self._dense("company_game", game)[:, None, :]
        of_company = _relu(self._dense("company_2", _relu(hidden)))
        aux = self._dense("aux", of_company)
        own = np.concatenate([features["held"] @ of_company, features["directed"] @ of_company], axis=2)
        hidden = self._dense("player_1", player) + self._dense("player_game", game)[:, None, :]
        of_player = _relu(self._dense("player_2", _relu(hidden + self._dense("player_own", own))))
        seated = features["seated"][:, :, None]
        table = (of_player * seated).sum(axis=1) / np.maximum(seated.sum(axis=1), 1)
        last = _relu(self._dense("last", of_player) + self._dense("table", table)[:, None, :])
        out = self._dense("out", last)
        rounds = self._dense("rounds", np.concatenate([table, game], axis=1))[:, 0]
        return out[:, :, 0] + self.layers["trust"] * features["foreseen"], out[:, :, 1], aux, rounds

    def _scaled(self, name: str, value: Array) -> Array:
        scaled: Array = (value - self.layers[f"{name}_mean"]) * self.layers[f"{name}_scale"]
        return np.clip(scaled, -5, 5)

    def _dense(self, name: str, value: Array) -> Array:
        output: Array = value @ self.layers[f"{name}_weight"] + self.layers[f"{name}_bias"]
        return output


def _relu(value: Array) -> Array:
    return np.maximum(value, 0, out=value)


def _prediction(table: TableFeatures, log_wealth: Array, log_doubt: Array, aux: Array) -> Prediction:
    return Prediction(
        wealth={seat: float(np.exp(log_wealth[row])) for row, seat in enumerate(table.seats)},
        doubt={seat: float(np.exp(log_doubt[row])) for row, seat in enumerate(table.seats)},
        payouts={company: max(0.0, float(aux[row, 0])) * PAYOUT_SCALE for row, company in enumerate(table.companies)},
        price={company: max(0.0, float(aux[row, 1])) * PRICE_SCALE for row, company in enumerate(table.companies)},
    )


def load_net(data: bytes, name: str) -> Net:
    """Load a net from the bytes of a file called `name`; pickled objects are refused."""
    if len(data) > MAX_NET_BYTES:
        raise BadData(f"{name}: a net has at most {MAX_NET_BYTES} bytes, and this one {len(data)}")
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            return Net({layer: file[layer] for layer in file.files})
    except (ValueError, OSError, EOFError, KeyError, BadZipFile) as fault:
        raise BadData(f"{name} holds no net: {fault}") from None


@lru_cache(maxsize=8)
def net_of_package(package: str) -> Net | None:
    """The net in a title's package, or None."""
    file = resources.files(package).joinpath("data", NET_FILE)
    return load_net(file.read_bytes(), f"{package}/{NET_FILE}") if file.is_file() else None
