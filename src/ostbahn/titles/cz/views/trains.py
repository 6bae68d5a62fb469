"""Trains and phases of 18CZ: the cards that are left, what their sale begins and scraps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ostbahn.kernel.state import FaceSpec, Train
from ostbahn.titles.cz.bohemia_table import BohemiaTable
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.rounds import present_box
from ostbahn.titles.cz.state import CzTable
from ostbahn.views.common import listed, plural
from ostbahn.views.models import FaceView, PhaseView, StackView, TrainsView, TrainView


def train_view(table: CzTable, train: Train, owner_size: str | None = None, guest: bool = False) -> TrainView:
    """A card; the owner's size says whether it can run it (a train in the pool has no owner)."""
    size = table.title.train_faces[train.face].size
    words, distance = ("", None) if guest else scrapped_by(table, train.face)
    return TrainView(
        card=train.card,
        face=train.face,
        size=size,
        runs=owner_size in (None, size),
        scrapped_by=words,
        cards_till=distance,
        guest=guest,
    )


def scrapped_by(table: CzTable, face: str) -> tuple[str, int | None]:
    """What ends the trains of a face, and after how many more cards that can happen."""
    enders = [other for other, spec in table.title.train_faces.items() if face in spec.scraps]
    for distance, letter in enumerate(letters_ahead(table)):
        found = [ender for ender in enders if ender in table.title.stack.spec[letter].faces]
        if found:
            return f"scrapped by the first {found[0]}-train (cards {letter})", distance
    return "", None


def letters_ahead(table: CzTable) -> Iterator[str]:
    """The letters of the cards in the stack from the top, up to the first of those without end."""
    stack, gone = table.title.stack, table.state.cards_gone
    while (letter := stack.card(gone)[0]) != stack.letters[-1]:
        yield letter
        gone += 1
    yield letter


def cz_trains(table: CzTable) -> TrainsView:
    state, title = table.state, table.title
    left = Counter(letters_ahead(table))
    return TrainsView(
        currency=title.currency,
        stacks=tuple(_stack(table, letter, left[letter]) for letter in left),
        pool=tuple(train_view(table, train) for train in state.pool),
        pool_prices={train.card: title.stack.price(train) for train in state.pool},
        scrapped=state.scrapped,
        phases=tuple(_phase(table, letter) for letter in title.phases),
        notes=_notes(table),
    )


def _stack(table: CzTable, letter: str, left: int) -> StackView:
    title, state = table.title, table.state
    spec, top = title.stack.spec[letter], title.stack.card(state.cards_gone)
    begins = letter if letter > state.phase and letter in title.phases else None
    faces = tuple(_face(table, face, price) for face, price in spec.faces.items())
    words = [f"begins phase {letter} ({title.phases[letter].colour} tiles)" if begins else ""]
    words += [
        f"the first {face.face}-train scraps {listed(f'{old}-trains' for old in face.scraps)}"
        for face in faces
        if face.scraps and not face.gone
    ]
    return StackView(
        id=letter,
        left=left if spec.count is not None else None,
        top=top[0] == letter,
        next_card=top if top[0] == letter else f"{letter}1",
        faces=faces,
        begins=begins,
        words="; ".join(word for word in words if word),
    )


def _face(table: CzTable, face: str, price: int) -> FaceView:
    spec, scrapped = table.title.train_faces[face], table.state.scrapped
    return FaceView(
        face=face,
        price=price,
        buyers=f"{spec.size} companies",
        reach=reach_words(spec),
        scraps=tuple(old for old in spec.scraps if old not in scrapped),
        gone=face in scrapped,
    )


def reach_words(spec: FaceSpec) -> str:
    """How far a train goes."""
    if spec.skips_towns:
        return f"{spec.cities} cities, leaving towns out"
    if spec.cities == spec.stops:
        return f"{spec.stops} cities or towns"
    return f"{spec.cities} cities and {spec.stops - spec.cities} towns"


def _phase(table: CzTable, letter: str) -> PhaseView:
    spec, now = table.title.phases[letter], table.state.phase
    return PhaseView(
        id=letter,
        colour=spec.colour,
        state="now" if letter == now else "done" if letter < now else "ahead",
        train_limits=dict(spec.train_limit),
        words=tuple(_news(table, letter)),
    )


def _news(table: CzTable, letter: str) -> Iterator[str]:
    """What a phase opens or closes."""
    title = table.title
    phases = list(title.phases)
    before = phases[phases.index(letter) - 1] if letter != phases[0] else None
    if before is None or title.phases[before].colour != title.phases[letter].colour:
        yield f"{title.phases[letter].colour} tiles"
    for size, spec in title.sizes.items():
        if spec.opens_in_phase == letter:
            yield f"{size} companies can be started"
    if title.locals_open_in_phase == letter:
        papers = isinstance(table, MoraviaTable)
        yield f"companies may buy {'private papers' if papers else 'Local Railways'} from players"
    yield from _variant_news(table, letter)
    for face in _new_faces(table, letter):
        if scraps := title.train_faces[face].scraps:
            yield f"the first {face}-train scraps {listed(f'{old}-trains' for old in scraps)}"


def _variant_news(table: CzTable, letter: str) -> Iterator[str]:
    """What only happens in one of the variants."""
    if isinstance(table, MoraviaTable) and table.title.papers_close_in_phase == letter:
        yield "all private papers close"
    if isinstance(table, BohemiaTable):
        for invitation in table.title.invitations:
            if invitation.phase == letter:
                yield f"Vaclav gets a {invitation.size} company"


def _new_faces(table: CzTable, letter: str) -> Iterator[str]:
    """Faces of a letter's cards that no earlier card has."""
    spec = table.title.stack.spec
    earlier = {face for each in spec if each < letter for face in spec[each].faces}
    return (face for face in spec[letter].faces if face not in earlier) if letter in spec else iter(())


def _notes(table: CzTable) -> tuple[str, ...]:
    """What happens to the stack between the sets of Operating Rounds, and what is out of the game."""
    exports = _exports_left(table)
    if isinstance(table, BohemiaTable):
        between = "After every set but the last each of Vaclav's companies gets the next card"
    else:
        between = "After every set but the last the next card goes abroad and counts as a train of all its faces"
    gone = listed(f"{face}-trains" for face in table.state.scrapped) if table.state.scrapped else ""
    return (
        f"{between}: {plural(exports, 'more time') if exports else 'that is over'}.",
        *((f"Out of the game: {gone}.",) if gone else ()),
    )


def _exports_left(table: CzTable) -> int:
    """Boxes between sets that the turn marker has still to reach."""
    return table.title.boxes[present_box(table) + 1 :].count("export")
