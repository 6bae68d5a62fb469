"""The commands and the hot-seat game with 18Mag."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kits.catalogue import new_game
from ostbahn.text import speech
from ostbahn.titles.mag.actions import OfferForTrain
from tests.interop.reference import games, imported
from tests.text.positions import until


def ostbahn(*args: str | Path, status: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=typed)
    assert result.exit_code == status, result.output
    return result


def refused(*args: str | Path) -> str:
    return ostbahn(*args, status=2).stderr.removeprefix("ostbahn: ").strip()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game that has just begun; Anna is first."""
    path = tmp_path / "game.json"
    saves.write(path, new_game("18Mag", ["Anna", "Ben", "Cyril"], draw_order=False))
    return path


# Commands


@pytest.mark.parametrize(("variant", "players"), [("base", 3), ("base", 6), ("two_player", 2)])
def test_new_begins_a_game_of_each_variant(tmp_path: Path, variant: str, players: int) -> None:
    path = tmp_path / "game.json"
    text = ostbahn(
        "new", path, "--title", "18mag", "--variant", variant, "--players", str(players), "--seed", "4"
    ).stdout
    assert f"18Mag ({variant}), seed 4" in text
    assert saves.read(path).setup.variant == variant
    assert refused("new", tmp_path / "x", "--title", "18Mag", "--players", "2").startswith("18Mag (base) is for 3 to 6")


def test_ask_numbers_the_answers(file: Path) -> None:
    lines = ostbahn("ask", file).stdout.splitlines()
    assert lines[0] == "Anna: take a minor or a share"
    assert lines[2] == "   1  take minor 1  (Magyar Északi Vasút, home Pest in E12)"
    assert len(lines) == 22


def test_ask_for_programs_decodes_to_the_options_of_the_question(file: Path) -> None:
    game = until("purchase_trains")
    saves.write(file, game)
    assert game.question is not None
    found: dict[str, Any] = json.loads(ostbahn("ask", file, "--json").stdout)
    assert found["title"] == "18Mag"
    assert found["company"] == game.question.company
    assert found["kind"] == "purchase_trains"
    for row, option in zip(found["options"], game.question.options, strict=True):
        assert saves.decode_action("18Mag", row["action"]) == option.action
        assert row["span"] == (None if option.span is None else {"low": option.span.low, "high": option.span.high})


def test_do_and_undo(file: Path) -> None:
    before = file.read_bytes()
    assert ostbahn("do", file, "7").stdout.splitlines() == [
        "1. Anna: took minor 7",
        "     the bank pays minor 7 50 Ft (starting capital)",
        "     minor 7 gets a 2-train from the stack",
        "     minor 7 has a station in Mohács",
        "Ben: take a minor or a share",
    ]
    ostbahn("do", file, '{"do": "draft_share", "major": "RÁBA"}', "--by", "Ben")
    assert "taken back: 2. Ben: took a share of RÁBA" in ostbahn("undo", file).stdout
    ostbahn("undo", file)
    assert file.read_bytes() == before


def test_do_refuses_with_the_rule(file: Path) -> None:
    assert (
        refused("do", file, '{"do": "draft_minor", "minor": "14"}') == "there is no minor 14 in this game (18Mag V/1)"
    )
    assert refused("do", file, "1", "--by", "Ben") == "Anna decides now, not Ben (18Mag V/4)"
    assert refused("do", file, '{"do": "buy_local", "local": "S1"}').startswith("this is no action of 18Mag: ")


def test_do_with_a_price(file: Path) -> None:
    game = until("purchase_trains")
    saves.write(file, game)
    choices = speech.listed_options(game)
    offer = next(choice for choice in choices if isinstance(choice.option.action, OfferForTrain))
    assert offer.option.span is not None
    low, high = offer.option.span
    assert refused("do", file, str(offer.number)) == (
        f"answer {offer.number} needs a price: {offer.number}@{low} to {offer.number}@{high}"
    )
    ostbahn("do", file, f"{offer.number}@{high}")
    assert saves.read(file).records[-1].action == offer.option.with_price(high)


def test_rules_and_titles() -> None:
    assert "320" in ostbahn("rules", "18mag", "VI.3.8/3").stdout
    assert "Ruling terrain_token_spent" in ostbahn("rules", "18Mag", "--rulings").stdout
    text = ostbahn("titles").stdout
    assert "two_player" in text


