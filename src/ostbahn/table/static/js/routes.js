/** The trains' routes: shown, and built hex by hex on the board; the server says what they earn or why they cannot. */

import { el } from "./dom.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{card: string, path: string[], cars?: string[]}} Run */
/** @typedef {Record<string, Views.CityPlace[]>} Cities where cities and towns are, by hex */

/** How many colours and dashes there are for trains; the server draws with the same. */
const COLOURS = 5;

export class RouteEditor {
  /**
   * @param {HTMLElement} root
   * @param {BoardView} board
   * @param {Cities} cities
   * @param {(runs: Run[]) => Promise<Views.RunsView>} check asks the server
   */
  constructor(root, board, cities, check) {
    this.root = root;
    this.board = board;
    this.cities = cities;
    this.check = check;
    /** @type {Views.RoutesView | null} */
    this.view = null;
    /** @type {Run[]} */
    this.best = [];
    /** @type {Map<string, string[]>} the rail cars that go with each train */
    this.cars = new Map();
    this.chosen = 0;
    this.asked = 0;
    this.isOpen = false;
    this.build();
  }

  build() {
    /** @type {HTMLButtonElement} */
    this.back = el("button", { type: "button", class: "routes-best small", onclick: () => this.reset() }, "Best run");
    /** @type {HTMLElement} */
    this.list = el("ol", { class: "routes-trains" });
    /** @type {HTMLElement} */
    this.sum = el("p", { class: "routes-sum", "aria-live": "polite" });
    const hint = "Choose a train, then click its cities and the hexes between them in order. "
      + "Clicking an end of the route again takes it away.";
    this.root.classList.add("routes");
    this.root.replaceChildren(this.list, el("div", { class: "routes-foot" }, this.sum, this.back),
      el("details", { class: "routes-hint" }, el("summary", {}, "Run another way"), hint));
  }

  /**
   * Begin with the runs of a view; these are what "best run" goes back to.
   * @param {Views.RoutesView} view
   */
  open(view) {
    this.close();
    this.best = runsOf(view);
    this.cars = new Map(view.routes.map(({ card, cars }) => [card, cars]));
    this.chosen = 0;
    this.board.captured = (hex, _event, at) => this.hexClicked(hex, at);
    this.isOpen = true;
    this.show(view);
  }

  /** Leave the board to others. */
  close() {
    this.asked += 1;
    this.board.captured = null;
    this.isOpen = false;
    this.board.clearHighlights("route");
    this.board.clearHighlights("path");
  }

  /** @returns {Run[]} */
  runs() {
    return this.view === null ? [] : runsOf(this.view);
  }

  /** Trains that run, as an answer names them. @returns {Run[]} */
  running() {
    const withCars = (/** @type {Run} */ run) => (this.cars.get(run.card)?.length ? { ...run, cars: this.cars.get(run.card) } : run);
    return this.runs().filter(({ path }) => path.length > 0).map(withCars);
  }

  // Building

  /** @returns {Views.RouteView | undefined} */
  get train() {
    return this.view?.routes[this.chosen];
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = index;
    this.render();
  }

  reset() {
    if (this.view === null) return;
    this.ask(this.view.routes.map(({ card }) => this.best.find((run) => run.card === card)?.path ?? []));
  }

  /**
   * @param {number} index
   * @param {string[]} path
   */
  setPath(index, path) {
    if (this.view === null) return;
    this.ask(this.view.routes.map((train, other) => (other === index ? path : train.path)));
  }

  /**
   * @param {string} hex
   * @param {Point} at
   */
  hexClicked(hex, at) {
    const train = this.train;
    if (train === undefined) return;
    this.setPath(this.chosen, this.extended(train.path, this.placeAt(hex, at)));
  }

  /**
   * A path with one more place at the end that it is next to; an end that is given again is taken away.
   * @param {string[]} path
   * @param {string} place
   */
  extended(path, place) {
    const [first, last] = [path[0], path[path.length - 1]];
    if (place === last) return path.slice(0, -1);
    if (place === first) return path.slice(1);
    const beside = (/** @type {string} */ end) => this.board.neighbours(hexOf(end)).includes(hexOf(place));
    if (path.length > 0 && !beside(last) && beside(first)) return [place, ...path];
    return [...path, place];
  }

  /**
   * What a click in a hex means: its nearest city or town, or plain track.
   * @param {string} hex
   * @param {Point} at
   */
  placeAt(hex, at) {
    const here = this.cities[hex] ?? [];
    return here.length === 0 ? hex : nearest(here, at).id;
  }

  /**
   * Show new paths at once, and what they earn when the server has answered; only the latest answer counts.
   * @param {string[][]} paths
   */
  async ask(paths) {
    const view = /** @type {Views.RoutesView} */ (this.view);
    const asked = ++this.asked;
    this.view = { ...view, routes: view.routes.map((train, index) => ({ ...train, path: paths[index] })) };
    this.root.setAttribute("aria-busy", "true");
    this.render();
    try {
      const answer = await this.check(this.running());
      if (asked !== this.asked) return;
      this.board.setLayer("routes", answer.svg);
      this.show(answer.view);
    } catch (fault) {
      if (asked === this.asked) this.fail(fault);
    }
  }

  /** @param {unknown} fault */
  fail(fault) {
    this.root.removeAttribute("aria-busy");
    this.sum.textContent = `The run could not be checked: ${fault instanceof Error ? fault.message : fault}`;
    this.sum.classList.add("refused");
  }

  // Showing

