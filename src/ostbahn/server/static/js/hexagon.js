/** The shape of a hex as Python draws it, and tiles put into it. */

import { parseSvg, svgEl } from "./dom.js";

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

/**
 * A tile as it would lie on the hex around a point, with nothing of its picture beyond the hex.
 * @param {Point} centre
 * @param {string} drawing SVG, or the address of one
 * @param {number} rotation in turns of 60 degrees
 * @returns {SVGGElement}
 */
export function ghostTile(centre, drawing, rotation) {
  const clip = svgEl("clipPath", { id: "ghost-clip" }, hexagon({ x: 0, y: 0 }, "", 0));
  const turned = svgEl("g", { transform: `rotate(${rotation * 60})` }, ...ghostParts(drawing));
  const tile = svgEl("g", { "clip-path": "url(#ghost-clip)" }, turned);
  const rim = hexagon({ x: 0, y: 0 }, "ghost-rim");
  return svgEl("g", { transform: `translate(${centre.x} ${centre.y})`, class: "ghost" }, clip, tile, rim);
}

/**
 * What to draw for a tile: whole pictures and addresses are laid around the origin.
 * @param {string} drawing
 * @returns {Element[]}
 */
function ghostParts(drawing) {
  if (!drawing.trimStart().startsWith("<")) {
    // Room for the picture's margin: a picture of a tile is as wide as the hex and 8 more.
    const [width, height] = [2 * APOTHEM + 8, 2 * RADIUS + 8];
    return [svgEl("image", { href: drawing, x: -width / 2, y: -height / 2, width, height })];
  }
  const parts = parseSvg(drawing);
  const [whole] = parts;
  if (!(whole instanceof SVGSVGElement)) return parts;
  const { width, height } = whole.viewBox.baseVal;
  for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height })) {
    whole.setAttribute(name, String(value));
  }
  return [whole];
}
