"""How long it takes to make the report of a whole game, on one core, and to look at any of its moments."""

from __future__ import annotations

import time

from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.optimiser import clear_caches
from ostbahn.review.accounts import accounts_of
from ostbahn.review.reports.report import page_of, pdf_of, report_of
from ostbahn.views.title_views import views_of


def figures(game: Game, suffix: str = "") -> dict[str, float]:
    """Processor time, since all of it happens on one core."""
    clear_caches()
    start = time.process_time()
    accounts_of(game)
    read = time.process_time()
    report = report_of(game)
    made = time.process_time()
    page = page_of(report)
    shown = time.process_time()
    pdf_of(report)
    printed = time.process_time()
    return {
        f"report_answers{suffix}": float(len(game)),
        f"report_accounts_s{suffix}": read - start,
        f"report_s{suffix}": made - read,
        f"report_page_s{suffix}": shown - made,
        f"report_pdf_s{suffix}": printed - shown,
        f"report_page_kb{suffix}": len(page.encode()) / 1000,
        **_moments(game, suffix),
    }


def _moments(game: Game, suffix: str) -> dict[str, float]:
    """Every state of the game with its question, and with everybody and every company as a page shows them."""
    times, shown = [], []
    for number in range(len(game) + 1):
        start = time.process_time()
        moment = game.position(number)
        _ = moment.table, moment.question
        times.append(time.process_time() - start)
        start = time.process_time()
        views = views_of(moment)
        views.players(None), views.companies()
        shown.append(time.process_time() - start)
    return {
        f"state_at_max_ms{suffix}": max(times) * 1e3,
        f"state_at_shown_max_ms{suffix}": max(shown) * 1e3,
    }
