"""Every parameter of the router in one validated class.

Parameters trade time for bounds. With any values runs are legal and bounds valid. But where a search ends unproven, the
run that it has found depends on them, so changing one is a change of rules (see "Golden games" in CONTRIBUTING.md).

"Measured" gives the change of processor time with other values on 68 boards of `bench/crowded.py`: 40 crowded ones, 20
on which tiles never run out, 8 by the rulings of 18xx.games. Up to 8 % is noise. "Estimate" means not measured.
`docs/performance.md` has what was tried and dropped.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, structs

MAX_NEIGHBOURHOOD: Final = 30
"""More locations in an ng-neighbourhood than any board needs."""


class RouterParameters(Struct, frozen=True, gc=False, kw_only=True):
    # Budgets. A step is one extension of a route or one node of a search tree, about 6 µs.
    game_steps: int = 500_000
    """Steps before a game stops waiting for a proof: about three seconds, five where every hex is built. Any run that
    earns as much as the best one found is accepted then."""
    free_steps: int = 2000
    """Steps that each search takes before it draws on its budget, so that every train has a route when that ends."""
    single_route_share: float = 0.25
    """Share of the budget for the best routes of single trains, if there are several trains. Estimate."""
    single_route_steps: int = 3000
    """Steps for the best routes of single trains without dual prices. Measured: 1,000 or 10,000 change nothing."""
    branch_and_bound_steps: int = 100
    """Steps for branch and bound without dual prices: enough for easy cases. Measured: with 1,000 +15 %."""
    column_generation_share: float = 0.7
    """Share of the budget for column generation and cuts; the rest is for a run at the best dual prices. Estimate."""
    pivot_steps: int = 40
    """Steps charged for a simplex pivot, by the time that both take."""
    bound_steps: int = 2
    """Steps charged for a completion bound, by the time that both take."""
    packing_node_steps: int = 2
    """Steps charged for a node of set packing beside its own, by the time that both take."""

    # Relaxations and their completion bounds
    neighbourhood_size: int = 6
    """Stops in the ng-neighbourhood of a stop. Measured: 4 and 5 within noise, 8 +18 % and one proof less."""
    augmentation_rounds: int = 5
    """How often ng-neighbourhoods are augmented by the cycles of columns in the solution. Measured: none +11 %."""
    max_augmentation: int = 6
    """Resources added to one ng-neighbourhood at most; each may double its states. Measured: 3, 10 within noise."""
    link_memory: int = 2
    """k of the k-memory relaxation: locations that it remembers. Each doubles the tables. Measured: 0 proves less."""
    max_arcs: int = 20_000
    """Arcs listed for a kind of train; where there are more, routes are extended link by link. Bounds memory."""
    max_bounds: int = 1_000_000
    """Completion bounds kept; then they are computed anew. Bounds memory."""
    max_shared_bounds: int = 4000
    """Completion bounds without dual prices that are left for later searches on the same graph. Bounds memory."""
    max_routes: int = 200_000
    """Routes that one search keeps before it stops unproven. Bounds memory: about 33 MB for three 8E-trains."""

    # Branch and bound without dual prices
    first_gap_divisor: int = 8
    """The first floor on the worth of a run leaves this part of the gap, each next one twice as much. Estimate."""
    enumeration_share: float = 0.5
    """Share of the budget for listing routes; the rest is for combining them. Estimate."""
    greedy_first_routes: int = 3000
    """First routes that are completed greedily before the search tree is entered. Estimate."""

    # Restricted master problem
    price_unit: int = 16
    """Units of dual prices per unit of money. Rounding costs the bound less than a unit of money per train."""
    max_rounds: int = 200
    """Rounds of pricing at most, a stop for cycling."""
    max_pivots: int = 3000
    """Pivots per solution, far above what any board needs: a stop for cycling through rounding errors."""
    partial_pricing: int = 24
    """Columns with the highest reduced profits, tried again before all columns. Measured: 1 to 100 within noise."""
    tolerance: float = 1e-7
    """Tolerance for comparing floats."""
    perturbation: float = 1e-3
    """Right-hand sides are raised by up to this much, each by another amount, against degenerate pivots."""
    objective_tolerance: float = 0.01
    """Error allowed in the objective of the master, in money, when it is compared with a bound."""

    # Pricing
    elementary_steps: int = 1000
    """Steps for an elementary route where the best ng-route has cycles; halved when in vain. Measured: 0 +16 %."""
    similar_route_steps: int = 500
    """Steps for routes nearly as good as the best new one, where arcs are not listed. Estimate."""
    max_similar_routes: int = 50
    """Routes of that sort added in a round. Hundreds of first columns for each train were tried and dropped."""
    max_cyclic_columns: int = 3
    """ng-routes with cycles added as columns for a kind of train in a round. Measured: 1 and 10 within noise."""

    # Subset-row cuts
    min_cut_violation: float = 0.05
    """Violation below which a cut is not added. Estimate."""
    cuts_per_round: int = 8
    """Most violated cuts added in a round. Measured: 2 +29 %, 30 within noise."""
    max_vain_cut_rounds: int = 2
    """Rounds that may leave the gap as it is before separation ends. Measured: 0 +40 % and two proofs less."""
    min_cut_gap: int = 2
    """Gap, in units of granularity, up to which no cuts are added. Measured: 0 +12 %, 4 within noise."""
    max_bounds_for_cuts: int = 2000
    """Completion bounds per round above which no cuts are added. Measured: unlimited +14 %, none +45 %."""

    # Integer solutions
    greedy_runs: int = 20
    """Runs built greedily from known routes after each solution of the master. Measured: none +20 %, 100 -16 %."""
    enumeration_steps: int = 20_000
    """Steps for listing the routes within the gap, before local search. Measured: 5,000 +39 %, 100,000 -4 %."""
    local_search_rounds: int = 60
    """Exchanges of two trains in local search. Measured: 0 and 15 -7 %, 200 +29 %."""
    price_noise: int = 7
    """Dual prices vary in local search by up to this many 32nds, so that trains leave a local optimum. Estimate."""

    # Reoptimisation
    base_run_share: float = 0.6
    """Share of the budget for the best run before the changes. Estimate."""
    max_fair_shares: int = 4
    """How many times its fair share of the remaining budget one changed network may take. Estimate."""
    old_routes_share: float = 0.4
    """Share of the remaining budget for listing old routes of a kind of train. Estimate."""

    # Caches, by the number of their entries
    cached_runs: int = 4096
    cached_graphs: int = 256
    cached_relaxations: int = 256

    def __post_init__(self) -> None:
        for name, value in structs.asdict(self).items():
            if value < 0 or (name.endswith("_share") and not 0 < value <= 1):
                raise ValueError(f"{name} cannot be {value}")
        at_least_one = (
            "price_unit",
            "first_gap_divisor",
            "max_bounds",
            "max_pivots",
            "partial_pricing",
            "max_fair_shares",
        )
        for name in at_least_one:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        if self.neighbourhood_size > MAX_NEIGHBOURHOOD:
            raise ValueError(f"neighbourhood_size must be at most {MAX_NEIGHBOURHOOD}")
        if not 0 < self.tolerance < self.perturbation < 1:
            raise ValueError("tolerance must be positive and smaller than perturbation, and that smaller than 1")


DEFAULTS: Final = RouterParameters()

active: RouterParameters = DEFAULTS
"""The parameters that searches read. Tests replace them (`tests/kernel/router_parameters.py`)."""
