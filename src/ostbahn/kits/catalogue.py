"""The catalogue of titles and variants; starting games, and copies of games with a new seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module, resources
from itertools import accumulate
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ostbahn.kernel.chance import SITE_SEEDS, Chance
from ostbahn.kernel.errors import BadPackage, BadSetup
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.state import RngState, State
from ostbahn.kits.data import Ruling
from ostbahn.kits.installed import GROUP, BrokenTitle, InstalledKit, load_installed_kits
from ostbahn.kits.kit import CatalogueEntry, Kit, TitleRulebook

if TYPE_CHECKING:
    from ostbahn.interop.site_adapter import SiteAdapter

SITE: Final = "18xx.games"
"""The preset of rulings under which games of that site are replayed."""
DEFAULT: Final = "rulebook"
PRESETS: Final = (DEFAULT, SITE)
SEED_DIGITS: Final = 100
PYTHON: Final = {"array": "list", "object": "dict", "null": "None"}
"""Python names of JSON types."""
T = TypeVar("T")
MAX_DRAWS: Final = 1000
"""Draws in a set-up; games make some twenty."""


# Titles


class Titles(Mapping[str, Kit]):
    """All titles by name: built-in ones, then those of other packages, which are loaded only when needed."""

    def __init__(self) -> None:
        folders = sorted(each.name for each in resources.files(GROUP).iterdir() if each.joinpath("kit.py").is_file())
        ours: list[Kit] = [import_module(f"{GROUP}.{folder}.kit").KIT for folder in folders]
        self._ours = {kit.name: kit for kit in sorted(ours, key=lambda kit: kit.name)}

    @cached_property
    def _outside(self) -> tuple[list[InstalledKit], list[BrokenTitle]]:
        kits, broken = load_installed_kits(self._ours)
        return sorted(kits, key=lambda kit: kit.name), broken

    @property
    def outside(self) -> Sequence[InstalledKit]:
        return self._outside[0]

    @property
    def broken(self) -> Sequence[BrokenTitle]:
        """Titles of other packages that cannot be played."""
        return self._outside[1]

    def __getitem__(self, title: str) -> Kit:
        return self._ours[title] if title in self._ours else {kit.name: kit for kit in self.outside}[title]

    def __iter__(self) -> Iterator[str]:
        yield from self._ours
        yield from (kit.name for kit in self.outside)

    def __len__(self) -> int:
        return len(self._ours) + len(self.outside)


@cache
def kits() -> Titles:
    return Titles()


def kit_named(title: str) -> Kit:
    if title not in kits():
        _check_broken(title)
        raise BadSetup(f"there is no title {title}; known are {', '.join(kits())}")
    return kits()[title]


def _check_broken(title: str) -> None:
    """Raise the reason why a title of another package cannot be played."""
    for broken in kits().broken:
        if broken.title == title:
            raise BadSetup(str(broken))


def kit_of(game: Game) -> Kit:
    return kits()[game.setup.title]


def part_of_every_kit(part: Callable[[Kit], T]) -> dict[str, T]:
    """A part of every kit by title, without parts of other packages that fail to load."""
    parts = {}
    for title, kit in kits().items():
        with suppress(BadPackage):
            parts[title] = part(kit)
    return parts


def site_adapters() -> dict[str, SiteAdapter]:
    adapters = part_of_every_kit(lambda kit: kit.site_adapter)
    return {title: adapter for title, adapter in adapters.items() if adapter is not None}


def site_adapter_of(game: Game) -> SiteAdapter:
    adapter = kit_of(game).site_adapter
    if adapter is None:
        raise BadSetup(f"18xx.games has no {game.setup.title}: it plays {', '.join(site_adapters())}")
    return adapter


class Catalogue(Collection[CatalogueEntry]):
    """All titles and variants, loaded on first use."""

    def __iter__(self) -> Iterator[CatalogueEntry]:
        return (entry for kit in kits().values() for entry in kit.entries)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, entry: object) -> bool:
        return any(entry == each for each in self)


CATALOGUE: Final = Catalogue()


def entry_of(title: str, variant: str) -> CatalogueEntry:
    for entry in kits()[title].entries if title in kits() else ():
        if entry.variant == variant:
            return entry
    if title not in kits():
        _check_broken(title)
    known = ", ".join(f"{entry.title} ({entry.variant})" for entry in CATALOGUE)
    raise BadSetup(f"there is no {title} ({variant}); known are {known}")


def rulebook(title: str, variant: str = "base", players: int = 3, modules: Sequence[str] = ()) -> TitleRulebook:
    """The rulebook of a title and variant; some depend on the number of players."""
    return rulebook_for(Setup(title=title, variant=variant, players=("?",) * players, modules=tuple(modules)))


def rulebook_for(setup: Setup) -> TitleRulebook:
    entry = entry_of(setup.title, setup.variant)
    if setup.board is not None and not entry.own_board:
        raise BadSetup(f"{entry.title} ({entry.variant}) has its printed board; a board file is for those that do not")
    if setup.deck is not None and not entry.own_deck:
        raise BadSetup(f"{entry.title} ({entry.variant}) has no cards that could come from a file")
    for name, value in setup.options.items():
        if name not in entry.options:
            known = ", ".join(entry.options) or "none"
            raise BadSetup(f"{entry.title} ({entry.variant}) has no option {name}; known are {known}")
        if value not in entry.options[name].values:
            raise BadSetup(f"option {name} is one of {', '.join(entry.options[name].values)}, not {value!r}")
    check_modules(entry, setup.modules, len(setup.players))
    return kits()[setup.title].rulebook(setup)


def check_modules(entry: CatalogueEntry, chosen: Sequence[str], players: int) -> None:
    """Raise `BadSetup` if a chosen module is unknown, excluded or not for this number of players."""
    where = f"{entry.title} ({entry.variant})"
    for id_ in chosen:
        module = entry.modules.get(id_)
        if module is None:
            raise BadSetup(f"{where} has no module {id_}; known are {', '.join(entry.modules) or 'none'}")
        if chosen.count(id_) > 1:
            raise BadSetup(f"the module {id_} is named twice")
        if players not in module.players:
            whom = ", ".join(map(str, module.players))
            raise BadSetup(f"the module {id_} of {where} is for {whom} players, not {players}")
        if others := [other for other in module.excludes if other in chosen]:
            raise BadSetup(f"the modules {id_} and {others[0]} exclude each other: choose one of them")


def ordered_modules(entry: CatalogueEntry, chosen: Sequence[str]) -> tuple[str, ...]:
    """The modules in catalogue order, so that equal choices give equal set-ups; unknown ones come last."""
    known = list(entry.modules)
    return tuple(sorted(chosen, key=lambda id_: known.index(id_) if id_ in known else len(known)))


def variant_label(setup: Setup) -> str:
    """Title, variant and modules in one label."""
    return f"{setup.title} ({', '.join((setup.variant, *setup.modules))})"


def rulings_of(
    rules: Mapping[str, Ruling], preset: str = DEFAULT, changes: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The values of all rulings: a preset with changes."""
    if preset not in PRESETS:
        raise BadSetup(f"there is no preset {preset}; known are {', '.join(PRESETS)}")
    values = {name: ruling.site if preset == SITE else ruling.default for name, ruling in rules.items()}
    for name, value in (changes or {}).items():
        if name not in rules:
            raise BadSetup(f"there is no ruling {name}; known are {', '.join(rules)}")
        if value not in rules[name].values:
            raise BadSetup(f"ruling {name} is one of {', '.join(map(repr, rules[name].values))}, not {value!r}")
        values[name] = value
    return values