  /** @param {Views.RoutesView} view */
  show(view) {
    this.view = view;
    this.root.removeAttribute("aria-busy");
    this.render();
  }

  render() {
    const view = this.view;
    if (view === null) return;
    const held = this.heldFocus();
    this.list.replaceChildren(...view.routes.map((train, index) => this.trainItem(train, index)));
    /** @type {HTMLElement | null} */ (this.list.querySelector(held))?.focus();
    this.sum.textContent = sumOf(view);
    this.sum.classList.toggle("refused", !view.legal);
    this.back.disabled = view.legal && JSON.stringify(runsOf(view)) === JSON.stringify(this.best);
    this.mark();
  }

  /** Where the keyboard is, to find it again in the list that takes its place. */
  heldFocus() {
    const held = document.activeElement;
    const control = this.list.contains(held) ? held?.getAttribute("data-control") : null;
    return control ? `[data-control="${control}"]` : "[data-control='']";
  }

  /** Show on the board where the chosen route is, and where it can go on. */
  mark() {
    this.board.clearHighlights("route");
    this.board.clearHighlights("path");
    const path = this.train?.path ?? [];
    if (!this.isOpen || this.train === undefined) return;
    this.board.highlight(path.map(hexOf), { kind: "path" });
    const ends = path.length > 0 ? [hexOf(path[0]), hexOf(path[path.length - 1])] : [];
    const starts = Object.keys(this.cities);
    const next = path.length > 0 ? ends.flatMap((end) => [end, ...this.board.neighbours(end)]) : starts;
    const words = (/** @type {string} */ hex) => (ends.includes(hex) ? "take away from the route" : "add to the route");
    this.board.highlight(new Set(next), { kind: "route", words });
  }

  /**
   * @param {Views.RouteView} train
   * @param {number} index
   */
  trainItem(train, index) {
    const chosen = index === this.chosen;
    const pick = el("button",
      { type: "button", class: "routes-pick", "aria-pressed": String(chosen), "data-control": `pick-${index}`,
        onclick: () => this.choose(index) },
      el("span", { class: `routes-swatch route-${train.colour % COLOURS}`, "aria-hidden": "true" }),
      el("span", { class: "routes-face" }, train.face),
      el("span", { class: "routes-revenue" }, worth(train)));
    const refusal = train.refusal && train.path.length > 0
      ? el("p", { class: "routes-refusal" }, refusalWords(train.refusal))
      : null;
    const tools = chosen ? this.tools(train, index) : null;
    return el("li", { class: chosen ? "chosen" : null }, pick, stops(train), refusal, tools);
  }

  /**
   * @param {Views.RouteView} train
   * @param {number} index
   */
  tools(train, index) {
    /** @type {HTMLInputElement} */
    const field = el("input",
      { type: "text", value: train.path.join(" "), "aria-label": `Route of ${train.face}`,
        placeholder: "E11.0 E13 E15.0", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
        "data-control": `path-${index}`,
        onchange: () => this.setPath(index, pathIn(field.value)) });
    const clear = el("button",
      { type: "button", disabled: train.path.length === 0, "data-control": `clear-${index}`,
        "aria-label": `Clear the route of ${train.face}`, onclick: () => this.setPath(index, []) }, "Clear");
    return el("div", { class: "routes-tools" }, el("details", {}, el("summary", {}, "As text"), field), clear);
  }
}

/** @param {Views.RoutesView} view @returns {Run[]} */
function runsOf(view) {
  return view.routes.map(({ card, path }) => ({ card, path: [...path] }));
}

/** @param {string} place */
export function hexOf(place) {
  return place.split(".")[0];
}

/**
 * The one that a click means.
 * @template {Point} Place
 * @param {Place[]} places
 * @param {Point} at
 */
export function nearest(places, at) {
  const far = (/** @type {Place} */ { x, y }) => Math.hypot(x - at.x, y - at.y);
  return places.reduce((one, other) => (far(other) < far(one) ? other : one));
}

/**
 * A path as somebody writes it: with spaces, commas, dashes or arrows between.
 * @param {string} text
 * @returns {string[]}
 */
export function pathIn(text) {
  return text.split(/[\s,;>→–-]+/).filter((place) => place !== "");
}

/** @param {Views.RefusalView} refusal */
function refusalWords({ text, rule }) {
  return rule ? `${text} (${rule})` : text;
}

/** @param {Views.RouteView} train */
function worth({ revenue, subsidy }) {
  return subsidy ? `${revenue} + ${subsidy}` : String(revenue);
}

/** @param {Views.RoutesView} view */
export function sumOf({ revenue, subsidy, most, bound, legal, refusal }) {
  const total = revenue + subsidy;
  if (!legal && refusal) return `${total} – ${refusalWords(refusal)}`;
  if (total < most) return `${total} of at most ${bound}`;
  return total < bound ? `${total}, the best run found. Not proven: there may be one with up to ${bound}` : `${total}, the highest revenue`;
}

/**
 * The stops of a route with what they pay; those that do not count are struck out.
 * @param {Views.RouteView} train
 */
function stops(train) {
  if (train.path.length === 0) return el("p", { class: "routes-stops" }, "no route");
  const names = train.stops.map(({ place, value, counted }) =>
    el(counted ? "span" : "s", { title: counted ? place.id : `${place.id}, not counted` }, `${place.name} ${value}`));
  const bonuses = train.bonuses.map(({ words, value }) => el("span", { class: "routes-bonus" }, ` + ${words} ${value}`));
  return el("p", { class: "routes-stops" }, ...names.flatMap((name, index) => (index ? [" – ", name] : [name])), ...bonuses);
}
