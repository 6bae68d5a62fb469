/** The question: a click on a button or on the board answers it; only where the consequences are grave is it asked again. */

import { byId, closest, el } from "./dom.js";
import { idOf } from "./board_keys.js";
import { Tips } from "./tips.js";
import { TilePalette } from "./palette.js";
import { RouteEditor, hexOf, nearest } from "./routes.js";
import { request } from "./transport.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./sync.js").Table} Table */
/** @typedef {import("./controls.js").Toasts} Toasts */
/** @typedef {import("./palette.js").Lay} Lay */
/** @typedef {Record<string, unknown>} Action what is in it is between the rules and the server */
/** @typedef {{text: string, grave: boolean}} Consequence */

export class QuestionController {
  /** @param {Table} table @param {BoardView} board @param {Toasts} toasts */
  constructor(table, board, toasts) {
    this.table = table;
    this.board = board;
    this.toasts = toasts;
    /** @type {Views.AnswerData[]} */
    this.answers = [];
    /** @type {import("./palette.js").Tiles} */
    this.tiles = {};
    /** @type {import("./routes.js").Cities} */
    this.cities = {};
    this.generation = 0;
    /** @type {RouteEditor | null} */
    this.editor = null;
    /** @type {Map<number, Promise<Views.Preview | null>>} what answers would bring about, as far as somebody pointed at them */
    this.previews = new Map();
    /** @type {Record<string, Views.GainView>} by the index of the answer */
    this.gains = {};
    /** Whether somebody points at a hex in a list: then the list stays in its order. */
    this.pointing = false;
    /** The address of the ghost that is shown, or on its way. */
    this.previewAddress = "";
    this.box = /** @type {HTMLDialogElement} */ (byId("confirm"));
    this.palette = new TilePalette(byId("palette"), {
      tileUrl: (tile, rotation) => this.tileUrl(tile, rotation),
      onChoose: (answer) => this.choose(answer.action),
      onPreview: (answer) => this.previewTile(answer),
    });
    board.onLay = () => this.palette.confirm();
    this.tips = new Tips(byId("tip"), (index) => this.preview(index));
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", (event) => this.submitted(event));
    document.addEventListener("change", (event) => limitPrice(event.target));
    document.addEventListener("pointerover", (event) => this.pointed(event));
    for (const how of ["pointermove", "pointerdown"]) {
      document.addEventListener(how, ({ target }) => {
        this.pointing ||= closest(target, ".hexes") !== null;
      });
    }
  }

  get panel() {
    return byId("panel-question");
  }

  /** @param {string} tile @param {number} rotation */
  tileUrl(tile, rotation) {
    const { title, variant, theme, release } = this.table.root.dataset;
    return `/pictures/${title}/${variant}/${theme || "light"}/tile/${tile}/${rotation}?v=${release}`;
  }

  // A new question

  /** Take up the question that the panel shows now. */
  begin() {
    const held = idOf(document.activeElement);
    this.generation += 1; // a preview on its way is of another question
    this.previews.clear();
    this.pointing = false;
    this.gains = {};
    this.editor?.close();
    this.editor = null;
    this.tips.hide();
    if (this.box.open) this.box.close();
    this.palette.close();
    this.board.clearHighlights("can");
    this.board.select(null);
    this.board.clearPreview();
    const data = /** @type {Views.QuestionData | null} */ (readEmbeddedJson("question-data"));
    this.answers = data?.answers ?? [];
    this.tiles = data?.tiles ?? {};
    this.cities = /** @type {import("./routes.js").Cities | null} */ (readEmbeddedJson("city-data")) ?? {};
    this.highlight();
    this.fetchGains();
    this.openRoutes(/** @type {Views.RoutesView | null} */ (readEmbeddedJson("routes-data")));
    if (held !== null) this.restoreFocus(held);
  }

