"""Somebody at a table who does what people do: looks at what the page offers, and clicks on it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

READY = """() => {
  const question = document.getElementById("panel-question"), table = document.getElementById("table");
  return !table.classList.contains("busy") && (question.dataset.myTurn === "yes" || question.dataset.kind === "");
}"""
CONTROLS = "#answers button, #panel-companies .offers button:not(.refused)"
"""What can be pressed to answer: beside the question, and on the cards of companies."""
LOOK = f"""() => ({{
  kind: document.getElementById("panel-question").dataset.kind,
  version: document.getElementById("table").dataset.version,
  editor: document.querySelector("#route-editor .run") !== null,
  controls: [...document.querySelectorAll("{CONTROLS}")]
    .map((button, index) => ({{index, seen: button.checkVisibility(), passing: button.matches(".passing"),
                              chip: button.matches(".chip"), words: button.innerText}}))
    .filter(({{seen}}) => seen),
}})"""
BROUGHT = """version => {
  if (document.getElementById("table").dataset.version !== version) return "done";
  if (!document.getElementById("trouble").hidden) return "trouble";
  if (document.getElementById("confirm").open) return document.getElementById("confirm-yes") ? "confirm" : "refused";
  return document.getElementById("palette").open ? "palette" : null;
}"""
DONE = """version => document.getElementById("table").dataset.version !== version
  || !document.getElementById("trouble").hidden"""
SHAPED = """name => [...document.querySelectorAll("#shaped input")]
  .some(input => input.defaultChecked && name === `${input.name}=${input.value}`)"""
"""Whether the form has come that the server makes where this is chosen: it brings another one, a little later."""
PASSING = 0.45
"""How often track is left alone: there are always more tiles to lay."""


class Player:
    """Plays at random, always the same way for the same seed."""

    def __init__(self, page: Page, seed: int, idle: float = 0.2) -> None:
        self.page = page
        self.rng = Random(seed)
        self.idle = idle
        """How often he passes where he could do something else."""
        self.kinds: list[str] = []
        """What he has been asked."""

    def play(self, answers: int = 100_000) -> int:
        """Answer so many questions, or all until the game is over; returns how many there were."""
        for number in range(answers):
            if not self.step():
                return number
        return answers

    def step(self) -> bool:
        """One answer; False once the game is over."""
        self.page.wait_for_function(READY)
        seen = self.page.evaluate(LOOK)
        if seen["kind"] == "":
            return False
        self.kinds.append(seen["kind"])
        self.choose(seen)
        self.see_through(seen["version"])
        return True

    def choose(self, seen: dict[str, Any]) -> None:
        if seen["editor"]:
            self.press("#route-editor .run")
            return
        passing = [each for each in seen["controls"] if each["passing"]]
        doing = [each for each in seen["controls"] if not each["passing"]]
        idle = max(self.idle, PASSING) if any(each["chip"] for each in doing) else self.idle
        wanted = passing if passing and (not doing or self.rng.random() < idle) else doing
        chosen = self.rng.choice(wanted)
        self.press_number(chosen["index"], chosen["chip"])

    def see_through(self, version: str) -> None:
        """Confirm, in the palette and in the box with what comes of it, until the answer is given."""
        page = self.page
        brought = page.wait_for_function(BROUGHT, arg=version).json_value()
        if brought == "palette":
            for _ in range(self.rng.randrange(3)):
                if page.locator(".palette-rotation").is_visible():
                    self.press(".palette-turn >> nth=1")
            self.press(".palette-confirm")
            brought = page.wait_for_function(
                f"version => [({BROUGHT})(version)].find(each => each !== 'palette')", arg=version
            ).json_value()
        if brought == "confirm":
            self.press("#confirm-yes")
            page.wait_for_function(DONE, arg=version)
            brought = "trouble" if page.locator("#trouble").is_visible() else "done"
        assert brought == "done", (
            f"offered, but refused: {page.locator('#panel-question, #trouble, #confirm').all_inner_texts()}"
        )

    def press(self, what: str, at_once: bool = True) -> None:
        """A click at once: hardly anything moves on these pages, and if something lies above, the click goes there."""
        self.page.locator(what).click(force=at_once)

    def press_number(self, index: int, moves: bool) -> None:
        """Hexes in a list move once it is known what each brings, so they are pressed when they stand still."""
        self.page.locator(CONTROLS).nth(index).scroll_into_view_if_needed()
        self.press(f"{CONTROLS} >> nth={index}", at_once=not moves)


class Toucher(Player):
    """The same with a finger."""

    def press(self, what: str, at_once: bool = True) -> None:
        self.page.locator(what).tap()


def version(page: Page) -> str:
    return page.locator("#table").get_attribute("data-version") or ""


def round_name(page: Page) -> str:
    return page.locator("#panel-head .round").inner_text()


def my_turn(page: Page) -> bool:
    return page.locator("#panel-question").get_attribute("data-my-turn") == "yes"


def begin(page: Page, game: str, seats: list[str], seed: int = 7, modules: Sequence[str] = ()) -> str:
    """From the home page to the table by the form; seats are `here`, `link` or bots. Returns the table's address."""
    page.get_by_role("link", name="New game").last.click()
    page.locator(f"label.choice:has(input[value='{game}'])").click()
    page.locator(f"#shaped[data-game='{game}']").wait_for()
    if page.locator(f"input[name=players][value='{len(seats)}']").count():
        page.locator(f"label:has(> input[name=players][value='{len(seats)}'])").click()
        page.wait_for_function(SHAPED, arg=f"players={len(seats)}")
    expect(page.locator(".seat-rows > li")).to_have_count(len(seats))
    for number, who in enumerate(seats, start=1):
        page.locator(f"select[name=who{number}]").select_option(who)
    for module in modules:  # each brings the form anew
        with page.expect_response("**/new?**"):
            page.locator(f"label:has(> input[name='module.{module}'])").click()
        page.wait_for_function(SHAPED, arg=f"module.{module}=1")
    if page.locator("#more").get_attribute("open") is None:
        page.locator("#more summary").click()
    page.locator("#seed").fill(str(seed))
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/t/*")
    if "link" in seats:
        put_away(page)
    return page.url


def put_away(page: Page) -> None:
    """Close the invite card, which lies on the table of a host who waits for others and of a new guest."""
    page.locator("dialog#invite[open]").wait_for()
    page.locator("#invite .invite-close button").click()
    expect(page.locator("dialog#invite[open]")).to_have_count(0)
