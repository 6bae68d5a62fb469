/** What fingers, mouse and wheel do over an element, told as panning, zooming and clicking. */

import { closest } from "./dom.js";

/** @typedef {import("./geometry.js").Point} Point */
/**
 * @typedef {object} Told
 * @property {(dx: number, dy: number) => void} pan by so many pixels
 * @property {(factor: number, at: Point) => boolean} zoom towards a point of the page; whether it could
 * @property {(event: MouseEvent, twice: boolean) => void} click a click that was no drag, and whether it is the second
 * @property {(event: PointerEvent | null) => void} hover a mouse over the element, or gone
 */

/** Fewer pixels are a trembling hand, not a drag. */
const THRESHOLD = 5;
/** Two clicks within so many milliseconds and pixels are a double click; a phone tells no `dblclick` of its own. */
const TWICE = { time: 350, distance: 24 };
/** For so long after zooming the wheel does not scroll the page, so that a swing of it does not do both. */
const WHEEL_HOLD = 300;

export class Gestures {
  /**
   * @param {HTMLElement} element
   * @param {Told} told
   */
  constructor(element, told) {
    this.element = element;
    this.told = told;
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    /** @type {Point | null} */
    this.start = null;
    this.dragging = false;
    this.dragged = false;
    this.zoomedAt = -Infinity;
    /** @type {{time: number, x: number, y: number} | null} */
    this.lastClick = null;
    this.listen();
  }

  listen() {
    /**
     * @template {keyof HTMLElementEventMap} Name
     * @param {Name} name
     * @param {(event: HTMLElementEventMap[Name]) => unknown} heard
     * @param {AddEventListenerOptions} [options]
     */
    const on = (name, heard, options) => this.element.addEventListener(name, heard, options);
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.up(event));
    on("pointerleave", (event) => event.pointerType === "mouse" && this.told.hover(null));
    on("click", (event) => this.click(event), { capture: true });
    on("wheel", (event) => this.wheel(event), { passive: false });
    // Two fingers always mean the board, even if one of them lies beside it, where a finger may scroll.
    on("touchmove", (event) => event.touches.length > 1 && event.cancelable && event.preventDefault(), {
      passive: false,
    });
  }

  /** @param {PointerEvent} event */
  down(event) {
    if ((event.pointerType === "mouse" && event.button !== 0) || onControl(event)) return;
    if (event.isPrimary) {
      this.pointers.clear(); // whatever was left behind by a pointer whose end was never told
      this.dragged = false;
    }
    this.pointers.set(event.pointerId, pointOf(event));
    this.start = this.pointers.size === 1 ? pointOf(event) : null;
    if (this.pointers.size > 1) this.drag();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === "mouse") this.told.hover(event);
      return;
    }
    const now = pointOf(event);
    if (!this.dragging && this.start !== null && distance(this.start, now) >= THRESHOLD) this.drag();
    if (!this.dragging) return;
    if (this.pointers.size === 1) this.told.pan(before.x - now.x, before.y - now.y);
    else if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    this.pointers.set(event.pointerId, now);
  }

  /**
   * Two fingers: their distance zooms, their middle pans.
   * @param {number} moving
   * @param {Point} before
   * @param {Point} now
   */
  pinch(moving, before, now) {
    const other = [...this.pointers].filter(([id]) => id !== moving)[0][1];
    const [was, is] = [halfway(before, other), halfway(now, other)];
    this.told.pan(was.x - is.x, was.y - is.y);
    if (distance(before, other) > 1) this.told.zoom(distance(now, other) / distance(before, other), is);
  }

  /** From here on it is a drag: moves are heard beyond the element's rim too, and no click follows. */
  drag() {
    this.dragging = true;
    this.dragged = true;
    this.element.classList.add("dragging");
    for (const id of this.pointers.keys()) {
      try {
        this.element.setPointerCapture(id);
      } catch {
        // The pointer has gone meanwhile.
      }
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size > 0) return;
    this.dragging = false;
    this.start = null;
    this.element.classList.remove("dragging");
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (this.dragged) {
      this.dragged = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (onControl(event)) return;
    const now = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    const last = this.lastClick;
    const twice = last !== null && now.time - last.time < TWICE.time && distance(last, now) < TWICE.distance;
    this.lastClick = twice ? null : now;
    this.told.click(event, twice);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const pixels = event.deltaY * { 0: 1, 1: 18, 2: 400 }[/** @type {0 | 1 | 2} */ (event.deltaMode)];
    // A pinch on a touchpad is told as a wheel with Ctrl, in small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    const factor = Math.exp(-Math.max(-250, Math.min(250, pixels)) * speed);
    const zoomed = this.told.zoom(factor, pointOf(event));
    if (zoomed) this.zoomedAt = event.timeStamp;
    if (zoomed || event.ctrlKey || event.timeStamp - this.zoomedAt < WHEEL_HOLD) event.preventDefault();
  }
}

/**
 * Whether it concerns a button that lies over the element.
 * @param {Event} event
 */
function onControl(event) {
  return closest(event.target, "button, a, input, select") !== null;
}

/** @param {MouseEvent} event @returns {Point} */
function pointOf(event) {
  return { x: event.clientX, y: event.clientY };
}

/** @param {Point} one @param {Point} other */
function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** @param {Point} one @param {Point} other @returns {Point} */
function halfway(one, other) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
