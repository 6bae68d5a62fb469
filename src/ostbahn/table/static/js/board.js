/**
 * The board: a picture that the server drew, to be looked at closely and to be clicked on.
 * The picture's hexes are groups `#hex-E11`; everything added here lies in layers above them.
 */

import { parseSvg, svgEl, wantsStillness } from "./dom.js";
import { BoardKeys } from "./board_keys.js";
import { Gestures } from "./gestures.js";
import { APOTHEM, RADIUS, Viewport, hexagon, inside } from "./geometry.js";

/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {(hex: string, event: Event, at: Point) => void} OnHex `at` is relative to the middle of the hex */

/** Kinds of highlights that only show something; hexes with any other kind can be chosen. */
const SHOWN_ONLY = new Set(["path", "last", "selected", "home"]);
/** A board of fewer pixels is small, and a hex to be hit with a finger has at least so many. */
const SMALL = 700;
const FINGER = 44;
/** The radius of the sign on a ghost that lays it. */
const SIGN = 14;

export class BoardView {
  /**
   * @param {HTMLElement} container holds the `<svg>`
   * @param {{onHex: OnHex, onHover: (hex: string | null) => void}} heard
   */
  constructor(container, { onHex, onHover }) {
    this.container = container;
    this.onHex = onHex;
    this.onHover = onHover;
    /** The sign on a ghost was clicked that lays it. */
    this.onLay = () => {};
    /** @type {OnHex | null} who hears of clicks instead of `onHex`; clicking a hex twice means something to them */
    this.captured = null;
    /** @type {Map<string, Map<string, {words: string, hint: SVGElement}>>} kind, hex */
    this.highlights = new Map();
    /** @type {string | null} */
    this.hovered = null;
    /** @type {Point | null} where the sign is that lays the ghost */
    this.lays = null;
    container.classList.add("board-view");
    this.adopt();
    this.gestures = new Gestures(container, {
      pan: (dx, dy) => this.panBy(dx, dy),
      zoom: (factor, at) => this.zoomBy(factor, at),
      click: (event, twice) => this.clicked(event, twice),
      hover: (event) => this.hoverAt(event),
    });
    this.keys = new BoardKeys(this);
    this.sizes = new ResizeObserver(() => this.measure());
    this.sizes.observe(container);
  }

  // The picture

  /** Take over the picture that is in the container. */
  adopt() {
    const svg = this.container.querySelector("svg");
    if (svg === null) throw new Error("There is no board in this element");
    /** @type {SVGSVGElement} */
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal;
    /** @type {Viewport} */
    this.viewport = new Viewport({ x, y, width, height });
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    // As an image it would hide its hexes from those who do not see it.
    svg.setAttribute("role", "group");
    const name = svg.querySelector(":scope > title")?.textContent ?? "Board";
    this.container.tabIndex = 0;
    this.container.setAttribute("role", "group");
    this.container.setAttribute("aria-label", `${name}. Plus and minus zoom, zero shows all, arrow keys move.`);
    this.findHexes();
    /** @type {Record<"network" | "routes" | "hints" | "ghost", SVGGElement>} */
    this.layers = {
      network: svgEl("g", { class: "layer layer-network" }),
      routes: svgEl("g", { class: "layer layer-routes" }),
      hints: svgEl("g", { class: "layer layer-hints" }),
      ghost: svgEl("g", { class: "layer layer-ghost" }),
    };
    svg.append(...Object.values(this.layers));
    this.measure();
  }

  findHexes() {
    /** @type {Map<string, SVGGElement>} */
    this.hexes = new Map();
    /** @type {Map<string, Point>} */
    this.centres = new Map();
    for (const group of /** @type {NodeListOf<SVGGElement>} */ (this.svg.querySelectorAll("g.hex"))) {
      const id = group.id.slice("hex-".length);
      const { e, f } = group.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
      this.hexes.set(id, group);
      this.centres.set(id, { x: e, y: f });
    }
  }