def check_names(players: Sequence[str]) -> None:
    """Raise `BadSetup` unless all names are printable and distinct."""
    for name in players:
        if not name.strip() or not name.isprintable():
            raise BadSetup(f"{name!a} cannot be a player's name")
    if len(set(players)) < len(players):
        raise BadSetup("two players have the same name")


def new_game(
    title: str,
    players: Sequence[str],
    *,
    variant: str = "base",
    seed: int = 1,
    draws: tuple[int, ...] | UnsetType = UNSET,
    draw_order: bool = True,
    preset: str = DEFAULT,
    rulings: Mapping[str, str] | None = None,
    board: str | None = None,
    deck: str | None = None,
    options: Mapping[str, str] | None = None,
    modules: Sequence[str] = (),
) -> Game:
    for what, names in (("players", players), ("modules", modules)):
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise BadSetup(f"{what} should be a list of names, not {names!r}")
    given = {"title": title, "variant": variant, "players": tuple(players), "seed": seed, "draw_order": draw_order}
    given |= {"rulings": rulings or {}, "options": options or {}, "modules": tuple(modules)}
    given |= {"board": board, "deck": deck}
    try:
        setup = msgspec.convert(given, Setup)
    except msgspec.ValidationError as fault:
        raise BadSetup(_type_error_text(fault)) from None
    entry = entry_of(title, variant)
    chosen = {**{name: choice.values[0] for name, choice in entry.options.items()}, **setup.options}
    setup = replace(setup, draws=draws, rulings={}, options=chosen, modules=ordered_modules(entry, setup.modules))
    rules = rulebook_for(setup).title.rulings
    return start_game(replace(setup, rulings=rulings_of(rules, preset, rulings)))


