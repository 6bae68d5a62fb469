"""The modules around the board, tried in a browser: history, shortcuts, themes and news of the server."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_history_tells_what_is_wanted_and_shows_what_it_is_told(page: Page) -> None:
    page.get_by_role("button", name="One step back").click(click_count=3)
    assert page.evaluate("said.wishes") == [19, 18, 17]
    page.evaluate("past.show(25, 17)")
    expect(page.locator(".history-told")).to_have_text("17 of 25")
    page.get_by_role("button", name="Back to now").click()
    assert page.evaluate("said.wishes") == [19, 18, 17, None]
    page.evaluate("past.show(26, null)")
    expect(page.locator(".history-told")).to_have_text("now, after 26")
    page.evaluate("past.show(3, 17)")
    expect(page.locator(".history-told")).to_have_text("now, after 3")


def test_history_plays_to_the_end(page: Page) -> None:
    page.evaluate("past.go(18)")
    page.get_by_label("Speed of playing").select_option("8")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("said.wishes.at(-1) === null")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_shortcuts_leave_writing_alone_and_list_themselves(page: Page) -> None:
    page.keyboard.press("u")
    page.focus("#field")
    page.keyboard.press("u")
    assert page.evaluate("said.keys") == 1
    assert page.input_value("#field") == "u"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Count")
    page.keyboard.press("u")
    assert page.evaluate("said.keys") == 1
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    assert page.evaluate("said.keys") == 2


def test_the_theme_follows_the_system_until_one_is_chosen(page: Page) -> None:
    expect(page.locator("#theme")).to_have_value("auto")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert "theme=dark" in page.evaluate("document.cookie")
    page.select_option("#theme", "colour-blind")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "colour-blind")
    assert "theme=colour-blind" in page.evaluate("document.cookie")


def test_a_lost_line_to_the_server_is_opened_again(page: Page) -> None:
    page.evaluate(
        """() => { window.unsubscribe = subscribe('/events', {names: ['change'],
           onEvent: (name, data) => said.live.push([name, data]), onState: state => said.live.push(state)}) }"""
    )
    page.wait_for_function("said.live.length >= 5")
    page.evaluate("unsubscribe()")
    assert page.evaluate("said.live")[:5] == ["open", ["change", "3"], "waiting", "open", ["change", "3"]]
