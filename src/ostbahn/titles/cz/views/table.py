"""Views of the table of 18CZ: players, companies, trains, phases and the process track."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ostbahn.eighteen.views import BaseViews
from ostbahn.kernel.money import holdings, share_unit
from ostbahn.kernel.state import FaceSpec, Task, Train
from ostbahn.text.words import join_words, plural
from ostbahn.titles.cz.bohemia_table import VACLAV, BohemiaTable, is_his
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.purchase import must_buy_train
from ostbahn.titles.cz.rounds import dividend, present_box, round_at
from ostbahn.titles.cz.state import CzTable, OperatingRound, StockRound
from ostbahn.titles.cz.stations import markers_left, next_price
from ostbahn.titles.cz.stock import FLOATS_AT, SellSharesStep
from ostbahn.views import models
from ostbahn.views.common import holdings_of, place_views, sold_out, when_of
from ostbahn.views.title_views import GameProgress


class CzTableViews(BaseViews[CzTable]):
    # Players

    def priority(self) -> tuple[str, str]:
        return self.table.state.order[0], "first in playing order"

    def players(self, decider: str | None) -> tuple[models.PlayerView, ...]:
        seated = super().players(decider)
        return (*seated, _vaclav_view(self.table)) if isinstance(self.table, BohemiaTable) else seated

    def player_figures(self, seat: str) -> dict[str, Any]:
        state = self.table.state
        return {
            "debt": state.debts.get(seat, 0),
            "penalty": state.penalties.get(seat, 0),
            "can_raise": self.can_raise(seat),
        }

    def can_raise(self, seat: str) -> int:
        """Return the proceeds of all shares that a player may sell in the current Stock Round, or in one beginning now.

        The rules are VII.6, IX.3/2 and VII.6/4; only companies sell Local Railways (IV.1/24).
        """
        present = next((task for task in self.table.state.agenda if isinstance(task, StockRound)), None)
        if present is None or present.player != seat:
            present = StockRound(first=present is not None and present.first, player=seat)
        return self.all_sold(SellSharesStep().answers(self.table, present))

    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        """Return the items of a player's wealth (X.2)."""
        state = self.table.state
        return {
            **super().wealth_parts(seat),
            "Local Railways": sum(paper.value for paper in self.papers(seat)),
            "debt": -state.debts.get(seat, 0),
            "penalty": -state.penalties.get(seat, 0),
        }

    def papers(self, owner: str) -> Iterator[models.PaperView]:
        return (_paper_view(self.table, local) for local, holder in self.table.state.locals.items() if holder == owner)

    # Companies

    def operating(self) -> list[str]:
        return [company for company in super().operating() if company in self.table.state.floated]

    def company_state(self, company: str) -> tuple[models.CompanyState, str]:
        table, state = self.table, self.table.state
        opens = table.title.companies[company].spec.opens_in_phase
        if company in state.closed:
            return "closed", "closed: another company has taken it over"
        if company not in state.certificates:
            return "out of the game", "not in this game"
        if company in state.floated:
            return "operating", "operates" if company in state.operated else "floated, has not operated yet"
        if company in state.start_prices:
            sold = sum(holdings(table, company).values())
            return "started", f"not floated: {sold}% of {FLOATS_AT}% sold"
        if not table.phase_from(opens):
            return "unavailable", f"opens with the first {opens}-train"
        return "not started", "can be started in a stock round"

    def company_figures(self, company: str, state: models.CompanyState) -> dict[str, Any]:
        spec = self.table.title.companies[company]
        return {
            "kind": spec.size,
            "opens_in_phase": spec.spec.opens_in_phase,
            "start_prices": spec.spec.start_prices if state in ("unavailable", "not started") else (),
            "homes": place_views(self.table, spec.homes),
            "holding_limit": spec.spec.holding_limit,
        }

    def company_marks(self, company: str) -> Iterator[str]:
        state = self.table.state
        if company in state.start_prices and company not in state.floated:
            yield "unfloated"
        if sold_out(self.table, company):
            yield "sold out"
        if company in state.floated:
            if not state.trains.get(company):
                yield "no train"
            elif must_buy_train(self.table, company):
                yield "no train it can run"
            if company not in state.revenue:
                yield "first run next"
        if is_his(self.table, company):
            yield "always pays out"  # XI.1/13

    def started_figures(self, company: str) -> dict[str, Any]:
        table, state = self.table, self.table.state
        fields = {**super().started_figures(company), "papers": tuple(self.papers(company)), "treasury": None}
        if company in state.floated:
            left = markers_left(table, company)
            own = [train_view(table, train, table.size(company)) for train in state.trains.get(company, ())]
            fields |= {
                "treasury": state.cash[company],
                "trains": (*own, *(train_view(table, train, guest=True) for train in table.guests(company))),
                "train_limit": train_limit(table, company),
                "markers_left": left,
                "marker_price": next_price(table, company) if left else None,
            }
        return fields

    def start_price(self, company: str) -> int | None:
        return self.table.state.start_prices[company]

    def per_share(self, company: str) -> Callable[[int], int]:
        unit = share_unit(self.table, company)
        return lambda paid: dividend(paid, unit)

    def payouts_to_players(self, company: str, amount: int) -> Mapping[str, int]:
        """Return each player's dividend, rounded up (VIII.8/15); the bank's part stays there (VIII.8/14)."""
        return {seat: dividend(amount, percent) for seat, percent in holdings(self.table, company).items()}

    # Trains

    def trains(self) -> models.TrainsView:
        table, state, title = self.table, self.table.state, self.table.title
        left = Counter(letters_ahead(table))
        return models.TrainsView(
            currency=title.currency,
            stacks=tuple(_stack_view(table, letter, left[letter]) for letter in left),
            pool=tuple(train_view(table, train) for train in state.pool),
            pool_prices={train.card: title.stack.price(train) for train in state.pool},
            scrapped=state.scrapped,
            phases=tuple(_phase_view(table, letter) for letter in title.phases),
            notes=_stack_notes(table),
        )

    # Rounds

    def progress(self) -> GameProgress:
        state, boxes = self.table.state, tuple(self._boxes())
        return GameProgress(
            phase_name=f"phase {state.phase}",
            phase_colour=self.table.phase.colour,
            boxes=boxes,
            next=_next_words(boxes),
            priority=state.order[0],
            priority_words="first in playing order, which goes by cash after every stock round",
        )

    def _boxes(self) -> Iterator[models.BoxView]:
        present, title = present_box(self.table), self.table.title
        state: models.When = "now" if present < 0 else "done"
        yield models.BoxView(id="opening", kind="opening", words=title.opening, detail="", state=state)
        for at in range(len(title.boxes)):
            yield self._box(at, when_of(at, present))
        yield self.box("end", "end", "now" if present >= len(title.boxes) else "ahead")

    def _box(self, at: int, state: models.When) -> models.BoxView:
        boxes = self.table.title.boxes
        if boxes[at] == "SR":
            return self.box(round_at(boxes, at), "shares", state)
        if boxes[at] != "export":
            return self.box(round_at(boxes, at), "operating", state, f"Local Railways at {boxes[at]} K")
        words = "Vaclav's companies get trains" if isinstance(self.table, BohemiaTable) else "a train card goes abroad"
        id_ = f"export {boxes[:at].count('SR')}"
        return models.BoxView(id=id_, kind="between", words=words, detail="", state=state)

    def waiting(self, task: Task) -> tuple[str, ...] | None:
        if not isinstance(task, OperatingRound):
            return None
        return tuple(company for company in task.waiting if company in self.table.state.certificates)


