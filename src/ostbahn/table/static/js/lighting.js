/** Companies and places that are pointed at, on cards, in the log or in the strip, light up on the map. */

import { request } from "./transport.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./arrange.js").Arrangement} Arrangement */
/** @typedef {import("./sync.js").Table} Table */
/** @typedef {import("./viewer.js").Viewer} Viewer */

const REST = 120;

export class Lighting {
  /** @param {Table} table @param {BoardView} board @param {Arrangement} arrangement @param {Viewer} viewer */
  constructor(table, board, arrangement, viewer) {
    this.table = table;
    this.board = board;
    this.arrangement = arrangement;
    this.viewer = viewer;
    this.timer = 0;
    /** @type {string | null} */
    this.company = null;
    document.addEventListener("pointerover", (event) => this.point(event.target));
    document.addEventListener("focusin", (event) => this.point(event.target));
    document.addEventListener("click", (event) => this.click(event.target));
  }

  /** @param {EventTarget | null} target */
  point(target) {
    const shown = closest(target, "[data-show-company], [data-show-hex]");
    const company = shown?.dataset.showCompany ?? null;
    if (shown?.dataset.showHex !== undefined) this.board.select(shown.dataset.showHex);
    if (company === this.company) return;
    this.company = company;
    window.clearTimeout(this.timer);
    this.board.setNetwork(null);
    this.board.clearHighlights("home");
    if (shown?.dataset.homes) this.board.highlight(shown.dataset.homes.split(" "), { kind: "home" });
    if (company !== null) this.timer = window.setTimeout(() => this.light(company), REST);
  }

  /** @param {string} company */
  async light(company) {
    const { at, now } = this.table;
    const answer = await request("GET", this.table.url(`network/${encodeURIComponent(company)}${now ? "" : `?at=${at}`}`));
    if (answer.ok && this.company === company) this.board.setNetwork(await answer.text());
  }

  /** @param {EventTarget | null} target */
  click(target) {
    const shown = closest(target, "[data-show-company], [data-show-hex]");
    if (shown?.dataset.showHex !== undefined) {
      this.arrangement.showMap();
      this.board.select(shown.dataset.showHex);
      this.board.focusHex(shown.dataset.showHex);
    } else if (shown?.dataset.showCompany !== undefined) {
      this.viewer.show(`charter/${shown.dataset.showCompany}`, shown.title || shown.dataset.showCompany);
    }
  }
}

/** @param {EventTarget | null} target @param {string} selector */
function closest(target, selector) {
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;
}
