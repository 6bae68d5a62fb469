"""Replay a save and print how the game ended: `python -m ostbahn.interop.replay_check < FILE`. The arena runs it as
a separate process, out of reach of a bot that tampered with the engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadFile, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.text.speech import text_renderer_of


class GameOutcome(Struct, frozen=True):
    wealth: Mapping[str, int]
    winners: tuple[str, ...]


def outcome_of(game: Game) -> GameOutcome:
    renderer = text_renderer_of(game)
    return GameOutcome(renderer.standings(), tuple(renderer.winners()))


def replay_outcome(save: bytes) -> GameOutcome:
    return outcome_of(saves.load(save))


def replay_outcome_in_subprocess(save: bytes) -> GameOutcome:
    """The outcome of a save, replayed in a process that never loaded a bot."""
    command = [sys.executable, "-P", "-m", __name__]
    done = subprocess.run(command, input=save, capture_output=True, check=False)
    if done.returncode:
        raise BadFile(done.stderr.decode(errors="replace").strip() or "the replay failed")
    return msgspec.json.decode(done.stdout, type=GameOutcome)


def main() -> None:
    try:
        ended = replay_outcome(sys.stdin.buffer.read())
    except OstbahnError as fault:
        sys.exit(str(fault))
    sys.stdout.buffer.write(msgspec.json.encode(ended))


if __name__ == "__main__":
    main()
