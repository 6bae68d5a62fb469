"""A game at one terminal: the players answer in turn, by number. Works as well with answers from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.padding import Padding

from ostbahn.bots.limits import LIMIT
from ostbahn.bots.playing import Bot
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.cli import asking, overview
from ostbahn.cli.commands import say_variant_note, start_game, title_of
from ostbahn.cli.invocation import GamePlan
from ostbahn.cli.opponents import (
    SeatingOptions,
    bot_player_names,
    say_bot_changes,
    seat_bots,
    seat_saved_bots,
    show_hint,
    substitute_bot,
)
from ostbahn.cli.rules import show_rule
from ostbahn.interop import files, saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan, TurnBegan
from ostbahn.kits.catalogue import CATALOGUE, check_modules, entry_of, rulebook_for, variant_label
from ostbahn.kits.kit import CatalogueEntry
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.rules import find_rules
from ostbahn.text.speech import (
    ListedOption,
    Speech,
    current_question,
    heading,
    listed_options,
    refusal_reasons,
    text_renderer_of,
)

LONG = 24
"""A list with more answers than this is summarised first."""
FINISHING_BOT: Final = "5"
"""Finishes a turn unless another bot is named: the strongest that can play the title."""

HELP = """\
12        give answer 12; with a price of your choice 12@50; or an action in JSON
D4        narrow the list to what speaks of D4; several words narrow it further
l         list all answers            b   show the board
s         show the whole table        u   take back the last answer
h         what the best bot would do  q   stop; a saved game goes on from here
f         let the best bot finish this turn; f G lets G do it, or another
? D4      why nothing (else) can be done on D4
? words   look rules up"""


class StopPlaying(Exception):
    """The player wants to stop, or the input has ended."""


def play(
    file: Path | None, plan: GamePlan, ask_all: bool, bots: Sequence[str] | None = None, limit: float = LIMIT
) -> None:
    """Resume a saved game, or begin one. `bots` take the last seats; None means the bots of the save."""
    console = open_console()
    try:
        if file is not None and file.exists():
            game, seating = _resume(console, file, bots, limit)
        else:
            if bots and plan.names:
                plan = plan._replace(names=[*plan.names, *bot_player_names(bots)])
            game = begin(console, plan)
            seating = seat_bots(game, bots or (), limit)
            file = file or _ask_file(console)
            if file is not None:
                saves.write(file, game, seating.codes)
        HotSeat(console, game, file, ask_all, seating, limit).run()
    except StopPlaying:
        where = f"The game is saved in {file}." if file is not None and file.exists() else "Nothing was saved."
        print_line(console, f"\n{where}")


def _resume(console: Console, file: Path, bots: Sequence[str] | None, limit: float) -> tuple[Game, SeatingOptions]:
    """Open a saved game with its bots, or with `bots` in their place, which are saved at once."""
    game, codes = files.open_save(file)
    overview.show_copy(console, game)
    if bots is None:
        return game, seat_saved_bots(console, game, codes, limit)
    seating = seat_bots(game, bots, limit)
    say_bot_changes(console, game, codes, seating.codes)
    if seating.codes != codes:
        saves.write(file, game, seating.codes)
    return game, seating


def read(prompt: str) -> str:
    """Read a line; raise StopPlaying at the end of input."""
    try:
        line = input(prompt).strip()
    except EOFError:
        raise StopPlaying from None
    if not sys.stdin.isatty():
        print(line)  # echo input that was not typed
    return line


def begin(console: Console, plan: GamePlan) -> Game:
    """Ask for what the options leave open: variant, number of players, names, options and modules."""
    if not plan.names and plan.number is None:
        entry = _ask_variant(console, plan)
        plan = plan._replace(variant=entry.variant)
        number = _ask_number(console, entry)
        names = [read(f"Name of player {seat}? ") or f"Player {seat}" for seat in range(1, number + 1)]
        options = plan.options or list(_ask_options(console, entry))
        modules = plan.modules or _ask_modules(console, entry, number)
        plan = plan._replace(names=names, options=options, modules=modules)
    game = start_game(plan)
    order = ", ".join(text_renderer_of(game).names()[seat] for seat in game.state.order)
    print_line(console, f"{variant_label(game.setup)}, seed {game.setup.seed}. Playing order: {order}")
    say_variant_note(console, game)
    return game


def _ask_number(console: Console, entry: CatalogueEntry) -> int:
    low, high = min(entry.players), max(entry.players)
    if low == high:
        return low
    while not ((text := read(f"How many players ({low} to {high})? ")).isdecimal() and int(text) in entry.players):
        print_line(console, f"{entry.title} ({entry.variant}) is for {low} to {high} players.")
    return int(text)


def _ask_variant(console: Console, plan: GamePlan) -> CatalogueEntry:
    """Return the variant of the options, or ask for one; empty input means the base game."""
    title = title_of(plan)
    entries = {entry.variant: entry for entry in CATALOGUE if entry.title == title}
    if plan.variant is not None or not entries:
        return entry_of(title, plan.variant or "base")
    for entry in entries.values():
        print_line(console, f"{entry.variant}: {entry.about}")
    while (text := read(f"Which variant ({', '.join(entries)}; empty: base)? ") or "base") not in entries:
        print_line(console, f"There is no variant {text}.")
    return entries[text]


def _ask_options(console: Console, entry: CatalogueEntry) -> Iterator[str]:
    """Ask for each option of a variant; empty input means its first value."""
    for name, choice in entry.options.items():
        print_line(console, f"{name}: {choice.about}")
        prompt = f"Which {name} ({', '.join(choice.values)}; empty: {choice.values[0]})? "
        while (text := read(prompt) or choice.values[0]) not in choice.values:
            print_line(console, f"There is no {name} {text}.")
        yield f"{name}={text}"


def _ask_modules(console: Console, entry: CatalogueEntry, number: int) -> list[str]:
    """Ask for the modules to play; empty input means none."""
    available = {id_: module for id_, module in entry.modules.items() if number in module.players}
    if not available:
        return []
    for id_, module in available.items():
        print_line(console, f"{id_}: {module.about}")
    while True:
        chosen = read("Which modules (some of these; empty: none)? ").replace(",", " ").split()
        try:
            check_modules(entry, chosen, number)
        except BadSetup as fault:
            print_line(console, f"{fault}.")
        else:
            return chosen


def _ask_file(console: Console) -> Path | None:
    """Ask where to save; empty input means nowhere, and an existing file is refused."""
    while True:
        text = read("Save the game in which file (empty: nowhere)? ")
        if not text:
            return None
        if not Path(text).exists():
            return Path(text)
        print_line(console, f"{text} exists already; `ostbahn play {text}` goes on with it.")


class HotSeat:
    """A game whose players answer in turn at one keyboard."""

    def __init__(
        self, console: Console, game: Game, file: Path | None, ask_all: bool, seating: SeatingOptions, limit: float
    ) -> None:
        self.console, self.game, self.file, self.ask_all = console, game, file, ask_all
        self.codes, self.bots = seating
        self.limit = limit  # seconds that a bot has for an answer
        self.board_shown = False  # the map legend comes with the first board only

    def run(self) -> None:
        """Play to the end of the game; StopPlaying ends it earlier."""
        self.print_line("? explains what can be typed, q stops.")
        while not self.game.over:
            if bot := self.bots.get(current_question(self.game).decider):
                self.let_bot_answer(bot)
            elif not self.ask_all and current_question(self.game).obvious:
                self.give(current_question(self.game).options[0].action, " (there was no other answer)")
            else:
                self.ask()
        self.print_line("The game is over.")
        overview.show_results(self.console, self.game)

    def print_line(self, text: str) -> None:
        print_line(self.console, text)

    def ask(self) -> None:
        """Ask the current question until the game has changed."""
        if current_question(self.game).kind == "lay_track":
            overview.show_board(self.console, self.game, legend=not self.board_shown)
            self.board_shown = True
        self.print_line("")
        for line in heading(self.game):
            self.print_line(line)
        listed = listed_options(self.game)
        self.show_list(listed, len(listed) > LONG)
        length, digest = len(self.game), self.game.state.digest
        while (len(self.game), self.game.state.digest) == (length, digest):
            self.obey(read("> "), listed)

    def show_list(self, listed: list[ListedOption], summarised: bool) -> None:
        if not summarised:
            for choice in listed:
                self.print_line(f"{choice.number:>4}  {choice}")
            return
        self.print_line(f"{len(listed)} answers; type a hex or a word to see those with it, l to list all:")
        for line in asking.options_summary(listed):
            self.console.print(Padding(line, (0, 0, 0, 6), expand=False))

    def obey(self, line: str, listed: list[ListedOption]) -> None:
        command, _, rest = line.partition(" ")
        match command:
            case "":
                self.show_list(listed, len(listed) > LONG)
            case "q":
                raise StopPlaying
            case "u":
                self.undo()
            case "s":
                overview.show(self.console, self.game)
            case "b":
                overview.show_board(self.console, self.game)
            case "h":
                self.hint(listed)
            case "f":
                self.finish(rest.strip() or FINISHING_BOT)
            case "l":
                self.show_list(listed, summarised=False)
            case "?":
                self.explain(rest.split())
            case _ if line[0].isdecimal() or line[0] == "{":
                self.answer(line, listed)
            case _:
                self.narrow(line, listed)

    def hint(self, listed: list[ListedOption]) -> None:
        action = show_hint(self.console, self.game)
        for choice in listed:
            if (typed := asking.answer_as_typed(choice, action)) is not None:
                self.print_line(f"  that is answer {typed}")

    def narrow(self, words: str, listed: list[ListedOption]) -> None:
        """List the answers that contain these words."""
        if matching := asking.matching_options(listed, words):
            self.show_list(matching, summarised=False)
        else:
            self.print_line(f"No answer speaks of {words}; ? {words} says why.")

    def answer(self, text: str, listed: list[ListedOption]) -> None:
        """Give an answer, asking for its price if it needs one; explain a refusal."""
        try:
            if text.isdecimal() and 1 <= int(text) <= len(listed):
                span = listed[int(text) - 1].option.span
                if span is not None and span.low < span.high:
                    high = text_renderer_of(self.game).words.money(span.high)
                    text = f"{text}@{read(f'Price ({span.low} to {high})? ')}"
            self.give(asking.answer(self.game, text)[1])
        except Refused as refused:
            self.print_line(f"Refused: {refused}")

    def finish(self, code: str) -> None:
        """Let a bot answer to the end of this company's turn, or of this player's turn in a stock round."""
        try:
            helper = substitute_bot(self.game, self.codes, code, self.limit)
        except OstbahnError as fault:  # a typing error; ask again
            self.print_line(f"Refused: {fault}")
            return
        turn, given = self.whose_turn(), 0
        in_company_turn = turn[1] is not None
        while given == 0 or (self.whose_turn() == turn and not self.turn_just_began()):
            self.let_bot_answer(helper)
            given += 1
            # a question of consent to bots on other seats does not end a company's turn
            while in_company_turn and self.whose_turn()[0] in self.bots and not self.turn_just_began():
                self.let_bot_answer(self.bots[current_question(self.game).decider])
        back = "u takes it back" if given == 1 else "u takes them back one by one"
        who = "The best bot" if code == FINISHING_BOT else code
        self.print_line(f"{who} gave {given} {'answer' if given == 1 else 'answers'}; {back}.")

    def whose_turn(self) -> tuple[str | None, str | None]:
        """The seat to move (None when the game is over) and its company (None in a stock round)."""
        question = self.game.question
        return (None, None) if question is None else (question.decider, question.company)

    def turn_just_began(self) -> bool:
        """Whether the last answer began a new turn or round."""
        return any(isinstance(event, TurnBegan | RoundBegan) for event in self.game.records[-1].events)

    def let_bot_answer(self, bot: Bot) -> None:
        bot_answer = ask_bot(bot, self.game)
        self.give(bot_answer.action, f" ({bot_answer.note})" if bot_answer.note else "")

    def give(self, action: Action, note: str = "") -> None:
        record = self.game.apply(action)
        overview.show_record(self.console, self.game, record, len(self.game), note)
        self.save()

    def save(self) -> None:
        if self.file is not None:
            saves.write(self.file, self.game, self.codes)

    def undo(self) -> None:
        """Undo back to the last question that a person had to answer."""
        try:
            while True:
                record = self.game.undo()
                self.print_line(f"Taken back: {Speech(self.game).did(record)}")
                if not len(self.game) or self.is_for_people():
                    break
        except Refused as refused:
            self.print_line(f"Refused: {refused}")
        self.save()

    def is_for_people(self) -> bool:
        question = current_question(self.game)
        return question.decider not in self.bots and (self.ask_all or not question.obvious)

    def explain(self, words: list[str]) -> None:
        """Print why nothing is possible at the first word, or the rules on the words or on the question."""
        if words and (explanation := refusal_reasons(self.game, words[0])):
            for line in explanation:
                self.print_line(line)
            return
        if not words:
            self.print_line(HELP)
            words = list(text_renderer_of(self.game).chapters(current_question(self.game)))
            self.print_line(
                f"\nThe rules on this question, {'chapter' if len(words) == 1 else 'chapters'} {', '.join(words)}:"
            )
        rules = list(find_rules(rulebook_for(self.game.setup).title, words))
        for rule in rules:
            show_rule(self.console, rule)
        if not rules:
            self.print_line(f"No rule speaks of {' '.join(words)}.")
