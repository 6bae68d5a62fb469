"""What comes next as things stand, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from ostbahn.kernel.game import Game
from ostbahn.terminal.screen import print_line
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.outlook import ComingView, EndedView, LoserView, MustBuyView, outlook_view


def show_outlook(console: Console, game: Game) -> None:
    outlook, money = outlook_view(game), text_renderer_of(game).words.money
    if outlook.ended is not None:
        print_line(console, "If the round ended now", style="bold")
        for line in _round_end_lines(outlook.ended):
            print_line(console, line)
    if outlook.held_up:
        print_line(console, f"The round cannot end yet: {outlook.held_up} ({outlook.held_up_rule})")
    for must_buy in outlook.must_buy:
        price = f"{must_buy.train} for {money(must_buy.price)}{_payment_text(must_buy)}"
        print_line(console, f"{must_buy.company} must buy a train: {price}")
    for coming in outlook.coming:
        if coming.felt:
            print_line(console, _coming_text(coming))


def _round_end_lines(ended: EndedView) -> Iterator[str]:
    """What the end of the round would change: prices, playing order with incomes, and the next runs."""
    if ended.markers:
        yield "Prices: " + ", ".join(f"{marker.company} {marker.before} to {marker.after}" for marker in ended.markers)
    incomes = {income.seat: income.amount for income in ended.incomes}
    order = [f"{who.name} +{incomes[who.seat]}" if who.seat in incomes else who.name for who in ended.order]
    basis = f" ({ended.round} {ended.incomes_if})" if incomes else ""
    yield f"Playing order: {', '.join(order)}{basis}"
    if ended.runs:
        yield f"{ended.round}: {', '.join(run.company for run in ended.runs)}"


def _payment_text(must_buy: MustBuyView) -> str:
    """Who pays for a train that a company must buy."""
    if not must_buy.lacks:
        return ", which it can pay"
    loan = f" and borrows {must_buy.borrows}" if must_buy.borrows else ""
    return f", of which {must_buy.payer.name} adds {must_buy.adds}{loan}"


def _coming_text(coming: ComingView) -> str:
    """An event that the next trains bring: phase, and trains that they scrap."""
    words = coming.words[:1].upper() + coming.words[1:]
    begins = f" {coming.phase_name} begins" if coming.before else f" begins {coming.phase_name}"
    scraps = [
        f"sold as {sale.train} it scraps trains of {', '.join(map(_loser_text, sale.losers))}"
        for sale in coming.sales
        if sale.scraps and sale.losers
    ]
    return "; ".join([words + (begins if coming.begins else ""), *scraps])


def _loser_text(loser: LoserView) -> str:
    return f"{loser.company} ({', '.join(loser.trains)}{'; none left' if loser.without else ''})"
