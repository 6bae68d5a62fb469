/** The shape of a hex as Python draws it. */

import { svgEl } from "./dom.js";

/** @typedef {import("./viewport.js").Point} Point */

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
