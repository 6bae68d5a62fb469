/** Pages that load themselves anew: never into an error, but once the server answers again. */

import { request, visit } from "./transport.js";

/** After this many milliseconds a page asks again whether the server answers. */
const AGAIN = 2000;

/**
 * Load an address once the server answers there.
 * @param {string} [address] this page's own, if nothing is said
 * @param {(waiting: boolean) => void} [onWait] told while the server does not answer, so that the page can say so
 */
export async function loadWhenReady(address = window.location.href, onWait = () => {}) {
  while (!(await answers(address))) {
    onWait(true);
    await new Promise((resolve) => window.setTimeout(resolve, AGAIN * (0.75 + Math.random() / 2)));
  }
  onWait(false);
  visit(address);
}

/**
 * Whether there is a page; also one that says why there is no other.
 * @param {string} address
 */
async function answers(address) {
  const answer = await request("GET", address, { fresh: true }).catch(() => null);
  return answer !== null && answer.status < 500;
}

/** A page that waits for something says in `data-returns` where it goes, and after how many milliseconds. */
const waiting = /** @type {HTMLElement | null} */ (document.querySelector("[data-returns]"));
if (waiting !== null) {
  const note = waiting.querySelector("[data-away]");
  window.setTimeout(() => {
    void loadWhenReady(waiting.dataset.returns || window.location.href, (away) => note?.toggleAttribute("hidden", !away));
  }, Number(waiting.dataset.after));
}
