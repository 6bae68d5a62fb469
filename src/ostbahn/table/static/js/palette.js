/** Choosing a tile at the hex itself: which, turned how, and paid for in which way. */

import { closest, el, isTyping } from "./dom.js";
import { loadImage } from "./transport.js";

/** @typedef {Views.AnswerData & {tile: string, action: {hex: string, rotation: number}}} Lay an answer that lays a tile */
/** @typedef {Record<string, Views.GainView>} Gains what the best run gains, by the answer's index */
/** @typedef {Record<string, Views.TileData>} Tiles */
/** @typedef {{tile: string, colour: string, left: number | null, turns: Map<number, Lay[]>}} Choice */

const NEXT_TILE = ["ArrowRight", "ArrowDown"];
const LAST_TILE = ["ArrowLeft", "ArrowUp"];

export class TilePalette {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {object} heard
   * @param {(tile: string, rotation: number) => string} heard.tileUrl the address of a tile's drawing
   * @param {(answer: Lay) => void} heard.onChoose
   * @param {(answer: Lay | null) => void} heard.onPreview null: nothing is to be seen any more
   */
  constructor(dialog, { tileUrl, onChoose, onPreview }) {
    this.dialog = dialog;
    this.tileUrl = tileUrl;
    this.onChoose = onChoose;
    this.onPreview = onPreview;
    /** @type {Choice[]} */
    this.choices = [];
    this.chosen = 0;
    /** The hex at which it stands. */
    this.hex = "";
    /** @type {Gains} */
    this.gains = {};
    /** @type {number[]} for each tile which of its turns is shown */
    this.turned = [];
    /** In which of several ways tiles are laid, as far as the tile allows it. */
    this.how = "";
    this.build();
    document.addEventListener("keydown", (event) => this.key(event));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
  }

  build() {
    /** @type {HTMLElement} */
    this.heading = el("h2", { id: "palette-heading" });
    /** @type {HTMLElement} */
    this.tiles = el("div", { class: "palette-tiles", role: "radiogroup", "aria-label": "Tile" });
    /** @type {HTMLElement} */
    this.variants = el("fieldset", { class: "palette-variants" });
    /** @type {HTMLElement} */
    this.words = el("p", { class: "palette-words", "aria-live": "polite" });
    /** @type {HTMLElement} */
    this.turns = el("span", { class: "palette-turns" });
    /** @type {HTMLElement} */
    this.rotation = el("div", { class: "palette-rotation", role: "group", "aria-label": "Rotation" },
      button("↺", "palette-turn", () => this.turn(-1), "Turn left (Shift+R)"),
      this.turns,
      button("↻", "palette-turn", () => this.turn(1), "Turn right (R)"));
    const confirm = button("Lay this tile", "palette-confirm primary", () => this.confirm(), "Lay this tile (Enter)");
    const cancel = button("✕", "palette-cancel quiet", () => this.close(), "Cancel (Esc)");
    this.dialog.classList.add("palette");
    this.dialog.setAttribute("aria-labelledby", "palette-heading");
    this.dialog.replaceChildren(el("header", {}, this.heading, cancel), this.tiles, this.variants, this.words,
      el("div", { class: "palette-buttons" }, this.rotation, confirm));
  }

  /**
   * Offer the lays on a hex. The board stays usable, so that the tile can be looked at where it would lie.
   * @param {object} what
   * @param {string} what.hex
   * @param {string} [what.hexName]
   * @param {Lay[]} what.answers
   * @param {Tiles} [what.tiles]
   * @param {Gains} [what.gains]
   */
  open({ hex, hexName, answers, tiles = {}, gains = {} }) {
    if (answers.length === 0) return;
    this.hex = hex;
    this.gains = gains;
    if (!this.dialog.open) this.opener = document.activeElement;
    this.choices = choicesOf(answers, tiles);
    this.chosen = 0;
    this.turned = this.choices.map(() => 0);
    this.how = "";
    this.heading.textContent = hexName || hex;
    this.tiles.replaceChildren(...this.choices.map((choice, index) => this.tileButton(choice, index)));
    this.dialog.show();
    this.refresh();
    this.focusTile();
  }

