/** The log: filters, what happened since one's last move, and earlier lines. */

import { byId, el } from "./dom.js";
import { getFragment } from "./requests.js";

/** @typedef {import("./sync.js").Table} Table */

export class LogPane {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {number | null} where what is new begins, if not after one's own last move */
    this.first = null;
    this.form = /** @type {HTMLFormElement} */ (byId("log-filter"));
    this.found = byId("log-found");
    this.more = byId("log-more");
    this.form.addEventListener("change", () => {
      if (!this.since) this.first = null;
      this.refresh();
    });
    this.more.addEventListener("click", () => this.earlier());
  }

  get panel() {
    return byId("panel-log");
  }

  /** The list that is shown. */
  get list() {
    return /** @type {HTMLElement} */ ((this.found.hidden ? this.panel : this.found).querySelector("ol"));
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
    const last = /** @type {HTMLElement | null} */ (this.list.lastElementChild);
    const query = this.query;
    if (last?.dataset.number !== undefined) query.set("before", last.dataset.number);
    await this.fetchLines(query);
  }

  /** @param {URLSearchParams} query */
  async fetchLines(query) {
    const { list } = this;
    if (this.since) query.set("since", String(this.first ?? this.panel.dataset.since));
    const lines = await getFragment(`/t/${this.table.key}/log?${query}`, "ol");
    list.append(...lines.children);
    this.more.hidden = lines.dataset.more === undefined;
    if (list.childElementCount === 0) list.append(el("li", { class: "empty" }, "Nothing of that kind has happened."));
  }
}
