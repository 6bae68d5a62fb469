"""The current question, and parsing of answers: `3`, `12@50`, or a JSON action.

Programs call this often, so it starts quickly and does not load Rich.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from ostbahn.cli.invocation import print_json
from ostbahn.interop import files, saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.text.formatting import without_accents
from ostbahn.text.speech import (
    ListedOption,
    Speech,
    current_question,
    heading,
    listed_options,
    question_words,
    standings_rows,
)

SUMMARY_FIELDS = ("hex", "company", "local", "minor", "major", "city", "amount", "card", "face")
"""Fields of actions by which a summary groups answers; the first that an action has."""


def ask(file: Path, as_json: bool, number: int | None) -> None:
    game = open_at(file, number)
    if as_json:
        print_json(question_document(game))
    else:
        print_question(game)


def open_at(file: Path, number: int | None) -> Game:
    """Open the game in a file, as it was after `number` actions or as it stands."""
    game = files.open_game(file)
    return game if number is None else game.position(number)


def print_question(game: Game) -> None:
    """Print the question with all answers; for a finished game, the results."""
    if not game.over:
        print(*heading(game), *(f"{choice.number:>4}  {choice}" for choice in listed_options(game)), sep="\n")
        return
    from ostbahn.cli.overview import show_results
    from ostbahn.terminal.screen import open_console, print_line

    console = open_console()
    print_line(console, "The game is over.")
    show_results(console, game)


def question_document(game: Game) -> dict[str, Any]:
    place = {"title": game.setup.title, "actions": len(game), "digest": game.state.digest}
    if game.question is None:
        return {"over": True, **place, "results": standings_rows(game)}
    question = game.question
    return {
        "over": False,
        **place,
        "who": question.decider,
        "name": game.table.name(question.decider),
        "company": question.company,
        "kind": question.kind,
        "asks": question_words(game),
        "options": [
            {
                "number": choice.number,
                "action": saves.encode_action(choice.option.action),
                "span": choice.option.span and msgspec.structs.asdict(choice.option.span),
                "words": str(choice),
            }
            for choice in listed_options(game)
        ],
    }


# Answers as they are typed


def answer(game: Game, text: str) -> tuple[str | None, Action]:
    """Parse an answer; return the player if it names one, and the action."""
    text = text.strip()
    if text.startswith("{"):
        return _parse_json(game, text)
    numbers = re.fullmatch(r"(\d{1,9})(?:@(\d{1,9}))?", text)
    if numbers is None:
        raise Refused(Refusal("", f"{text!r} is neither the number of an answer nor an action in JSON"))
    return None, _parse_number(game, int(numbers[1]), int(numbers[2]) if numbers[2] else None)


def answer_as_typed(choice: ListedOption, action: Action) -> str | None:
    """The input that chooses an action by this option; None if the option does not offer it."""
    option = choice.option
    if option.span is None or option.span.low == option.span.high:
        return str(choice.number) if option.action == action else None
    price = getattr(action, "price", None)
    if type(action) is not type(option.action) or not isinstance(price, int) or option.with_price(price) != action:
        return None
    return f"{choice.number}@{price}"


def _parse_number(game: Game, number: int, price: int | None) -> Action:
    options = current_question(game).options
    if not 1 <= number <= len(options):
        raise Refused(Refusal("", f"the answers are numbered 1 to {len(options)}, there is no {number}"))
    option = options[number - 1]
    if option.span is None:
        if price is not None:
            words = Speech(game).describe_option(option)
            raise Refused(Refusal("", f"answer {number} has no price to choose: {words}"))
        return option.action
    if price is None and option.span.low < option.span.high:
        low, high = option.span
        raise Refused(Refusal("", f"answer {number} needs a price: {number}@{low} to {number}@{high}"))
    return option.action if price is None else option.with_price(price)


def _parse_json(game: Game, text: str) -> tuple[str | None, Action]:
    try:
        fields = msgspec.json.decode(text)
        by = fields.pop("by", None)
        if not isinstance(by, str | None):
            raise BadFile("`by` is a seat or a player's name")
        return by, saves.decode_action(game.setup.title, fields)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise Refused(Refusal("", f"this is no JSON: {fault}")) from None
    except BadFile as fault:
        raise Refused(Refusal("", f"this is no action of {game.setup.title}: {fault}")) from None


# Lists


def matching_options(listed: list[ListedOption], text: str) -> list[ListedOption]:
    """Options that contain all words of a text: as whole words if possible, else as parts of words."""
    words = without_accents(text).split()
    patterns = [re.compile(rf"(?<![\w+]){re.escape(word)}(?![\w+])") for word in words]
    texts = [(choice, without_accents(str(choice))) for choice in listed]
    with_whole_words = [choice for choice, text in texts if all(pattern.search(text) for pattern in patterns)]
    return with_whole_words or [choice for choice, text in texts if all(word in text for word in words)]


def options_summary(listed: list[ListedOption]) -> list[str]:
    """Summarise a long list by kind of answer and place."""
    rows: dict[str, Counter[str]] = {}
    for choice in listed:
        action = choice.option.action
        kind = str(type(action).__struct_config__.tag).replace("_", " ")
        values = (getattr(action, field, None) for field in SUMMARY_FIELDS)
        rows.setdefault(kind, Counter())[next((str(value) for value in values if value is not None), "")] += 1
    lines = []
    for kind, places in rows.items():
        where = ", ".join(f"{place} ({count})" if count > 1 else place for place, count in places.items() if place)
        lines.append(f"{kind}: {where}" if where else kind)
    return lines
