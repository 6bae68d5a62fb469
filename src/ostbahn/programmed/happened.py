"""What happened since a move was prepared, as far as it says when the move is over."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, RoundBegan, TurnBegan


class Happened:
    def __init__(self, game: Game, given: int) -> None:
        """given: after how many answers it was prepared."""
        self._game, self._records = game, game.records
        self._given = given

    def _before(self) -> Iterator[Event]:
        """The events until then, the last first."""
        for record in reversed(self._records[: self._given]):
            yield from reversed(record.events)
        yield from reversed(self._game.opening)

    def _since(self) -> Iterator[Event]:
        for record in self._records[self._given :]:
            yield from record.events

    def answers(self, seat: str) -> Iterator[tuple[str, Action]]:
        """What somebody has answered since, with the kind of question."""
        for number in range(self._given, len(self._records)):
            if self._records[number].by == seat:
                task = self._game.state_at(number).agenda[-1]
                yield str(task.__struct_config__.tag), self._records[number].action

    @property
    def round_is_over(self) -> bool:
        """Whether the round in which it was prepared is."""
        return any(isinstance(event, RoundBegan) for event in self._since())

    def turn_is_over(self, company: str) -> bool:
        """Whether a company has had the turn for which it was prepared, the present one or its next."""
        in_turn = self._in_turn() == company
        for event in self._since():
            match event:
                case TurnBegan(company=other):
                    if in_turn and other != company:
                        return True
                    in_turn = other == company
                case RoundBegan() if in_turn:
                    return True
        return False

    @property
    def operating_is_over(self) -> bool:
        """Whether the Operating Round is in which it was prepared, or the next one if it was prepared before that."""
        operating = self._in_turn() is not None
        for event in self._since():
            match event:
                case TurnBegan():
                    operating = True
                case RoundBegan() if operating:
                    return True
        return False

    def _in_turn(self) -> str | None:
        """The company whose turn it was when it was prepared; None outside of Operating Rounds."""
        for event in self._before():
            match event:
                case TurnBegan(company=company):
                    return company
                case RoundBegan():
                    return None
        return None