def test_an_export_is_replayed_with_everything_it_can_write(tmp_path: Path) -> None:
    source = games("18Mag")[0]
    game, marks, _ = imported(source)
    trace, legal, save = (tmp_path / name for name in ("t.jsonl.gz", "l.jsonl", "s.json"))
    text = ostbahn("replay", source, "--trace", trace, "--legal", legal, "--save", save).stdout
    assert f"{len(game)} actions, every one accepted; the game is over" in text
    assert text.endswith(f"digest {game.state.digest}\n")
    states = [json.loads(line) for line in gzip.decompress(trace.read_bytes()).splitlines()]
    assert [state["id"] for state in states] == [mark.id for mark in marks]
    assert legal.read_text().splitlines()
    assert ostbahn("replay", save).stdout == text
    assert ostbahn("show", source).stdout == ostbahn("show", save).stdout


# The hot seat


def play(*args: str | Path, typed: str = "") -> str:
    result = ostbahn("play", *args, typed=typed)
    assert result.stderr == ""
    return result.stdout


def test_a_new_game_asks_for_the_variants_of_the_title(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    text = play("--title", "18Mag", typed=f"moravia\ntwo_player\nAnna\nBen\nsupporters\nstandard_divs\n{path}\n1\nq\n")
    assert "There is no variant moravia." in text
    assert "How many players" not in text, "there can only be two"
    assert "18Mag (two_player) has no module supporters; known are standard_divs." in text
    assert "18Mag (two_player, standard_divs), seed " in text
    assert saves.read(path).setup.players == ("Anna", "Ben")
    assert saves.read(path).setup.modules == ("standard_divs",)
    assert len(saves.read(path)) == 1


def test_the_first_rounds_at_one_keyboard(file: Path) -> None:
    """The draft, one Operating Round and the Share Round after it, by answers as somebody would type them."""
    game = saves.read(file)
    typed = []
    while game.question is not None and game.question.kind != "stock_round":
        number = 1 if game.question.kind in ("draft", "lay_track", "operate_trains") else len(game.question)
        if not game.question.obvious:
            typed.append(str(number))
        game.apply(game.question.options[number - 1].action)
    text = play(file, typed="\n".join([*typed, "s", "1", "u", "raba", "?", "? mávag", "q", ""]))
    assert text.count(": take a minor or a share") == 18
    assert "Anna for minor 1: lay track" in text
    assert "minor 1 has 50 Ft; trains: 2; stations left: 2" in text
    assert "minor 1 pays SzKÉV 10 Ft (extra tile)" in text
    assert "Share round 2 begins" in text
    assert ": sell and buy shares" in text
    assert "18Mag (base) · Share round 2 · yellow phase" in text
    assert "Taken back: " in text
    assert "The rules on this question, chapter VII.4:" in text
    assert "mávag: " in text
    assert saves.read(file).state.digest == game.state.digest


@pytest.mark.slow
def test_a_game_is_played_to_its_end(file: Path) -> None:
    """Whoever always takes the last answer passes wherever he can; no train is ever bought, so phases go by tokens."""
    answers = []
    game = saves.read(file)
    while game.question is not None:
        if not game.question.obvious:
            answers.append(str(len(game.question)))
        game.apply(game.question.options[-1].action)
    text = play(file, typed="".join(f"{answer}\n" for answer in answers))
    assert "no-train-sold token 3" in text
    assert "the grey phase begins" in text
    assert "The game is over." in text
    assert "wins" in text


def test_words_narrow_without_accents(file: Path) -> None:
    text = play(file, typed="szekesfehervar\nmavag\nq\n")
    assert "> szekesfehervar\n   3  take minor 3" in text
    assert "> mavag\n  20  take a share of MÁVAG" in text


# The solo game


def test_the_solo_game_takes_its_options(tmp_path: Path) -> None:
    path = tmp_path / "solo.json"
    solo = ("--title", "18Mag", "--variant", "solo", "--player", "Anna")
    text = ostbahn("new", path, *solo, "--option", "difficulty=easy").stdout
    assert "István's cards are a reconstruction" in text
    assert saves.read(path).setup.options["difficulty"] == "easy"
    assert "István" in ostbahn("show", path).stdout
    assert refused("new", tmp_path / "x", *solo, "--option", "easy") == "an option is given as NAME=VALUE, not 'easy'"
    assert refused("new", tmp_path / "x", *solo, "--deck", tmp_path / "none").endswith("there is no such file")


def test_the_hot_seat_asks_for_the_options_of_the_solo_game(tmp_path: Path) -> None:
    path = tmp_path / "solo.json"
    text = play(path, "--title", "18Mag", typed="solo\nAnna\nhard\neasy\n\n?\nq\n")
    assert "There is no difficulty hard." in text
    assert "The rules on this question, chapter XI.1:" in text
    assert dict(saves.read(path).setup.options) == {"difficulty": "easy", "length": "short"}
