/** Small controls of a table's page: tabs, toasts, links to a moment, and the spreadsheet's sorting. */

import { closest, el } from "./dom.js";

/** So many milliseconds toasts stay. */
const STAY = 7000;

/** Short words about what has just been done, with a way to take it back. */
export class Toasts {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
  }

  /**
   * @param {string} words
   * @param {{name: string, act: () => void} | null} [button]
   */
  show(words, button = null) {
    this.clear();
    const undo = button === null ? null : el("button", { type: "button", onclick: () => {
      this.clear();
      button.act();
    } }, button.name);
    this.root.append(el("div", { class: "toast" }, el("span", {}, words), undo));
    this.timer = window.setTimeout(() => this.clear(), STAY);
  }

  clear() {
    window.clearTimeout(this.timer);
    this.root.replaceChildren();
  }
}

/** The spreadsheet is sorted by the column whose heading is pressed, and stays so when figures change. */
export class Sheet {
  constructor() {
    /** @type {{table: string, column: number, falling: boolean} | null} */
    this.order = null;
    document.addEventListener("click", ({ target }) => {
      const button = closest(target, ".sheet thead button");
      if (button !== null) this.press(button);
    });
  }

  /** @param {Element} button */
  press(button) {
    const cell = /** @type {HTMLTableCellElement} */ (button.closest("th"));
    const table = cell.closest("table")?.id ?? "";
    const again = this.order !== null && this.order.table === table && this.order.column === cell.cellIndex;
    this.order = { table, column: cell.cellIndex, falling: again ? !this.order?.falling : true };
    this.sort();
  }

  sort() {
    if (this.order === null) return;
    const { table: id, column, falling } = this.order;
    const table = /** @type {HTMLTableElement | null} */ (document.getElementById(id));
    const body = table?.tBodies[0];
    if (!table || !body) return;
    for (const cell of table.tHead?.rows[0].cells ?? []) cell.removeAttribute("aria-sort");
    table.tHead?.rows[0].cells[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
    const value = (/** @type {HTMLTableRowElement} */ { cells }) => cells[column].dataset.value ?? cells[column].textContent ?? "";
    const rows = [...body.rows].sort((one, other) => compared(value(one), value(other)));
    body.append(...(falling ? rows.reverse() : rows));
  }
}

/** By their numbers where both are some. @param {string} one @param {string} other */
export function compared(one, other) {
  const [x, y] = [Number(one), Number(other)];
  return Number.isNaN(x) || Number.isNaN(y) ? one.localeCompare(other) : x - y;
}

/** Tabs as the ARIA practices have them: arrow keys change the tab, Tab goes into its pane. @param {HTMLElement} root */
export function startTabs(root) {
  const tabs = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[role=tab]")]);
  const choose = (/** @type {HTMLElement} */ chosen) => {
    for (const tab of tabs) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const pane = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (pane !== null) pane.hidden = !on;
    }
  };
  root.addEventListener("click", ({ target }) => {
    const tab = closest(target, "[role=tab]");
    if (tab !== null) choose(tab);
  });
  root.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || step === undefined) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}

/** Links lead on from the moment that the table shows when they are clicked. @param {HTMLElement} root the table */
export function startMoments(root) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-moment]"))) {
    link.addEventListener("click", () => {
      const address = new URL(link.href);
      address.searchParams.set("at", root.dataset.at ?? "");
      link.href = address.href;
    });
  }
}
