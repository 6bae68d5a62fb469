"""The component schemas of the OpenAPI document: what msgspec reads and writes, in the words of the source.

A structure is described by its docstring, a field by the string below it, and a field without one by the entry for its
name in `openapi_fields.toml`: most names mean the same everywhere.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec.inspect import Field, StructType, multi_type_info
from msgspec.inspect import Type as TypeInfo

from ostbahn.bots.registry import LARGEST_BUDGET, all_bots, takes_budget
from ostbahn.kits.catalogue import kits
from ostbahn.table.room import HERE, LINK

Schema = dict[str, Any]
REF: Final = "#/components/schemas/"
ACTION: Final = "Action"
ANY_OBJECT: Final = {"type": "object"}
FIELDS: Final = "openapi_fields.toml"


class Components:
    """All schemas that operations refer to."""

    def __init__(self, read: Iterable[Any], written: Iterable[Any]) -> None:
        """read: types of request bodies; written: types of responses."""
        self._read, self._written = list(read), list(written)
        types = [*self._read, *self._written]
        found, self.schemas = msgspec.json.schema_components(types, ref_template=f"{REF}{{name}}")
        self._by_type = list(zip(types, found, strict=True))
        self._describe()
        self.schemas |= action_schemas()

    def schema_of(self, kind: Any) -> Schema:
        return next(schema for known, schema in self._by_type if known == kind)

    def _describe(self) -> None:
        sent = structs_in(self._read)
        values = possible_values()
        for cls, info in structs_in([*self._read, *self._written]).items():
            schema = self.schemas.get(cls.__name__)
            if schema is None:  # two structures share a name, which a test forbids
                continue
            if cls not in sent and not cls.__struct_config__.omit_defaults:
                schema["required"] = list(schema["properties"])  # the server always writes all of them
            describe_fields(cls, schema)
            for field in info.fields:
                name = field.encode_name
                if name == "action" and schema["properties"][name].items() >= ANY_OBJECT.items():
                    schema["properties"][name] = _referring(schema["properties"][name], ACTION)
                elif possible := values.get(f"{cls.__name__}.{name}"):
                    schema["properties"][name].pop("type", None)
                    schema["properties"][name] |= possible


def _referring(schema: Schema, name: str) -> Schema:
    return {"$ref": f"{REF}{name}", "description": schema.get("description", "")}


def describe_fields(cls: type, schema: Schema) -> None:
    if cls.__doc__:
        schema["description"] = inspect.cleandoc(cls.__doc__)
    docs, common = field_docs(cls), common_words()["fields"]
    for name, field in schema["properties"].items():
        words = docs.get(name) or common.get(name)
        if words:
            field.setdefault("description", words)


# Actions


def action_schemas() -> dict[str, Schema]:
    """The actions of every title, each tagged by `do`, and their unions; `Action` is the union of all."""
    schemas: dict[str, Schema] = {}
    unions = []
    for title, kit in kits().items():
        suffix = re.sub(r"\W", "", title)
        (union,), members = msgspec.json.schema_components([kit.actions], ref_template=f"{REF}{{name}}{suffix}")
        classes = {cls.__name__: cls for cls in structs_in([kit.actions])}
        for name, schema in members.items():
            tag = schema["properties"].get("do")
            if tag is not None:
                tag |= {"type": "string", "const": tag.pop("enum")[0], "description": "Which action it is."}
            # the server takes no other fields, but a generated client may read an action as the one of the same name in
            # another title: it has to keep what it does not know, or it would send back something else
            schema.pop("additionalProperties", None)
            describe_fields(classes[name], schema)
            schemas[f"{name}{suffix}"] = {**schema, "title": f"{name}{suffix}"}
        words = f"Every action of {title}. `do` tells them apart."
        schemas[f"{ACTION}{suffix}"] = {"title": f"{ACTION}{suffix}", "description": words, **union}
        unions.append({"$ref": f"{REF}{ACTION}{suffix}"})
    words = "An action of the title that is played. The `answers` to a question list those that are legal now."
    schemas[ACTION] = {"title": ACTION, "description": words, "anyOf": unions}
    return schemas


# Values that are known only when the server runs


def possible_values() -> Mapping[str, Schema]:
    """By structure and field, what may stand there."""
    codes = [bot.code for bot in all_bots()]
    budgets = "|".join(bot.code for bot in all_bots() if takes_budget(bot))
    budget = {"type": "string", "pattern": f"^({budgets}):[1-9][0-9]{{0,{len(str(LARGEST_BUDGET)) - 1}}}$"}
    player = {"anyOf": [{"type": "string", "enum": [HERE, LINK, *codes]}, budget]}
    bot = {"anyOf": [{"type": "string", "enum": codes}, budget]}
    return {
        "NewSeat.who": player,
        "SentSeat.who": player,
        "SentBot.bot": bot,
        "BotView.code": {"type": "string", "enum": codes},
        "NewTable.title": {"type": "string", "enum": list(kits())},
    }


# Words


def structs_in(types: Iterable[Any]) -> dict[type[msgspec.Struct], StructType]:
    """All structures that values of these types are made of."""
    found: dict[type[msgspec.Struct], StructType] = {}

    def visit(part: object) -> None:
        if isinstance(part, tuple | list):
            for inner in part:
                visit(inner)
        elif isinstance(part, TypeInfo | Field):
            if isinstance(part, StructType):
                if part.cls in found:
                    return
                found[part.cls] = part
            for name in part.__struct_fields__:
                visit(getattr(part, name))

    visit(multi_type_info(list(types)))
    return found


@cache
def common_words() -> Mapping[str, Mapping[str, str]]:
    """What fields and parameters mean that mean the same everywhere, by name."""
    text = resources.files(__package__).joinpath(FIELDS).read_text(encoding="utf-8")
    return tomllib.loads(text)


def field_docs(cls: type) -> Mapping[str, str]:
    """The strings below the fields of a structure, those that it inherits included."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        docs |= _docs_in(base.__module__).get(base.__qualname__, {})
    return docs


@cache
def _docs_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The strings below fields, by class; none where the source is not there."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    return {node.name: dict(_below(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _below(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    for field, below in pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                yield name, inspect.cleandoc(text)
