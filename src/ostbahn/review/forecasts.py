"""Who was ahead when: what the net of the best bot foresees at the beginning of every round, with its own doubt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import erf, exp, log, sqrt
from typing import Final, NamedTuple

from ostbahn.extras import MissingExtra
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan
from ostbahn.text.speech import face_of

LEAST: Final = 0.01
"""A doubt that nobody falls below before the end."""
STEPS: Final = 400
"""Into how many parts what may become of somebody is cut, to see how often it is more than what becomes of others."""
WIDE: Final = 4.5
"""So many standard deviations to either side are looked at."""

WITHOUT_NUMPY: Final = 'the forecast is left out: the net that makes it needs NumPy (pip install "ostbahn[learnt]")'


class NoForecast(OstbahnError):
    """Nothing can be foreseen here; says why."""


class Forecast(NamedTuple):
    """What was to be expected when a round began."""

    round: str
    number: int
    """Answers that had been given."""
    wealth: Mapping[str, float]
    """What everybody would have in the end."""
    low: Mapping[str, float]
    high: Mapping[str, float]
    """About two of three games end between these."""
    richest: Mapping[str, float]
    """How likely everybody was to be the richest, as if what becomes of one said nothing of the others."""


def forecasts(game: Game) -> list[Forecast]:
    """One for the beginning of each round, and what came of it where the game is over."""
    try:
        from ostbahn.bots.learnt import brain_of  # here, as it needs NumPy; a report does without

        brain = brain_of(game.setup.title, game.setup.variant)
    except MissingExtra:
        raise NoForecast(WITHOUT_NUMPY) from None
    except BadSetup:
        raise NoForecast("no net has learnt this game, so nobody says who was ahead when") from None
    if not brain.manner.knows(game.setup.modules):
        raise NoForecast("the net has learnt nothing of modules, so nobody says who was ahead when")
    begun = list(_begun(game))
    judged = brain.net.judge([brain.seeing.look(game.at(number).table) for number, _ in begun])
    found = [
        _forecast(round_, number, each.wealth, {seat: doubt * brain.manner.doubt for seat, doubt in each.doubt.items()})
        for (number, round_), each in zip(begun, judged, strict=True)
    ]
    return [*found, _end(game)] if game.over else found


def _begun(game: Game) -> Iterator[tuple[int, str]]:
    """After which answers which round had begun; of those that an answer passes over, the last."""
    for number, events in enumerate([game.opening, *(record.events for record in game.records)]):
        rounds = [event.round for event in events if isinstance(event, RoundBegan)]
        if rounds and not (number == len(game) and game.over):
            yield number, rounds[-1]


def _forecast(round_: str, number: int, wealth: Mapping[str, float], doubt: Mapping[str, float]) -> Forecast:
    doubt = {seat: max(each, LEAST) for seat, each in doubt.items()}
    return Forecast(
        round_,
        number,
        dict(wealth),
        {seat: wealth[seat] * exp(-doubt[seat]) for seat in wealth},
        {seat: wealth[seat] * exp(doubt[seat]) for seat in wealth},
        chances_of(wealth, doubt),
    )


def _end(game: Game) -> Forecast:
    had = {seat: float(amount) for seat, amount in face_of(game).standings().items()}
    most = [seat for seat, amount in had.items() if amount == max(had.values())]
    return Forecast("the end", len(game), had, had, had, {seat: (seat in most) / len(most) for seat in had})


def chances_of(wealth: Mapping[str, float], doubt: Mapping[str, float]) -> dict[str, float]:
    """How likely each is the greatest of several whose logarithms are normal, one by one."""
    middle = {seat: log(max(amount, 1.0)) for seat, amount in wealth.items()}
    found = {seat: _chance(seat, middle, doubt) for seat in wealth}
    total = sum(found.values())
    return {seat: chance / total for seat, chance in found.items()}


def _chance(seat: str, middle: Mapping[str, float], doubt: Mapping[str, float]) -> float:
    total = 0.0
    for step in range(STEPS):
        away = WIDE * (2 * (step + 0.5) / STEPS - 1)
        part = exp(-away * away / 2)
        for other in middle:
            if other != seat:
                part *= _below(middle[seat] + away * doubt[seat], middle[other], doubt[other])
        total += part
    return total


def _below(value: float, middle: float, doubt: float) -> float:
    """How likely a normal figure is below a value."""
    return (1 + erf((value - middle) / (doubt * sqrt(2)))) / 2
