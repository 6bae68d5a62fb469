/** The question: answers are chosen by buttons or on the board, what they bring is shown, and they are confirmed. */

import { el } from "./dom.js";
import { RouteEditor } from "./routes.js";
import { TilePalette } from "./palette.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./viewport.js").Point} Point */
/** @typedef {import("./sync.js").Table} Table */
/** @typedef {import("./palette.js").Answer} TileAnswer */
/** @typedef {import("./routes.js").RunView} RunView */
/** @typedef {{do: string} & Record<string, unknown>} Action what else it has is between the rules and the server */
/** @typedef {{index: number, action: Action, words?: string, remark?: string, place?: string, tile?: string, cost?: number}} Answer */
/** @typedef {{answers: Answer[], tiles: import("./palette.js").Tiles}} QuestionData */
/** @typedef {Record<string, {id: string, x: number, y: number}[]>} Cities where cities and towns are, by hex */
/** @typedef {{text: string, grave: boolean}} Consequence */
/** @typedef {{words: string, consequences: Consequence[], refusal: string | null, rule: string | null, rule_text: string | null}} Preview */
/** @typedef {{words: string, action: Action, reasons: string[]}} Hint */
/** @typedef {import("./routes.js").Refusal} Refusal */
/** @typedef {{place: {id: string, name: string}, value: number, counted: boolean}} StopData */
/** @typedef {{card: string, face: string, path: string[], stops: StopData[], revenue: number, subsidy: number, cars: string[], colour: number, refusal: Refusal | null}} RouteData */
/** @typedef {{routes: RouteData[], revenue: number, subsidy: number, most: number, bound: number, legal: boolean, refusal: Refusal | null}} RoutesData */

