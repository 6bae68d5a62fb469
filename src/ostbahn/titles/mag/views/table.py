"""Views of the table of 18Mag: players, companies, trains, phases and rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from ostbahn.eighteen.views import BaseViews
from ostbahn.kernel import chart
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK, director, holding, share_unit
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.state import Task
from ostbahn.text.words import plural
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.modules.supporters_table import is_supporter_used, supporters_of
from ostbahn.titles.mag.rounds import current_set, next_phase
from ostbahn.titles.mag.running import CAR_NAMES, best, owner_income
from ostbahn.titles.mag.solo_table import ISTVAN, SoloTable
from ostbahn.titles.mag.state import MagTable, OperatingRound, StockRound
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.stock import SellSharesStep
from ostbahn.titles.mag.words import cards
from ostbahn.titles.mag.words.text_renderer import begun_phase_words, goods_sold, home_name, mag_table, minor_words
from ostbahn.titles.mag.words.words import WORDS
from ostbahn.views import models
from ostbahn.views.common import mark_view, place_views, sold_out, unsold_shares, when_of, who_view
from ostbahn.views.outlook import ComingView, SaleView
from ostbahn.views.title_views import ExpectedIncome, GameProgress, OperatingOrder


class MagTableViews(BaseViews[MagTable]):
    # Players

    def priority(self) -> tuple[str, str]:
        return self.table.state.priority, "priority deal"

    def role(self, seat: str) -> models.Role:
        return "automaton" if is_automaton(self.table, seat) else "player"

    def player_figures(self, seat: str) -> dict[str, Any]:
        if is_automaton(self.table, seat):  # it never sells (XI.4/8)
            return {"can_raise": 0, "notes": cards.share_card_words(self.table)}
        return {"can_raise": self.can_raise(seat)}

    def can_raise(self, seat: str) -> int:
        """Proceeds of all shares that a seat could sell in one turn now (VII.4/7, S.4/1)."""
        turn = next((task for task in self.table.state.agenda if isinstance(task, StockRound)), None)
        if turn is None or turn.player != seat:
            turn = StockRound(seat)
        return self.all_sold(SellSharesStep().answers(self.table, turn))

    def papers(self, owner: str) -> Iterator[models.PaperView]:
        """Minors with the owner's last income, and supporters (M.5/2)."""
        table = self.table
        for minor in minors_of(table, owner):
            yield models.PaperView(
                id=minor,
                name=table.title.minors[minor].name,
                kind="minor",
                income=owner_income(table, table.state.revenue.get(minor, 0)),
                words=minor_words(table.title, minor),
                mark=mark_view(table, minor),
            )
        for supporter in supporters_of(table, owner):
            used, short = is_supporter_used(table, supporter), cards.supporter_name(supporter)
            spent = " (has helped in this operating round)" if used else ""
            yield models.PaperView(
                id=supporter,
                name=table.title.supporters[supporter].name,
                label=short,
                kind="supporter",
                power_used=used,
                words=f"{short}: {cards.supporter_effect(supporter)}{spent}",
            )

    # Companies

    def companies(self) -> tuple[models.CompanyView, ...]:
        """Companies in playing order, then minors without an owner."""
        title, state = self.table.title, self.table.state
        owned = [minor for minor in title.minors if state.owners.get(minor) in state.players]
        free = [minor for minor in title.minors if minor not in owned]
        turns = self.operating_order()
        active = turns.in_order([*owned, *chart.companies_by_price(self.table)])
        return tuple(
            self._minor_view(company, turns) if company in title.minors else self.company(company, turns)
            for company in (*active, *free)
        )

    def company_state(self, company: str) -> tuple[models.CompanyState, str]:
        if company in self.table.title.companies:
            return "operating", "" if director(self.table, company) else "has no director: it pays out everything"
        owner = self.table.state.owners.get(company)
        if owner is None:
            return "out of the game", "out of the game: nobody took it"
        return ("not started", "can be taken") if owner == BANK else ("operating", "operates")

    def _minor_view(self, minor: str, turns: OperatingOrder) -> models.CompanyView:
        table, state, spec = self.table, self.table.state, self.table.title.minors[minor]
        status, words = self.company_state(minor)
        active, home = status == "operating", city_id(spec.home.hex, spec.home.node)
        return self.charter(
            minor,
            turns,
            name=spec.name,
            kind="minor",
            state=status,
            state_words=words,
            director=who_view(table, state.owners[minor]) if active else None,
            treasury=state.cash[minor] if active else None,
            trains=tuple(models.TrainView(card=train.card, face=train.face) for train in table.trains_of(minor)),
            train_limit=table.title.minor.train_limit,
            homes=(models.PlaceView(id=home, hex=spec.home.hex, name=home_name(table.title, minor)),),
            stations=place_views(table, state.board.stations_of(minor)),
            last_revenue=state.revenue.get(minor),
            terrain_tokens=table.terrain_tokens(minor),
            notes=(*cards.minor_card_words(table, minor), *cards.supporter_words(table, state.owners.get(minor, BANK))),
            **(self._marker_figures(minor) if active else {}),
        )

    def _marker_figures(self, company: str) -> dict[str, Any]:
        markers_left = self.table.state.markers[company]
        return {"markers_left": markers_left, "marker_price": next_price(self.table, company) if markers_left else None}

    def company_marks(self, company: str) -> Iterator[str]:
        """Majors without a director or under the automaton pay everything (VI.4.3/5, XI.3/1)."""
        if company in self.table.title.companies:
            owner = director(self.table, company)
            if sold_out(self.table, company):
                yield "sold out"
            if owner is None:
                yield "no director"
            elif is_automaton(self.table, owner):
                yield "always pays out"
        elif self.company_state(company)[0] == "operating":
            if not self.table.trains_of(company):
                yield "no train"
            if company not in self.table.state.revenue:
                yield "first run next"

    def company_figures(self, company: str, state: models.CompanyState) -> dict[str, Any]:
        package = self.table.state.package.get(company, 0)
        return {
            "kind": "major",
            "holding_limit": self.table.title.major.holding_limit,
            "sells": goods_sold(self.table.title, company),
            "places": tuple(self._share_places(company)),
            "notes": (f"{plural(package, 'share')} can be taken now",) if package else (),
            **self._marker_figures(company),
        }

    def _share_places(self, major: str) -> Iterator[models.ShareView]:
        """Shares left in the starting package (V/1) and on the charter."""
        table = self.table
        package, unit = table.state.package.get(major, 0), share_unit(table, major)
        if package:
            yield unsold_shares(table, major, package * unit, package, "the starting package")
        on_charter = table.state.certificates[major].count(BANK) - package
        if on_charter:
            yield unsold_shares(table, major, holding(table, BANK, major) - package * unit, on_charter, "the charter")

    @cached_property
    def _start_prices(self) -> Mapping[str, int]:
        """Start prices of the majors (II.4/2); empty if the record does not begin with the first round."""
        first = mag_table(self.game.position(0))
        majors = chart.companies_by_price(first) if first.state.round == "PRE" else ()
        return {major: chart.price(first, major) for major in majors}

    def start_price(self, company: str) -> int | None:
        return self._start_prices.get(company)

    # Trains

    def trains(self) -> models.TrainsView:
        table = self.table
        return models.TrainsView(
            currency=table.title.currency,
            stacks=tuple(_stack_view(table, face) for face in table.title.stacks),
            pool=(),
            pool_prices={},
            scrapped=(),
            phases=tuple(_phase_view(table, phase) for phase in table.title.phases),
            notes=tuple(_train_notes(table)),
        )

    def coming_trains(self) -> Iterator[ComingView]:
        """The first train of any stack with an indicator tile begins the next phase (VI.3.9/1 to VI.3.9/3)."""
        indicators, following = self.table.state.indicators, next_phase(self.table)
        if indicators and following is not None:
            yield ComingView(
                words=f"the first {_joined_by_or(indicators)}-train",
                before=0,
                begins=following,
                phase_name=f"the {following} phase",
                colour=following,
                sales=tuple(SaleView(train=face) for face in indicators),
            )

    # Rounds

    def progress(self) -> GameProgress:
        state = self.table.state
        return GameProgress(
            phase_name=f"{state.phase} phase",
            phase_colour=state.phase,
            boxes=tuple(self._course_boxes()),
            next=_next_round_words(self.table),
            priority=state.priority,
            priority_words="has the priority deal card",
        )

    def _course_boxes(self) -> Iterator[models.BoxView]:
        """Boxes of the present set, which a new phase may shorten, with its Share Round and what follows."""
        table, current = self.table, current_set(self.table)
        if current is None:
            yield self.box("end", "end", "now")
            return
        turn, rounds_begun = current.turn, current.round
        state: models.When = "done" if rounds_begun else "now"
        yield self.box("PRE", "opening", state) if turn == 1 else self.box(f"SR {turn}", "shares", state)
        length = current.length if rounds_begun else table.phase.operating_rounds
        if table.state.phase_began:
            length = rounds_begun
        for number in range(1, length + 1):
            yield self.box(f"OR {turn}.{number}", "operating", when_of(number, rounds_begun), f"{number} of {length}")
        if current.last or (not rounds_begun and table.phase.final):
            yield self.box("end", "end", "ahead")
        else:
            yield self.box(f"SR {turn + 1}", "shares", "ahead")

    def waiting(self, task: Task) -> tuple[str, ...] | None:
        if not isinstance(task, OperatingRound):
            return None
        return (*task.minors, *(chart.companies_by_price(self.table) if task.majors is None else task.majors))

    # Incomes

    def expected_income(self, company: str, budget: Budget) -> ExpectedIncome | None:
        """A minor's best run without rail cars; a major's treasury (VI.4.3/1)."""
        if company in self.table.title.companies:
            return ExpectedIncome(self.table.state.cash[company], "treasury")
        if not self.table.trains_of(company):
            return None
        run = best(self.table, company, (), budget)
        return ExpectedIncome(run.revenue, proven=run.proven)

    def payouts_to_players(self, company: str, amount: int) -> Mapping[str, int]:
        """Half of a minor's income goes to its owner (III.3.2/5), a tenth of a major's to every 10% (VI.4.3/3)."""
        if company in self.table.title.companies:
            return super().payouts_to_players(company, amount)
        return {self.table.state.owners[company]: owner_income(self.table, amount)}


