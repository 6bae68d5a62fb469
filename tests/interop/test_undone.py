"""Undo, redo, chat and automatic moves in exports of 18xx.games."""

from __future__ import annotations

from ostbahn.interop.importer import effective_entries, has_no_effect, with_auto_actions


def numbers(*entries: tuple[int, str] | tuple[int, str, int]) -> list[int]:
    made = []
    for entry in entries:
        made.append({"id": entry[0], "type": entry[1], **({"action_id": entry[2]} if len(entry) == 3 else {})})
    return [kept["id"] for kept in effective_entries(made)]


def test_undo_takes_back_the_last_action() -> None:
    assert numbers((1, "bid"), (2, "pass"), (3, "undo"), (4, "bid")) == [1, 4]


def test_two_undos_take_back_two_actions() -> None:
    assert numbers((1, "bid"), (2, "pass"), (3, "undo"), (4, "undo"), (5, "pass")) == [5]


def test_undo_down_to_an_action() -> None:
    assert numbers((1, "bid"), (2, "pass"), (3, "pass"), (4, "undo", 1), (5, "bid")) == [1, 5]


def test_undo_down_to_the_start() -> None:
    assert numbers((1, "bid"), (2, "pass"), (3, "undo", 0), (4, "bid")) == [4]


def test_redo_restores_what_was_taken_back() -> None:
    assert numbers((1, "bid"), (2, "pass"), (3, "pass"), (4, "undo", 1), (5, "redo")) == [1, 2, 3]


def test_chat_neither_counts_nor_is_undone() -> None:
    assert numbers((1, "bid"), (2, "message"), (3, "undo"), (4, "pass")) == [2, 4]
    assert has_no_effect({"id": 2, "type": "message"})


def test_programmed_moves_count_for_nothing_themselves() -> None:
    assert has_no_effect({"id": 2, "type": "program_share_pass"})
    assert not has_no_effect({"id": 2, "type": "pass"})


def test_an_undone_entry_may_be_marked_as_skipped() -> None:
    assert [
        entry["id"] for entry in effective_entries([{"id": 1, "type": "bid", "skip": True}, {"id": 2, "type": "pass"}])
    ] == [2]


def test_moves_that_the_site_added_follow_their_action() -> None:
    added = {"type": "pass", "entity": 1}
    assert with_auto_actions({"id": 7, "type": "bid", "auto_actions": [added]})[1] == added