  /**
   * Put another picture of the same board here, say in other colours; what is seen and highlighted stays.
   * @param {string} markup a whole `<svg>`
   */
  replaceBoard(markup) {
    const [box, marked] = [this.viewport.box, this.marked()];
    this.svg.replaceWith(parseSvg(markup)[0]);
    this.highlights.clear();
    this.adopt();
    this.viewport.box = this.viewport.clampBox(box);
    this.show();
    for (const [kind, hex, words] of marked) this.highlight([hex], { kind, words });
  }

  /** @returns {[string, string, string][]} kind, hex and words of every highlight */
  marked() {
    return [...this.highlights].flatMap(([kind, hexes]) =>
      [...hexes].map(([hex, { words }]) => /** @type {[string, string, string]} */ ([kind, hex, words])),
    );
  }

  /**
   * Put in single hexes anew.
   * @param {Record<string, string>} drawings the group of each hex, or what is in it
   */
  replaceHexes(drawings) {
    for (const [id, markup] of Object.entries(drawings)) {
      const old = this.hexes.get(id);
      if (old === undefined) continue;
      const parts = parseSvg(markup);
      const group = parts.length === 1 && parts[0].id === old.id ? parts[0] : old.cloneNode(false);
      if (group !== parts[0]) /** @type {Element} */ (group).append(...parts);
      const focused = document.activeElement === old;
      old.replaceWith(group);
      this.hexes.set(id, /** @type {SVGGElement} */ (group));
      this.describe(id);
      if (focused) this.hexes.get(id)?.focus({ preventScroll: true });
    }
  }

  /**
   * Show routes over the hexes, or light up what a company reaches.
   * @param {"routes" | "network"} layer
   * @param {string | null} markup a group drawn by the server
   */
  setLayer(layer, markup) {
    this.layers[layer].replaceChildren(...(markup ? parseSvg(markup) : []));
  }

  // What is seen

  /** The container may have another size now. */
  measure() {
    const { width, height } = this.svg.getBoundingClientRect();
    this.viewport.resize(width, height);
    this.show();
  }

  show() {
    const { x, y, width, height } = this.viewport.box;
    this.svg.setAttribute("viewBox", [x, y, width, height].map((value) => value.toFixed(2)).join(" "));
    this.container.style.touchAction = "none"; // the page does not scroll, so a finger always moves the board
    this.container.classList.toggle("zoomed", this.viewport.zoomed);
  }

  /** See all of it. */
  fit() {
    this.glide(() => this.viewport.fit());
  }