# Parts of the views


def is_automaton(table: MagTable, seat: str) -> bool:
    return isinstance(table, SoloTable) and seat == ISTVAN


def _stack_view(table: MagTable, face: str) -> models.StackView:
    state, spec = table.state, table.title.stacks[face]
    holds_tokens = face in state.indicators[:1] and not table.phase.final
    words = begun_phase_words(table, face)
    return models.StackView(
        id=face,
        left=None,
        top=True,
        next_card=f"{face}-{state.cards.get(face, 0) + 1}",
        faces=(
            models.FaceView(
                face=face,
                price=spec.price,
                buyers="minors",
                reach=f"{table.title.train_faces[face].stops} cities or towns",
                scraps=(),
                gone=False,
            ),
        ),
        begins=next_phase(table) if words else None,
        words=words,
        seller=spec.seller,
        tokens=state.no_train if holds_tokens else 0,
    )


def _phase_view(table: MagTable, name: str) -> models.PhaseView:
    title, spec = table.title, table.title.phases[name]
    phases = list(title.phases)
    words = [
        f"{name} tiles",
        f"sets of {plural(spec.operating_rounds, 'operating round')}",
        f"rail cars for {', '.join(map(str, spec.rail_cars))} Ft",
        f"the off-board car adds {spec.off_board_bonus} Ft",
    ]
    if spec.red_to_red:
        words.append(f"a train from red to red earns {spec.red_to_red} Ft more")
    return models.PhaseView(
        id=name,
        colour=name,
        state=when_of(phases.index(name), phases.index(table.state.phase)),
        train_limits={"minor": title.minor.train_limit},
        words=(*words, *(["the set of operating rounds that begins in it is the last"] if spec.final else [])),
        operating_rounds=spec.operating_rounds,
        final=spec.final,
    )


