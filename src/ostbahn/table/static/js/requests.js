/** What the server's answers mean: JSON, parts of pages, refusals, and silence. */

import { request, visit } from "./transport.js";

/** After this many milliseconds a page asks again whether the server answers. */
const AGAIN = 2000;

/** A request that the server refused, with its own words. */
export class Refused extends Error {
  /** @param {Partial<Views.Fault> | null} refusal @param {number} status */
  constructor(refusal, status) {
    super(refusal?.error ?? `The server answers ${status}.`);
    this.rule = refusal?.rule ?? "";
    this.ruleText = refusal?.rule_text ?? "";
    this.status = status;
  }
}

/**
 * The JSON of a response; null if it has none. A refusal is thrown.
 * @param {Response} response
 * @returns {Promise<unknown>} whoever asks knows of what kind that is
 */
export async function readJson(response) {
  const text = await response.text(); // to its end, whatever it is
  const data = response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
  if (!response.ok) throw new Refused(data, response.status);
  return data;
}

/**
 * A part of a page of the server. If there is none, the words of the page's alert are thrown.
 * @param {string} path
 * @param {string} [selector]
 * @returns {Promise<HTMLElement>} of another document: it becomes part of this one when it is put in
 */
export async function getFragment(path, selector = "body") {
  const response = await request("GET", path);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fragment = /** @type {HTMLElement | null} */ (page.querySelector(selector));
  if (response.ok && fragment !== null) return fragment;
  throw new Refused({ error: page.querySelector("[role=alert]")?.textContent ?? undefined }, response.status);
}

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
