/** An answer as it is seen happening: on the board, on the chart and on the cards. */

import { el, svgEl, wantsStillness } from "./dom.js";
import { RADIUS, hexagon } from "./geometry.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {Map<string, Point>} Places where markers are, in pixels from the corner of their chart */

/** No movement lasts longer, however slowly moves follow each other. */
const LONGEST = 1100;
const MARKER = "marker-";

/**
 * Show what an answer changed. What it touched stays marked; the rest passes.
 * @param {BoardView} board
 * @param {Views.MoveView} move
 * @param {Places} before where the markers were
 * @param {number} pace milliseconds till the next move; 0 for marks alone
 */
export function show(board, move, before, pace) {
  mark(board, move);
  if (pace === 0 || wantsStillness() || document.hidden) return;
  const duration = Math.min(pace * 0.85, LONGEST);
  document.documentElement.style.setProperty("--motion", `${duration}ms`);
  bringIntoView(board, move.hexes);
  for (const hex of move.hexes) pulse(board, hex);
  moveMarkers(before, duration);
  if (move.route) drawRun(board.layers.routes, duration);
  for (const company of move.companies) for (const card of cardsOf(company)) playOnce(card, "flash");
  for (const { who, amount } of move.money) float(who, amount);
}

/**
 * The last move stays marked until the next one.
 * @param {BoardView} board
 * @param {Views.MoveView | null} move
 */
export function mark(board, move) {
  board.clearHighlights("last");
  board.highlight(move?.hexes ?? [], { kind: "last" });
  for (const card of document.querySelectorAll(".last-move")) card.classList.remove("last-move");
  for (const company of move?.companies ?? []) for (const card of cardsOf(company)) card.classList.add("last-move");
}

/** @param {string} who a company or a seat */
function cardsOf(who) {
  const name = CSS.escape(who);
  return /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-company-card="${name}"], [data-player="${name}"]`));
}

// The board

/** @param {BoardView} board @param {string[]} hexes */
function bringIntoView(board, hexes) {
  const centres = hexes.flatMap((hex) => board.centres.get(hex) ?? []);
  if (centres.length > 0 && !centres.some((centre) => board.viewport.shows(centre, RADIUS / 2))) board.focusHex(hexes[0]);
}

/** @param {BoardView} board @param {string} hex */
function pulse(board, hex) {
  const centre = board.centres.get(hex);
  if (centre === undefined) return;
  const ring = hexagon(centre, "pulse", 0);
  ring.addEventListener("animationend", () => ring.remove());
  board.layers.hints.append(ring);
}

/**
 * Let trains go along their routes: each route is drawn hex by hex, from its first to its last.
 * @param {SVGGElement} layer
 * @param {number} duration
 */
export function drawRun(layer, duration) {
  for (const line of layer.querySelectorAll(".route > g")) {
    const pieces = /** @type {SVGPathElement[]} */ ([...line.querySelectorAll("path")]);
    const each = duration / Math.max(1, pieces.length);
    pieces.forEach((piece, index) => {
      const length = piece.getTotalLength();
      const from = isBackwards(pieces, index) ? -length : length;
      const dashes = { strokeDasharray: `${length} ${length}` };
      piece.animate([{ ...dashes, strokeDashoffset: from }, { ...dashes, strokeDashoffset: 0 }],
        { delay: index * each, duration: each, fill: "backwards" });
    });
  }
}

/**
 * Whether a piece of a route is drawn from where the train leaves its hex to where it came in.
 * @param {SVGPathElement[]} pieces
 * @param {number} index
 */
function isBackwards(pieces, index) {
  const piece = pieces[index];
  const [earlier, later] = [pieces[index - 1], pieces[index + 1]];
  const neighbour = earlier ?? later;
  if (neighbour === undefined) return false;
  const here = placeOf(piece);
  const there = placeOf(neighbour);
  const far = (/** @type {Point} */ end) => Math.hypot(end.x + here.x - there.x, end.y + here.y - there.y);
  const startsThere = far(piece.getPointAtLength(0)) < far(piece.getPointAtLength(piece.getTotalLength()));
  return startsThere !== (earlier !== undefined);
}

/** @param {SVGPathElement} piece @returns {Point} the middle of its hex */
function placeOf(piece) {
  const { e, f } = piece.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
  return { x: e, y: f };
}

// The chart

/** @returns {Places} */
export function markerPlaces() {
  return new Map(markers().map(([company, marker]) => [company, placeOn(marker)]));
}

/** @returns {[string, SVGGElement][]} companies with their markers, as far as they are seen */
function markers() {
  const groups = /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll(`#panel-chart g[id^="${MARKER}"]`));
  return [...groups].filter((group) => group.checkVisibility()).map((group) => [group.id.slice(MARKER.length), group]);
}