def _train_notes(table: MagTable) -> Iterator[str]:
    state, title = table.state, table.title
    if state.indicators and not table.phase.final:
        yield (
            f"No-train-sold tokens: {state.no_train} of {title.no_train_tokens}, on the {state.indicators[0]}-trains; "
            "the last one begins the next phase."
        )
    prices = ", ".join(map(str, table.phase.rail_cars))
    limit = "a minor may have one in a round" if title.one_rail_car else "for a minor's first, second, third"
    sellers = ", ".join(f"{CAR_NAMES[kind]} of {spec.major}" for kind, spec in title.rail_cars.items())
    yield f"Rail cars ({sellers}): {prices} Ft ({limit}); the off-board car adds {table.phase.off_board_bonus} Ft."


def _joined_by_or(faces: tuple[str, ...]) -> str:
    *front, last = faces
    return f"{'-, '.join(front)}- or {last}" if front else last


def _next_round_words(table: MagTable) -> str:
    current, phase = current_set(table), table.phase
    if current is None:
        return ""
    if not current.round:
        last = ", the last ones" if phase.final else ""
        return f"{plural(phase.operating_rounds, 'operating round')}{last}"
    if not table.state.phase_began and current.round < current.length:
        return WORDS.round_name(f"OR {current.turn}.{current.round + 1}")
    return "the end of the game" if current.last else WORDS.round_name(f"SR {current.turn + 1}")
