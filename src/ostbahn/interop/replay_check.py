"""Replay a save and print how the game ended: `python -m ostbahn.interop.replay_check < FILE`. The arena runs it as
a separate process, out of reach of a bot that tampered with the engine."""

from __future__ import annotations

import subprocess
import sys

import msgspec

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadFile, OstbahnError
from ostbahn.kernel.game import Result


def replayed_result(save: bytes) -> Result:
    """The result of a save, replayed in this process."""
    game = saves.load(save)
    return Result(tuple(game.table.winners()), game.worth())


def replayed_result_in_subprocess(save: bytes) -> Result:
    """The result of a save, replayed in a process that never loaded a bot."""
    command = [sys.executable, "-P", "-m", __name__]
    done = subprocess.run(command, input=save, capture_output=True, check=False)
    if done.returncode:
        raise BadFile(done.stderr.decode(errors="replace").strip() or "the replay failed")
    return msgspec.json.decode(done.stdout, type=Result)


def main() -> None:
    try:
        result = replayed_result(sys.stdin.buffer.read())
    except OstbahnError as fault:
        sys.exit(str(fault))
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
