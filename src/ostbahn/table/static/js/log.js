/** The log: filters, what happened since one's last move, and earlier lines. */

import { el } from "./dom.js";

/** @typedef {import("./sync.js").Table} Table */
/** @typedef {{letters: string, colour: string, ink: string}} Mark */
/** @typedef {{text: string, hex?: string, company?: string, mark?: Mark}} Part a piece of a text, as views/log.py cuts it */
/** @typedef {{by_name: string, words: string, note: string}} Notice */
/** @typedef {{kind: string, company: string | null, mark: Mark | null, words: string, brief_parts: Part[]}} Section */
/** @typedef {{parts: Part[], grave: boolean, folded: boolean}} Happening */
/** @typedef {{number: number, by_name: string, company: string | null, company_name: string, mark: Mark | null, kind: string, parts: Part[], brief_parts: Part[], grave: boolean, how: string, note: string, after: Section[], events: Happening[], notices: Notice[]}} Line */

/**
 * A text with hexes and companies that can be shown at a click, as templates/mentions.html has it.
 * @param {Part[]} parts
 * @returns {(Node | string)[]}
 */
export function mentions(parts) {
  return parts.map(({ text, hex, company, mark }) => {
    if (hex) return el("button", { type: "button", class: "mention", "data-show-hex": hex }, text);
    return company && mark ? companyMention(company, text, mark) : text;
  });
}

/**
 * @param {string} company
 * @param {string} text
 * @param {Mark} mark
 */
function companyMention(company, text, { colour, ink }) {
  const style = `--mark:${colour};--mark-ink:${ink}`;
  return el("button", { type: "button", class: "mention company", "data-show-company": company, style }, text);
}

export class LogPane {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {number | null} where what is new begins, if not after one's own last move */
    this.first = null;
    this.form = /** @type {HTMLFormElement} */ (document.getElementById("log-filter"));
    this.found = /** @type {HTMLElement} */ (document.getElementById("log-found"));
    this.more = /** @type {HTMLButtonElement} */ (document.getElementById("log-more"));
    this.form.addEventListener("change", () => {
      if (!this.since) this.first = null;
      this.refresh();
    });
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

  /** Show what happened from a number on. @param {number} number */
  showSince(number) {
    this.first = number;
    /** @type {HTMLInputElement} */ (this.form.elements.namedItem("since")).checked = true;
    this.form.closest("details")?.setAttribute("open", "");
    document.getElementById("tab-log")?.click();
    this.refresh();
  }

  get since() {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem("since")).checked;
  }

  /** Show the log as the server put it, or what the filters let pass. */
  async refresh() {
    const filtered = this.query.size > 0;
    this.markNew();
    this.found.hidden = !filtered;
    this.panel.hidden = filtered;
    this.panel.classList.toggle("only-new", this.since);
    this.more.hidden = false;
    if (!filtered) return;
    this.found.replaceChildren(el("ol", { class: "lines" }));
    await this.fetchLines(this.query);
  }

  /** Lines from the one on where what is new begins. */
  markNew() {
    const { first } = this;
    if (first === null) return;
    const lines = /** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll(".line[data-number]"));
    for (const line of lines) line.classList.toggle("new", Number(line.dataset.number) >= first);
  }

  async earlier() {
    const list = /** @type {HTMLElement} */ ((this.found.hidden ? this.panel : this.found).querySelector("ol"));
    const last = /** @type {HTMLElement | null} */ (list.lastElementChild);
    const query = this.query;
    if (last?.dataset.number !== undefined) query.set("before", last.dataset.number);
    await this.fetchLines(query);
  }

  /** @param {URLSearchParams} query */
  async fetchLines(query) {
    const list = /** @type {HTMLElement} */ ((this.found.hidden ? this.panel : this.found).querySelector("ol"));
    const lines = /** @type {Line[]} */ (await this.table.ask(`log?${query}`));
    const since = this.first ?? Number(this.panel.dataset.since);
    const shown = lines.filter(({ number }) => !this.since || number >= since);
    for (const line of shown) list.append(...this.lines(line));
    this.more.hidden = lines.length === 0 || shown.length < lines.length || lines.at(-1)?.number === 0;
    if (list.childElementCount === 0) list.append(el("li", { class: "empty" }, "Nothing of that kind has happened."));
  }

  /**
   * An answer with what stands around it, the latest first.
   * @param {Line} line
   */
  lines(line) {
    return [
      ...line.notices.map((notice) => this.notice(notice)).reverse(),
      ...line.after.map((section) => this.section(section)).reverse(),
      this.line(line),
    ];
  }

  /** @param {Notice} notice what happened at the table beside the game */
  notice({ by_name, words, note }) {
    return el("li", { class: "line beside" },
      el("p", { class: "deed" }, el("strong", {}, by_name), `: ${words}.`),
      ...(note ? [el("p", { class: "note" }, note)] : []));
  }

  /** @param {Section} section a round or turn that began */
  section({ kind, company, mark, words, brief_parts }) {
    const name = company && mark ? companyMention(company, words, mark) : el("strong", {}, words);
    return el("li", { class: `line ${kind}` }, el("p", { class: "deed" }, name), this.brief(brief_parts));
  }

  /** @param {Line} line */
  line({ number, by_name, company, company_name, mark, kind, parts, brief_parts, grave, how, note, events }) {
    const kinds = ["line", kind === "pass" && "passed", grave && "grave"].filter(Boolean).join(" ");
    const who = by_name ? [el("strong", {}, by_name), " "] : [];
    const whose = company && mark ? [companyMention(company, company_name, mark), " "] : [];
    const passed = how === "obvious" && note;
    const alone = how === "obvious" && !note ? [" ", el("small", { class: "why" }, "(no other choice)")] : [];
    const done = passed ? [el("span", { class: "why" }, note)] : [...mentions(parts), ...alone];
    const number_ = el("a", { class: "number", href: `/t/${this.table.key}?at=${number}`, "data-history": String(number) }, String(number));
    return el("li", { class: kinds, "data-number": String(number), "data-kind": kind },
      el("p", { class: "deed" }, number_, " ", ...who, ...whose, ...done),
      this.brief(brief_parts),
      note && !passed ? el("p", { class: "note" }, note) : null,
      this.folded(events.filter(({ folded }) => folded)));
  }

  /** @param {Part[]} parts what came of it, in short */
  brief(parts) {
    return parts.length > 0 ? el("p", { class: "brief" }, ...mentions(parts)) : null;
  }

  /** @param {Happening[]} events what else came of it */
  folded(events) {
    if (events.length === 0) return null;
    return el("details", { class: "more" }, el("summary", {}, `${events.length} more`),
      el("ul", {}, ...events.map(({ parts, grave }) => el("li", grave ? { class: "grave" } : {}, ...mentions(parts)))));
  }
}
