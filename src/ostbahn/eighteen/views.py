"""The views of a title without peculiarities: it says how its questions are answered, and the rest follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, cast

from ostbahn.eighteen.pictures import reach
from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.text import PlainT
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.text.formatting import printable
from ostbahn.text.speech import face_of
from ostbahn.text.words import Naming
from ostbahn.views.common import (
    holdings_of,
    income_figures,
    left_in_bank,
    mark_view,
    per_unit,
    place_views,
    plural,
    ranks,
    share_figures,
    shares_of,
    sold_out,
    trains_later,
    who_view,
)
from ostbahn.views.models import (
    BoxView,
    CompanyView,
    FaceView,
    PhaseView,
    PlayerView,
    StackView,
    TrainsView,
    TrainView,
    When,
)
from ostbahn.views.outlook import ComingView, SaleView
from ostbahn.views.title_views import Candidate, Course, Stage, TitleViews, Turns

STAGES: Final = (
    Stage("Track", ("lay_track",)),
    Stage("Station", ("establish_station",)),
    Stage("Run", ("operate_trains",)),
    Stage("Income", ("use_income",)),
    Stage("Trains", ("purchase_trains",)),
)
"""The usual steps of a turn, and what their tasks are usually called."""


class PlainViews(TitleViews, Generic[PlainT]):
    """A title has to say `widgets` and `groups`, and what it wants to show otherwise."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = cast(PlainT, game.table)
        self.face = face_of(game)

    @property
    def round(self) -> str:
        return self.table.state.round

    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        worth = self.face.standings()
        rank = ranks(worth)
        return tuple(self._player(seat, decider, worth[seat], rank[seat]) for seat in self.table.state.order)

    def _player(self, seat: str, decider: str | None, worth: int, rank: int) -> PlayerView:
        table, state = self.table, self.table.state
        held, limit = money.count_certificates(table, seat), table.certificate_limit
        return PlayerView(
            seat=seat,
            name=printable(table.name(seat)),
            role=self.role(seat),
            place=state.order.index(seat) + 1,
            has_priority=seat == state.priority,
            priority_words="priority" if seat == state.priority else "",
            deciding=seat == decider,
            cash=state.cash[seat],
            holdings=holdings_of(table, seat),
            papers=(),
            certificates=held,
            certificate_limit=limit,
            over_limit=held > limit,
            worth=worth,
            rank=rank,
            **income_figures(self.past, seat),
        )

    def companies(self) -> tuple[CompanyView, ...]:
        started, turns = chart.by_price(self.table), self.turns()
        order = dict.fromkeys([*turns.in_order(started), *self.table.title.companies])
        return tuple(self._company(company, turns, company in started) for company in order)

    def _company(self, company: str, turns: Turns, started: bool) -> CompanyView:
        spec = self.table.title.companies[company]
        return CompanyView(
            id=company,
            name=spec.name,
            kind="",
            mark=mark_view(self.table, company),
            state="operating" if started else "not started",
            state_words="operates" if started else "can be started in a stock round",
            start_prices=() if started else self.table.title.game.start_prices,
            homes=place_views(self.table, [spec.home]),
            shares=shares_of(self.table, company),
            operating_place=turns.place_of(company),
            in_turn=turns.in_turn == company,
            marks=tuple(self._marks(company)) if started else (),
            **left_in_bank(self.table, company),
            **(self._in_business(company) if started else {}),
        )

    def _marks(self, company: str) -> Iterator[str]:
        """What stands out about a company."""
        if sold_out(self.table, company):
            yield "sold out"
        if not self.table.state.trains.get(company):
            yield "no train"
        if company not in self.table.state.revenue:
            yield "first run next"

    def _in_business(self, company: str) -> dict[str, Any]:
        """What only a company has that has started."""
        table, state, past = self.table, self.table.state, self.past
        leader = money.director(table, company)
        return {
            **share_figures(table, past, company, past.started.get(company), per_unit(table, company)),
            "director": None if leader is None else who_view(table, leader),
            "price": chart.price(table, company),
            "treasury": state.cash[company],
            "trains": tuple(TrainView(card=train.card, face=train.face) for train in state.trains.get(company, ())),
            "train_limit": table.phase.train_limit,
            "stations": place_views(table, state.board.stations_of(company)),
            "last_revenue": state.revenue.get(company),
        }

    def trains(self) -> TrainsView:
        table = self.table
        return TrainsView(
            currency=table.title.currency,
            stacks=tuple(_stack(table, face) for face in table.title.trains if table.left(face) != 0),
            pool=(),
            pool_prices={},
            scrapped=(),
            phases=tuple(_phases(table)),
            notes=(),
        )

    def course(self) -> Course:
        table, present = self.table, self.table.round_number
        ahead = table.rounds[present + 1 :]
        return Course(
            phase_name=f"phase {table.state.phase}",
            phase_colour=table.phase.colour,
            boxes=tuple(self._boxes(present)),
            next=self.face.words.round_name(ahead[0]) if ahead else "the end",
            priority=table.state.priority,
            priority_words="begins the next stock round",
        )

    def _boxes(self, present: int) -> Iterator[BoxView]:
        """Every round, and the end."""
        for at, code in enumerate(self.table.rounds):
            words, state = self.face.words.round_name(code), _when(at, present)
            if code.startswith("OR"):
                yield BoxView(id=code, kind="operating", words=words, detail="", state=state)
            else:
                yield BoxView(id=code, kind="shares", words=words, detail="", state=state)
        at = len(self.table.rounds)
        yield BoxView(id="end", kind="end", words="the end", detail="", state=_when(at, present))

    def turns(self) -> Turns:
        return Turns(self.table.in_turn, self.table.waiting)

    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        return {"cash": self.table.state.cash[seat], "shares": self.table.share_value(seat)}

    def cost(self, question: Question, action: Action) -> int | None:
        return None

    def stages(self, company: str) -> tuple[Stage, ...]:
        """Those usual steps of which the rulebook has a chapter."""
        known = {str(task.__struct_config__.tag) for task in self.game.rulebook.chapters}
        return tuple(stage for stage in STAGES if known.intersection(stage.tasks))

    def expected(self, company: str, stage: str) -> str:
        table, money = self.table, self.face.words.money
        trains = table.state.trains.get(company, ())
        if stage == "Run":
            return ", ".join(train.face for train in trains) or "no train"
        if stage == "Trains":
            face = table.on_sale
            following = f"; next: {face} for {money(table.title.trains[face].price)}" if face is not None else ""
            return f"{len(trains)} of {plural(table.phase.train_limit, 'train')}{following}"
        return ""

    def candidates(self, question: Question) -> Iterator[Candidate]:
        """Every answer in a round of shares that names a company stands on its card; what is refused is left out."""
        if self.scene(question) == "shares":
            for option in question.options:
                company = str(getattr(option.action, "company", None))
                if company in self.table.title.companies:
                    words = self.face.words.describe(option.action, Naming(self.table))
                    kind = str(option.action.__struct_config__.tag).partition("_")[0]
                    price = self.cost(question, option.action)
                    yield Candidate(company, kind, words[:1].upper() + words[1:], price, option.action)

    def coming_trains(self) -> Iterator[ComingView]:
        """The train that begins the next phase, if those before it are sold first."""
        before = 0
        for stack in (_stack(self.table, face) for face in self.table.title.trains if self.table.left(face) != 0):
            if stack.begins is not None:
                yield ComingView(
                    words=trains_later(before),
                    before=before,
                    begins=stack.begins,
                    phase_name=f"phase {stack.begins}",
                    colour=self.table.title.phases[stack.begins].colour,
                    sales=(SaleView(train=stack.id),),
                )
            if stack.begins is not None or stack.left is None:
                return
            before += stack.left


def _when(at: int, present: int) -> When:
    return "now" if at == present else "done" if at < present else "ahead"


def _stack(table: PlainTable, face: str) -> StackView:
    spec, phases = table.title.trains[face], list(table.title.phases)
    ahead = spec.begins is not None and phases.index(spec.begins) > phases.index(table.state.phase)
    colour = table.title.phases[spec.begins].colour if spec.begins is not None else ""
    shown = FaceView(face=face, price=spec.price, buyers="companies", reach=reach(spec.stops), scraps=(), gone=False)
    return StackView(
        id=face,
        left=table.left(face),
        top=face == table.on_sale,
        next_card="",
        faces=(shown,),
        begins=spec.begins if ahead else None,
        words=f"begins phase {spec.begins} ({colour} tiles)" if ahead else "",
    )


def _phases(table: PlainTable) -> Iterator[PhaseView]:
    names = list(table.title.phases)
    present = names.index(table.state.phase)
    for at, (name, phase) in enumerate(table.title.phases.items()):
        yield PhaseView(
            id=name,
            colour=phase.colour,
            state=_when(at, present),
            train_limits={"company": phase.train_limit},
            words=(f"{phase.colour} tiles",),
        )
