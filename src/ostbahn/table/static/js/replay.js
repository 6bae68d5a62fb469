/** What others did is seen one move after the other, at a pace of one's choice, before one is asked again. */

import { closest, el, loadSetting, saveSetting, wantsStillness } from "./dom.js";
import { mark, markerPlaces, show } from "./moves.js";

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./sync.js").Table} Table */

/** Milliseconds for a move. */
const PACES = /** @type {const} */ ({ off: 0, fast: 400, normal: 1200, slow: 2500 });
/** @typedef {keyof typeof PACES} Pace */
const NAMES = { off: "Off", fast: "Fast", normal: "Normal", slow: "Slow" };
const PACE = "ostbahn-pace";
const SEEN = "ostbahn-seen-";
/** Passing and the like goes by in a part of the time; what changes the game for everybody is seen longer. */
const QUICK = 0.3;
const GRAVE = 1.5;
/** For who goes through the history move by move. */
const LEAFING = 600;
/** So many moves are counted at most. */
const MOST = 200;

export class Replay {
  /**
   * @param {Table} table
   * @param {BoardView} board
   * @param {{onList?: (since: number) => void}} [heard] somebody wants to read what happened from a number on
   */
  constructor(table, board, { onList } = {}) {
    this.table = table;
    this.board = board;
    this.onList = onList ?? (() => {});
    /** @type {number | null} the moment shown on the way to now; null: none is, or it shall be left at once */
    this.from = table.now ? table.at : null;
    /** @type {number | null} the moment with which to begin */
    this.start = null;
    this.shownAt = table.at;
    /** Whether the moment that is shown is only on the way to now. */
    this.active = false;
    /** Whether one is asked now, whatever is shown. */
    this.asked = false;
    /** Whether somebody wants to see it who does not usually. */
    this.watching = false;
    /** Till when the moment that is shown shall be seen, and what ends the wait for the next. */
    this.until = 0;
    this.hurry = () => {};
    /** @type {number | undefined} */
    this.lingering = undefined;
    this.steps = 0;
    /** @type {{count: number, since: number} | null} what happened while one was away */
    this.missed = null;
    /** @type {import("./moves.js").Places} */
    this.places = new Map();
    /** @type {Pace} */
    this.pace = parsePace(loadSetting(PACE)) ?? (wantsStillness() ? "off" : "normal");
    this.bar = document.getElementById("replay") ?? table.root.appendChild(el("div", { id: "replay", role: "status", hidden: true }));
    this.offerPaces();
    this.listen();
    mark(board, /** @type {Views.MoveView | null} */ (JSON.parse(document.getElementById("last-move")?.textContent ?? "null")));
    const since = Number(document.getElementById("panel-log")?.dataset.since ?? 0);
    this.offerMissedMoves(this.seen ?? (since > 0 ? since - 1 : table.number));
  }

  listen() {
    const { table } = this;
    table.pacer = {
      next: () => this.next(),
      due: (update) => this.due(update),
      hurry: () => this.hurry(),
      leave: () => this.leave(),
      isOnTheWay: () => this.from !== null,
    };
    table.onBeforeUpdate = () => {
      this.places = markerPlaces();
    };
    document.addEventListener("visibilitychange", () => this.onVisibilityChange());
    document.addEventListener("click", (event) => {
      if (closest(event.target, "#panel-question, #panel-tools") !== null) this.skip();
    }, { capture: true });
  }

  // The pace