# Players


def _vaclav_view(table: BohemiaTable) -> models.PlayerView:
    """Return the view of Vaclav, who has neither money nor turns (XI.1)."""
    holdings = holdings_of(table, VACLAV)
    return models.PlayerView(
        seat=VACLAV,
        name=VACLAV,
        role="bystander",
        place=None,
        has_priority=False,
        priority_words="",
        deciding=False,
        cash=None,
        holdings=holdings,
        papers=(),
        certificates=sum(held.certificates for held in holdings),
        certificate_limit=None,
        worth=None,
        rank=None,
        notes=("nobody plays him: the players build for his companies, which run for the most and pay out",),
    )


def _paper_view(table: CzTable, local: str) -> models.PaperView:
    spec, used = table.title.locals[local], local in table.state.used_powers
    words = [spec.name, f"income {spec.income} K" if spec.income else "", "its power is used up" if used else ""]
    return models.PaperView(
        id=local,
        name=spec.name,
        label=table.label(local),
        kind="private paper" if isinstance(table, MoraviaTable) else "Local Railway",
        size=spec.size,
        income=spec.income,
        price=spec.price,
        value=table.state.local_price if spec.priced else 0,
        power_used=used,
        words=", ".join(word for word in words if word),
    )


# Trains and phases


def train_view(table: CzTable, train: Train, owner_size: str | None = None, guest: bool = False) -> models.TrainView:
    """Return the view of a train; without an owner's size (in the pool) it counts as runnable."""
    size = table.title.train_faces[train.face].size
    words, distance = ("", None) if guest else scrapped_by(table, train.face)
    return models.TrainView(
        card=train.card,
        face=train.face,
        size=size,
        runs=owner_size in (None, size),
        scrapped_by=words,
        cards_till=distance,
        guest=guest,
    )


def scrapped_by(table: CzTable, face: str) -> tuple[str, int | None]:
    """Return what scraps trains of a face, and after how many more cards at the earliest."""
    scrapping_faces = [other for other, spec in table.title.train_faces.items() if face in spec.scraps]
    for distance, letter in enumerate(letters_ahead(table)):
        on_card = [scrapping for scrapping in scrapping_faces if scrapping in table.title.stack.spec[letter].faces]
        if on_card:
            return f"scrapped by the first {on_card[0]}-train (cards {letter})", distance
    return "", None


