"""How fast train cards will go: whoever has no train must buy one, and that scraps the trains of others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CzTable


class Demand:
    """Companies that always buy the cheapest train when they have none; a second one if they are rich."""

    def __init__(self, table: CzTable, deaths: Mapping[str, int]) -> None:
        self.table = table
        self.deaths = deaths
        self.gone = table.state.cards_gone
        companies = [company for company in table.state.floated if company not in table.state.closed]
        self._fleets = {company: [train.face for train in runnable(table, company)] for company in companies}
        self._cash = {company: table.state.cash[company] for company in companies}

    def rounds(self, buying: Collection[str], boxes: Iterable[str | int]) -> list[int]:
        """How many cards will have gone when the Operating Rounds among the boxes ahead begin.

        `buying` are companies that still buy in the present one.
        """
        for company in buying:
            self._turn(company)
        found = []
        for box in boxes:
            if box == "export":
                self.gone += 1
            elif isinstance(box, int):
                found.append(self.gone)
                for company in self._fleets:
                    self._turn(company)
        return found

    def _turn(self, company: str) -> None:
        if any(self._lives(face) for face in self._fleets[company]):
            return
        title = self.table.title
        size = self.table.size(company)
        letter = title.stack.card(self.gone)[0]
        faces = title.stack.spec[letter].faces
        prices = {price: face for face, price in faces.items() if title.train_faces[face].size == size}
        if not prices:
            return
        price = min(prices)
        limit = title.phases[letter].train_limit.get(size, 1)
        number = 2 if limit > 1 and self._cash[company] >= 2 * price else 1
        self._cash[company] -= number * price
        self._fleets[company] = [prices[price]] * number
        self.gone += number

    def _lives(self, face: str) -> bool:
        """What runs now is not scrapped before another card goes."""
        death = self.deaths.get(face)
        return death is None or self.gone < max(death, self.table.state.cards_gone + 1)
