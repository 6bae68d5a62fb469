"""What a page lists: answers in groups, offers on cards, companies in their places."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from ostbahn.bots.playing import answer as ask_bot
from ostbahn.bots.registry import built_in
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.table.application import TableApplication
from ostbahn.table.listing import AnswerGroup, ListedAnswers, answers_of, card_remarks, companies_shown, grouped_offers
from ostbahn.views.models import CompanyView, MarkView, PaperView
from ostbahn.views.question import AnswerView, ItemView, OfferView, PickView, RefusalView, SpanView

MARK = MarkView(letters="X", colour="#000000", ink="#ffffff")
REFUSED = RefusalView(rule="VII.4/1", text="no")


def listed(
    *answers: AnswerView, dividends: tuple[Any, ...] = (), places: dict[str, str] | None = None
) -> ListedAnswers:
    """The lists of a question with these answers, in a game that asks something else."""
    view = TableApplication(new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=1)).view()
    assert view.question is not None
    groups = tuple(dict.fromkeys(answer.group for answer in answers))
    question = replaced(view.question, answers=answers, groups=groups, offers={})
    return answers_of(replaced(view, question=question, dividends=dividends), places or {})


def replaced(view: Any, **fields: Any) -> Any:
    return structs.replace(view, **fields)


def one(index: int, words: str = "", **fields: Any) -> AnswerView:
    given = {"kind": "place_station", "group": "Build", "remark": "", **fields}
    return AnswerView(index=index, action={}, words=words, **given)


def words(group: AnswerGroup) -> list[str]:
    return [button.answer.words for button in group.buttons]


def offer(index: int | None, text: str, short: str = "", kind: str = "buy") -> OfferView:
    return OfferView(kind=kind, words=text, short=short, index=index, refusal=None if index is not None else REFUSED)


def company(name: str, **fields: Any) -> CompanyView:
    given: dict[str, Any] = {"state": "operating", "state_words": "", **fields}
    return CompanyView(id=name, name=name, kind="", mark=MARK, **given)


# Answers


def test_passing_and_asides_stand_apart() -> None:
    found = listed(one(0, "build"), one(1, "pass", kind="pass"), one(2, "offer", aside=True, group="Trade"))
    assert [words(group) for group in found.groups] == [["build"]]
    assert [button.answer.index for button in found.passing] == [1]
    assert [words(group) for group in found.also] == [["offer"]]
    assert found.number_also == 1


def test_tiles_of_all_kinds_are_one_list_of_hexes_with_the_way_that_all_share() -> None:
    found = listed(
        one(0, tile="57", place="E11", group="Lay"),
        one(1, tile="8", place="E11", group="Lay", how="by S1"),
        one(2, tile="9", place="D4", group="Promote", how="by S1"),
        one(3, tile="9", place="D4", group="Promote", how="by S1"),
        one(4, "other", group="Promote"),
        places={"E11": "Praha"},
    )
    lays, others = found.groups
    assert (lays.name, [(chip.place, chip.words, chip.about) for chip in lays.chips]) == (
        "Lay",
        [("D4", "D4", "by S1"), ("E11", "Praha", "")],
    )
    assert (others.name, words(others)) == ("Promote", ["other"])


def test_many_places_are_listed_by_name_and_cities_of_one_hex_by_their_words() -> None:
    names = {f"A{number}": f"Town {number}" for number in range(6)}
    answers = [one(number, f"in A{number}", place=f"A{number}.0") for number in range(6)]
    twin = one(6, "in A0 east", place="A0.1", remark="dear")
    (group,) = listed(*answers, twin, places=names).groups
    assert [chip.words for chip in group.chips] == [
        "in A0",
        *(f"Town {number}" for number in range(1, 6)),
        "in A0 east",
    ]
    assert group.chips[-1].title == "in A0 east: dear"
    (few,) = listed(*answers, places=names).groups
    assert len(words(few)) == 6
    assert not few.chips


def test_answers_that_are_alike_are_one_button() -> None:
    (group,) = listed(one(0, "2-train"), one(1, "2-train"), one(2, "2-train", remark="from the pool")).groups
    assert [button.answer.index for button in group.buttons] == [0, 2]


def test_what_differs_in_one_thing_is_a_list_for_each_subject() -> None:
    def pick(option: str) -> PickView:
        return PickView(label="Sell", asks="How much", option=option, button="Sell", about="price")

    (group,) = listed(*(one(n, subject="BA"[n % 2], pick=pick(f"{n}0%")) for n in range(1, 4))).groups
    assert [[option.words for option in choice.options] for choice in group.choices] == [["10%", "30%"], ["20%"]]


def test_several_things_with_a_price_share_one_field() -> None:
    span = SpanView(low=1, high=9)
    (group,) = listed(one(0, "L1", span=span, remark="of Ben"), one(1, "L2", span=span), one(2, "none")).groups
    assert group.prices is not None
    assert [option.words for option in group.prices.options] == ["L1, of Ben", "L2"]
    assert words(group) == ["none"]
    (alone,) = listed(one(0, "L1", span=span), one(1, "none")).groups
    assert alone.prices is None
    assert words(alone) == ["L1", "none"]


def of_many_amounts() -> Game:
    """A major of 18Mag that has run, and may pay any of many amounts."""
    game, bots = new_game("18Mag", ["Anna", "Ben", "Cyril"], seed=3), [built_in("G", seat) for seat in (1, 2, 3)]
    while (question := game.question) is not None:
        if len(question.options) > 8 and any(hasattr(option.action, "amount") for option in question.options):
            return game
        game.apply(ask_bot(bots[int(question.decider[1:]) - 1], game.branch()).action)
    raise AssertionError("nobody was asked")


def test_of_many_amounts_the_notable_ones_are_buttons() -> None:
    view = TableApplication(of_many_amounts()).view()
    groups = answers_of(view, {}).groups
    group = next(group for group in groups if group.choices)
    buttons = {button.answer.index for button in group.buttons}
    others = {option.index for option in group.choices[0].options}
    assert all(button.in_line and button.dividend is not None for button in group.buttons)
    assert buttons | others == {dividend.index for dividend in view.dividends}
    assert not buttons & others
    assert all("price" in option.words for option in group.choices[0].options)


# Cards


def test_several_offers_of_a_kind_are_chosen_from_a_list_and_refusals_come_last() -> None:
    offers = [
        offer(None, "Sell"),
        offer(3, "Buy 10 %", "10 %"),
        offer(4, "Buy 20 %", "20 %"),
        offer(5, "Bid", kind="bid"),
    ]
    found = grouped_offers(offers)
    assert [(each.words, len(each.offers)) for each in found] == [("Buy", 2), ("Bid", 1), ("Sell", 1)]


def test_the_foot_of_a_card_tells_what_its_head_does_not() -> None:
    paper = PaperView(id="P", name="Paper", kind="private paper", words="")
    full = company(
        "A", marks=("sold out", "no train"), sells="ties", terrain_tokens=2, papers=(paper,), notes=("a card",)
    )
    assert card_remarks(full) == "no train; sells ties; 2 terrain tokens; Paper; a card"
    assert card_remarks(company("B", state="started", state_words="has not floated", terrain_tokens=1)) == (
        "has not floated; 1 terrain token"
    )
    assert card_remarks(company("C", state_words="operates")) == ""


def test_companies_stand_where_their_state_puts_them() -> None:
    share = {"shares": ("a share",)}
    companies = [
        company("traded", **share),
        company("floating", state="started", **share),
        company("owned"),
        company("waiting", state="not started"),
        company("thing", state="unavailable"),
        company("closed", state="closed"),
    ]

    def names(found: dict[str, Any], where: str) -> list[str]:
        return [each.id for each in found[where]]

    found = companies_shown(companies, (), {})
    assert names(found, "traded") == ["traded", "floating"]
    assert names(found, "waiting") == ["waiting", "thing"]
    assert (names(found, "owned"), names(found, "gone")) == (["owned"], ["closed"])
    assert (found["many"], found["startable"]) == (False, False)
    item = ItemView(id="thing", name="", words="")
    beside = companies_shown(companies, (item,), {"waiting": (), "thing": (offer(1, "Buy"),)})
    assert names(beside, "waiting") == ["waiting"]
    assert (beside["owned"], beside["many"], beside["startable"]) == ([], True, True)


def test_a_thing_with_one_price_is_bought_at_once_and_barred_if_all_is_refused() -> None:
    item = ItemView(id="P", name="", words="")

    def thing(*offers: OfferView) -> tuple[bool, bool]:
        things: Any = companies_shown((), (item,), {"P": offers})["things"]
        return things[0]["at_once"], things[0]["barred"]

    assert thing() == (False, False)
    assert thing(offer(1, "Buy")) == (True, False)
    assert thing(offer(1, "Buy"), offer(2, "Bid")) == (False, False)
    assert thing(offer(None, "Buy")) == (False, True)