def letters_ahead(table: CzTable) -> Iterator[str]:
    """Yield the letters of the cards in the stack from the top, and the endless letter once."""
    stack, gone = table.title.stack, table.state.cards_gone
    while (letter := stack.card(gone)[0]) != stack.letters[-1]:
        yield letter
        gone += 1
    yield letter


def _stack_view(table: CzTable, letter: str, left: int) -> models.StackView:
    title, state = table.title, table.state
    spec, top = title.stack.spec[letter], title.stack.card(state.cards_gone)
    begins = letter if letter > state.phase and letter in title.phases else None
    faces = tuple(_face_view(table, face, price) for face, price in spec.faces.items())
    words = [f"begins phase {letter} ({title.phases[letter].colour} tiles)"] if begins else []
    words += [
        f"the first {face.face}-train scraps {join_words(f'{old}-trains' for old in face.scraps)}"
        for face in faces
        if face.scraps and not face.gone
    ]
    return models.StackView(
        id=letter,
        left=left if spec.count is not None else None,
        top=top[0] == letter,
        next_card=top if top[0] == letter else f"{letter}1",
        faces=faces,
        begins=begins,
        words="; ".join(words),
    )


def _face_view(table: CzTable, face: str, price: int) -> models.FaceView:
    spec, scrapped = table.title.train_faces[face], table.state.scrapped
    return models.FaceView(
        face=face,
        price=price,
        buyers=f"{spec.size} companies",
        reach=reach_words(spec),
        scraps=tuple(old for old in spec.scraps if old not in scrapped),
        gone=face in scrapped,
    )


def reach_words(spec: FaceSpec) -> str:
    if spec.skips_towns:
        return f"{spec.cities} cities, leaving towns out"
    if spec.cities == spec.stops:
        return f"{spec.stops} cities or towns"
    return f"{spec.cities} cities and {spec.stops - spec.cities} towns"


def _phase_view(table: CzTable, letter: str) -> models.PhaseView:
    spec, now = table.title.phases[letter], table.state.phase
    return models.PhaseView(
        id=letter,
        colour=spec.colour,
        state="now" if letter == now else "done" if letter < now else "ahead",
        train_limits=dict(spec.train_limit),
        words=tuple(_phase_news(table, letter)),
    )


def _phase_news(table: CzTable, letter: str) -> Iterator[str]:
    """Yield what a phase opens or closes."""
    title = table.title
    phases = list(title.phases)
    previous = phases[phases.index(letter) - 1] if letter != phases[0] else None
    if previous is None or title.phases[previous].colour != title.phases[letter].colour:
        yield f"{title.phases[letter].colour} tiles"
    for size, spec in title.sizes.items():
        if spec.opens_in_phase == letter:
            yield f"{size} companies can be started"
    if title.locals_open_in_phase == letter:
        has_papers = isinstance(table, MoraviaTable)
        yield f"companies may buy {'private papers' if has_papers else 'Local Railways'} from players"
    yield from _variant_news(table, letter)
    cards = title.stack.spec
    earlier = {face for other in cards if other < letter for face in cards[other].faces}
    for face in cards[letter].faces if letter in cards else ():
        if face not in earlier and (scraps := title.train_faces[face].scraps):
            yield f"the first {face}-train scraps {join_words(f'{old}-trains' for old in scraps)}"


def _variant_news(table: CzTable, letter: str) -> Iterator[str]:
    """Yield what a phase changes in one of the variants only."""
    if isinstance(table, MoraviaTable) and table.title.papers_close_in_phase == letter:
        yield "all private papers close"
    if isinstance(table, BohemiaTable):
        for invitation in table.title.invitations:
            if invitation.phase == letter:
                yield f"Vaclav gets a {invitation.size} company"


def _stack_notes(table: CzTable) -> tuple[str, ...]:
    """Return notes on exports or Vaclav's trains between sets, and on scrapped trains."""
    exports = table.title.boxes[present_box(table) + 1 :].count("export")
    if isinstance(table, BohemiaTable):
        between = "After every set but the last each of Vaclav's companies gets the next card"
    else:
        between = "After every set but the last the next card goes abroad and counts as a train of all its faces"
    coming = f"{between}: {plural(exports, 'more time') if exports else 'that is over'}."
    if not table.state.scrapped:
        return (coming,)
    return coming, f"Out of the game: {join_words(f'{face}-trains' for face in table.state.scrapped)}."


def _next_words(boxes: tuple[models.BoxView, ...]) -> str:
    """Return what follows the current round, up to the next one."""
    ahead = [box for box in boxes if box.state == "ahead"]
    between = 1 if ahead and ahead[0].kind == "between" else 0
    return ", then ".join(box.words for box in ahead[: between + 1])