  /** Whoever answered on a hex by keys goes on there, or with the question if nothing more can be done there. @param {string} hex */
  restoreFocus(hex) {
    if (this.board.offers(hex) !== null) {
      this.board.hexes.get(hex)?.focus({ preventScroll: true });
      return;
    }
    this.panel.tabIndex = -1;
    this.panel.focus({ preventScroll: true });
  }

  /** How trains run, where the page has a place for it. @param {Views.RoutesView | null} routes */
  openRoutes(routes) {
    const root = document.getElementById("route-editor");
    if (root === null || routes === null) return;
    const place = el("div");
    const editor = new RouteEditor(place, this.board, this.cities, async (runs) =>
      /** @type {Views.RunsView} */ (await this.table.fetchJson("runs", { action: { runs } })));
    const run = () => this.choose({ do: "run_trains", runs: editor.running() });
    root.replaceChildren(place, el("button", { type: "button", class: "run primary", onclick: run }, "Run"));
    editor.open(routes);
    this.editor = editor;
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
    this.board.frame(counts.keys());
  }

  focus() {
    const controls = /** @type {HTMLElement[]} */ ([...this.panel.querySelectorAll("button, input, select, summary")]);
    const first = controls.find((each) => each.closest("#answers") !== null && each.checkVisibility()) ?? controls[0];
    first?.focus();
  }

  // What tiles and stations bring

  async fetchGains() {
    if (!this.answers.some(({ place }) => place !== undefined)) return;
    const generation = this.generation;
    const found = /** @type {Views.GainsView | null} */ (await this.table.fetchJson("gains").catch(() => null));
    await this.table.released();
    if (found === null || generation !== this.generation || found.version !== this.table.version) return;
    this.gains = found.gains;
    this.palette.showGains(this.gains);
    this.showGains();
  }

