/** What the page shows: arranged for what is being decided, or a view that somebody has chosen instead. */

import { loadSetting, saveSetting } from "./dom.js";

/** @typedef {"table" | "map" | "market" | "companies" | "sheet" | "tiles" | "log"} ViewName */

/** The pointer rests on the small map for so many milliseconds before it grows. */
const REST = 180;

export class Layout {
  /**
   * @param {HTMLElement} root
   * @param {(show: string) => void} onShow told after another part of the table has come into view
   */
  constructor(root, onShow) {
    this.root = root;
    this.onShow = onShow;
    this.buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-view]"));
    for (const button of this.buttons) button.addEventListener("click", () => this.show(button.dataset.view ?? "table"));
    this.small = /** @type {HTMLElement} */ (root.querySelector(".board-side"));
    this.growMapOnHover();
    this.begin(root.dataset.scene ?? "operating");
  }

  /** Another kind of round: what somebody looked at in the last one of that kind is shown again. @param {string} scene */
  begin(scene) {
    this.root.dataset.scene = scene;
    this.show(loadSetting(settingName(scene)) ?? "table", false);
  }

  /** @param {string} scene */
  setScene(scene) {
    if (scene !== this.root.dataset.scene) this.begin(scene);
  }

  /** Show a view; chosen a second time it gives way to the table again. @param {string} view */
  toggle(view) {
    this.show(view === this.view && view !== "table" ? "table" : view);
  }

  /** @param {string} view @param {boolean} [chosen] by somebody, who will see it again */
  show(view, chosen = true) {
    this.view = view;
    const scene = this.root.dataset.scene ?? "operating";
    this.root.dataset.show = view === "table" ? scene : view;
    this.setMapGrown(false);
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    if (chosen) saveSetting(settingName(scene), view);
    this.onShow(this.root.dataset.show);
  }

  /** Bring the map into view, wherever it is. */
  showMap() {
    if (this.small.checkVisibility()) this.setMapGrown(this.root.dataset.show === "shares");
    else this.show("map");
  }

  // The small map

  growMapOnHover() {
    let timer = 0;
    this.small.addEventListener("pointerenter", (event) => {
      if (event.pointerType !== "mouse") return;
      timer = window.setTimeout(() => this.setMapGrown(true), REST);
    });
    this.small.addEventListener("pointerleave", () => {
      window.clearTimeout(timer);
      this.setMapGrown(false);
    });
    this.small.addEventListener("focusin", (event) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) this.setMapGrown(true);
    });
    this.small.addEventListener("focusout", () => this.setMapGrown(false));
  }

  /** @param {boolean} wanted */
  setMapGrown(wanted) {
    this.small.classList.toggle("grown", wanted && this.root.dataset.show === "shares");
  }
}

/** Where the view is kept that somebody has chosen for a kind of round. @param {string} scene */
function settingName(scene) {
  return `ostbahn-view-${scene}`;
}
