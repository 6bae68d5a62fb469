/** Where things are: the shape of a hex as Python draws it, and which part of a picture is seen. */

import { svgEl } from "./dom.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number}} Point */

export const RADIUS = 50;
export const APOTHEM = (RADIUS * Math.sqrt(3)) / 2;

/**
 * Whether a point, seen from the middle of a hex, is in it.
 * @param {Point} at
 */
export function inside(at) {
  const [x, y] = [Math.abs(at.x), Math.abs(at.y)];
  return x <= APOTHEM && x / 2 + (y * Math.sqrt(3)) / 2 <= APOTHEM;
}

/**
 * The outline of a hex, a little inside its border.
 * @param {Point} centre
 * @param {string} name
 * @param {number} [inset]
 * @returns {SVGPolygonElement}
 */
export function hexagon({ x, y }, name, inset = 2) {
  const radius = RADIUS - (inset * 2) / Math.sqrt(3);
  const corners = [30, 90, 150, 210, 270, 330].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return svgEl("polygon", { points: corners.join(" "), class: name || null });
}

/** The smaller side of what is seen can shrink to so many units of the picture; a hex is 100 high. */
const CLOSEST = 150;

/** Pure arithmetic about boxes, so that zooming and panning have one truth. */
export class Viewport {
  /** @param {Box} home the whole picture */
  constructor(home) {
    this.home = home;
    /** The size of the window in pixels. */
    this.size = { width: home.width, height: home.height };
    /** So many pixels at the bottom of the window are covered: the picture may be moved up as far. */
    this.roomBelow = 0;
    /** @type {Box} What is seen, always in the window's proportions. */
    this.box = this.whole();
  }

  /**
   * The smallest box in the window's proportions that holds the whole picture.
   * @returns {Box}
   */
  whole() {
    const unit = Math.max(this.home.width / this.size.width, this.home.height / this.size.height);
    return around(middle(this.home), this.size.width * unit, this.size.height * unit);
  }

  /** How many times larger than at first everything is seen. */
  get zoom() {
    return this.whole().width / this.box.width;
  }

  get zoomed() {
    return this.zoom > 1.001;
  }

  get furthest() {
    const whole = this.whole();
    return Math.max(1, Math.min(whole.width, whole.height) / CLOSEST);
  }

  /** How many units of the picture a pixel of the window shows. */
  get unit() {
    return this.box.width / this.size.width;
  }

  /**
   * A point of the window as a point of the picture.
   * @param {Point} pixel
   * @returns {Point}
   */
  at(pixel) {
    return { x: this.box.x + pixel.x * this.unit, y: this.box.y + pixel.y * this.unit };
  }

  fit() {
    this.box = this.whole();
  }

  /**
   * The window has another size now; the middle and the zoom stay.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (width <= 0 || height <= 0) return;
    const [zoom, centre] = [this.zoom, middle(this.box)];
    this.size = { width, height };
    this.look(centre, zoom);
  }

  /**
   * Zoom so that what is under a point of the window stays there.
   * @param {number} factor
   * @param {Point} [pixel] by default the middle of the window
   * @returns {boolean} whether anything changed
   */
  zoomBy(factor, pixel = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const before = this.box;
    const fixed = this.at(pixel);
    const zoom = clamp(this.zoom * factor, 1, this.furthest);
    const whole = this.whole();
    const [width, height] = [whole.width / zoom, whole.height / zoom];
    this.box = this.clampBox({
      x: fixed.x - (pixel.x / this.size.width) * width,
      y: fixed.y - (pixel.y / this.size.height) * height,
      width,
      height,
    });
    return !same(before, this.box);
  }

  /**
   * Move what is seen by so many pixels.
   * @param {number} dx
   * @param {number} dy
   * @returns {boolean} whether anything changed
   */
  panBy(dx, dy) {
    const before = this.box;
    this.box = this.clampBox({ ...before, x: before.x + dx * this.unit, y: before.y + dy * this.unit });
    return !same(before, this.box);
  }

  /**
   * Look at a point of the picture.
   * @param {Point} centre
   * @param {number} [zoom]
   */
  look(centre, zoom = this.zoom) {
    const whole = this.whole();
    const near = clamp(zoom, 1, this.furthest);
    this.box = this.clampBox(around(centre, whole.width / near, whole.height / near));
  }

  /**
   * Whether a point is seen, and not only at the very rim.
   * @param {Point} point
   * @param {number} margin
   */
  shows(point, margin) {
    const { x, y, width, height } = this.box;
    const inside = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ length) =>
      at >= from + margin && at <= from + length - margin;
    return inside(point.x, x, width) && inside(point.y, y, height);
  }

  /**
   * A box pushed back so that nothing beyond the picture is seen.
   * @param {Box} box
   * @returns {Box}
   */
  clampBox(box) {
    const whole = this.whole();
    return {
      ...box,
      x: clamp(box.x, whole.x, whole.x + whole.width - box.width),
      y: clamp(box.y, whole.y, whole.y + whole.height - box.height + (this.roomBelow * box.width) / this.size.width),
    };
  }
}

/** @param {number} value @param {number} low @param {number} high */
function clamp(value, low, high) {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** @param {Box} box @returns {Point} */
function middle(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Point} centre @param {number} width @param {number} height @returns {Box} */
function around(centre, width, height) {
  return { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
}

/** @param {Box} one @param {Box} other */
function same(one, other) {
  const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) < 0.01;
  return near(one.x, other.x) && near(one.y, other.y) && near(one.width, other.width);
}
