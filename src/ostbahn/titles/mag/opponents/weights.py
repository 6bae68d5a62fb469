"""Weights of 18Mag's bots."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ostbahn.bots.policies import FixedParameters, TunableWeights, read_weights


class TurnsWeights(TunableWeights, frozen=True):
    """Usual ends of phases, counted in Share Rounds with the Operating Rounds that follow."""

    ends: Mapping[str, float]
    least: float
    impatience: float


class TreasuryWeights(TunableWeights, frozen=True):
    for_each_round: float
    most: float
    unspent: float


class DraftWeights(TunableWeights, frozen=True):
    minors: Mapping[str, float]
    unknown_minor: float
    supporters: Mapping[str, float]
    share_pull: float


class TrackWeights(TunableWeights, frozen=True):
    candidates: int
    for_each_hex: int
    glance: float
    decay: float
    city: float
    town: float
    double_city: float
    mine_part: float
    link: float
    hope: float
    soon: float
    least_gain: float
    fleets: Mapping[str, tuple[str, ...]]


class TrainsWeights(TunableWeights, frozen=True):
    growth: float
    margin: float
    consent_margin: float


class StationsWeights(TunableWeights, frozen=True):
    candidates: int
    margin: float


class ServicesWeights(TunableWeights, frozen=True):
    """Expected payment of a minor in an Operating Round, by service."""

    off_board: float
    plus: float
    mine: float
    terrain: float
    building: float
    trains: float
    red_to_red: float


class SharesWeights(TunableWeights, frozen=True):
    director: float
    sold_out: float
    swap_margin: float


class PayoutWeights(TunableWeights, frozen=True):
    horizon: int
    discount: float


class EarningWeights(TunableWeights, frozen=True):
    """Coefficients of a minor's expected revenue in a round."""

    last: float
    stop: float
    treasury: float
    round: float
    base: float


class MagFixed(FixedParameters, frozen=True):
    """Parameters shared by every character and never tuned."""

    value: float
    further_end: float
    hope_rounds: float
    cars_kept: int
    usual_price: float
    sale: float
    ideas: int
    alike: int


class MagWeights(TunableWeights, frozen=True):
    turns: TurnsWeights
    treasury: TreasuryWeights
    cash: Mapping[str, float]
    draft: DraftWeights
    track: TrackWeights
    trains: TrainsWeights
    stations: StationsWeights
    income: Mapping[str, ServicesWeights]
    shares: SharesWeights
    payout: PayoutWeights
    markers: StationsWeights
    earning: Mapping[str, EarningWeights]
    fixed: MagFixed


@cache
def mag_weights() -> MagWeights:
    return read_weights(__package__, "weights.toml", MagWeights)


@cache
def mag_search_weights() -> MagWeights:
    """Weights of S."""
    return read_weights(__package__, "search_weights.toml", MagWeights)