  offerPaces() {
    const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("pace"));
    const paces = /** @type {Pace[]} */ (Object.keys(PACES));
    select?.replaceChildren(...paces.map((pace) => el("option", { value: pace, selected: pace === this.pace }, NAMES[pace])));
    select?.addEventListener("change", () => {
      this.pace = parsePace(select.value) ?? "normal";
      saveSetting(PACE, this.pace);
      if (this.pace === "off") this.skip();
    });
  }

  /** Milliseconds for a move; 0 if moves are not shown one by one. */
  get speed() {
    return PACES[this.watching && this.pace === "off" ? "normal" : this.pace];
  }

  /** @param {Views.MoveView} move */
  time(move) {
    return this.speed * (move.quick ? QUICK : move.grave ? GRAVE : 1);
  }

  // What the table asks before it fetches something and puts it in

  /** What to ask for where now is wanted: the next of the moments that were missed. */
  next() {
    if (this.start !== null) return { at: this.start };
    return this.from !== null && this.speed > 0 && !document.hidden ? { at: null, after: this.from } : { at: null };
  }

  /**
   * Wait until what has been fetched on the way to now may be shown.
   * @param {Views.Update} update
   * @returns {Promise<boolean>} whether it is still wanted
   */
  async due(update) {
    const { table } = this;
    this.asked = update.asks_me;
    const rest = this.until - performance.now();
    if (this.from !== null && update.at !== this.shownAt && rest > 0) await this.wait(rest);
    if (table.wantedMoment !== null) return false; // whoever wants another moment fetches it
    if (this.from !== null || update.now) return true;
    table.needsRefresh = true; // it was skipped, so now is fetched instead
    return false;
  }

  /** @param {number} time */
  async wait(time) {
    await new Promise((done) => {
      this.hurry = () => done(null);
      window.setTimeout(done, time);
    });
    this.hurry = () => {};
  }

  // What is shown

  /**
   * The table has put in an update.
   * @param {Views.Update} update
   */
  shown(update) {
    const { move, last } = update;
    const before = { at: this.shownAt, onTheWay: this.from !== null, active: this.active };
    const live = this.table.wantedMoment === null;
    const stop = live && before.onTheWay && update.stop && update.at === before.at + 1 && this.speed > 0;
    this.shownAt = update.at;
    this.start = null;
    this.from = live ? update.at : null;
    this.active = live && !update.now;
    this.asked = update.asks_me;
    this.until = performance.now() + (stop && move !== null ? this.time(move) : 0);
    this.steps = this.active || stop ? this.steps + Number(stop) : 0;
    this.table.root.classList.toggle("replaying", this.active);
    const fresh = last !== null && last.number > before.at && update.at - before.at <= 3; // not what a jump passes over
    if (fresh) show(this.board, last, this.places, live ? this.speed : Math.min(this.speed, LEAFING));
    else mark(this.board, last);
    if (stop) this.announce(update);
    else if (!this.active && (before.active || update.at !== before.at)) this.finish(live && !update.stop);
    if (live) this.remember(update);
    if (this.active) this.table.refresh(); // the next moment is fetched while this one is seen
    else this.watching = false;
  }

  /** Go to now at once. */
  skip() {
    if (!this.active) return;
    this.leave();
    this.showMissed();
    this.table.refresh();
  }

  /** Somebody does something else: what is waiting to be shown is not wanted any more. */
  leave() {
    if (this.active) this.from = null;
    this.start = null;
    this.watching = false;
    this.hurry();
  }

  /** Whoever is asked need not wait: a click on the board leads to the question. @returns {boolean} */
  interrupt() {
    const busy = this.active && this.asked;
    if (busy) this.skip();
    return busy;
  }

  /**
   * Go back to a moment, and from there through all that happened.
   * @param {number} from
   */
  watch(from) {
    this.watching = true;
    this.start = this.from = from;
    this.steps = this.until = 0;
    this.table.wantedMoment = null;
    this.table.refresh();
  }

  // The bar

  /** @param {Views.Update} update */
  announce({ move, left, now }) {
    if (move === null) return;
    window.clearTimeout(this.lingering);
    const total = this.steps + left;
    const { mark: sign } = move;
    this.bar.style.setProperty("--part", String(this.steps / total));
    this.showBar(now ? "replay-step replay-last" : "replay-step",
      el("p", { class: "replay-words" }, el("strong", {}, move.by_name), " ",
        sign && el("span", { class: "mark", style: `--mark:${sign.colour};--mark-ink:${sign.ink}` }, sign.letters), sign && " ", move.words),
      total > 1 ? el("span", { class: "replay-count" }, `${this.steps} of ${total}`) : null,
      now ? null : el("button", { type: "button", class: "replay-skip", onclick: () => this.skip() }, "Skip"));
    if (now) this.lingering = window.setTimeout(() => this.showMissed(), Math.max(this.time(move), PACES.normal));
  }

  /** Now is shown without anything to tell of it. @param {boolean} acted whether by an answer of one's own */
  finish(acted) {
    if (acted) this.missed = null;
    this.showMissed();
  }

  /** Nothing goes on: the bar says what was missed, or goes. */
  showMissed() {
    window.clearTimeout(this.lingering);
    if (this.missed === null) {
      this.bar.hidden = true;
      this.bar.replaceChildren();
      return;
    }
    const { count, since } = this.missed;
    const button = (/** @type {string} */ name, /** @type {string} */ kind, /** @type {() => void} */ act) =>
      el("button", { type: "button", class: kind, onclick: () => {
        this.finish(true);
        act();
      } }, name);
    this.showBar("replay-missed",
      el("p", { class: "replay-words" }, "Since you were here: ", el("strong", {}, `${count}${count < MOST ? "" : " or more"} moves`)),
      button("Watch", "replay-watch", () => this.watch(since - 1)),
      button("List", "replay-list", () => this.onList(since)),
      button("Close", "replay-close", () => {}));
  }

  /** @param {string} kind @param {...(Node | null)} parts */
  showBar(kind, ...parts) {
    this.bar.className = `replay ${kind}`;
    this.bar.replaceChildren(...parts.filter((part) => part !== null));
    this.bar.hidden = false;
  }

  // Since you were here

  /** The number of answers that were seen in this browser; null if nobody knows. */
  get seen() {
    const told = loadSetting(SEEN + this.table.key);
    return told === null ? null : Number(told);
  }

  /** @param {Views.Update} update */
  remember({ now, number, at }) {
    if (!document.hidden) saveSetting(SEEN + this.table.key, String(now ? number : Math.max(this.seen ?? 0, at)));
  }

  /** The page is hidden, or comes back. What happened meanwhile is not made up for, but can be watched. */
  async onVisibilityChange() {
    if (document.hidden) return this.skip();
    const { seen, table } = this;
    if (seen === null || table.wantedMoment !== null) return;
    this.from = null;
    await table.refresh();
    await this.offerMissedMoves(seen);
  }

  /**
   * Somebody has come: say what has happened meanwhile.
   * @param {number} seen how many answers they have seen: in this browser, or up to their own last one
   */
  async offerMissedMoves(seen) {
    const { table } = this;
    if (document.hidden || !table.now) return;
    saveSetting(SEEN + table.key, String(table.number));
    if (seen >= table.number) return;
    const moves = /** @type {Views.MoveView[]} */ (await table.fetchJson(`moves?after=${seen}&limit=${MOST}`).catch(() => []));
    if (moves.length < 2 || this.active) return; // a single one is marked anyway
    this.missed = { count: moves.length, since: moves[0].number };
    this.showMissed();
  }
}

/** @param {string | null} name @returns {Pace | null} */
function parsePace(name) {
  return name !== null && Object.hasOwn(PACES, name) ? /** @type {Pace} */ (name) : null;
}
