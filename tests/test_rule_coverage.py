"""Every rule of the rulebook is shown by a test: `@pytest.mark.rule("18CZ VII.3/2")`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from ostbahn.kits.data import Rule
from ostbahn.titles.cz.title import CzTitle, cz_title
from ostbahn.titles.mag.title import MagTitle, mag_title

TESTS = Path(__file__).parent
TITLES: dict[str, Callable[[], CzTitle | MagTitle]] = {"18CZ": cz_title, "18Mag": mag_title}


def rules() -> dict[str, Rule]:
    """All rules of all titles, under the names by which errors and tests call them."""
    return {f"{name} {rule.id}": rule for name, title in TITLES.items() for rule in title().rules.values()}


def marks(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        named_so = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule"
        if isinstance(node, ast.Call) and named_so and ast.unparse(node.func) == "pytest.mark.rule":
            yield node


def spelled(tree: ast.Module, argument: ast.expr) -> list[str]:
    """The rules that an argument of a mark names: a plain string, or one made from what a helper is called with."""
    if isinstance(argument, ast.Constant):
        return [str(argument.value)]
    helper = next(
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and argument in tuple(ast.walk(node))
    )
    parameters = [parameter.arg for parameter in helper.args.args]
    expression = compile(ast.Expression(argument), "<mark>", "eval")
    found = []
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == helper.name:
            given = dict(zip(parameters, call.args, strict=False))
            given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
            values = {name: value.value for name, value in given.items() if isinstance(value, ast.Constant)}
            found.append(str(eval(expression, {}, values)))
    return found


def rules_named_in(source: str) -> list[tuple[str, int]]:
    """Every rule that a test file names, with the line."""
    tree = ast.parse(source)
    return [(name, call.lineno) for call in marks(tree) for argument in call.args for name in spelled(tree, argument)]


@cache
def named() -> dict[str, list[str]]:
    """Rule to the places in the tests that name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        for name, line in rules_named_in(path.read_text(encoding="utf-8")):
            found.setdefault(name, []).append(f"{path.relative_to(TESTS.parent)}:{line}")
    return found


def chapters_of(names: list[str]) -> str:
    """Rules by chapter, to read: `18CZ VII.3: 1, 4`."""
    chapters: dict[str, list[str]] = {}
    for name in names:
        chapter, _, number = name.rpartition("/")
        chapters.setdefault(chapter, []).append(number)
    return "; ".join(f"{chapter}: {', '.join(numbers)}" for chapter, numbers in chapters.items())


def test_every_rule_is_shown_by_a_test() -> None:
    missing = [name for name, rule in rules().items() if rule.without_effect is None and name not in named()]
    assert not missing, f"{len(missing)} rules without a test: {chapters_of(missing)}"


def test_tests_name_only_rules_that_exist() -> None:
    unknown = {name: places for name, places in named().items() if name not in rules()}
    assert not unknown, "\n".join(f"{', '.join(places)}: no rule {name}" for name, places in unknown.items())


def test_few_rules_are_without_effect_and_for_a_reason() -> None:
    excused = {name: rule.without_effect for name, rule in rules().items() if rule.without_effect is not None}
    assert len(excused) <= 5, f"too many excuses: {', '.join(excused)}"
    for name, reason in excused.items():
        assert len(reason.split()) >= 5, f"{name} is without effect, but why?"
        assert name not in named(), f"{name} is said to have no effect and has a test: {named()[name]}"


def test_a_rule_is_said_once_and_in_words() -> None:
    assert len(rules()) >= 690
    texts = [rule.text for rule in rules().values()]
    assert len(set(texts)) == len(texts)
    assert all(text.endswith(".") and len(text.split()) >= 4 for text in texts)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("@pytest.mark.rule('18CZ I/1', '18CZ I/2')\ndef test(): ...", ["18CZ I/1", "18CZ I/2"]),
        ("P = [pytest.param(1, marks=pytest.mark.rule('18CZ I/1'))]", ["18CZ I/1"]),
        ("def f(n): return pytest.mark.rule(f'18CZ I/{n}')\nP = [f('1'), f('2')]", ["18CZ I/1", "18CZ I/2"]),
        ("@pytest.mark.soak\ndef test(): rule('18CZ I/1')", []),
    ],
)
def test_marks_are_found_wherever_they_stand(source: str, names: list[str]) -> None:
    assert [name for name, _ in rules_named_in(source)] == names
