/** What an answer would bring about, told beside the button that gives it as long as it is pointed at. */

import { closest, el } from "./dom.js";

/** So many milliseconds the pointer rests before the server is asked. */
const REST = 140;

export class Tips {
  /**
   * @param {HTMLElement} tip
   * @param {(index: number) => Promise<Views.Preview | null>} ask
   */
  constructor(tip, ask) {
    this.tip = tip;
    this.ask = ask;
    this.timer = 0;
    /** @type {Element | null} */
    this.at = null;
    document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(event.target));
    document.addEventListener("focusin", (event) => event.target instanceof Element && event.target.matches(":focus-visible") && this.point(event.target));
    document.addEventListener("click", () => this.hide());
    document.addEventListener("keydown", () => this.hide());
  }

  /** @param {EventTarget | null} target */
  point(target) {
    const button = closest(target, "button[data-index]");
    if (button === this.at) return;
    this.hide();
    this.at = button;
    if (button !== null) this.timer = window.setTimeout(() => this.show(button), REST);
  }

  /** @param {HTMLElement} button */
  async show(button) {
    const preview = await this.ask(Number(button.dataset.index)).catch(() => null);
    if (preview === null || this.at !== button || preview.consequences.length === 0) return;
    this.tip.replaceChildren(
      el("ul", {}, ...preview.consequences.map(({ text, grave }) => el("li", { class: grave ? "grave" : null }, text))));
    this.tip.hidden = false;
    this.place(button.getBoundingClientRect());
  }

  /** Beneath the button, or above where there is no room. @param {DOMRect} at */
  place(at) {
    const { width, height } = this.tip.getBoundingClientRect();
    const below = at.bottom + 6 + height <= window.innerHeight;
    this.tip.style.left = `${Math.max(6, Math.min(at.left, window.innerWidth - width - 6))}px`;
    this.tip.style.top = `${below ? at.bottom + 6 : Math.max(6, at.top - height - 6)}px`;
  }

  hide() {
    window.clearTimeout(this.timer);
    this.at = null;
    this.tip.hidden = true;
  }
}
