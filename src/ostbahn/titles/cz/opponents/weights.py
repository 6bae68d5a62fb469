"""The weights of G's and S's rules of thumb for 18CZ; the data file explains each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ostbahn.bots.policies import FixedParameters, TunableWeights, read_weights


class FutureWeights(TunableWeights, frozen=True, cache_hash=True):
    """Forecasts of rounds, cash and revenue."""

    cash: tuple[float, ...]
    pace: tuple[int, ...]
    grace: int
    demand: bool
    growth: float


class TrainsWeights(TunableWeights, frozen=True):
    """Revenue of trains, and when to buy them."""

    typical: Mapping[str, float]
    further: tuple[float, ...]
    quality: tuple[float, float]
    measured: float
    as_measured: tuple[float, float]
    payback: float
    keep_ahead: int


class SharesWeights(TunableWeights, frozen=True):
    """Stock Rounds, and the purchase of Local Railways before them."""

    keep_for_start: tuple[int, ...]
    rehearsed: int
    local_years: float
    local_resale: float
    unfloated: float
    others_company: float
    swap: float
    swap_for_start: float
    control: float
    friction: float
    exposed: float


class BuildingWeights(TunableWeights, frozen=True):
    """Track and stations."""

    candidates: int
    ahead: int
    beam: int
    plan_trains: int
    later: float
    way: float
    decay: float
    second_way: float
    farthest: int
    power: float
    station_reach: float
    put_back: float


class DealingWeights(TunableWeights, frozen=True):
    """Deals in Local Railways, trains and companies."""

    keep_local: Mapping[str, float]
    levy: float
    reserve: float
    left_alone: float
    doubt: float
    treasury: float
    rivalry: float


class FixedPlaces(FixedParameters, frozen=True):
    """Value of a place once it is fully built."""

    home: float
    town: float
    city: float
    labelled: Mapping[str, float]


class FixedTrack(FixedParameters, frozen=True):
    other_goals: float
    joins: float
    blocked: float
    trains_ahead: int
    home_ways: float
    home_places: float


class FixedShares(FixedParameters, frozen=True):
    swaps: int
    sales: int
    sale: float
    fall: float
    control: float
    own_unfloated: float
    unpriced_paper: float
    money_prices: tuple[float, ...]
    room_prices: tuple[float, ...]
    rehearsed_closely: int


class CzFixed(FixedParameters, frozen=True):
    """Constants, the same for every character and never tuned."""

    more_in_a_turn: int
    keep_when_full: float
    least_for_train: float
    ideas: int
    places: FixedPlaces
    track: FixedTrack
    shares: FixedShares


class CzWeights(TunableWeights, frozen=True):
    future: FutureWeights
    trains: TrainsWeights
    shares: SharesWeights
    building: BuildingWeights
    dealing: DealingWeights
    fixed: CzFixed

    def __hash__(self) -> int:
        """Hash one group only: fast for cache keys, and other groups hold unhashable mappings."""
        return hash(self.future)


@cache
def cz_weights() -> CzWeights:
    """Return G's weights, read once."""
    return read_weights(__package__, "weights.toml", CzWeights)


@cache
def cz_search_weights() -> CzWeights:
    """Return S's weights, read once."""
    return read_weights(__package__, "search_weights.toml", CzWeights)
