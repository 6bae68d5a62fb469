"""Columns for migrations; none of these may change, since databases were made with them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import UtcDateTime


def column(kind: sa.types.TypeEngine[Any], refers: str | None = None, **options: Any) -> sa.Column[Any]:
    """A column without a name, not null unless `options` say otherwise. refers: the column it references."""
    references = [] if refers is None else [sa.ForeignKey(refers)]
    return sa.Column(kind, *references, **{"nullable": False, **options})


def text(length: int | None = None, **options: Any) -> sa.Column[Any]:
    return column(sa.Text() if length is None else sa.String(length), **options)


def game(**options: Any) -> sa.Column[Any]:
    return text(16, refers="games.id", **options)


def number(**options: Any) -> sa.Column[Any]:
    return column(sa.Integer(), **options)


def flag(**options: Any) -> sa.Column[Any]:
    return column(sa.Boolean(), **options)


def moment(**options: Any) -> sa.Column[Any]:
    return column(UtcDateTime(), **options)


def create(table: str, *constraints: sa.Constraint, autoincrement: bool = False, **columns: sa.Column[Any]) -> sa.Table:
    return op.create_table(table, *named(columns), *constraints, sqlite_autoincrement=autoincrement)


def add(table: str, **columns: sa.Column[Any]) -> None:
    for new_column in named(columns):
        op.add_column(table, new_column)


def named(columns: dict[str, sa.Column[Any]]) -> list[sa.Column[Any]]:
    for name, unnamed in columns.items():
        unnamed.name = unnamed.key = name
    return list(columns.values())
