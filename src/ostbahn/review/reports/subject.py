"""What a report is about: a game with its accounts, and what all sections need of them."""

from __future__ import annotations

from functools import cached_property

from ostbahn.kernel.game import Game
from ostbahn.pictures.export import name_of
from ostbahn.pictures.line_charts import RoundEvent
from ostbahn.review.accounts import Accounts, CompanyAccount, PlayerAccount, accounts_of
from ostbahn.review.parts import DataTable, Drawing, Told
from ostbahn.review.reports.maps import Maps
from ostbahn.text.speech import face_of
from ostbahn.text.words import Words

NOTHING = "–"
"""In a table, where there is no figure."""


def drawings(*charts: str) -> tuple[Drawing, ...]:
    """Charts under the names that they have as pictures."""
    return tuple(Drawing(name=name_of(svg), svg=svg) for svg in charts)


class Subject:
    def __init__(self, game: Game, told: Told = lambda *_: None) -> None:
        self.game = game
        self.told = told
        self.maps = Maps()

    @cached_property
    def accounts(self) -> Accounts:
        return accounts_of(self.game)

    @cached_property
    def words(self) -> Words:
        return face_of(self.game).words

    def money(self, amount: float | None) -> str:
        return NOTHING if amount is None else self.words.money(round(amount))

    @property
    def unit(self) -> str:
        return self.accounts.currency

    # Who and when

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.accounts.names)

    def hue(self, seat: str) -> int:
        """By which colour, dash and marker somebody is known all through the report."""
        return self.seats.index(seat)

    @property
    def labels(self) -> list[str]:
        return [each.name for each in self.accounts.rounds]

    def of_player(self, seat: str) -> list[PlayerAccount]:
        """How somebody stood at the end of each round."""
        return [next(each for each in round_.players if each.seat == seat) for round_ in self.accounts.rounds]

    def of_company(self, company: str) -> list[CompanyAccount]:
        return [next(each for each in round_.companies if each.company == company) for round_ in self.accounts.rounds]

    @cached_property
    def companies(self) -> list[str]:
        """Those that ever did something, in the order of the box."""

        def lived(each: CompanyAccount) -> bool:
            return each.price is not None or each.treasury is not None or bool(each.revenue)

        return [company for company in self.accounts.companies if any(map(lived, self.of_company(company)))]

    @property
    def phases(self) -> list[RoundEvent]:
        """When phases began, along the rounds."""
        begun: dict[str, list[str]] = {}
        for each in self.accounts.phases:
            if each.round in self.labels:
                begun.setdefault(each.round, []).append(each.phase)
        found = [RoundEvent(self.labels.index(round_), ", ".join(phases)) for round_, phases in begun.items()]
        return [each if number else each._replace(name=f"phase {each.name}") for number, each in enumerate(found)]

    def by_round(self, caption: str, columns: dict[str, list[str]]) -> DataTable:
        """A row for each round, a column for each name."""
        names = [self.words.round_name(label) for label in self.labels]
        rows = zip(names, *columns.values(), strict=True)
        return DataTable(caption=caption, columns=("Round", *columns), rows=tuple(tuple(row) for row in rows))
