"""Files of strangers are opened in a process of their own, and whatever takes too long there is ended."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from msgspec.structs import replace

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadData, BadFile, BadSetup, OstbahnError
from ostbahn.kernel.game import History
from ostbahn.kits.catalogue import new_game
from ostbahn.server.faults import Busy
from ostbahn.server.games import import_sandbox as import_sandbox
from ostbahn.server.games.import_sandbox import ImportSandbox
from ostbahn.server.games.new_table import NewSeat, NewTable, game_for
from ostbahn.table.access import Unreadable
from ostbahn.testing import play_random
from ostbahn.titles.cz.moravia_board import our_board
from tests.server.site import alert
from tests.server.strange_files import dies, hangs, stumbles, swells
from tests.server.tables import FEWEST, NAMES, WAYS

pytestmark = pytest.mark.slow

Work = Callable[[float, str], History]


class Border:
    """Customs, asked from a thread; their processes stay for all tests."""

    def __init__(self, portal: BlockingPortal) -> None:
        self.portal = portal

    def refused(self, work: Work, given: str = "", seconds: float = 20.0) -> OstbahnError:
        """What is told of a file that does this to whoever opens it."""
        with pytest.raises(OstbahnError) as caught:
            self.portal.call(ImportSandbox(seconds)._run_sandboxed, work, given)
        return caught.value


@pytest.fixture(scope="module")
def border() -> Iterator[Border]:
    with start_blocking_portal() as portal:
        yield Border(portal)


def test_what_takes_too_long_is_ended_and_not_only_left(border: Border, tmp_path: Path) -> None:
    fault = border.refused(hangs, str(tmp_path / "pid"), seconds=3)
    assert isinstance(fault, Unreadable)
    assert str(fault) == "this takes longer than 3 seconds to open, and no game does"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_what_takes_too_much_memory_is_ended(border: Border) -> None:
    assert "memory" in str(border.refused(swells))


def test_an_end_of_the_process_is_told(border: Border) -> None:
    assert "cannot be opened" in str(border.refused(dies))


def test_a_fault_of_ours_is_told_to_the_host_and_not_to_strangers(
    border: Border, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert "nobody has thought of" not in str(border.refused(stumbles))
    assert "nobody has thought of" in caplog.text


def test_a_process_that_nobody_waits_for_ends_by_itself() -> None:
    """As when the server was killed."""
    endless = "from ostbahn.server.games import import_sandbox as box\n"
    endless += "box._checked_history(0.2, lambda: exec('while True: pass'))"
    assert subprocess.run([sys.executable, "-c", endless], timeout=120, check=False).returncode == -signal.SIGALRM


def test_those_who_would_have_to_wait_for_long_are_sent_away(border: Border, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_sandbox, "WAITING", 0)
    fault = border.refused(dies)
    assert isinstance(fault, Busy)
    assert fault.status == 503


# Games


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_a_game_is_the_one_that_was_sent(border: Border, title: str, variant: str) -> None:
    game = new_game(title, NAMES[: FEWEST[title, variant]], variant=variant, seed=2)
    play_random(game, Random(2), steps=60)
    again = border.portal.call(ImportSandbox().decode_game, saves.dump(game))
    assert saves.dump(again) == saves.dump(game)
    assert (again.records, again.opening) == (game.records, game.opening)
    again.undo()
    assert again.state.digest == game.position(len(game) - 1).state.digest


MORAVIA = NewTable(title="18CZ", variant="moravia", seats=(NewSeat("Anna"), NewSeat("Boris")), seed=5)


def test_a_plan_with_a_board_is_the_game_that_it_would_be_here(border: Border) -> None:
    wanted = replace(MORAVIA, board=our_board())
    assert border.portal.call(ImportSandbox().game_for, wanted).state.digest == game_for(wanted).state.digest


def test_faults_in_a_file_are_told_as_ever(border: Border) -> None:
    with pytest.raises(BadData, match="the Moravia board is no TOML file"):
        border.portal.call(ImportSandbox().game_for, replace(MORAVIA, board="?"))
    with pytest.raises(BadFile, match="nested too deeply"):
        border.portal.call(ImportSandbox().decode_game, b"[" * 10**6)


def test_a_name_of_thousands_of_letters_is_refused_before_anybody_draws_it(border: Border) -> None:
    """It took eight seconds."""
    sent = saves.dump(new_game("18CZ", ["Anna", "Boris", "Clara" * 3000]))
    with pytest.raises(BadSetup, match="names have at most 40 letters"):
        border.portal.call(ImportSandbox().decode_game, sent)


def test_a_hex_full_of_towns_is_refused_on_the_form(net: httpx.Client) -> None:
    """It took as long to draw as eight hexes with one town less."""
    towns = ", ".join(['{ kind = "town" }'] * 14)
    board = our_board().replace("B22 = {}", f"B22 = {{ nodes = [{towns}] }}").encode()
    answer = net.post("/new", data={"game": "18CZ/moravia"}, files={"board": ("board.toml", board)}, timeout=60)
    assert answer.status_code == 400
    assert alert(answer).endswith("B22: it has 14 nodes, and at most 4 have room.")
