"""Run by `test_alone.py` in an interpreter that has nothing but msgspec, Jinja2 and MarkupSafe.

What a browser has not is forbidden here: threads, processes, sockets, clocks read by our code, and files outside the
packages. The first argument says what to do, its input comes as JSON on standard input.
"""

import _thread
import json
import sys
import threading
import time
from collections.abc import Callable


def forbid() -> None:
    """From here on only what is listed above can be done."""
    roots = tuple({*sys.path, sys.prefix, sys.base_prefix})

    def refuse_thread(*_args: object, **_more: object) -> None:
        raise RuntimeError("threads cannot start here")

    for module, name in ((_thread, "start_new_thread"), (threading, "_start_new_thread")):
        setattr(module, name, refuse_thread)

    def audit(event: str, args: tuple[object, ...]) -> None:
        if event.startswith(("socket.", "subprocess.", "os.fork", "os.posix_spawn", "os.exec", "os.system")):
            raise RuntimeError(f"{event} is forbidden here")
        if event == "open" and isinstance(args[0], str) and not args[0].startswith(roots):
            raise RuntimeError(f"{args[0]} is not a file of the packages")

    sys.addaudithook(audit)
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        setattr(time, name, _unless_ours(getattr(time, name)))


def _unless_ours(clock: Callable[[], float]) -> Callable[[], float]:
    def read() -> float:
        if sys._getframe(1).f_globals["__name__"].startswith("ostbahn"):
            raise RuntimeError("our code reads a clock")
        return float(clock())

    return read


def whole_game(title: str, variant: str, players: int) -> dict[str, object]:
    """Play a game to its end, bots at all seats but the first, and show every tenth state."""
    from ostbahn.bots.playing import answer
    from ostbahn.bots.registry import built_in
    from ostbahn.interop.saves import encode_action
    from ostbahn.kits.catalogue import new_game
    from ostbahn.table.application import TableApplication
    from ostbahn.table.rendering import Page

    game = new_game(title, [f"Player {seat}" for seat in range(1, players + 1)], variant=variant, seed=7)
    bots = {f"p{seat}": "G" for seat in range(2, players + 1)}
    table, person, page, answers = TableApplication(game, bots), built_in("G", 1), Page(), 0
    while not table.room.game.over:
        if not table.bot_turn():
            chosen = answer(person, table.room.game.branch())
            table.answer(encode_action(chosen.action), table.room.version)
            answers += 1
            if answers % 10 == 1:
                update = table.update(page)
                page = Page(panels={}, stamp=update.stamp)
                assert update.panels["question"]
    html = table.page("dark")
    assert "<svg" in html
    assert table.save().startswith(b"{")
    return {"answers": answers, "number": table.room.number, "over": table.room.game.over, "bytes": len(html)}


def shown(data: dict[str, object], step: int) -> dict[str, object]:
    """Show a golden game state by state, then its report and what the coach found, and a plan."""
    from ostbahn.interop.files import decode_game
    from ostbahn.table.application import TableApplication
    from ostbahn.table.rendering import Page

    table = TableApplication(decode_game(json.dumps(data).encode()))
    number, drawn = table.room.number, 0
    for at in range(0, number + 1, step):
        update = table.update(Page(at=at), "light")
        assert update.at == at
        assert update.board is not None
        assert {"players", "companies", "log", "chart"} <= update.panels.keys()
        drawn += 1
    key = table.plan(seed=5, at=number // 2)
    table.hint(key)
    assert "plan-bar" in table.page("light", key)
    assert table.compare("table", key).players
    report, coach, rules = table.report_page(), table.coach_page(), table.rules_page()
    return {"drawn": drawn, "number": number, "report": len(report), "coach": len(coach), "rules": len(rules)}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    forbid()
    print(json.dumps(whole_game(**given) if sys.argv[1] == "whole_game" else shown(**given)))
