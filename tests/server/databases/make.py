"""Makes a small database as a version of Ostbahn leaves it: run it once for each release, with that release's code.

    PYTHONPATH=src python3 tests/server/databases/make.py 0.2

Two games are taken up from saves of 0.1, played on through the game service, and one answer is taken back. The database
becomes SQL text, with its secret and what has to be found in it again. Files that are there are never written again.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from random import Random

from ostbahn.interop import saves
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.games.service import GameService

HERE = Path(__file__).parent
OLD = HERE.parents[1] / "interop" / "saves_0.1"
GAMES = {"18CZ-base-3": 80, "18Mag-base-5": 95}
"""From which save, and after how many answers."""
STEPS = 30


def made(folder: Path) -> list[dict[str, object]]:
    database = Database(sqlite_url_in(folder))
    game_service = GameService(database, lambda: datetime(2026, 11, 17, 12))  # earlier versions want it so
    found = []
    for name, number in GAMES.items():
        host = game_service.import_game(saves.read(OLD / f"{name}.json").position(number), name)
        chance = Random(1)
        for _ in range(STEPS):
            with game_service.holding(host.game) as room:
                question = room.game.question
                assert question is not None
                version, options = room.version, [each for each in question if each.span is None]
            game_service.answer(host, version, chance.choice(options).action)
        with game_service.holding(host.game) as room:
            version = room.version
        game_service.undo_own_move(host, version)
        with game_service.holding(host.game) as room:
            stands = {"version": room.version, "number": room.number, "digest": room.game.state.digest}
            found.append({"key": host.key, "name": name, **stands})
    database.close()
    return found


def main(version: str) -> None:
    target = HERE / f"{version}.sql"
    if target.exists():
        raise SystemExit(f"{target} is there already, and stays as it is")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = made(folder)
        base = sqlite3.connect(folder / "ostbahn.sqlite")
        text = "\n".join(base.iterdump()) + "\n"
        base.close()
        secret = (folder / "ostbahn.sqlite.secret").read_text()
    target.write_text(text, encoding="utf-8")
    told = {"secret": secret, "games": games}
    target.with_suffix(".json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
