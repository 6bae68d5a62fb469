"""Rules, rulings and readings by id, chapter and words."""

from __future__ import annotations

from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.titles.cz.title import cz_title


def found(*words: str) -> str:
    result = CliRunner().invoke(app, ["rules", *words])
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*words: str) -> str:
    result = CliRunner().invoke(app, ["rules", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.removeprefix("ostbahn: ").strip()


def test_rules_by_id_chapter_and_words() -> None:
    rules = cz_title().rules
    text = found("18CZ", "VIII.6/5")
    assert text.startswith("VIII.6/5")
    assert rules["VIII.6/5"].text.split()[0] in text
    assert "VIII.6/6 " not in text
    assert "Ruling marker_price_after_acquisition" in text
    chapter = found("18cz", "viii.6")
    assert all(f"{name}  " in chapter for name in rules if name.startswith("VIII.6/"))
    assert "VIII.10/1 " not in chapter
    assert "G19" in found("18CZ", "brno")


def test_rules_without_words_are_all_of_them() -> None:
    text = found("18CZ")
    assert all(f"{rule.id}  {rule.chapter}" in text for rule in cz_title().rules.values())
    assert all(f"Ruling {ruling.id}  " in text for ruling in cz_title().all_rulings)
    assert all(f"Reading {reading}  " in text for reading in cz_title().readings)


def test_rulings_alone() -> None:
    text = found("18CZ", "--rulings")
    assert text.count("Ruling ") == len(cz_title().all_rulings)
    assert "vaclav_runs" in text, "those of the variants too"
    assert "Reading " not in text
    assert "asked (rulebook); taken for granted (18xx.games)" in text
    assert found("18CZ", "consent", "--rulings").startswith("Ruling ")


def test_an_ambiguity_is_looked_up_by_its_id() -> None:
    read = found("18CZ", "A10")
    assert read.startswith("III.3/6  ")
    assert "Reading A10  on VIII.13/1, III.3/6\n" in read
    assert "Followed in phases.py: export\n" in read
    assert read.count("Reading ") == 1
    ruled = found("18Mag", "A30")
    assert "Ruling unused_rail_car  on VI.3.7/5  (A30)\n" in ruled
    assert "Reading " not in ruled
    assert "Only in: bohemia\n" in found("18CZ", "A55")
    assert "Reading A11 " not in found("18Mag", "a11"), "a hex"


def test_a_rule_comes_with_the_readings_on_it() -> None:
    assert "Reading A35  on VIII.11/3, VIII.10/9\n" in found("18CZ", "VIII.11/3")
    assert "Ruling emergency_money  on VIII.11/1, VIII.11/2\n" in found("18CZ", "VIII.11/2")


def test_rules_that_do_not_exist() -> None:
    assert refused("18CZ", "xyzzy") == "no rule of 18CZ has the id or speaks of 'xyzzy'"
    assert refused("1830").startswith("there is no 1830")


def test_all_words_must_be_there_and_accents_do_not_matter() -> None:
    some = found("18CZ", "red", "tile")
    assert 0 < len(some) < len(found("18CZ", "tile"))
    assert found("18CZ", "prerov") == found("18CZ", "Přerov")
