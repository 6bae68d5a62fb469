"""Trains and phases of 18Mag: endless stacks, round indicator tiles, no-train-sold tokens and rail cars."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.state import Train
from ostbahn.titles.mag.majors import rail_cars
from ostbahn.titles.mag.running import CAR_NAMES
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.words.face import begins
from ostbahn.views.common import plural
from ostbahn.views.models import FaceView, PhaseView, StackView, TrainsView, TrainView


def train_view(train: Train) -> TrainView:
    """Trains of 18Mag are never scrapped by others."""
    return TrainView(card=train.card, face=train.face)


def mag_trains(table: MagTable) -> TrainsView:
    return TrainsView(
        currency=table.title.currency,
        stacks=tuple(_stack(table, face) for face in table.title.stacks),
        pool=(),
        pool_prices={},
        scrapped=(),
        phases=tuple(_phase(table, phase) for phase in table.title.phases),
        notes=tuple(_notes(table)),
    )


def _stack(table: MagTable, face: str) -> StackView:
    state, spec = table.state, table.title.stacks[face]
    lowest = face in state.indicators[:1] and not table.phase.final
    words = begins(table, face)
    return StackView(
        id=face,
        left=None,
        top=True,
        next_card=f"{face}-{state.cards.get(face, 0) + 1}",
        faces=(_face(table, face),),
        begins=_following(table) if words else None,
        words=words,
        seller=spec.seller,
        tokens=state.no_train if lowest else 0,
    )


def _face(table: MagTable, face: str) -> FaceView:
    reach = f"{table.title.train_faces[face].stops} cities or towns"
    return FaceView(
        face=face, price=table.title.stacks[face].price, buyers="minors", reach=reach, scraps=(), gone=False
    )


def _following(table: MagTable) -> str | None:
    phases = list(table.title.phases)
    following = phases.index(table.state.phase) + 1
    return phases[following] if following < len(phases) else None


def _phase(table: MagTable, name: str) -> PhaseView:
    title, spec = table.title, table.title.phases[name]
    phases = list(title.phases)
    distance = phases.index(name) - phases.index(table.state.phase)
    words = [
        f"{name} tiles",
        f"sets of {plural(spec.operating_rounds, 'operating round')}",
        f"rail cars for {', '.join(map(str, spec.rail_cars))} Ft",
        f"the off-board car adds {spec.off_board_bonus} Ft",
    ]
    if spec.red_to_red:
        words.append(f"a train from red to red earns {spec.red_to_red} Ft more")
    return PhaseView(
        id=name,
        colour=name,
        state="now" if not distance else "done" if distance < 0 else "ahead",
        train_limits={"minor": title.minor.train_limit},
        words=(*words, *(["the set of operating rounds that begins in it is the last"] if spec.final else [])),
        operating_rounds=spec.operating_rounds,
        final=spec.final,
    )


def _notes(table: MagTable) -> Iterator[str]:
    state, title = table.state, table.title
    if state.indicators and not table.phase.final:
        yield (
            f"No-train-sold tokens: {state.no_train} of {title.no_train_tokens}, on the {state.indicators[0]}-trains; "
            "the last one begins the next phase."
        )
    prices = ", ".join(map(str, table.phase.rail_cars))
    each = "a minor may have one in a round" if title.rail_cars.one_of_them else "for a minor's first, second, third"
    sold = ", ".join(f"{CAR_NAMES[kind]} of {spec.major}" for kind, spec in rail_cars(title).items())
    yield f"Rail cars ({sold}): {prices} Ft ({each}); the off-board car adds {table.phase.off_board_bonus} Ft."
