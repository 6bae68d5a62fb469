"""The modules of the table page, tried in a browser on a real board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

ANSWERS = [
    {
        "index": index,
        "action": {"hex": "E13", "rotation": rotation},
        "tile": tile,
        "cost": 0 if waiver else 10,
        "how": f"{waiver} waives the cost" if waiver else "",
    }
    for index, (tile, rotation, waiver) in enumerate(
        [("57", 0, None), ("57", 1, None), ("57", 1, "GWTD"), ("57", 2, None), ("8", 0, None), ("8", 3, None)]
    )
]
RUNS = {
    "routes": [
        {
            "card": card,
            "face": card,
            "path": path,
            "stops": [],
            "revenue": 10,
            "subsidy": 0,
            "bonuses": [],
            "cars": [],
            "colour": colour,
            "refusal": None,
        }
        for colour, (card, path) in enumerate((("2a", ["E11.0", "E13"]), ("3b", [])))
    ],
    "revenue": 10,
    "subsidy": 0,
    "most": 40,
    "bound": 40,
    "legal": False,
    "refusal": {"text": "more can be earned", "rule": "VIII.7/9"},
}


def box(page: Page) -> list[float]:
    """Which part of the board is seen: left, top, width and height."""
    return [float(each) for each in (page.locator("#board > svg").get_attribute("viewBox") or "").split()]


def middle(page: Page, hex_id: str) -> tuple[float, float]:
    """Where a hex is on the page."""
    found = page.evaluate(
        """id => { const {left, top} = board.svg.getBoundingClientRect(), {x, y} = board.centres.get(id),
                   {box, unit} = board.viewport; return [left + (x - box.x) / unit, top + (y - box.y) / unit] }""",
        hex_id,
    )
    return found[0], found[1]


BEYOND_THE_FRAME = """() => {
  const frame = document.querySelector(".frame").getBoundingClientRect();
  return [...document.querySelectorAll("g.hex")].filter((hex) => {
    const {left, right, top, bottom} = hex.querySelector("polygon").getBoundingClientRect();
    return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
  }).map((hex) => hex.id);
}"""


def said(page: Page, what: str) -> Any:
    return page.evaluate("what => said[what]", what)


def click(page: Page, hex_id: str, right: float = 0, down: float = 0) -> None:
    x, y = middle(page, hex_id)
    page.wait_for_timeout(30)
    page.mouse.click(x + right, y + down)


# Looking at the board


def test_the_wheel_zooms_towards_the_pointer_and_not_beyond_the_limits(page: Page) -> None:
    whole = box(page)
    before = middle(page, "G19")
    page.mouse.move(*before)
    page.mouse.wheel(0, -300)
    page.wait_for_function("board.viewport.zoomed")
    assert box(page)[2] < whole[2]
    assert middle(page, "G19") == pytest.approx(before, abs=1)
    page.evaluate("board.zoomBy(1000)")
    assert box(page)[3] == pytest.approx(150, abs=1)
    page.evaluate("board.zoomBy(0.0001)")
    assert box(page) == pytest.approx(whole, abs=0.1)


def test_a_wheel_that_can_zoom_out_no_further_scrolls_the_page(page: Page) -> None:
    page.mouse.move(*middle(page, "E11"))
    page.mouse.wheel(0, 200)
    page.wait_for_function("scrollY > 0")
    assert not page.evaluate("board.viewport.zoomed")


def test_a_drag_moves_the_board_and_is_no_click(page: Page) -> None:
    page.evaluate("board.zoomBy(2)")
    before, (x, y) = box(page), middle(page, "E15")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y - 20, steps=4)
    page.mouse.up()
    assert said(page, "hexes") == []
    moved = box(page)
    assert moved[0] > before[0] + 10
    assert moved[1] > before[1] + 5
    page.mouse.click(*middle(page, "E15"))
    assert [each["hex"] for each in said(page, "hexes")] == ["E15"]


def test_a_trembling_hand_still_clicks(page: Page) -> None:
    x, y = middle(page, "E15")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y + 1)
    page.mouse.up()
    assert [each["hex"] for each in said(page, "hexes")] == ["E15"]


def test_the_board_stays_in_sight_however_far_it_is_moved(page: Page) -> None:
    whole = box(page)
    page.evaluate("board.zoomBy(2)")
    page.evaluate("board.panBy(-100000, 100000)")
    left, top, _, height = box(page)
    assert left == pytest.approx(whole[0], abs=0.1)
    assert top + height == pytest.approx(whole[1] + whole[3], abs=0.1)


def test_a_double_click_zooms_in_where_nothing_can_be_chosen(page: Page) -> None:
    page.evaluate("board.highlight(['E13'])")
    page.mouse.dblclick(*middle(page, "E13"))
    assert not page.evaluate("board.viewport.zoomed")
    assert [each["hex"] for each in said(page, "hexes")] == ["E13", "E13"]
    page.mouse.dblclick(*middle(page, "H6"))
    assert page.evaluate("board.viewport.zoom") == pytest.approx(1.8)


def test_keys_zoom_move_and_show_all(page: Page) -> None:
    whole = box(page)
    page.focus("#board")
    page.keyboard.press("+")
    near = box(page)
    assert near[2] == pytest.approx(whole[2] / 1.4, abs=0.1)
    page.keyboard.press("ArrowRight")
    assert box(page)[0] > near[0]
    page.keyboard.press("0")
    assert box(page) == pytest.approx(whole, abs=0.1)


def test_a_window_of_another_size_still_shows_the_whole_board(page: Page) -> None:
    _, _, wide, high = page.evaluate("Object.values(board.viewport.home)")
    for width, height in ((700, 300), (500, 900), (1000, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => board.viewport.size.width === width", arg=width)
        assert page.evaluate(BEYOND_THE_FRAME) == []
        assert page.locator("#board > svg").bounding_box() == page.locator(".frame").bounding_box()
        _, _, across, down = box(page)
        assert min(across / wide, down / high) == pytest.approx(1, abs=0.001), "not smaller than it need be"


def test_hovering_tells_each_hex_once(page: Page) -> None:
    x, y = middle(page, "E13")
    for step in (0, 2, 4):
        page.mouse.move(x + step, y)
    page.mouse.move(*middle(page, "E15"))
    page.mouse.move(5, 790)
    assert said(page, "hovers")[-3:] == ["E13", "E15", None]
    assert said(page, "hovers").count("E13") == 1


# On a phone


def finger(page: Page, points: list[list[tuple[float, float]]]) -> None:
    """Move fingers: for each moment the places of all of them."""
    session = page.context.new_cdp_session(page)
    for index, moment in enumerate(points):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(moment)]
        kind = "touchStart" if index == 0 else "touchMove"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


SWIPE = [[(200.0, 220.0 - step * 15)] for step in range(10)]


def test_one_finger_over_the_whole_board_moves_nothing(phone: Page) -> None:
    """The table does not scroll, so a finger on the board never means the page."""
    before = box(phone)
    finger(phone, SWIPE)
    phone.wait_for_timeout(100)
    assert phone.evaluate("scrollY") == 0
    assert box(phone) == before
    assert said(phone, "hexes") == []


def test_one_finger_over_a_close_board_moves_the_board(phone: Page) -> None:
    phone.evaluate("board.zoomBy(4)")
    before = box(phone)
    finger(phone, SWIPE)
    phone.wait_for_timeout(50)
    assert phone.evaluate("scrollY") == 0
    moved = (box(phone)[1] - before[1]) / phone.evaluate("board.viewport.unit")
    assert moved == pytest.approx(
        135, abs=20
    )  # all the way of the finger, but for what the browser takes for trembling
    assert said(phone, "hexes") == []


def test_two_fingers_zoom_a_whole_board_without_scrolling(phone: Page) -> None:
    finger(phone, [[(180.0 - step * 8, 120.0), (210.0 + step * 8, 120.0)] for step in range(8)])
    phone.wait_for_function("board.viewport.zoom > 1.5")
    assert phone.evaluate("scrollY") == 0
    assert said(phone, "hexes") == []


def test_a_tap_chooses_and_a_double_tap_zooms(phone: Page) -> None:
    phone.touchscreen.tap(*middle(phone, "E13"))
    phone.wait_for_function("said.hexes.length === 1")
    phone.wait_for_timeout(360)
    where = middle(phone, "H6")
    for _ in range(2):
        phone.touchscreen.tap(*where)
    phone.wait_for_function("board.viewport.zoomed")
    assert [each["hex"] for each in said(phone, "hexes")] == ["E13", "H6"]


def test_two_fingers_never_scroll_the_page(phone: Page) -> None:
    finger(phone, [[(150.0, 220.0 - step * 15), (250.0, 220.0 - step * 15)] for step in range(10)])
    phone.wait_for_timeout(100)
    assert phone.evaluate("scrollY") == 0


# What can be chosen


def test_highlighted_hexes_are_buttons_that_say_what_can_be_done(page: Page) -> None:
    page.evaluate("board.highlight(['E15', 'D16'], {words: 'lay a tile'})")
    button = page.get_by_role("button", name="E15 Pardubice; river 10; Labe; home of BCB; lay a tile")
    expect(button).to_have_attribute("tabindex", "0")
    assert page.locator("polygon.hint-can").count() == 2
    page.evaluate("board.clearHighlights()")
    expect(page.locator("#hex-E15")).not_to_have_attribute("tabindex", "0")
    assert page.locator("polygon.hint").count() == 0


def test_keys_go_among_highlighted_hexes_and_choose(page: Page) -> None:
    page.evaluate("board.highlight(['E11', 'E15', 'G11'])")
    page.focus("#board")
    page.keyboard.press("Tab")
    expect(page.locator("#hex-E11")).to_be_focused()
    assert page.locator("polygon.hint-focus").count() == 1
    page.keyboard.press("ArrowRight")
    expect(page.locator("#hex-E15")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert [(each["hex"], each["type"]) for each in said(page, "hexes")] == [
        ("E15", "keydown"),
        ("G11", "keydown"),
    ]
    assert not page.evaluate("board.viewport.zoomed")


def test_a_highlight_that_only_shows_something_is_no_button(page: Page) -> None:
    page.evaluate("board.highlight(['E11'], {kind: 'last'}), board.select('E15')")
    assert page.locator("polygon.hint").count() == 2
    assert page.locator("g.hex[tabindex]").count() == 0


def test_a_replaced_hex_keeps_its_focus_and_what_can_be_done(page: Page) -> None:
    page.evaluate("board.highlight(['E13'], {words: 'lay a tile'})")
    page.focus("#hex-E13")
    page.evaluate(
        """board.replaceHexes({E13: `<g id="hex-E13" class="hex" transform="translate(651.2 395)">
           <title>E13; tile 57</title><circle r="9" class="new"/></g>`, Z99: '<g/>'})"""
    )
    assert page.locator("#hex-E13 circle.new").count() == 1
    expect(page.locator("#hex-E13")).to_be_focused()
    expect(page.locator("#hex-E13")).to_have_attribute("aria-label", "E13; tile 57; lay a tile")
    click(page, "E13")
    assert said(page, "hexes")[0]["hex"] == "E13"


def test_another_drawing_of_the_board_keeps_what_is_seen_and_highlighted(page: Page) -> None:
    drawn = page.evaluate('board.svg.outerHTML.replace(/viewBox="[^"]*"/, \'viewBox="0 0 1389 865"\')')
    page.evaluate("board.highlight(['E13']), board.zoomBy(2), board.panBy(50, 0)")
    before = box(page)
    page.evaluate(
        """drawn => { const clean = new DOMParser().parseFromString(drawn, 'image/svg+xml').documentElement;
           clean.querySelectorAll('.layer').forEach(layer => layer.remove()); board.replaceBoard(clean.outerHTML) }""",
        drawn,
    )
    assert box(page) == pytest.approx(before, abs=0.1)
    assert page.locator("#board svg").count() == 1
    assert page.locator("polygon.hint-can").count() == 1


# Choosing a tile


def opened_palette(page: Page) -> None:
    page.evaluate("board.highlight(['E13'])")
    page.focus("#hex-E13")
    page.evaluate(
        "answers => palette.open({hex: 'E13', hexName: 'Kolín', answers, tiles: {57: {colour: 'yellow', left: 3}}})",
        ANSWERS,
    )


def test_the_palette_shows_each_tile_once_and_is_named(page: Page) -> None:
    opened_palette(page)
    expect(page.get_by_role("dialog", name="Kolín")).to_be_visible()
    tiles = page.get_by_role("radio", name=re.compile("^Tile"))
    assert tiles.count() == 2
    expect(tiles.first).to_have_attribute("aria-label", "Tile 57, yellow, 3 left, turned 1 of 3 ways")
    expect(tiles.first).to_be_focused()
    page.wait_for_function("[...document.querySelectorAll('#palette img')].every(each => each.naturalWidth > 0)")


def test_turning_previews_the_tile_in_place(page: Page) -> None:
    opened_palette(page)
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.keyboard.press("Shift+R")
    page.locator(".palette-tile").first.click()
    page.get_by_role("button", name="Turn right (R)").click()
    assert said(page, "previews") == [0, 1, 3, 1, 3, 0]
    ghost = page.locator(".ghost [data-tile='57']")
    expect(ghost).to_have_attribute("data-rotation", "0")
    page.keyboard.press("Escape")
    assert said(page, "previews")[-1] is None
    assert page.locator(".ghost").count() == 0
    expect(page.locator("#hex-E13")).to_be_focused()


def test_a_waiver_is_chosen_by_a_radio_button_and_enter_confirms(page: Page) -> None:
    opened_palette(page)
    expect(page.locator(".palette-variants")).to_be_hidden()
    page.keyboard.press("r")
    page.get_by_label("GWTD waives the cost: free").check()
    page.keyboard.press("Enter")
    assert said(page, "chosen") == [2]
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_arrows_choose_the_tile(page: Page) -> None:
    opened_palette(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    assert said(page, "chosen") == [5]


def test_the_board_can_be_used_while_the_palette_is_open(page: Page) -> None:
    opened_palette(page)
    click(page, "C9")
    assert said(page, "hexes")[-1]["hex"] == "C9"
    page.keyboard.press("r")
    assert said(page, "previews")[-1] == 1


@pytest.mark.parametrize("hex_id", ["G27", "G11", "D8", "J12"])
def test_the_palette_does_not_cover_the_hex(page: Page, hex_id: str) -> None:
    page.evaluate(
        """([hex, answers]) => { palette.open({hex, answers});
           palette.place(board.boxOf(hex), board.container.getBoundingClientRect()) }""",
        [hex_id, ANSWERS],
    )
    expect(page.get_by_role("dialog", name=hex_id)).to_be_visible()
    covered = page.evaluate(
        "([x, y]) => palette.dialog.contains(document.elementFromPoint(x, y))", middle(page, hex_id)
    )
    assert not covered


# Routes


def test_a_route_is_built_by_clicks_at_either_end(page: Page) -> None:
    page.evaluate("view => routes.open(view)", RUNS)
    click(page, "D14")
    click(page, "D12")  # beside E11 and E13, so it goes on at the end, which is D14
    click(page, "E9")  # beside E11 only
    paths = [runs[0]["path"] for runs in said(page, "checked")]
    assert paths[0] == ["E11.0", "E13", "D14"]
    assert paths[1] == ["E11.0", "E13", "D14", "D12.0"]
    assert paths[2] == ["E9", "E11.0", "E13", "D14", "D12.0"]
    click(page, "D12")
    page.wait_for_function("routes.runs()[0].path.length === 4")
    assert said(page, "hexes") == []  # the page's own listener hears nothing meanwhile


def test_a_click_means_the_nearest_city(page: Page) -> None:
    page.evaluate("view => routes.open(view)", RUNS)
    page.get_by_role("button", name=re.compile("^3b")).click()
    scale = 1 / page.evaluate("board.viewport.unit")
    click(page, "E11", 13 * scale, -18 * scale)
    assert page.evaluate("routes.runs()") == [
        {"card": "2a", "path": ["E11.0", "E13"]},
        {"card": "3b", "path": ["E11.1"]},
    ]


def test_a_typed_path_is_checked_and_refused_in_words(page: Page) -> None:
    page.evaluate("view => routes.open(view)", RUNS)
    field = page.get_by_label("Route of 2a", exact=True)
    expect(field).to_be_hidden()
    page.get_by_text("As text").click()
    field.fill("E11.0, E13 → E15")
    field.press("Enter")
    expect(page.locator(".routes-refusal")).to_have_text("E15 has no track (VIII.7/1)")
    assert page.locator(".layer-routes .route").count() == 1
    page.get_by_role("button", name="Clear the route of 2a").click()
    expect(page.locator(".routes-stops").first).to_have_text("no route")
    page.get_by_role("button", name="Best run").click()
    assert page.evaluate("routes.runs()[0].path") == ["E11.0", "E13"]


def test_a_best_run_that_is_not_proven_says_so(page: Page) -> None:
    found = {**RUNS, "revenue": 40, "legal": True, "refusal": None}
    total = page.locator(".routes-sum")
    page.evaluate("view => routes.open(view)", found)
    expect(total).to_have_text("40, the highest revenue")
    page.evaluate("view => routes.open(view)", {**found, "bound": 60})
    expect(total).to_have_text("40, the best run found. Not proven: there may be one with up to 60")


def test_only_the_latest_answer_of_the_server_counts(page: Page) -> None:
    page.evaluate(
        """async view => { let slow; routes.check = runs => new Promise(done => slow = () => done(check(runs)));
           routes.open(view); routes.setPath(0, ['A9.0']); const late = slow; routes.check = check;
           await routes.setPath(0, []); late() }""",
        RUNS,
    )
    page.wait_for_function("said.checked.length === 2")
    page.wait_for_timeout(20)
    assert page.evaluate("routes.runs()[0].path") == []


def test_closing_gives_the_board_back(page: Page) -> None:
    page.evaluate("view => { routes.open(view); routes.close() }", RUNS)
    click(page, "D14")
    assert [each["hex"] for each in said(page, "hexes")] == ["D14"]
    assert page.locator("polygon.hint").count() == 0
