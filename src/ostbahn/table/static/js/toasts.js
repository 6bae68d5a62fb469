/** Short words about what has just been done, with a way to take it back. */

import { el } from "./dom.js";

/** So many milliseconds they stay. */
const STAY = 7000;

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