  /**
   * @param {number} factor
   * @param {Point} [at] a point of the page that stays where it is; by default the middle
   * @returns {boolean} whether anything changed
   */
  zoomBy(factor, at) {
    const changed = this.viewport.zoomBy(factor, at && this.pixel(at));
    this.show();
    return changed;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   * @returns {boolean} whether anything changed
   */
  panBy(dx, dy) {
    const changed = this.viewport.panBy(dx, dy);
    this.show();
    return changed;
  }

  /**
   * Bring a hex into the middle, and near enough to read it.
   * @param {string} id
   * @param {boolean} [always] also if it is seen well already
   */
  focusHex(id, always = true) {
    const centre = this.centres.get(id);
    if (centre === undefined || (!always && this.viewport.shows(centre, RADIUS))) return;
    const near = (2 * RADIUS) / this.viewport.unit < 60 ? this.viewport.zoom * 1.8 : this.viewport.zoom;
    this.glide(() => this.viewport.look(centre, near));
  }

  /**
   * On a small screen, go near enough to what can be chosen to hit it with a finger.
   * @param {Iterable<string>} ids
   */
  frame(ids) {
    this.measure(); // another arrangement may have given it another frame just now
    const centres = [...ids].flatMap((id) => this.centres.get(id) ?? []);
    const { width, height } = this.viewport.size;
    if (centres.length === 0 || width === 0 || width > SMALL) return;
    const [xs, ys] = [centres.map(({ x }) => x), centres.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const unit = Math.max((right - left + 4 * RADIUS) / width, (bottom - top + 4 * RADIUS) / height);
    const near = Math.min(unit, (2 * RADIUS) / FINGER);
    const centre = { x: (left + right) / 2, y: (top + bottom) / 2 };
    this.glide(() => this.viewport.look(centre, this.viewport.whole().width / (near * width)));
  }

  /**
   * Where a hex is on the page.
   * @param {string} id
   * @returns {DOMRect}
   */
  boxOf(id) {
    const { left, top } = this.svg.getBoundingClientRect();
    const { x, y } = this.centres.get(id) ?? { x: 0, y: 0 };
    const { box, unit } = this.viewport;
    const [wide, high] = [APOTHEM / unit, RADIUS / unit];
    return new DOMRect(left + (x - box.x) / unit - wide, top + (y - box.y) / unit - high, 2 * wide, 2 * high);
  }

  /**
   * Move a hex out from behind something that covers the lower part of the board, as a sheet does on a phone.
   * @param {string} id
   * @param {DOMRect} cover
   */
  keepInView(id, cover) {
    const board = this.container.getBoundingClientRect();
    const free = Math.min(board.bottom, cover.top) - board.top;
    const sheet = cover.width > 0.9 * window.innerWidth;
    const hex = this.boxOf(id);
    const hidden = hex.bottom > board.top + free - 8 || hex.top < board.top || hex.left < board.left || hex.right > board.right;
    const small = hex.height < FINGER;
    if (!sheet || !(hidden || small) || free < 2 * RADIUS) return;
    const near = small ? (this.viewport.zoom * 1.4 * FINGER) / hex.height : this.viewport.zoom;
    this.viewport.roomBelow = Math.max(0, board.bottom - cover.top);
    const centre = /** @type {Point} */ (this.centres.get(id));
    this.viewport.look(centre, near);
    this.panBy(0, this.viewport.roomBelow / 2);
  }

  /**
   * Go to what a change of the viewport shows, in a short movement.
   * @param {() => void} change
   */
  glide(change) {
    const from = this.viewport.box;
    change();
    const to = this.viewport.box;
    this.show();
    if (wantsStillness() || document.hidden) return;
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
      if (this.viewport.box !== to) return; // somebody has moved it meanwhile
      const part = Math.min(1, Math.max(0, now - began) / 180);
      const eased = 1 - (1 - part) ** 3;
      const sides = /** @type {const} */ (["x", "y", "width", "height"]);
      const box = sides.map((side) => from[side] + (to[side] - from[side]) * eased);
      this.svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
      if (part < 1) requestAnimationFrame(step);
    };
    step(began);
  }

  /**
   * @param {Point} client
   * @returns {Point} in pixels from the picture's corner
   */
  pixel(client) {
    const { left, top } = this.svg.getBoundingClientRect();
    return { x: client.x - left, y: client.y - top };
  }

  /**
   * The hex at a point of the page, whatever is drawn above it, and where in it.
   * @param {Point} client
   * @returns {{id: string, at: Point} | null}
   */
  hexAt(client) {
    const point = this.viewport.at(this.pixel(client));
    for (const [id, centre] of this.centres) {
      const at = { x: point.x - centre.x, y: point.y - centre.y };
      if (inside(at)) return { id, at };
    }
    return null;
  }

  /**
   * The hexes that share a side with one.
   * @param {string} id
   * @returns {string[]}
   */
  neighbours(id) {
    const centre = this.centres.get(id);
    if (centre === undefined) return [];
    return [...this.centres]
      .filter(([other, { x, y }]) => other !== id && Math.hypot(x - centre.x, y - centre.y) < 2 * APOTHEM + 5)
      .map(([other]) => other);
  }

  // Highlights

  /**
   * Let hexes stand out. Unless the kind only shows something, they can be reached and chosen by keyboard.
   * @param {Iterable<string>} hexIds
   * @param {{kind?: string, words?: string | ((hex: string) => string)}} [how] words: what can be done there
   */
  highlight(hexIds, { kind = "can", words = "" } = {}) {
    const hexes = this.highlights.get(kind) ?? new Map();
    this.highlights.set(kind, hexes);
    for (const id of hexIds) {
      const centre = this.centres.get(id);
      if (centre === undefined) continue;
      hexes.get(id)?.hint.remove();
      const hint = hexagon(centre, `hint hint-${kind}`);
      this.layers.hints.append(hint);
      hexes.set(id, { words: typeof words === "function" ? words(id) : words, hint });
      this.describe(id);
    }
  }

  /** @param {string} [kind] by default all but the selected hex */
  clearHighlights(kind) {
    const kinds = kind === undefined ? [...this.highlights.keys()].filter((each) => each !== "selected") : [kind];
    for (const each of kinds) {
      const hexes = this.highlights.get(each) ?? new Map();
      this.highlights.delete(each);
      for (const [id, { hint }] of hexes) {
        hint.remove();
        this.describe(id);
      }
    }
  }

  /** @param {string | null} id */
  select(id) {
    this.clearHighlights("selected");
    if (id !== null) this.highlight([id], { kind: "selected" });
  }

  /**
   * What can be done on a hex; null if it cannot be chosen.
   * @param {string} id
   * @returns {string[] | null}
   */
  offers(id) {
    const kinds = [...this.highlights].filter(([kind, hexes]) => !SHOWN_ONLY.has(kind) && hexes.has(id));
    if (kinds.length === 0) return null;
    return kinds.map(([, hexes]) => hexes.get(id)?.words ?? "").filter((words) => words !== "");
  }

  /**
   * Make a hex a button or an ordinary hex, as its highlights are.
   * @param {string} id
   */
  describe(id) {
    const group = this.hexes.get(id);
    if (group === undefined) return;
    const offers = this.offers(id);
    group.classList.toggle("choosable", offers !== null);
    if (offers === null) {
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) group.removeAttribute(name);
      return;
    }
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", [this.nameOf(id), ...offers].join("; "));
    group.setAttribute("aria-pressed", String(this.highlights.get("selected")?.has(id) ?? false));
  }

