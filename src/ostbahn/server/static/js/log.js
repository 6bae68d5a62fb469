/** The log: filters, what happened since one's last move, and earlier lines. */

import { el } from "./dom.js";

/** @typedef {import("./sync.js").Table} Table */
/** @typedef {{by_name: string, words: string, note: string}} Notice */
/** @typedef {{number: number, by_name: string, company: string | null, words: string, note: string, events: {text: string, grave: boolean}[], notices: Notice[]}} Line */

export class LogPane {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.form = /** @type {HTMLFormElement} */ (document.getElementById("log-filter"));
    this.found = /** @type {HTMLElement} */ (document.getElementById("log-found"));
    this.more = /** @type {HTMLButtonElement} */ (document.getElementById("log-more"));
    this.form.addEventListener("change", () => this.refresh());
    this.more.addEventListener("click", () => this.earlier());
  }

  get panel() {
    return /** @type {HTMLElement} */ (document.getElementById("panel-log"));
  }

  /** The filters that are set, as the server wants them. */
  get query() {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) if (value !== "" && name !== "since") query.set(name, String(value));
    return query;
  }

  get since() {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem("since")).checked;
  }

  /** Show the log as the server put it, or what the filters let pass. */
  async refresh() {
    const filtered = this.query.size > 0;
    this.found.hidden = !filtered;
    this.panel.hidden = filtered;
    this.panel.classList.toggle("only-new", this.since);
    this.more.hidden = false;
    if (!filtered) return;
    this.found.replaceChildren(el("ol", { class: "lines" }));
    await this.fetch(this.query);
  }

  async earlier() {
    const list = /** @type {HTMLElement} */ ((this.found.hidden ? this.panel : this.found).querySelector("ol"));
    const last = /** @type {HTMLElement | null} */ (list.lastElementChild);
    const query = this.query;
    if (last?.dataset.number !== undefined) query.set("before", last.dataset.number);
    await this.fetch(query);
  }

  /** @param {URLSearchParams} query */
  async fetch(query) {
    const list = /** @type {HTMLElement} */ ((this.found.hidden ? this.panel : this.found).querySelector("ol"));
    const lines = /** @type {Line[]} */ (await this.table.ask(`log?${query}`));
    const since = Number(this.panel.dataset.since);
    const shown = lines.filter(({ number }) => !this.since || number >= since);
    for (const line of shown) list.append(...line.notices.map((notice) => this.notice(notice)).reverse(), this.line(line));
    this.more.hidden = lines.length === 0 || shown.length < lines.length || lines.at(-1)?.number === 0;
    if (list.childElementCount === 0) list.append(el("li", { class: "empty" }, "Nothing of that kind has happened."));
  }

  /** @param {Notice} notice what happened at the table beside the game */
  notice({ by_name, words, note }) {
    return el("li", { class: "line beside" },
      el("p", {}, el("strong", {}, by_name), `: ${words}.`),
      ...(note ? [el("p", { class: "note" }, note)] : []));
  }

  /** @param {Line} line */
  line({ number, by_name, company, words, note, events }) {
    const who = by_name ? [el("strong", {}, by_name), `${company ? ` · ${company}` : ""}: `] : [];
    return el("li", { class: "line", "data-number": String(number) },
      el("p", {}, el("a", { href: `/t/${this.table.key}?at=${number}`, "data-history": String(number) }, String(number)), " ", ...who, words),
      ...(note ? [el("p", { class: "note" }, note)] : []),
      el("ul", {}, ...events.map(({ text, grave }) => el("li", grave ? { class: "grave" } : {}, text))));
  }
}
