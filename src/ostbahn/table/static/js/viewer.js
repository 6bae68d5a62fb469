/** Looking closer: pictures and rules in a dialog, and what is pointed at on cards and in the log lit up on the map. */

import { byId, closest, el } from "./dom.js";
import { readJson } from "./requests.js";
import { loadImage, request } from "./transport.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./sync.js").Table} Table */

/** So many milliseconds the pointer rests on a company before its network is fetched. */
const REST = 120;

/** Charters, tiles that are left, the upgrade chart; and rules. */
export class Viewer {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("viewer"));
    this.content = /** @type {HTMLElement} */ (this.dialog.querySelector(".scroll"));
    document.addEventListener("click", (event) => {
      const button = closest(event.target, "[data-picture], [data-rules]");
      if (button?.dataset.picture) this.show(button.dataset.picture, button.textContent?.trim());
      else if (button?.dataset.rules) this.rules(button.dataset.rules);
    });
  }

  /** @param {string} what @param {string} [name] */
  show(what, name = what) {
    this.open(name, this.picture(what, name));
  }

  /** Put a picture into the page itself. @param {string} where @param {string} what */
  inline(where, what) {
    document.querySelector(where)?.replaceChildren(this.picture(what, what));
  }

  /** @param {string} what @param {string} name */
  picture(what, name) {
    const { key, at, version, root } = this.table;
    return loadImage(el("img", { alt: name }), `/t/${key}/pictures/${what}?at=${at}&v=${version}-${root.dataset.theme}`);
  }

  /** @param {string} chapters with a space between them */
  async rules(chapters) {
    const path = `/api/rules/${this.table.root.dataset.title}?words=${encodeURIComponent(chapters)}`;
    const rules = /** @type {Views.RuleView[]} */ (await readJson(await request("GET", path)));
    this.open(`Rules ${chapters.replaceAll(" ", ", ")}`, el("dl", { class: "rules" },
      ...rules.flatMap(({ id, text }) => [el("dt", {}, id), el("dd", {}, text)])));
  }

  /** @param {string} name @param {Node} content */
  open(name, content) {
    this.dialog.setAttribute("aria-label", name);
    this.content.replaceChildren(content);
    this.dialog.showModal();
  }
}

/** Companies and places that are pointed at light up on the map. */
export class CompanyHighlight {
  /** @param {Table} table @param {BoardView} board @param {Layout} layout @param {Viewer} viewer */
  constructor(table, board, layout, viewer) {
    this.table = table;
    this.board = board;
    this.layout = layout;
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
    this.board.setLayer("network", null);
    this.board.clearHighlights("home");
    if (shown?.dataset.homes) this.board.highlight(shown.dataset.homes.split(" "), { kind: "home" });
    if (company !== null) this.timer = window.setTimeout(() => this.light(company), REST);
  }

  /** @param {string} company */
  async light(company) {
    const { at, now } = this.table;
    const answer = await request("GET", this.table.url(`network/${encodeURIComponent(company)}${now ? "" : `?at=${at}`}`));
    if (answer.ok && this.company === company) this.board.setLayer("network", await answer.text());
  }

  /** @param {EventTarget | null} target */
  click(target) {
    const shown = closest(target, "[data-show-company], [data-show-hex]");
    if (shown?.dataset.showHex !== undefined) {
      this.layout.showMap();
      this.board.select(shown.dataset.showHex);
      this.board.focusHex(shown.dataset.showHex);
    } else if (shown?.dataset.showCompany !== undefined) {
      this.viewer.show(`charter/${shown.dataset.showCompany}`, shown.title || shown.dataset.showCompany);
    }
  }
}
