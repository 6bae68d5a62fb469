"""What each title says of a game."""

from __future__ import annotations

from typing import get_args

from ostbahn.kernel.steps import Decision
from ostbahn.kits.catalogue import CATALOGUE, rulebook
from ostbahn.telling.faces import face_of
from ostbahn.titles.cz.actions import Offer
from ostbahn.titles.cz.words.face import CHAPTERS as CZ_CHAPTERS
from ostbahn.titles.mag.words.face import CHAPTERS as MAG_CHAPTERS
from tests.titles.cz.scenes import scene as cz_scene
from tests.titles.mag.scenes import scene as mag_scene


def test_every_question_of_18cz_points_to_a_chapter_that_exists() -> None:
    books = [rulebook("18CZ", entry.variant, entry.players[0]) for entry in CATALOGUE if entry.title == "18CZ"]
    chapters = {task: chapter for book in books for task, chapter in book.chapters.items()}
    asked = {str(task.__struct_config__.tag) for task, chapter in chapters.items() if isinstance(chapter, Decision)}
    offers = {str(offer.__struct_config__.tag) for offer in get_args(Offer)}
    assert set(CZ_CHAPTERS) == asked - {"consent"} | offers
    rules = {rule for book in books for rule in book.title.rules}
    assert all(any(rule.startswith(f"{name}/") for rule in rules) for name in CZ_CHAPTERS.values())


def test_every_question_of_18mag_points_to_a_chapter_that_exists() -> None:
    books = [rulebook("18Mag", entry.variant, entry.players[0]) for entry in CATALOGUE if entry.title == "18Mag"]
    chapters = {task: chapter for book in books for task, chapter in book.chapters.items()}
    asked = {str(task.__struct_config__.tag) for task, chapter in chapters.items() if isinstance(chapter, Decision)}
    assert set(MAG_CHAPTERS) == asked
    rules = {rule for book in books for rule in book.title.rules}
    assert all(any(rule.startswith(f"{name}/") for rule in rules) for name in MAG_CHAPTERS.values())


def test_one_decides_about_ones_own_money_and_that_of_ones_companies() -> None:
    cz = face_of(cz_scene(started={"EKJ": (60, "p1"), "BN": (60, "p2")}))
    assert cz.accounts("p1") == {"p1", "EKJ"}
    assert cz.accounts("p3") == {"p3"}
    mag = face_of(mag_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 1}}, owners={"1": "p1", "2": "p2"}))
    assert mag.accounts("p1") == {"p1", "1"}
    assert mag.accounts("p2") == {"p2", "2", "SIK"}
