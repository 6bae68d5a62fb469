/** Going through a game's history. */

import { el, svgEl } from "./dom.js";

/** Signs on the buttons, drawn because not every font has them. */
const SIGNS = {
  first: "M3 3h2v10h-2zM13 3v10l-7-5z",
  back: "M11 3v10l-7-5z",
  play: "M4 2v12l9-6z",
  pause: "M4 3h3v10h-3zM9 3h3v10h-3z",
  next: "M4 3v10l5-5zM10 3h2v10h-2z",
  now: "M2 3v10l5-5zM7 3v10l5-5zM12 3h2v10h-2z",
};
/** Moments per second. */
const SPEEDS = [0.5, 1, 2, 4, 8];

export class History {
  /**
   * @param {HTMLElement} root
   * @param {object} how
   * @param {number} how.count how many actions there are
   * @param {number | null} [how.at] the moment shown; null is now
   * @param {(n: number | null) => void} how.onWish somebody wants to see another moment
   */
  constructor(root, { count, at = null, onWish }) {
    this.root = root;
    this.count = count;
    this.at = at ?? count;
    this.onWish = onWish;
    /** @type {number | undefined} */
    this.playing = undefined;
    this.build();
    this.refresh();
  }

  build() {
    const button = (/** @type {keyof typeof SIGNS} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
      el("button", { type: "button", "aria-label": name, title: name, onclick: act }, icon(sign));
    const pressed = (/** @type {() => number} */ where) => () => {
      const at = where(); // before stopping, which puts the range back to what was wanted
      this.stop();
      this.go(at);
    };
    /** @type {HTMLButtonElement} */
    this.first = button("first", "To the beginning", pressed(() => 0));
    /** @type {HTMLButtonElement} */
    this.back = button("back", "One step back", pressed(() => this.at - 1));
    /** @type {HTMLButtonElement} */
    this.play = button("play", "Play", () => this.toggle());
    /** @type {HTMLButtonElement} */
    this.next = button("next", "One step on", pressed(() => this.at + 1));
    /** @type {HTMLButtonElement} */
    this.now = button("now", "Back to now", pressed(() => this.count));
    /** @type {HTMLInputElement} */
    this.range = el("input", { type: "range", min: 0, step: 1, "aria-label": "Moment of the game",
      oninput: () => pressed(() => this.range.valueAsNumber)() });
    /** @type {HTMLSelectElement} */
    this.speed = el("select",
      { "aria-label": "Speed of playing", onchange: () => this.playing !== undefined && this.start() },
      ...SPEEDS.map((each) => el("option", { value: each, selected: each === 2 }, `${each}×`)));
    /** @type {HTMLOutputElement} */
    this.told = el("output", { class: "history-told" });
    this.root.classList.add("history");
    this.root.replaceChildren(this.first, this.back, this.play, this.next, this.now, this.range, this.told, this.speed);
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  get isNow() {
    return this.at >= this.count;
  }

  /**
   * How many actions there are, and which moment is wanted, whoever wants it; null is now.
   * @param {number} count
   * @param {number | null} at
   */
  show(count, at) {
    this.count = count;
    this.at = Math.min(at ?? count, count);
    this.refresh();
  }

  /** @param {number} at */
  go(at) {
    const kept = Math.min(Math.max(at, 0), this.count);
    if (kept === this.at) return;
    this.at = kept;
    this.refresh();
    this.onWish(this.isNow ? null : this.at);
  }

  // Playing

  toggle() {
    if (this.playing !== undefined) this.stop();
    else {
      if (this.isNow) this.go(0);
      this.start();
    }
  }

  start() {
    clearInterval(this.playing);
    this.playing = window.setInterval(() => this.tick(), 1000 / Number(this.speed.value));
    this.refresh();
  }

  tick() {
    this.go(this.at + 1);
    if (this.isNow) this.stop();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.refresh();
  }

  // Showing

  refresh() {
    this.range.max = String(this.count);
    this.range.value = String(this.at);
    const told = this.isNow ? `now, after ${this.count}` : `${this.at} of ${this.count}`;
    this.told.value = told;
    this.range.setAttribute("aria-valuetext", told);
    this.first.disabled = this.back.disabled = this.at === 0;
    this.next.disabled = this.now.disabled = this.isNow;
    const still = this.playing === undefined;
    this.play.replaceChildren(icon(still ? "play" : "pause"));
    this.play.setAttribute("aria-label", still ? "Play" : "Pause");
    this.play.title = still ? "Play" : "Pause";
    this.play.disabled = this.count === 0;
    this.root.classList.toggle("past", !this.isNow);
  }

  /**
   * The range knows arrows, Home and End itself.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.target !== this.range) return;
    if (event.key === " ") this.toggle();
    else if (event.key === "Escape" && !this.isNow) this.now.click();
    else return;
    event.preventDefault();
  }
}

/** @param {keyof typeof SIGNS} sign */
function icon(sign) {
  const path = svgEl("path", { d: SIGNS[sign] });
  return svgEl("svg", { viewBox: "0 0 16 16", class: "sign", "aria-hidden": "true" }, path);
}
