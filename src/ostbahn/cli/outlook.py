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
        for line in _ended(outlook.ended):
            print_line(console, line)
    if outlook.held_up:
        print_line(console, f"The round cannot end yet: {outlook.held_up} ({outlook.held_up_rule})")
    for each in outlook.must_buy:
        print_line(console, f"{each.company} must buy a train: {each.train} for {money(each.price)}{_paid(each)}")
    for coming in outlook.coming:
        if coming.felt:
            print_line(console, _coming(coming))


def _ended(ended: EndedView) -> Iterator[str]:
    if ended.markers:
        yield "Prices: " + ", ".join(f"{each.company} {each.before} to {each.after}" for each in ended.markers)
    incomes = {each.seat: each.amount for each in ended.incomes}
    order = [f"{who.name} +{incomes[who.seat]}" if who.seat in incomes else who.name for who in ended.order]
    basis = f" ({ended.round} {ended.incomes_if})" if incomes else ""
    yield f"Playing order: {', '.join(order)}{basis}"
    if ended.runs:
        yield f"{ended.round}: {', '.join(each.company for each in ended.runs)}"


def _paid(each: MustBuyView) -> str:
    if not each.lacks:
        return ", which it can pay"
    loan = f" and borrows {each.borrows}" if each.borrows else ""
    return f", of which {each.payer.name} adds {each.adds}{loan}"


def _coming(coming: ComingView) -> str:
    words = coming.words[:1].upper() + coming.words[1:]
    begins = f" {coming.phase_name} begins" if coming.before else f" begins {coming.phase_name}"
    scraps = [
        f"sold as {sale.train} it scraps trains of {', '.join(map(_loser, sale.losers))}"
        for sale in coming.sales
        if sale.scraps and sale.losers
    ]
    return "; ".join([words + (begins if coming.begins else ""), *scraps])


def _loser(loser: LoserView) -> str:
    return f"{loser.company} ({', '.join(loser.trains)}{'; none left' if loser.without else ''})"