  /** On every hex in the list what the best of its tiles brings; the best ones come first, unless somebody points at one. */
  showGains() {
    /** @type {Map<string, number>} */
    const best = new Map();
    for (const { index, place } of this.answers) {
      const gain = this.gains[index]?.gain;
      if (place !== undefined && gain !== undefined) best.set(hexOf(place), Math.max(best.get(hexOf(place)) ?? 0, gain));
    }
    const value = (/** @type {HTMLElement} */ { dataset: { index, hex } }) =>
      (index === undefined ? best.get(hex ?? "") : this.gains[index]?.gain) ?? 0;
    for (const list of this.panel.querySelectorAll(".hexes")) {
      const chips = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".chip")]);
      for (const chip of chips) {
        const place = chip.querySelector(".gain");
        if (place && value(chip)) place.textContent = `+${value(chip)}`;
      }
      if (!this.pointing) list.append(...chips.sort((one, other) => value(other) - value(one)));
    }
  }

  // The board

  /** @param {string} hex @param {Point} at */
  hexClicked(hex, at) {
    if (this.palette.isOpen && this.palette.hex === hex) {
      this.palette.turnOrLay();
      return;
    }
    const here = this.answers.filter(({ place }) => place !== undefined && hexOf(place) === hex);
    if (here.length === 0) {
      this.palette.close();
      this.explain(hex);
      return;
    }
    this.board.select(hex);
    const lays = here.filter(({ tile }) => tile !== undefined);
    if (lays.length > 0) this.openPalette(hex, /** @type {Lay[]} */ (lays));
    else this.chooseAt(here, at);
  }

  /** What can be done at the city that was clicked, or which of several ways to do it. @param {Views.AnswerData[]} here @param {Point} at */
  chooseAt(here, at) {
    const cities = Object.values(this.cities).flat();
    const clicked = nearest(here.map(({ place }) => ({ ...(cities.find(({ id }) => id === place) ?? at), place })), at);
    const ways = here.filter(({ place }) => place === clicked.place);
    if (ways.length === 1) this.choose(ways[0].action);
    else {
      const buttons = ways.map(({ action, words = "" }) => ({ name: words, act: () => void this.choose(action) }));
      this.openDialog("In which way?", [], buttons, "Cancel");
    }
  }

  /** @param {string} hex @param {Lay[]} answers */
  openPalette(hex, answers) {
    const hexName = this.board.nameOf(hex).split(";")[0].replace(hex, "").trim();
    this.palette.open({ hex, hexName, answers, tiles: this.tiles, gains: this.gains });
    this.board.keepInView(hex, this.palette.dialog.getBoundingClientRect());
    this.palette.place(this.board.boxOf(hex), this.board.container.getBoundingClientRect());
  }

  /** The tile as it would lie, with the stations that stand there. @param {Lay | null} answer */
  async previewTile(answer) {
    if (answer === null) {
      this.previewAddress = "";
      this.board.clearPreview();
      return;
    }
    const { hex, rotation } = answer.action;
    const address = `ghost/${hex}/${answer.tile}/${rotation}?v=${this.table.stamp}&theme=${this.table.root.dataset.theme}`;
    if (address === this.previewAddress) return;
    this.previewAddress = address;
    const drawn = await request("GET", this.table.url(address));
    if (this.previewAddress === address && drawn.ok) this.board.showPreview(hex, await drawn.text());
  }

  /**
   * Say why nothing can be done on a hex.
   * @param {string} hex
   */
  async explain(hex) {
    if (this.answers.length === 0) return;
    const lines = /** @type {string[]} */ (await this.table.fetchJson(`reasons/${hex}`));
    if (lines.length > 0) this.showConsequences("Why not here?", lines.map((line) => ({ text: line, grave: false })), null);
  }

  // Buttons and forms

  /** @param {Event} event */
  clicked(event) {
    const button = closest(event.target, "button[data-index]");
    if (button !== null) this.chooseIndex(Number(button.dataset.index));
    const refused = closest(event.target, "button[data-why]");
    if (refused !== null) this.toasts.show([refused.title, refused.dataset.why].filter(Boolean).join(", "));
    const chip = closest(event.target, "button[data-hex]");
    if (chip !== null) {
      this.board.focusHex(chip.dataset.hex ?? "", false);
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
      const wanted = Number(values.get("index") ?? form.dataset.price);
      const answer = this.answers.find(({ index }) => index === wanted);
      if (answer !== undefined) this.choose({ ...answer.action, price: Number(values.get("price")) });
    }
  }

  /** Show on the board where an answer would be. @param {Event} event */
  pointed(event) {
    const place = closest(event.target, "[data-place], button[data-hex]")?.dataset;
    if (place !== undefined && !this.palette.isOpen) this.board.select(hexOf(place.place ?? place.hex ?? ""));
  }

  /** @param {number} index */
  chooseIndex(index) {
    const answer = this.answers.find((each) => each.index === index);
    if (answer !== undefined) this.choose(answer.action, this.preview(index));
  }

  /** Ask the best bot, and show what it would do and why, and what else there is; it can be confirmed like any other answer. */
  async hint() {
    if (this.answers.length === 0) return;
    const generation = (this.generation += 1);
    this.toasts.show("The bot is thinking …");
    try {
      const hint = /** @type {Views.HintView} */ (await this.table.fetchJson("hint", {}));
      if (generation !== this.generation) return;
      this.toasts.clear();
      const [words, ...lines] = hint.lines;
      this.showConsequences(words, lines.map((text) => ({ text, grave: false })), hint.action, hint.words);
    } catch (fault) {
      this.toasts.clear();
      this.table.showError(fault);
    }
  }

  pass() {
    const answer = this.answers.find(({ action }) => action.do === "pass");
    if (answer !== undefined) this.choose(answer.action, this.preview(answer.index));
  }

  // Acting

  /** What an answer would bring about; asked once for each question. @param {number} index */
  preview(index) {
    const answer = this.answers.find((each) => each.index === index);
    if (answer === undefined) return Promise.resolve(null);
    const known = this.previews.get(index) ?? this.fetchPreview(answer.action);
    this.previews.set(index, known);
    return known;
  }

  /** @param {Action} action */
  fetchPreview(action) {
    return /** @type {Promise<Views.Preview | null>} */ (this.table.fetchJson("preview", { action }));
  }

  /**
   * Answer, unless something grave would come of it: then it is asked first.
   * @param {Action} action
   * @param {Promise<Views.Preview | null>} known its preview, which may have been asked for already
   */
  async choose(action, known = this.fetchPreview(action)) {
    const generation = (this.generation += 1);
    const preview = await known.catch((fault) => {
      this.table.showError(fault);
      return null;
    });
    if (preview === null || generation !== this.generation) return;
    if (preview.refusal !== null) {
      this.showConsequences(preview.refusal, preview.rule ? [{ text: `${preview.rule}: ${preview.rule_text ?? ""}`, grave: true }] : [], null);
    } else if (preview.consequences.some(({ grave }) => grave)) this.showConsequences(preview.words, preview.consequences, action, preview.done);
    else await this.submitAction(action, preview.done);
  }

  /** @param {Action} action @param {string} done */
  async submitAction(action, done) {
    this.tips.hide();
    if (await this.table.send("answer", { action })) {
      const undo = /** @type {HTMLButtonElement | null} */ (document.getElementById("undo"));
      const button = undo !== null && !undo.disabled ? { name: "Undo", act: () => this.table.undo() } : null;
      this.toasts.show(done, button);
    }
    this.palette.close();
  }

  /**
   * @param {string} words
   * @param {Consequence[]} lines
   * @param {Action | null} action to be confirmed
   * @param {string} [done] what is said once it is given
   */
  showConsequences(words, lines, action, done = words) {
    const confirm = { name: "Do it", act: () => void (action !== null && this.submitAction(action, done)), id: "confirm-yes" };
    this.openDialog(words, lines, action === null ? [] : [confirm], action === null ? "Close" : "Cancel");
  }

  /**
   * @param {string} words
   * @param {Consequence[]} lines
   * @param {{name: string, act: () => void, id?: string}[]} choices
   * @param {string} leave what the last button is called
   */
  openDialog(words, lines, choices, leave) {
    const button = (/** @type {typeof choices[number]} */ { name, act, id }) =>
      el("button", { type: "button", id, class: id === undefined ? null : "primary", onclick: () => {
        this.box.close();
        act();
      } }, name);
    const buttons = [...choices.map(button), el("button", { type: "button", class: "quiet", onclick: () => this.box.close() }, leave)];
    this.box.replaceChildren(
      el("p", { class: "words", id: "confirm-words" }, words),
      lines.length > 0 ? el("ul", {}, ...lines.map(({ text, grave }) => el("li", { class: grave ? "grave" : null }, text))) : "",
      el("div", { class: "buttons" }, ...buttons),
    );
    if (!this.box.open) this.box.showModal();
    buttons[0].focus();
  }

  cancel() {
    this.palette.close();
    this.board.clearPreview();
    this.board.select(null);
  }
}

/** The prices that may be offered for what has been chosen from a list. @param {EventTarget | null} target */
function limitPrice(target) {
  const form = target instanceof HTMLSelectElement ? target.closest("form[data-price]") : null;
  const field = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=price]") ?? null);
  if (!(target instanceof HTMLSelectElement) || field === null) return;
  const { low, high } = target.selectedOptions[0].dataset;
  [field.min, field.max] = [low ?? "", high ?? ""];
  field.value = String(Math.min(Math.max(Number(field.value), Number(low)), Number(high)));
}

/** What the server has put into the page as JSON. @param {string} id @returns {unknown} */
function readEmbeddedJson(id) {
  const element = document.getElementById(id);
  return element === null ? null : JSON.parse(element.textContent ?? "null");
}
