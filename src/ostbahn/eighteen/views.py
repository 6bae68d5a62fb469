"""The base of a title's views: players, share companies, share trading, turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Generic, cast

from ostbahn.eighteen.pictures import reach
from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.text import BaseTextRenderer, PlainT, PlainTextRenderer, TableT, proceeds
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import share_unit
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.state import Task
from ostbahn.text.formatting import printable
from ostbahn.text.speech import text_renderer_of
from ostbahn.text.words import Naming, plural
from ostbahn.views.common import (
    bank_share_fields,
    holdings_of,
    income_fields,
    mark_view,
    next_train_words,
    per_unit,
    place_views,
    ranks,
    share_figures,
    shares_of,
    sold_out,
    when_of,
    who_view,
)
from ostbahn.views.models import (
    BoxKind,
    BoxView,
    CompanyState,
    CompanyView,
    FaceView,
    PaperView,
    PhaseView,
    PlayerView,
    StackView,
    TrainsView,
    TrainView,
    When,
)
from ostbahn.views.outlook import ComingView, SaleView
from ostbahn.views.question import PickView, Widget
from ostbahn.views.title_views import CandidateAnswer, GameProgress, OperatingOrder, TitleViews, TurnStep

STAGES: Final = (
    TurnStep("Track", ("lay_track",)),
    TurnStep("Station", ("establish_station",)),
    TurnStep("Run", ("operate_trains",)),
    TurnStep("Income", ("use_income",)),
    TurnStep("Trains", ("purchase_trains",)),
)
"""The usual steps of a turn, with the usual tags of their tasks."""


class BaseViews(TitleViews, Generic[TableT]):
    """Views of a title of share companies; a subclass adds what is special about players, companies and rounds."""

    short_reasons: Mapping[str, str] = {}
    """Short refusals for company cards by the rule cited; `{cash}` and others are filled from `facts`."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = cast(TableT, game.table)

    @cached_property
    def text_renderer(self) -> BaseTextRenderer[TableT]:
        return cast(BaseTextRenderer[TableT], text_renderer_of(self.game))

    @property
    def round(self) -> str:
        return self.text_renderer.round

    # Players

    def priority(self) -> tuple[str, str]:
        """The player who begins the next share round, and the name of that privilege."""
        return self.table.state.order[0], "priority"

    def papers(self, owner: str) -> Iterable[PaperView]:
        """Papers of a player or company: all it holds besides shares and trains."""
        return ()

    def player_figures(self, seat: str) -> dict[str, Any]:
        """Fields that the title adds to the view of a player."""
        return {}

    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        worth = self.table.standings()
        rank = ranks(worth)
        return tuple(self._player(seat, decider, worth[seat], rank[seat]) for seat in self.table.state.order)

    def _player(self, seat: str, decider: str | None, worth: int, rank: int) -> PlayerView:
        table, state = self.table, self.table.state
        held, limit = self.text_renderer.certificates(table, seat), self.table.certificate_limit
        first, words = self.priority()
        return PlayerView(
            seat=seat,
            name=printable(table.name(seat)),
            role=self.role(seat),
            place=state.order.index(seat) + 1,
            has_priority=seat == first,
            priority_words=words if seat == first else "",
            deciding=seat == decider,
            cash=state.cash[seat],
            holdings=holdings_of(table, seat),
            papers=tuple(self.papers(seat)),
            certificates=held,
            certificate_limit=limit,
            over_limit=held > limit,
            worth=worth,
            rank=rank,
            **income_fields(self.record_stats, seat),
            **self.player_figures(seat),
        )

    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        return {
            "cash": self.table.state.cash[seat],
            "shares": sum(held.value for held in holdings_of(self.table, seat)),
        }

    # Companies

    def operating(self) -> list[str]:
        """The companies that act in Operating Rounds, highest price first."""
        return chart.companies_by_price(self.table)

    def companies(self) -> tuple[CompanyView, ...]:
        turns = self.operating_order()
        order = [*turns.in_order(self.operating()), *chart.companies_by_price(self.table), *self.table.title.companies]
        companies = [self.company(company, turns) for company in dict.fromkeys(order)]
        return tuple(sorted(companies, key=lambda company: company.state in ("closed", "out of the game")))

    def company(self, company: str, turns: OperatingOrder) -> CompanyView:
        state, words = self.company_state(company)
        return self.charter(
            company,
            turns,
            name=self.table.title.companies[company].name,
            state=state,
            state_words=words,
            shares=shares_of(self.table, company),
            **{
                **bank_share_fields(self.table, company),
                **(self.started_figures(company) if chart.position(self.table, company) is not None else {}),
                **self.company_figures(company, state),
            },
        )

    def charter(self, company: str, turns: OperatingOrder, **figures: Any) -> CompanyView:
        """The view of anything with a charter: its name, its place in the turn order, and the given figures."""
        return CompanyView(
            id=company,
            mark=mark_view(self.table, company),
            operating_place=turns.place_of(company),
            in_turn=turns.in_turn == company,
            marks=tuple(self.company_marks(company)),
            **figures,
        )

    def company_state(self, company: str) -> tuple[CompanyState, str]:
        if chart.position(self.table, company) is None:
            return "not started", "can be started in a stock round"
        return "operating", "operates"

    def company_figures(self, company: str, state: CompanyState) -> dict[str, Any]:
        """Fields that the title adds to the view of a share company; `kind` is required."""
        return {"kind": ""}

    def company_marks(self, company: str) -> Iterator[str]:
        if chart.position(self.table, company) is None:
            return
        if sold_out(self.table, company):
            yield "sold out"
        if not self.table.state.trains.get(company):
            yield "no train"
        if company not in self.table.state.revenue:
            yield "first run next"

    def started_figures(self, company: str) -> dict[str, Any]:
        """Fields of a share company that has started."""
        table, state, leader = self.table, self.table.state, money.director(self.table, company)
        return {
            **share_figures(table, self.record_stats, company, self.start_price(company), self.per_share(company)),
            "director": None if leader is None else who_view(table, leader),
            "price": chart.price(table, company),
            "treasury": state.cash[company],
            "stations": place_views(table, state.board.stations_of(company)),
            "last_revenue": state.revenue.get(company),
        }

    def start_price(self, company: str) -> int | None:
        return self.record_stats.started.get(company)

    def per_share(self, company: str) -> Callable[[int], int]:
        return per_unit(self.table, company)

    # Rounds

    def box(self, code: str, kind: BoxKind, state: When, detail: str = "") -> BoxView:
        words = "the end" if kind == "end" else self.text_renderer.words.round_name(code)
        return BoxView(id=code, kind=kind, words=words, detail=detail, state=state)

    # Turns

    def waiting(self, task: Task) -> tuple[str, ...] | None:
        """The companies still to act, if the task is an Operating Round."""
        return getattr(task, "waiting", None)

    def operating_order(self) -> OperatingOrder:
        """The company in turn owns the lowest task above the round; higher tasks may belong to others."""
        agenda = self.table.state.agenda
        for place, task in enumerate(agenda):
            if (waiting := self.waiting(task)) is not None:
                companies = (getattr(task, "company", None) for task in agenda[place + 1 :])
                return OperatingOrder(next((company for company in companies if company is not None), None), waiting)
        return OperatingOrder()

    def run_forecast(self, company: str, faces: Iterable[str]) -> str:
        last = self.table.state.revenue.get(company)
        last_run = f"; last run {self.text_renderer.words.money(last)}" if last is not None else ""
        return (", ".join(faces) or "no train to run") + last_run

    def cost(self, question: Question, action: Action) -> int | None:
        return None

    # Trade in shares

    def buying(self, company: str, action: Action, words: str = "") -> CandidateAnswer:
        label = words or f"Buy {share_unit(self.table, company)} %"
        return CandidateAnswer(company, "buy", label, chart.price(self.table, company), action)

    def sales(self, player: str, company: str, sell: Callable[[str, int], Action]) -> Iterator[CandidateAnswer]:
        unit = share_unit(self.table, company)
        for percent in range(unit, money.holding(self.table, player, company) + 1, unit):
            price, size = proceeds(self.table, company, percent), f"{percent} %"
            yield CandidateAnswer(
                company, "sell", f"Sell {size}", price, sell(company, percent), "Sell", "Sell more", size
            )

    def all_sold(self, sales: Iterable[Option]) -> int:
        """The total of the largest sale of each company. A price falls only after a sale, and only that company's."""
        largest: dict[str, int] = {}
        for sale in sales:
            action: Any = sale.action
            company = self.subject(action) or ""
            largest[company] = max(largest.get(company, 0), proceeds(self.table, company, action.percent))
        return sum(largest.values())

    def sale_pick(self, company: str, percent: int, about: str) -> PickView:
        return PickView(
            label=f"Sell {company}",
            asks=f"How much of {company} to sell",
            option=f"{percent}% brings {self.text_renderer.words.money(proceeds(self.table, company, percent))}",
            button="Sell",
            about=about,
        )

    def short_reason(self, question: Question, candidate: CandidateAnswer, refusal: Refusal) -> str:
        """The refusal in short for the decider; in full if the title has no short words for its rule."""
        text = self.short_reasons.get(refusal.rule.rpartition(" ")[2])
        return refusal.text if text is None else text.format(**self.facts(question.decider, candidate))

    def facts(self, player: str, candidate: CandidateAnswer) -> dict[str, Any]:
        return {
            "cash": self.table.state.cash[player],
            "certificates": self.text_renderer.certificates(self.table, player),
            "limit": self.table.certificate_limit,
        }