  /** @param {string} id */
  nameOf(id) {
    return this.hexes.get(id)?.querySelector(":scope > title")?.textContent ?? id;
  }

  // A tile in place

  /**
   * Show a hex as the server drew it with a tile on it, and the sign that lays it.
   * @param {string} hexId
   * @param {string} markup the group of the hex, in its place
   */
  showPreview(hexId, markup) {
    this.layers.ghost.replaceChildren();
    const centre = this.centres.get(hexId);
    if (centre === undefined) return;
    this.lays = { x: centre.x + APOTHEM - 4, y: centre.y - RADIUS / 2 };
    const drawn = parseSvg(markup);
    for (const part of drawn) part.removeAttribute("id");
    const sign = svgEl("g", { class: "ghost-lay", transform: `translate(${this.lays.x} ${this.lays.y})` },
      svgEl("circle", { r: SIGN }), svgEl("path", { d: "M-6 0l4.5 5l8 -10" }));
    this.layers.ghost.append(svgEl("g", { class: "ghost" }, ...drawn, hexagon(centre, "ghost-rim"), sign));
  }

  clearPreview() {
    this.lays = null;
    this.viewport.roomBelow = 0;
    this.layers.ghost.replaceChildren();
  }

  // What is done with it

  /** @param {string} id @param {Event} event @param {Point} at */
  tell(id, event, at) {
    (this.captured ?? this.onHex)(id, event, at);
  }

  /** @param {MouseEvent} event @param {boolean} twice */
  clicked(event, twice) {
    const point = this.viewport.at(this.pixel({ x: event.clientX, y: event.clientY }));
    if (this.lays && Math.hypot(point.x - this.lays.x, point.y - this.lays.y) <= SIGN * 1.2) {
      this.onLay();
      return;
    }
    const found = this.hexAt({ x: event.clientX, y: event.clientY });
    if (twice && this.captured === null && (found === null || this.offers(found.id) === null)) {
      this.zoomBy(1.8, { x: event.clientX, y: event.clientY });
    } else if (found !== null) this.tell(found.id, event, found.at);
  }

  /** @param {PointerEvent | null} event */
  hoverAt(event) {
    const id = event === null ? null : (this.hexAt({ x: event.clientX, y: event.clientY })?.id ?? null);
    if (id === this.hovered) return;
    this.hovered = id;
    this.onHover(id);
  }
}