export class Asking {
  /** @param {Table} table @param {BoardView} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    /** @type {Answer[]} */
    this.answers = [];
    /** @type {Action | null} the action that waits to be confirmed */
    this.chosen = null;
    this.asked = 0;
    /** @type {RouteEditor | null} */
    this.editor = null;
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("palette"));
    this.palette = new TilePalette(dialog, {
      tileUrl: (tile, rotation) => this.tileUrl(tile, rotation),
      onChoose: (answer) => this.choose(answer.action, true),
      onPreview: (answer) => this.ghost(answer),
    });
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", (event) => this.submitted(event));
    document.addEventListener("pointerover", (event) => this.pointed(event));
  }

  get panel() {
    return /** @type {HTMLElement} */ (document.getElementById("panel-question"));
  }

  /** @param {string} tile @param {number} rotation */
  tileUrl(tile, rotation) {
    const { title, variant, theme, release } = this.table.root.dataset;
    return `/pictures/${title}/${variant}/${theme || "light"}/tile/${tile}/${rotation}?v=${release}`;
  }

  // A new question

  /** Take up the question that the panel shows now. */
  begin() {
    this.chosen = null;
    this.asked += 1; // a preview on its way is of another question
    this.editor?.close();
    this.editor = null;
    this.board.clearHighlights();
    this.board.select(null);
    this.board.clearGhost();
    const data = /** @type {QuestionData | null} */ (read("question-data"));
    this.answers = data?.answers ?? [];
    this.tiles = data?.tiles ?? {};
    /** @type {Cities} */
    this.cities = /** @type {Cities | null} */ (read("city-data")) ?? {};
    this.palette.dialog.open && this.palette.dialog.close();
    this.highlight();
    const routes = /** @type {RoutesData | null} */ (read("routes-data"));
    if (routes !== null) this.openRoutes(routes);
  }

  /** Let hexes stand out on which something can be done. */
  highlight() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { place } of this.answers) {
      if (place !== undefined) counts.set(hexOf(place), (counts.get(hexOf(place)) ?? 0) + 1);
    }
    const words = (/** @type {string} */ hex) => {
      const count = counts.get(hex) ?? 0;
      return count === 1 ? "one possible answer" : `${count} possible answers`;
    };
    this.board.highlight(counts.keys(), { kind: "can", words });
  }

  focus() {
    this.panel.scrollIntoView({ block: "nearest" });
    const controls = /** @type {HTMLElement[]} */ ([...this.panel.querySelectorAll("button, input, select, summary")]);
    const first = controls.find((each) => each.closest("#answers, #confirm") !== null && each.checkVisibility()) ?? controls[0];
    first?.focus();
  }

  // The board

  /** @param {string} hex @param {Point} at */
  hexClicked(hex, at) {
    const here = this.answers.filter(({ place }) => place !== undefined && hexOf(place) === hex);
    if (here.length === 0) {
      this.explain(hex);
      return;
    }
    this.board.select(hex);
    const lays = here.filter(({ tile }) => tile !== undefined);
    if (lays.length > 0) this.openPalette(hex, lays);
    else this.choose(nearest(here, at, this.cities).action);
  }

  /** @param {string} hex @param {Answer[]} lays */
  openPalette(hex, lays) {
    const answers = /** @type {TileAnswer[]} */ (lays.map((answer) => ({ ...answer, words: answer.words ?? "" })));
    this.palette.open({ hex, hexName: this.board.nameOf(hex).replace(hex, "").trim().replace(/^; /, ""), answers, tiles: this.tiles });
  }

  /** @param {TileAnswer | null} answer */
  ghost(answer) {
    if (answer === null || answer.tile === undefined) this.board.clearGhost();
    else this.board.showTileGhost(answer.action.hex, this.tileUrl(answer.tile, answer.action.rotation));
  }

  /**
   * Say why nothing can be done on a hex.
   * @param {string} hex
   */
  async explain(hex) {
    if (this.answers.length === 0) return;
    const lines = /** @type {string[]} */ (await this.table.ask(`reasons/${hex}`));
    if (lines.length > 0) this.tellIn("Why not here?", lines.map((line) => ({ text: line, grave: false })), null);
  }

  // Buttons and forms

  /** @param {Event} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest("[data-index]"));
    if (button !== null) this.chooseIndex(Number(button.dataset.index));
    const chip = /** @type {HTMLElement | null} */ (target.closest("button[data-hex]"));
    if (chip !== null) {
      this.board.focusHex(chip.dataset.hex ?? "");
      this.hexClicked(chip.dataset.hex ?? "", { x: 0, y: 0 });
    }
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.price === undefined && form.dataset.choice === undefined) return;
    event.preventDefault();
    const values = new FormData(form);
    if (form.dataset.choice !== undefined) this.chooseIndex(Number(values.get("index")));
    else {
      const answer = this.answers.find(({ index }) => index === Number(form.dataset.price));
      if (answer !== undefined) this.choose({ ...answer.action, price: Number(values.get("price")) });
    }
  }

  /** Show on the board where an answer would be. @param {Event} event */
  pointed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = target.closest?.("[data-place], button[data-hex]");
    const place = /** @type {HTMLElement | null} */ (button)?.dataset;
    if (place !== undefined && this.chosen === null) this.board.select(hexOf(place.place ?? place.hex ?? ""));
  }

  /** @param {number} index */
  chooseIndex(index) {
    const answer = this.answers.find((each) => each.index === index);
    if (answer !== undefined) this.choose(answer.action);
  }

  /** Ask the bot S, and show what it would do and why; it can be confirmed like any other answer. */
  async hint() {
    if (this.answers.length === 0) return;
    const asked = (this.asked += 1);
    this.tellIn("The bot is thinking …", [], null);
    try {
      const { action, words, reasons } = /** @type {Hint} */ (await this.table.ask("hint", {}));
      if (asked !== this.asked) return;
      this.chosen = action;
      this.tellIn(`S would ${words}`, reasons.map((text) => ({ text, grave: false })), action);
    } catch (fault) {
      this.cancel();
      this.table.tell(fault);
    }
  }

  pass() {
    const answer = this.answers.find(({ action }) => action.do === "pass");
    if (answer !== undefined) this.choose(answer.action);
  }

  // Confirming

  /**
   * Choose an action; what it brings about is shown first, unless it has been seen already and nothing speaks against it.
   * @param {Action} action
   * @param {boolean} [seen] whether the player has confirmed it once, as in the palette
   */
  async choose(action, seen = false) {
    const asked = (this.asked += 1);
    this.chosen = action;
    const preview = /** @type {Preview} */ (await this.table.ask("preview", { action }));
    if (asked !== this.asked) return;
    if (preview.refusal !== null) {
      this.chosen = null;
      this.tellIn(preview.refusal, preview.rule ? [{ text: `${preview.rule}: ${preview.rule_text ?? ""}`, grave: true }] : [], null);
      return;
    }
    const grave = preview.consequences.some((each) => each.grave);
    if ((seen && !grave) || (preview.consequences.length === 0 && quick(action))) this.confirmChosen();
    else this.tellIn(preview.words, preview.consequences, action);
  }

  /**
   * @param {string} words
   * @param {Consequence[]} lines
   * @param {Action | null} action to be confirmed
   */
  tellIn(words, lines, action) {
    const box = document.getElementById("confirm");
    if (box === null) return;
    const buttons = action === null
      ? [el("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, "Close")]
      : [
          el("button", { type: "button", id: "confirm-yes", class: "primary", onclick: () => this.confirmChosen() }, "Confirm"),
          el("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, "Cancel"),
        ];
    box.replaceChildren(
      el("p", { class: "words" }, words),
      el("ul", {}, ...lines.map(({ text, grave }) => el("li", { class: grave ? "grave" : "" }, text))),
      el("div", { class: "buttons" }, ...buttons),
    );
    box.hidden = false;
    /** @type {HTMLElement} */ (box.querySelector("button")).focus();
    box.scrollIntoView({ block: "nearest" });
  }

  async confirmChosen() {
    const action = this.chosen;
    if (action === null) return;
    this.chosen = null;
    await this.table.send("answer", { action });
    this.cancel();
  }

  cancel() {
    this.chosen = null;
    this.asked += 1;
    this.board.clearGhost();
    this.board.select(null);
    const box = document.getElementById("confirm");
    if (box !== null) box.hidden = true;
  }

  // Routes

  /** @param {RoutesData} view */
  openRoutes(view) {
    const root = document.getElementById("route-editor");
    if (root === null) return;
    /** @type {Map<string, string[]>} the rail cars that go with each train */
    const cars = new Map(view.routes.map((route) => [route.card, route.cars]));
    const runs = (/** @type {{card: string, path: string[]}[]} */ drawn) =>
      drawn.filter(({ path }) => path.length > 0)
        .map((run) => ((cars.get(run.card) ?? []).length ? { ...run, cars: cars.get(run.card) } : run));
    const place = document.createElement("div");
    const run = el("button", { type: "button", class: "run primary", onclick: () => this.choose({ do: "run_trains", runs: runs(this.editor?.runs() ?? []) }, true) }, "Run");
    root.replaceChildren(place, run);
    this.editor = new RouteEditor(place, this.board, {
      check: async (drawn) => {
        const told = /** @type {{view: RoutesData, svg: string}} */ (await this.table.ask("runs", { action: { runs: runs(drawn) } }));
        return { ...routesFor(told.view), cities: this.cities, svg: told.svg };
      },
    });
    this.editor.open({ ...routesFor(view), cities: this.cities });
  }
}

/** Answers that need no second look if nothing grave comes of them. @param {Action} action */
function quick(action) {
  return ["pass", "decline", "draft_minor", "draft_share"].includes(action.do);
}

/** @param {string} place */
function hexOf(place) {
  return place.split(".")[0];
}

/**
 * The answer for the city that was clicked, where a hex has several.
 * @param {Answer[]} answers
 * @param {Point} at
 * @param {Cities} cities
 */
function nearest(answers, at, cities) {
  const distance = (/** @type {Answer} */ { place = "" }) => {
    const city = (cities[hexOf(place)] ?? []).find(({ id }) => id === place);
    return city === undefined ? 0 : Math.hypot(city.x - at.x, city.y - at.y);
  };
  return answers.reduce((one, other) => (distance(other) < distance(one) ? other : one));
}

/** The server's view of routes as the editor wants it. @param {RoutesData} view @returns {RunView} */
function routesFor(view) {
  return {
    trains: view.routes.map(({ colour, ...route }) => ({
      ...route,
      stops: route.stops.map((stop) => ({ place: stop.place.id, name: stop.place.name, value: stop.value, counted: stop.counted })),
    })),
    total: view.revenue + view.subsidy,
    highest: view.most,
    bound: view.bound,
    allowed: view.legal,
    refusal: view.refusal,
  };
}

/** What the server has put into the page as JSON. @param {string} id @returns {unknown} */
function read(id) {
  const element = document.getElementById(id);
  return element === null ? null : JSON.parse(element.textContent ?? "null");
}
