"""Dual prices on links and cuts, and the arcs at their reduced profits.

The reduced profit of an arc or route is its value less the dual prices of the packing constraints and cuts that it
takes part in: the negative of what a minimisation calls reduced cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from ostbahn.kernel.routes.network import Arc, SubsetRowCut
from ostbahn.kernel.routes.prepared_graph import ArcBundle, PreparedGraph


class Duals(NamedTuple):
    """Dual prices as integers."""

    unit: int
    """Units of these prices per unit of money."""
    links: Sequence[int]
    """For each link the sum of its constraints' prices; empty if there are no prices at all."""
    cuts: Sequence[SubsetRowCut]

    def cost(self, links: Sequence[int], sides: int) -> int:
        """What a route over these links and hex sides pays."""
        return sum([self.links[link] for link in links]) + self.cut_cost(sides) if self.links else 0

    def cut_cost(self, sides: int) -> int:
        return sum([cut.price for cut in self.cuts if cut.applies_to(sides)])


NO_DUALS = Duals(1, (), ())

CutTerm = tuple[int, int]
"""The three hex sides of a cut, as resource bits, and its price."""

PricedArc = tuple[int, int, tuple[CutTerm, ...], Arc]
"""Reduced profit without cuts, resources, the cuts that it may take part in, and the arc."""

PricedBundle = tuple[int, int, int, int, list[PricedArc], list[PricedArc], Arc]
"""Parallel arcs of a class, best first: reduced profit and resources of the best, class, head, all arcs (empty until
they are needed), the undominated arcs (empty if that is one arc without cuts), and the best arc."""

EquivalentArcs = dict[tuple[int, int], list[list[int]]]
"""By head and class: the numbers of arcs, grouped by the resources that ng-routes remember."""

reduced_profit_of = itemgetter(0)


class Neighbourhoods:
    """The ng-neighbourhood of each stop, and the arcs that are equivalent for ng-routes.

    Arcs are equivalent if they have the same head and class, and use the same resources of the neighbourhoods at both
    ends. ng-routes need only the one with the highest reduced profit.
    """

    def __init__(self, graph: PreparedGraph, skips_towns: bool, sets: Sequence[int] = ()) -> None:
        """sets: for each stop its neighbourhood as bits of resources; by default what is near."""
        self.graph, self.skips_towns = graph, skips_towns
        self.sets = list(sets) or [graph.neighbourhood(stop) for stop in range(len(graph.stops))]
        self._equivalent: list[EquivalentArcs | None] = [None] * len(graph.stops)

    def equivalent_arcs(self, start: int) -> EquivalentArcs:
        """The arcs that leave a stop."""
        equivalent = self._equivalent[start]
        if equivalent is None:
            groups: dict[tuple[int, int], dict[int, list[int]]] = {}
            listed = self.graph.arc_list(self.skips_towns)
            for number in range(listed.first[start], listed.first[start + 1]):
                arc = listed.arcs[number]
                remembered = self.sets[start] | self.sets[arc.head]
                bundle = groups.setdefault((arc.head, self.graph.class_of(arc)), {})
                bundle.setdefault(arc.resources & remembered, []).append(number)
            equivalent = self._equivalent[start] = {key: list(bundle.values()) for key, bundle in groups.items()}
        return equivalent