/** @param {SVGGElement} marker @returns {Point} */
function placeOn(marker) {
  const chart = /** @type {SVGSVGElement} */ (marker.ownerSVGElement).getBoundingClientRect();
  const { left, top } = marker.getBoundingClientRect();
  return { x: left - chart.left, y: top - chart.top };
}

/**
 * Let markers go from where they were to where they are.
 * @param {Places} before
 * @param {number} duration
 */
function moveMarkers(before, duration) {
  for (const [company, marker] of markers()) {
    const [from, to] = [before.get(company), placeOn(marker)];
    if (from === undefined) playOnce(marker, "appear");
    else if (Math.hypot(from.x - to.x, from.y - to.y) > 1) fly(marker, { x: from.x - to.x, y: from.y - to.y }, duration);
  }
}

/**
 * A copy flies above all spaces of the chart, and the marker shows when it has come.
 * @param {SVGGElement} marker
 * @param {Point} from in pixels from where it is
 * @param {number} duration
 */
function fly(marker, from, duration) {
  const chart = /** @type {SVGSVGElement} */ (marker.ownerSVGElement);
  const around = /** @type {SVGGraphicsElement} */ (marker.parentNode);
  const [screen, seen] = [chart.getScreenCTM(), around.getScreenCTM()];
  if (screen === null || seen === null) return;
  const { a, b, c, d, e, f } = screen.inverse().multiply(seen);
  const copy = /** @type {SVGGElement} */ (marker.cloneNode(true));
  copy.removeAttribute("id");
  const flying = svgEl("g", { transform: `matrix(${[a, b, c, d, e, f].join(" ")})`, class: "flying", "aria-hidden": "true" }, copy);
  chart.append(flying);
  const how = { duration, easing: "cubic-bezier(0.5, 0, 0.2, 1)" };
  marker.animate([{ opacity: 0 }, { opacity: 0 }], how);
  const flight = copy.animate(
    [{ transform: `translate(${from.x / seen.a}px, ${from.y / seen.d}px)` }, { transform: "translate(0, 0)" }], how);
  flight.onfinish = () => flying.remove();
}

// Cards

/**
 * An amount that rises from a card and fades.
 * @param {string} who
 * @param {number} amount
 */
function float(who, amount) {
  const card = [...cardsOf(who)].find(isSeen);
  if (card === undefined) return;
  playOnce(card, "flash");
  const { right, top } = card.getBoundingClientRect();
  const told = el("span", { class: `float-amount ${amount > 0 ? "gain" : "loss"}`, "aria-hidden": "true" },
    amount > 0 ? `+${amount}` : `−${-amount}`);
  told.style.left = `${right}px`;
  told.style.top = `${Math.max(top, 0)}px`;
  told.addEventListener("animationend", () => told.remove());
  document.body.append(told);
}

/** @param {Element} card */
function isSeen(card) {
  const { width, bottom, top } = card.getBoundingClientRect();
  return card.checkVisibility() && width > 0 && bottom > 0 && top < window.innerHeight;
}

/** @param {Element} element @param {string} name of a class with an animation */
function playOnce(element, name) {
  element.classList.add(name);
  element.addEventListener("animationend", () => element.classList.remove(name), { once: true });
}
