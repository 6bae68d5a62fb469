/** What the server's answers mean: JSON, parts of pages, and refusals. */

import { request } from "./transport.js";

/** A request that the server refused, with its own words. */
export class Refused extends Error {
  /** @param {{error?: string, rule?: string, rule_text?: string} | null} refusal @param {number} status */
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
