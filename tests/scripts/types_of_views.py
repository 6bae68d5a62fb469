"""The types of what scripts are given, made from the structs that Python encodes: `python3 dev.py types` writes them.

Scripts name them in their comments (`@param {Views.Update} update`), and TypeScript's checker holds them to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import NODEFAULT, inspect

from ostbahn.programmed.choices import AmountChoice
from ostbahn.server.plans.service import BotAnswers, PlayedForReal
from ostbahn.server.web.fault_pages import Fault
from ostbahn.table.drawing import CityPlace
from ostbahn.table.plans import PlanSummary
from ostbahn.table.rendering import Update
from ostbahn.table.requests import GainsView, Preview, RunsView
from ostbahn.views.catalogue import RuleView
from ostbahn.views.hints import HintView
from ostbahn.views.question import QuestionData

FILE: Final = Path(__file__).parents[2] / "src" / "ostbahn" / "table" / "views.d.ts"
SENT: Final = (
    AmountChoice,
    BotAnswers,
    CityPlace,
    Fault,
    GainsView,
    HintView,
    PlanSummary,
    PlayedForReal,
    Preview,
    QuestionData,
    RuleView,
    RunsView,
    Update,
)
"""What is sent to scripts, or stands in a page for them; the structs in it follow."""
HEAD: Final = (
    "// What Python sends to the scripts of a page. Made by `python3 dev.py types`: change the structs, not this file."
)
PLAIN: Final = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.DateTimeType: "string",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}


def written() -> str:
    """All types as they stand in the file."""
    known: dict[str, type] = {}
    for struct in SENT:
        _collect(inspect.type_info(struct), known)
    interfaces = "\n".join(_interface(known[name]) for name in sorted(known))
    return f"{HEAD}\ndeclare namespace Views {{\n{interfaces}}}\n"


def _collect(kind: inspect.Type, known: dict[str, type]) -> None:
    """A struct, and all that is in it."""
    if isinstance(kind, inspect.StructType):
        name = kind.cls.__name__
        assert known.get(name, kind.cls) is kind.cls, f"two structs are called {name}"
        if name in known:
            return
        known[name] = kind.cls
    for part in _parts(kind):
        _collect(part, known)


def _parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    match kind:
        case inspect.StructType():
            yield from (field.type for field in kind.fields)
        case inspect.UnionType():
            yield from kind.types
        case inspect.TupleType():
            yield from kind.item_types
        case inspect.ListType() | inspect.VarTupleType():
            yield kind.item_type
        case inspect.DictType():
            yield kind.value_type


def _interface(struct: type) -> str:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    omits = info.cls.__struct_config__.omit_defaults
    lines = [f"    {_field(field, left_out=omits and field.default is not NODEFAULT)};\n" for field in info.fields]
    return f"  interface {struct.__name__} {{\n{''.join(lines)}  }}\n"


def _field(field: inspect.Field, *, left_out: bool) -> str:
    """A default that is left out never comes; for many it is null."""
    kind = _type(field.type)
    return f"{field.encode_name}?: {kind.removesuffix(' | null')}" if left_out else f"{field.encode_name}: {kind}"


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.StructType():
            return kind.cls.__name__
        case inspect.UnionType():
            return " | ".join(_type(part) for part in kind.types)
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in kind.values)
        case inspect.TupleType():
            return f"[{', '.join(_type(part) for part in kind.item_types)}]"
        case inspect.ListType() | inspect.VarTupleType():
            item = _type(kind.item_type)
            return f"({item})[]" if "|" in item else f"{item}[]"
        case inspect.DictType():
            return f"Record<string, {_type(kind.value_type)}>"
        case _:
            return PLAIN[type(kind)]


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
