/** The board by keyboard: zooming, moving, and going from one hex that can be chosen to the next. */

import { closest } from "./dom.js";
import { RADIUS, hexagon } from "./geometry.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./geometry.js").Point} Point */

const ARROWS = /** @type {Record<string, Point>} */ ({
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
});
const STEP = 60;

export class BoardKeys {
  /** @param {BoardView} board */
  constructor(board) {
    this.board = board;
    const { container } = board;
    container.addEventListener("keydown", (event) => this.key(event));
    container.addEventListener("focusin", (event) => this.focused(event.target));
    container.addEventListener("focusout", () => this.focused(null));
  }

  /**
   * The ring around the hex that has the keyboard lies above its neighbours.
   * @param {EventTarget | null} target
   */
  focused(target) {
    const { board } = this;
    board.layers.hints.querySelector(".hint-focus")?.remove();
    const id = idOf(target);
    if (id === null || !board.hexes.get(id)?.matches(":focus-visible")) return;
    const centre = /** @type {Point} */ (board.centres.get(id));
    board.layers.hints.append(hexagon(centre, "hint hint-focus", -1));
    if (!board.viewport.shows(centre, RADIUS * 0.8)) board.glide(() => board.viewport.look(centre));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = idOf(event.target);
    if (id === null && event.target !== this.board.container) return;
    if (this.keyed(event, id)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string | null} id the hex that has the keyboard
   * @returns {boolean} whether the key meant something
   */
  keyed(event, id) {
    const { board } = this;
    const arrow = ARROWS[event.key];
    if (event.key === "+" || event.key === "=") return board.zoomBy(1.4) || true;
    if (event.key === "-") return board.zoomBy(1 / 1.4) || true;
    if (event.key === "0") board.fit();
    else if (id !== null && (event.key === "Enter" || event.key === " ")) board.tell(id, event, { x: 0, y: 0 });
    else if (id !== null && arrow) this.step(id, arrow);
    else if (arrow) return board.panBy(arrow.x * STEP, arrow.y * STEP);
    else return false;
    return true;
  }

  /**
   * Go from one hex that can be chosen to the nearest one in a direction.
   * @param {string} id
   * @param {Point} towards
   */
  step(id, towards) {
    const { board } = this;
    const from = /** @type {Point} */ (board.centres.get(id));
    let [best, least] = [id, Infinity];
    for (const [other, { x, y }] of board.centres) {
      const along = (x - from.x) * towards.x + (y - from.y) * towards.y;
      const aside = Math.abs((x - from.x) * towards.y) + Math.abs((y - from.y) * towards.x);
      const far = along + 2 * aside;
      if (along > 1 && along >= aside * 0.5 && far < least && board.offers(other) !== null) [best, least] = [other, far];
    }
    board.hexes.get(best)?.focus({ preventScroll: true });
  }
}

/**
 * The hex that something on the page belongs to.
 * @param {EventTarget | null} target
 * @returns {string | null}
 */
export function idOf(target) {
  return closest(target, "g.hex")?.id.slice("hex-".length) ?? null;
}