class PlainViews(BaseViews[PlainT], Generic[PlainT]):
    """Views of a plain title: it sets `groups`, and overrides what it shows differently."""

    widgets: Mapping[str, Widget] = {"lay_track": "track", "operate_trains": "routes"}
    income_questions = ("use_income",)
    income_answers = ("pay_out", "withhold")

    @cached_property
    def text_renderer(self) -> PlainTextRenderer[PlainT]:
        return cast(PlainTextRenderer[PlainT], text_renderer_of(self.game))

    def cost(self, question: Question, action: Action) -> int | None:
        return self.text_renderer.cost(action)

    def priority(self) -> tuple[str, str]:
        return self.table.state.priority, "priority"

    def company_figures(self, company: str, state: CompanyState) -> dict[str, Any]:
        title = self.table.title
        return {
            "kind": "",
            "start_prices": title.game.start_prices if state == "not started" else (),
            "homes": place_views(self.table, [title.companies[company].home]),
        }

    def started_figures(self, company: str) -> dict[str, Any]:
        trains = self.table.state.trains.get(company, ())
        return {
            **super().started_figures(company),
            "trains": tuple(TrainView(card=train.card, face=train.face) for train in trains),
            "train_limit": self.table.phase.train_limit,
        }

    def trains(self) -> TrainsView:
        table = self.table
        return TrainsView(
            currency=table.title.currency,
            stacks=tuple(_stack_view(table, face) for face in table.title.trains if table.left(face) != 0),
            pool=(),
            pool_prices={},
            scrapped=(),
            phases=tuple(_phase_views(table)),
            notes=(),
        )

    def progress(self) -> GameProgress:
        table, present = self.table, self.table.round_number
        ahead = table.rounds[present + 1 :]
        return GameProgress(
            phase_name=f"phase {table.state.phase}",
            phase_colour=table.phase.colour,
            boxes=tuple(self._boxes(present)),
            next=self.text_renderer.words.round_name(ahead[0]) if ahead else "the end",
            priority=table.state.priority,
            priority_words="begins the next stock round",
        )

    def _boxes(self, present: int) -> Iterator[BoxView]:
        for at, code in enumerate(self.table.rounds):
            yield self.box(code, "operating" if code.startswith("OR") else "shares", when_of(at, present))
        yield self.box("end", "end", when_of(len(self.table.rounds), present))

    def operating_order(self) -> OperatingOrder:
        return OperatingOrder(self.table.in_turn, self.table.waiting)

    def turn_steps(self, company: str) -> tuple[TurnStep, ...]:
        """The usual steps for which the rulebook has a handler."""
        known = {str(task.__struct_config__.tag) for task in self.game.rulebook.handlers}
        return tuple(stage for stage in STAGES if known.intersection(stage.tasks))

    def step_forecast(self, company: str, stage: str) -> str:
        table, money = self.table, self.text_renderer.words.money
        trains = table.state.trains.get(company, ())
        if stage == "Run":
            return ", ".join(train.face for train in trains) or "no train"
        if stage == "Trains":
            face = table.on_sale
            following = f"; next: {face} for {money(table.title.trains[face].price)}" if face is not None else ""
            return f"{len(trains)} of {plural(table.phase.train_limit, 'train')}{following}"
        return ""

    def candidates(self, question: Question) -> Iterator[CandidateAnswer]:
        """The legal answers of a share round that name a company, for its card."""
        if self.scene(question) != "shares":
            return
        for action in (option.action for option in question.options):
            company = str(getattr(action, "company", None))
            if company in self.table.title.companies:
                words = self.text_renderer.words.describe(action, Naming(self.table))
                kind = str(action.__struct_config__.tag).partition("_")[0]
                yield CandidateAnswer(company, kind, words[:1].upper() + words[1:], self.cost(question, action), action)

    def pick(self, action: Action) -> PickView | None:
        """A list to choose the start price of a company from."""
        company, price = getattr(action, "company", None), getattr(action, "price", None)
        if company is None or price is None:
            return None
        return PickView(
            label=f"Start {company} at",
            asks=f"Price at which {company} starts",
            option=self.text_renderer.words.money(price),
            button="Start",
            about=self.table.title.companies[company].name,
        )

    def coming_trains(self) -> Iterator[ComingView]:
        """The train that begins the next phase, and how many trains come before it."""
        before = 0
        for stack in (_stack_view(self.table, face) for face in self.table.title.trains if self.table.left(face) != 0):
            if stack.begins is not None:
                yield ComingView(
                    words=next_train_words(before),
                    before=before,
                    begins=stack.begins,
                    phase_name=f"phase {stack.begins}",
                    colour=self.table.title.phases[stack.begins].colour,
                    sales=(SaleView(train=stack.id),),
                )
            if stack.begins is not None or stack.left is None:
                return
            before += stack.left


def _stack_view(table: PlainTable, face: str) -> StackView:
    spec, phases = table.title.trains[face], list(table.title.phases)
    begins_phase = spec.begins is not None and phases.index(spec.begins) > phases.index(table.state.phase)
    colour = table.title.phases[spec.begins].colour if spec.begins is not None else ""
    shown = FaceView(face=face, price=spec.price, buyers="companies", reach=reach(spec.stops), scraps=(), gone=False)
    return StackView(
        id=face,
        left=table.left(face),
        top=face == table.on_sale,
        next_card="",
        faces=(shown,),
        begins=spec.begins if begins_phase else None,
        words=f"begins phase {spec.begins} ({colour} tiles)" if begins_phase else "",
    )


def _phase_views(table: PlainTable) -> Iterator[PhaseView]:
    names = list(table.title.phases)
    present = names.index(table.state.phase)
    for at, (name, phase) in enumerate(table.title.phases.items()):
        yield PhaseView(
            id=name,
            colour=phase.colour,
            state=when_of(at, present),
            train_limits={"company": phase.train_limit},
            words=(f"{phase.colour} tiles",),
        )