def _type_error_text(fault: msgspec.ValidationError) -> str:
    """A message such as ``Expected `array`, got `int` - at `$.players` `` with Python types."""
    match = re.fullmatch(r"Expected `(.*)`, got `(.*)` - at `\$\.(.*)`", str(fault))
    if match is None:
        return f"a game cannot be set up so: {fault}"
    wanted, given = (re.sub("array|object|null", lambda word: PYTHON[word[0]], text) for text in match.groups()[:2])
    return f"{match[3]} should be of type {wanted}, not {given}"


def with_all_rulings(setup: Setup) -> Setup:
    """A stored set-up, completed by rulings added since with their value of `before`."""
    rules = rulebook_for(setup).title.rulings
    old_values = {name: ruling.before or ruling.default for name, ruling in rules.items()}
    return replace(setup, rulings={**old_values, **setup.rulings})


def start_game(setup: Setup) -> Game:
    """Start a game; check the parts of the set-up that users may have written."""
    check_names(setup.players)
    if abs(setup.seed) >= 10**SEED_DIGITS:
        raise BadSetup(f"a seed is a whole number of at most {SEED_DIGITS} digits")
    if setup.draws is not UNSET and len(setup.draws) > MAX_DRAWS:
        raise BadSetup(f"a set-up holds at most {MAX_DRAWS} draws, not {len(setup.draws)}")
    rules = rulebook_for(setup)
    complete = rulings_of(rules.title.rulings, DEFAULT, setup.rulings)
    if complete != dict(setup.rulings):
        missing = sorted(set(complete) - set(setup.rulings))
        raise BadSetup(f"the set-up says nothing about the rulings {', '.join(missing)}")
    return Game(rules, setup)


Draws = tuple[int, ...]


def reseeded(game: Game, seed: int) -> Game:
    """The same game with the draws so far recorded in its set-up, and a new seed for later draws."""
    if not hasattr(game.state, "chance"):  # the title draws nothing after the set-up
        return game
    history = game.history
    if isinstance(_chance(game.state), RngState):
        draws_until = [_recorded_draws(state) for state in history.states]
    else:
        draws_until = list(accumulate(_replayed_draws(game), lambda before, new: before + new))
    all_draws = draws_until[-1]
    states = tuple(
        replace(state, chance=RngState(seed, all_draws, len(draws)))
        for state, draws in zip(history.states, draws_until, strict=True)
    )
    setup = replace(history.setup, seed=seed, draws=all_draws)
    return Game.from_history(game.rulebook, history._replace(setup=setup, states=states))


def _replayed_draws(game: Game) -> Iterator[Draws]:
    """The draws of a game that does not record them: before its first answer, then at each answer."""
    setup = game.setup
    yield _recorded_draws(start_game(replace(setup, seed=setup.seed % SITE_SEEDS, draws=())).state)
    for number, record in enumerate(game.records):
        before, after = game.state_at(number), game.state_at(number + 1)
        if _chance(before) == _chance(after):
            yield ()
        else:
            recording = RngState(Chance(_chance(before)).value)
            replay = Game.from_state(game.rulebook, setup, replace(before, chance=recording))
            replay.apply_unchecked(record.action, record.by)
            yield _recorded_draws(replay.state)


def _recorded_draws(state: State) -> Draws:
    chance = _chance(state)
    if not isinstance(chance, RngState):
        raise BadSetup("this title does not note its draws, so there is no copy of a game that goes on")
    return chance.draws[: chance.used]


def _chance(state: State) -> int | RngState:
    chance: int | RngState = state.chance  # type: ignore[attr-defined]
    return chance
