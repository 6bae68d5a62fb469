"""A table whose `transport.js` is exchanged for one that asks a web worker: nothing passes it by."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, expect

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from tests.server.browser.looking import answering, click_hex, settled
from tests.server.browser.running import Running, moment
from tests.server.browser.test_track import lays
from tests.server.browser.visits import Visits
from tests.server.tables import step

TRANSPORT = """
const worker = new Worker("/static/worker.js");
const handlers = [];
worker.onmessage = ({ data: { number, message } }) => handlers[number](message);
const post = (message, handler) => worker.postMessage({ number: handlers.push(handler) - 1, ...message });

export const request = (method, path, { body } = {}) => new Promise((resolve) => {
  post({ method, path, body }, ({ text, ...how }) => resolve(new Response(how.status === 204 ? null : text, how)));
});
export function loadImage(image, path) {
  request("GET", path).then((response) => response.text()).then((svg) => {
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  });
  return image;
}
export const visit = (address) => window.location.assign(address);
export function subscribe(path, { names, onEvent, onState }) {
  post({ path, names }, ({ name, data }) => (name === "open" ? onState("open") : onEvent(name, data)));
  return () => worker.terminate();
}
"""
WORKER = """
onmessage = async ({ data: { number, method, path, body, names } }) => {
  const address = `${path}${path.includes("?") ? "&" : "?"}via=worker`;
  if (names) {
    const source = new EventSource(address);
    const hear = ({ type, data }) => postMessage({ number, message: { name: type, data } });
    for (const name of ["open", ...names]) source.addEventListener(name, hear);
    return;
  }
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
  const [status, text] = [response.status, await response.text()];
  postMessage({ number, message: { status, text, headers: [...response.headers] } });
};
"""


def many_tiles(_: Game, question: Question) -> bool:
    return len(question.options) > 20


def exchange_transport(page: Page) -> list[str]:
    """Load the page again with another transport; the list grows by what is asked of the server past it."""
    around: list[str] = []

    def note(sent: Request) -> None:
        address = urlsplit(sent.url)
        known = sent.is_navigation_request() or address.path.startswith("/static/") or "via=worker" in address.query
        if address.scheme != "data" and not known:
            around.append(sent.url)

    page.route("**/js/transport.js", lambda route: route.fulfill(body=TRANSPORT, content_type="text/javascript"))
    page.route("**/worker.js", lambda route: route.fulfill(body=WORKER, content_type="text/javascript"))
    page.on("request", note)
    page.reload()
    return around


def test_a_table_needs_nothing_but_its_transport(running: Running, visits: Visits) -> None:
    host = running.host(moment("18Mag", "lay_track", many_tiles))
    page = visits.person(running.link(host))
    around = exchange_transport(page)
    settled(page)
    before = running.digest(page.url)
    click_hex(page, next(iter(lays(page))))
    expect(page.locator("#palette img").first).to_have_attribute("src", re.compile("^data:"))
    with answering(page):
        page.locator(".ghost-lay circle").click(force=True)
    assert running.digest(page.url) != before
    version = step(running.services.game_service, host)
    page.wait_for_function("wanted => document.getElementById('table').dataset.version === wanted", arg=str(version))
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Map legend").click()
    page.wait_for_function("() => document.querySelector('#viewer img')?.naturalWidth > 0")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.wait_for_url(re.compile(r"/t/[\w-]+\.[\w-]+$"))
    page.get_by_role("button", name="Plans, compare").click()
    page.locator("#plans").get_by_text("Change").click()
    page.get_by_role("button", name="Throw away").click()
    page.wait_for_url(running.link(host))
    assert around == []
