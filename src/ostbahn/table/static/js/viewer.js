/** Pictures in a dialog of their own: charters, tiles that are left, the upgrade chart; and rules. */

import { el } from "./dom.js";
import { readJson } from "./requests.js";
import { loadImage, request } from "./transport.js";

/** @typedef {import("./sync.js").Table} Table */

export class Viewer {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("viewer"));
    this.content = /** @type {HTMLElement} */ (this.dialog.querySelector(".scroll"));
    document.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement | null} */ (
        /** @type {HTMLElement} */ (event.target).closest("[data-picture], [data-rules]"));
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
    const rules = /** @type {{id: string, text: string}[]} */ (await readJson(await request("GET", path)));
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