  /**
   * Stand beneath the hex or above it, within the board; on a narrow screen the style sheet puts it at the bottom.
   * @param {DOMRect} hex
   * @param {DOMRect} board
   */
  place(hex, board) {
    const { width, height } = this.dialog.getBoundingClientRect();
    const below = hex.bottom + 10 + height <= Math.min(board.bottom, window.innerHeight - 8);
    const top = below ? hex.bottom + 10 : hex.top - 10 - height;
    const beside = top < board.top + 4; // neither beneath nor above
    const right = hex.right + 10 + width <= board.right;
    const left = beside ? (right ? hex.right + 10 : hex.left - 10 - width) : hex.left + hex.width / 2 - width / 2;
    const clamp = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) => Math.max(low, Math.min(at, high));
    this.dialog.style.setProperty("--left", `${clamp(left, board.left + 6, board.right - width - 6)}px`);
    this.dialog.style.setProperty("--top", `${clamp(beside ? hex.top : top, board.top + 6, board.bottom - height - 6)}px`);
  }

  get isOpen() {
    return this.dialog.open;
  }

  /**
   * @param {Choice} choice
   * @param {number} index
   */
  tileButton(choice, index) {
    const left = choice.left === null ? null : el("span", { class: "palette-left" }, `${choice.left} left`);
    return el("button",
      { type: "button", class: "palette-tile", role: "radio", "data-tile": choice.tile, "data-colour": choice.colour,
        onclick: () => (index === this.chosen ? this.turn(1) : this.choose(index)) },
      el("img", { alt: "", width: 95, height: 108, draggable: "false" }),
      el("span", { class: "palette-gain" }),
      el("span", { class: "palette-stock" }, el("span", { class: "palette-name" }, choice.tile), el("span", { class: "palette-cost" }), left));
  }

  // What is chosen

  get choice() {
    return this.choices[this.chosen];
  }

  /** @returns {[number, Lay[]]} the rotation and the ways to lay the tile so */
  get turnShown() {
    return [...this.choice.turns][this.turned[this.chosen]];
  }

  get answer() {
    const [, answers] = this.turnShown;
    return answers.find(({ how = "" }) => how === this.how) ?? answers[0];
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = (index + this.choices.length) % this.choices.length;
    this.refresh();
    this.focusTile();
  }

  /** A click on the hex turns the tile, where it can be turned. */
  turnOrLay() {
    if (this.choice.turns.size > 1) this.turn(1);
    else this.confirm();
  }

  /** @param {Gains} gains */
  showGains(gains) {
    this.gains = gains;
    if (this.dialog.open) this.refresh();
  }

  /** @param {number} by */
  turn(by) {
    const count = this.choice.turns.size;
    this.turned[this.chosen] = (this.turned[this.chosen] + by + count) % count;
    this.refresh();
  }

  focusTile() {
    /** @type {HTMLElement | undefined} */ (this.tiles.children[this.chosen])?.focus();
  }

  // What is shown

  refresh() {
    this.choices.forEach((choice, index) => this.refreshTile(choice, index));
    const [, answers] = this.turnShown;
    const count = this.choice.turns.size;
    this.rotation.hidden = count < 2;
    this.turns.textContent = `${this.turned[this.chosen] + 1} of ${count}`;
    this.showVariants(answers);
    this.tellAnswer();
  }

  /**
   * @param {Choice} choice
   * @param {number} index
   */
  refreshTile(choice, index) {
    const button = /** @type {HTMLElement} */ (this.tiles.children[index]);
    const rotation = [...choice.turns.keys()][this.turned[index]];
    const url = this.tileUrl(choice.tile, rotation);
    const image = /** @type {HTMLImageElement} */ (button.querySelector("img"));
    loadImage(image, url);
    const chosen = index === this.chosen;
    button.setAttribute("aria-checked", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    const [answer] = [...choice.turns.values()][this.turned[index]];
    const gain = this.gains[answer.index];
    const [brings, costs] = [button.querySelector(".palette-gain"), button.querySelector(".palette-cost")];
    if (brings) brings.textContent = gain === undefined ? "" : `+${gain.gain}${gain.proven ? "" : " or more"}`;
    if (brings) brings.classList.toggle("palette-none", gain?.gain === 0);
    if (costs) costs.textContent = answer.cost ? `costs ${answer.cost}` : "free";
    const left = choice.left === null ? "" : `, ${choice.left} left`;
    const turns = choice.turns.size > 1 ? `, turned ${this.turned[index] + 1} of ${choice.turns.size} ways` : "";
    button.setAttribute("aria-label", `Tile ${choice.tile}${choice.colour && `, ${choice.colour}`}${left}${turns}${gain ? `, the best run gains ${gain.gain}` : ""}`);
  }

  /** @param {Lay[]} answers */
  showVariants(answers) {
    this.variants.hidden = answers.length < 2;
    const radio = (/** @type {Lay} */ answer) => {
      const pick = () => {
        this.how = answer.how ?? "";
        this.tellAnswer();
      };
      const checked = answer === this.answer;
      const input = el("input", { type: "radio", name: "palette-variant", checked, onchange: pick });
      return el("label", {}, input, ` ${howWords(answer)}`);
    };
    this.variants.replaceChildren(el("legend", {}, "How"), ...(answers.length < 2 ? [] : answers.map(radio)));
  }

  tellAnswer() {
    const alone = this.turnShown[1].length < 2;
    this.words.hidden = !alone || !this.answer.how;
    this.words.textContent = this.words.hidden ? "" : howWords(this.answer);
    this.onPreview(this.answer);
  }

  // The end of it

  confirm() {
    const answer = this.answer;
    this.close();
    this.onChoose(answer);
  }

  close() {
    if (!this.dialog.open) return;
    const within = this.dialog.contains(document.activeElement);
    this.dialog.close();
    this.onPreview(null);
    const opener = /** @type {HTMLElement | SVGElement | null} */ (this.opener ?? null);
    if (within) opener?.focus({ preventScroll: true });
  }

  // Keys

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.dialog.open || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const within = event.target instanceof Node && this.dialog.contains(event.target);
    if (this.keyed(event, within)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /**
   * Turning and leaving work from anywhere; arrows and Enter also mean something to the board and to buttons.
   * @param {KeyboardEvent} event
   * @param {boolean} within
   * @returns {boolean} whether the key meant something
   */
  keyed(event, within) {
    const onTile = within && closest(event.target, ".palette-tile") !== null;
    if (event.key === "Escape") this.close();
    else if (event.key.toLowerCase() === "r") this.turn(event.shiftKey ? -1 : 1);
    else if (onTile && NEXT_TILE.includes(event.key)) this.choose(this.chosen + 1);
    else if (onTile && LAST_TILE.includes(event.key)) this.choose(this.chosen - 1);
    else if (event.key === "Enter" && (onTile || (within && closest(event.target, "button") === null))) this.confirm();
    else return false;
    return true;
  }
}

/**
 * @param {string} words
 * @param {string} kind
 * @param {() => void} act
 * @param {string | null} [name] what it is called where its words are only a sign
 */
function button(words, kind, act, name = null) {
  return el("button", { type: "button", class: kind, "aria-label": name, title: name, onclick: act }, words);
}

/**
 * The tiles that can be laid, in the order of their answers, each with its rotations in order.
 * @param {Lay[]} answers
 * @param {Tiles} known
 * @returns {Choice[]}
 */
export function choicesOf(answers, known) {
  return [...Map.groupBy(answers, ({ tile }) => tile)].map(([tile, lays]) => {
    const turns = Map.groupBy(lays, ({ action }) => action.rotation);
    const { colour = "", left = null } = known[tile] ?? {};
    return { tile, colour, left, turns: new Map([...turns].sort(([one], [other]) => one - other)) };
  });
}

/** @param {Lay} answer */
function howWords({ cost, how }) {
  return `${how || "in the ordinary way"}: ${cost ? `costs ${cost}` : "free"}`;
}