class PricedArcs:
    """The arcs that leave each stop at given dual prices, prepared when they are first needed."""

    def __init__(
        self,
        graph: PreparedGraph,
        skips_towns: bool,
        duals: Duals = NO_DUALS,
        neighbourhoods: Neighbourhoods | None = None,
    ) -> None:
        self.graph, self.skips_towns, self.duals, self._neighbourhoods = graph, skips_towns, duals, neighbourhoods
        self._cut_terms = _cut_terms(duals.cuts, graph.bits)
        self._cut_bits = 0
        for term in self._cut_terms.values():
            self._cut_bits |= term[0]
        self.ng_sets = [0] * len(graph.stops)
        """The ng-neighbourhood of each stop with the hex sides of cuts; 0 until it is needed (`ng_set`)."""
        self._leaving: list[list[PricedBundle] | None] = [None] * len(graph.stops)
        self._reduced_profits: list[int] = []
        """For each arc by its number; only if equivalent arcs are priced together."""
        if neighbourhoods is not None and not self._cut_terms:
            self._reduced_profits = graph.arc_list(skips_towns).reduced_profits(duals.unit, duals.links)

    def ng_set(self, stop: int) -> int:
        """The resources that ng-routes remember at a stop, as bits."""
        ng_set = self.ng_sets[stop]
        if not ng_set:
            sets = self._neighbourhoods
            ng_set = (sets.sets[stop] if sets else self.graph.neighbourhood(stop)) | self._cut_bits
            self.ng_sets[stop] = ng_set
        return ng_set

    def leaving(self, stop: int) -> list[PricedBundle]:
        """The bundles that leave a stop, highest reduced profit first."""
        return self._leaving[stop] or self._prepare(stop)

    def _prepare(self, start: int) -> list[PricedBundle]:
        if self._neighbourhoods is not None and self._reduced_profits:
            bundles = self._price_equivalent(start, self._neighbourhoods.equivalent_arcs(start))
        else:
            bundles = self._price_each(start, self.graph.bundles(self.skips_towns, start))
        if len(bundles) > 1:
            bundles.sort(key=reduced_profit_of, reverse=True)
        self._leaving[start] = bundles
        return bundles

    def _price_each(self, start: int, bundles: Sequence[ArcBundle]) -> list[PricedBundle]:
        priced, is_free = list[PricedBundle](), self.duals is NO_DUALS
        for head, arc_class, arcs in bundles:
            if is_free and len(arcs) == 1:  # the usual case, on which small networks spend their time
                arc = arcs[0]
                priced.append(
                    (arc.value, arc.resources, arc_class, head, [(arc.value, arc.resources, (), arc)], [], arc)
                )
            else:
                all_arcs = [self._price(arc) for arc in arcs]
                all_arcs.sort(key=reduced_profit_of, reverse=True)
                undominated = self._undominated(start, head, all_arcs)
                best = all_arcs[0]
                priced.append((best[0], best[1], arc_class, head, all_arcs, undominated, best[3]))
        return priced

    def _price_equivalent(self, start: int, equivalent: EquivalentArcs) -> list[PricedBundle]:
        priced, profits = list[PricedBundle](), self._reduced_profits
        arcs = self.graph.arc_list(self.skips_towns).arcs
        for (head, arc_class), groups in equivalent.items():
            representatives: list[PricedArc] = []
            for group in groups:
                number = max(group, key=profits.__getitem__) if len(group) > 1 else group[0]
                representatives.append((profits[number], arcs[number].resources, (), arcs[number]))
            representatives.sort(key=reduced_profit_of, reverse=True)
            undominated = self._undominated(start, head, representatives)
            best = representatives[0]
            priced.append((best[0], best[1], arc_class, head, [], undominated, best[3]))
        return priced

    def fill(self, start: int, head: int, arc_class: int, arcs: list[PricedArc]) -> list[PricedArc]:
        """Append all arcs of a bundle to its empty list: elementary routes need them, ng-routes do not."""
        if self._neighbourhoods is not None and not arcs:
            listed = self.graph.arc_list(self.skips_towns).arcs
            for group in self._neighbourhoods.equivalent_arcs(start)[head, arc_class]:
                arcs += [
                    (self._reduced_profits[number], listed[number].resources, (), listed[number]) for number in group
                ]
            arcs.sort(key=reduced_profit_of, reverse=True)
        return arcs

    def _undominated(self, start: int, head: int, arcs: Sequence[PricedArc]) -> list[PricedArc]:
        """Of parallel arcs, best first, those that ng-routes need; empty if that is one arc without cuts.

        An arc dominates a worse one that uses all its remembered resources.
        """
        if len(arcs) == 1:
            return list(arcs) if arcs[0][2] else []
        remembered, undominated = self.ng_set(start) | self.ng_set(head), list[PricedArc]()
        for arc in arcs:
            unused = remembered & ~arc[1]
            for better in undominated:
                if not better[1] & unused:
                    break
            else:
                undominated.append(arc)
        return undominated if len(undominated) > 1 or undominated[0][2] else []

    def _price(self, arc: Arc) -> PricedArc:
        duals = self.duals
        if duals is NO_DUALS:
            return arc.value, arc.resources, (), arc
        profit = arc.value * duals.unit
        for link in arc.links:
            profit -= duals.links[link]
        return self._with_cuts(profit, arc) if self._cut_terms else (profit, arc.resources, (), arc)

    def _with_cuts(self, profit: int, arc: Arc) -> PricedArc:
        terms: tuple[CutTerm, ...] = ()
        resources = arc.resources
        for cut, term in self._cut_terms.items():
            if cut.sides & arc.sides:
                terms += (term,)
                resources |= _crossed_bits(cut.sides, arc.sides, term[0])
        return profit, resources, terms, arc


def cut_prices_due(terms: Sequence[CutTerm], before: int, resources: int) -> int:
    """The prices of the cuts that a route with some resources starts to take part in by an arc."""
    due = 0
    for sides, price in terms:
        if (before & sides).bit_count() < 2 <= ((before | resources) & sides).bit_count():
            due += price
    return due


def _cut_terms(cuts: Sequence[SubsetRowCut], first: int) -> dict[SubsetRowCut, CutTerm]:
    """Three resource bits for each cut, from the first free one on."""
    return {cut: (7 << first + 3 * number, cut.price) for number, cut in enumerate(cuts)}


def _crossed_bits(sides: int, crossed: int, bits: int) -> int:
    """The resource bits of those of a cut's hex sides that are crossed."""
    used, bit = 0, bits & -bits
    while sides:
        side = sides & -sides
        if side & crossed:
            used |= bit
        sides ^= side
        bit <<= 1
    return used
