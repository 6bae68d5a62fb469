"""Charters, certificates, trains, Local Railways, services and player aids say what the state and the title say."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, director
from ostbahn.pictures.aids import player_aid, value_rows
from ostbahn.pictures.board_style import money
from ostbahn.pictures.cards import certificates_picture, charter_picture, trains_picture
from ostbahn.pictures.svg import line, muted, wrapped
from ostbahn.pictures.themes import LIGHT, THEMES, Theme, contrast, ink_on
from ostbahn.titles.cz.pictures import locals_picture, marker_prices
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.mag.pictures import sells, services_picture
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stations import next_price as next_mag_price
from tests.pictures.panel_reading import FRESH, SVG, Picture, fresh, of_each_game

in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


def companies_of(game: Game) -> list[str]:
    title = game.table.title
    return [*title.companies, *getattr(title, "minors", ())]


# Charters


@in_each_theme
@of_each_game()
def test_charters_are_whole(game: Game, theme: Theme) -> None:
    for company in companies_of(game):
        Picture(charter_picture(game, company, theme)).check()


@of_each_game()
def test_charters_say_what_companies_have(game: Game) -> None:
    table = game.table
    state = table.state
    for company in companies_of(game):
        picture = Picture(charter_picture(game, company))
        words = [text.words for text in picture.texts]
        spoken = Counter(title.partition(",")[0] for title in picture.titles())
        begun = isinstance(table, MagTable) and (company in table.title.companies or company in state.trains)
        if begun or (isinstance(table, CzTable) and company in table.state.floated):
            assert money(table.title, state.cash[company]) in words
        if company in state.revenue:
            assert money(table.title, state.revenue[company]) in words
        for face, count in Counter(train.face for train in state.trains.get(company, ())).items():
            assert spoken[f"{face}-train"] == count
        space = chart.position(table, company)
        if space is not None:
            assert money(table.title, table.title.prices[space]) in words
        if company in state.certificates and (who := director(table, company)) is not None:
            assert table.name(who) in words


@of_each_game()
def test_charters_show_the_markers_left_and_the_price_of_the_next(game: Game) -> None:
    table = game.table
    assert isinstance(table, (CzTable, MagTable))
    for company, left in table.state.markers.items():
        picture = Picture(charter_picture(game, company))
        shown = [node for node in picture.root.iter(f"{SVG}g") if node.get("class") == "marker"]
        closed = isinstance(table, CzTable) and company in table.state.closed
        if closed:
            continue
        number = left if isinstance(left, int) else sum(left)
        assert len(shown) == number
        if isinstance(table, CzTable):
            placed = table.state.board.stations_of(company)
            if number and placed:
                assert marker_prices(table, company)[0] == next_price(table, company)
        elif number:
            price = next_mag_price(table, company)
            assert f"station for {price}" in picture.titles()


@of_each_game()
def test_charters_show_local_railways_and_terrain_tokens(game: Game) -> None:
    table = game.table
    assert isinstance(table, (CzTable, MagTable))
    for company in companies_of(game):
        picture = Picture(charter_picture(game, company))
        asides = [node for node in picture.root.iter(f"{SVG}g") if node.get("class") == "aside"]
        if isinstance(table, CzTable):
            assert len(asides) == list(table.state.locals.values()).count(company)
        elif company in table.title.minors:
            assert len(asides) == table.state.terrain_tokens.get(company, table.title.minors[company].terrain_tokens)
        else:
            assert len(asides) == len(sells(table.title, company))


# Cards


@in_each_theme
@of_each_game()
def test_cards_are_whole(game: Game, theme: Theme) -> None:
    Picture(trains_picture(game, theme)).check()
    table = game.table
    for company in table.title.companies:
        Picture(certificates_picture(game, company, theme)).check()
    if isinstance(table, CzTable):
        Picture(locals_picture(game, theme)).check()
    else:
        Picture(services_picture(game, theme)).check()


@of_each_game()
def test_certificates_show_who_holds_them(game: Game) -> None:
    table = game.table
    for company, holders in table.state.certificates.items():
        picture = Picture(certificates_picture(game, company))
        percents = table.title.companies[company].certificates
        for at, (holder, percent) in enumerate(zip(holders, percents, strict=True)):
            words = picture.words_in(f"certificate-{company}-{at}")
            assert f"{percent} %" in words
            assert ("bank" if holder == BANK else table.name(holder)) in words
            assert ("Director's certificate" in words) == (at == 0)


@of_each_game()
def test_train_cards_show_every_face_with_price_and_what_it_scraps(game: Game) -> None:
    table = game.table
    picture = Picture(trains_picture(game))
    if isinstance(table, MagTable):
        for face, stack in table.title.stacks.items():
            assert {face, f"{stack.price} Ft", f"as {stack.plus}"} <= set(picture.words_in(f"train-{face}"))
        return
    assert isinstance(table, CzTable)
    gone = table.state.cards_gone
    for letter, card in table.title.stack.spec.items():
        words = picture.words_in(f"train-{letter}")
        for face, price in card.faces.items():
            assert {face, f"{price} K"} <= set(words)
            scraps = table.title.train_faces[face].scraps
            if scraps and face not in table.state.scrapped:
                assert f"scraps {', '.join(scraps)}" in words
        if card.count is not None:
            left = min(max(card.count - gone, 0), card.count)
            assert f"{left} of {card.count} left" in words
            gone = max(gone - card.count, 0)


@of_each_game("18CZ")
def test_local_railways_show_income_and_owner(game: Game) -> None:
    table = game.table
    assert isinstance(table, CzTable)
    picture = Picture(locals_picture(game))
    for id_, local in table.title.locals.items():
        words = picture.words_in(f"local-{id_}")
        if local.income:
            assert f"{local.income} K" in words
        owner = table.state.locals.get(id_)
        if owner is not None and owner != BANK:
            assert table.name(owner) in words
        assert ("used" in words) == (id_ in table.state.used_powers)


# Player aids


@in_each_theme
@pytest.mark.parametrize("which", FRESH)
def test_player_aids_fit_a4(which: tuple[str, str, int], theme: Theme) -> None:
    picture = Picture(player_aid(fresh(*which).table.title, theme))
    picture.check()
    assert picture.height / picture.width == pytest.approx(297 / 210, abs=0.01)


def test_player_aids_tell_phases_and_values_of_the_title() -> None:
    title = fresh("18CZ", "base", 3).table.title
    words = [text.words for text in Picture(player_aid(title)).texts]
    assert "river 10 K, hill 20 K, mountain 40 K" in " ".join(words)
    assert ["city", "20", "30", "40", "60"] in value_rows(title)
    assert ["city Y", "30", "40", "50", "70"] in value_rows(title)
    moravia = fresh("18CZ", "moravia", 2).table.title
    assert not any(row[0] == "city P" for row in value_rows(moravia))


# What they are made of


@in_each_theme
def test_letters_can_be_read_on_every_ground(theme: Theme) -> None:
    for ground in theme.tiles.values():
        assert contrast(ink_on(ground), ground) >= 4.5
    for ground in (theme.paper, theme.land, theme.card):
        assert contrast(theme.ink, ground) >= 7
        assert contrast(muted(theme), ground) >= 4.5


def test_lines_become_smaller_and_then_shorter() -> None:
    long = line("Lokomotivfabrik der Staatseisenbahn-Gesellschaft", 0, 0, 20, LIGHT.ink, width=60)
    assert 'font-size="7"' in long
    assert "…" in long
    assert wrapped("one two three", 10, 40) == ["one two", "three"]
