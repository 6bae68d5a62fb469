/** The page's side of a table: sending answers with the version they answer, and putting in what the server sends. */

import { byId, closest, el, releases } from "./dom.js";
import { Refused, loadWhenReady, readJson } from "./requests.js";
import { request } from "./transport.js";

/** So many milliseconds of rest before a moment is fetched: whoever drags the slider passes by many. */
const REST = 60;
/** What is clicked, so that it is not replaced while it is pressed. */
const CLICKED = "button, a, label, summary";
/** After so many milliseconds a page tries again that is on its way to now. */
const AGAIN = 3000;
/** What servers and proxies answer while something behind them is away. */
const AWAY = [502, 503, 504];

/**
 * @typedef {object} Pacer who leads from what the page shows to now; without one it goes there at once
 * @property {() => {at: number | null, after?: number | null}} next what to ask for where now is wanted
 * @property {(update: Views.Update) => Promise<boolean>} due waits until what is on the way to now may be shown; whether it is still wanted
 * @property {() => void} hurry nothing shall wait
 * @property {() => void} leave somebody wants to see something else
 * @property {() => boolean} isOnTheWay whether what is shown is on the way to now
 */

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const data = root.dataset;
    this.key = data.key ?? "";
    this.version = Number(data.version);
    this.number = Number(data.number);
    this.at = Number(data.at);
    this.skipped = Number(data.skipped);
    this.now = data.now === "yes";
    /** @type {number | null} the moment that somebody wants to see, whether it is shown already or not; null is now */
    this.wantedMoment = this.now ? null : this.at;
    this.stamp = Number(data.stamp);
    /** @type {Map<string, string>} panels with the hash that the server gave them */
    this.hashes = new Map();
    for (const panel of root.querySelectorAll("[data-hash]")) {
      this.hashes.set(panel.id.slice("panel-".length), /** @type {HTMLElement} */ (panel).dataset.hash ?? "");
    }
    /** @type {(update: Views.Update) => void} */
    this.onUpdate = () => {};
    /** @type {(update: Views.Update) => void} before anything is put in */
    this.onBeforeUpdate = () => {};
    /** @type {Pacer} */
    this.pacer = {
      next: () => ({ at: null }), due: async () => true, hurry: () => {}, leave: () => {}, isOnTheWay: () => false,
    };
    /** Somebody wants to see another moment, or cannot see it. */
    this.onMomentChange = () => {};
    /** Whether the server could be reached just now. */
    this.onReachable = (/** @type {boolean} */ _reached) => {};
    /** @type {number | undefined} what is wanted is fetched after a rest */
    this.refreshTimer = undefined;
    this.sending = false;
    /** Whether the last trouble was that the server, or its database, could not be reached. */
    this.isUnreachable = false;
    /** @type {Promise<void> | null} what is being fetched */
    this.fetching = null;
    this.needsRefresh = false;
    /** @type {Promise<unknown>} what has been sent and not been answered yet; loading the page anew would break it off */
    this.pendingRequests = Promise.resolve();
    this.released = releases(document, CLICKED);
    this.errorBox = byId("trouble");
  }

  /** @param {string} path */
  url(path) {
    return `/api/t/${this.key}/${path}`;
  }

  /** What the page shows, told to the server so that it sends only what is different. */
  page(at = this.wantedMoment) {
    return { panels: Object.fromEntries(this.hashes), stamp: this.stamp, ...(at === null ? this.pacer.next() : { at }) };
  }

  // Talking to the server

  /**
   * @param {string} path
   * @param {unknown} [body] none: only ask
   * @param {string} [method]
   * @returns {Promise<unknown>} what the server says; whoever asks knows of what kind that is
   */
  fetchJson(path, body, method = body === undefined ? "GET" : "POST") {
    const answered = this.sendRequest(method, path, body);
    if (body !== undefined) this.pendingRequests = Promise.allSettled([this.pendingRequests, answered]);
    return answered;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<unknown>}
   */
  async sendRequest(method, path, body) {
    const response = await request(method, this.url(path), { body }).catch((fault) => {
      this.onReachable(false);
      throw fault;
    });
    this.onReachable(true);
    return readJson(response);
  }

  /**
   * Do something that changes the game, and show what comes of it.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<boolean>} whether it was done
   */
  async send(path, body) {
    if (this.sending) return false;
    this.sending = true;
    this.root.classList.add("busy");
    const { version, wantedMoment: wanted } = this; // what the sender saw, whatever is being fetched
    try {
      this.pacer.hurry();
      await this.fetching;
      const update = /** @type {Views.Update} */ (await this.fetchJson(path, { version, page: this.page(null), ...body }));
      if (this.wantedMoment === wanted) this.wantedMoment = null; // otherwise somebody has gone elsewhere meanwhile
      this.apply(update);
      this.showError(null);
      return true;
    } catch (fault) {
      this.showError(fault);
      if (this.isUnreachable || (fault instanceof Refused && fault.status === 409)) this.needsRefresh = true;
      return false;
    } finally {
      this.sending = false;
      this.root.classList.remove("busy");
      if (this.needsRefresh) this.refresh();
    }
  }

  undo() {
    return this.send("undo", {});
  }

  propose() {
    return this.send("propose", { keep: this.at });
  }

  /**
   * @param {boolean} agree
   * @param {number} keep what was proposed
   */
  reply(agree, keep) {
    return this.send("reply", { agree, keep });
  }

  // Keeping up to date

  /**
   * Something has happened at the table.
   * @param {string} name
   * @param {number} version
   */
  onEvent(name, version) {
    if (name === "seats") {
      const wait = (/** @type {boolean} */ away) => this.onReachable(!away);
      void this.pendingRequests.then(() => loadWhenReady(undefined, wait));
    }
    else if (name !== "state" || version !== this.version || this.isCatchingUp) this.refresh();
  }

  /** Whether the page shows a moment on the way to now. */
  get isCatchingUp() {
    return this.wantedMoment === null && !this.now;
  }

  /** Fetch what has changed; news that comes meanwhile is fetched once more afterwards. */
  async refresh() {
    this.needsRefresh = this.sending || this.fetching !== null;
    if (this.needsRefresh) return;
    this.fetching = this.fetchUpdate();
    await this.fetching;
    this.fetching = null;
    if (this.needsRefresh) this.refresh();
  }

  async fetchUpdate() {
    const { wantedMoment: wanted } = this;
    try {
      const update = /** @type {Views.Update} */ (await this.fetchJson("update", this.page()));
      if (wanted === null && !(await this.pacer.due(update))) return;
      await this.released();
      if (wanted === null && this.wantedMoment !== null) return; // whoever wants another moment fetches it
      if (this.wantedMoment === wanted && wanted !== null) this.wantedMoment = update.now ? null : update.at; // not all that is wanted is there
      this.apply(update);
      if (this.isUnreachable) this.showError(null);
    } catch (fault) {
      if (this.wantedMoment === wanted) this.wantedMoment = this.now || this.pacer.isOnTheWay() ? null : this.at;
      this.onMomentChange();
      this.showError(fault);
      if (this.isCatchingUp || this.isUnreachable) window.setTimeout(() => this.refresh(), AGAIN);
    }
  }

  /** Everything that the server draws has to be fetched anew, say in other colours. */
  redraw() {
    this.stamp = -1;
    this.pacer.leave();
    return this.refresh();
  }

  /**
   * Look at the table as it was after so many answers.
   * @param {number | null} at null is now
   */
  showMoment(at) {
    this.wantedMoment = at;
    this.pacer.leave();
    this.onMomentChange();
    clearTimeout(this.refreshTimer);
    this.refreshTimer = window.setTimeout(() => this.refresh(), REST);
  }

  /** @param {number} by so many answers from what is looked at */
  step(by) {
    const at = Math.max(this.skipped, (this.wantedMoment ?? this.number) + by);
    this.showMoment(at < this.number ? at : null);
  }

  /** @param {Views.Update} update */
  apply(update) {
    this.onBeforeUpdate(update);
    Object.assign(this, {
      version: update.version, number: update.number, at: update.at, now: update.now, stamp: update.stamp,
    });
    for (const [name, html] of Object.entries(update.panels)) this.replacePanel(name, html);
    Object.assign(this.root.dataset, { version: update.version, number: update.number, at: update.at });
    this.root.classList.toggle("past", !update.now && this.wantedMoment !== null);
    this.updateAddress();
    this.onUpdate(update);
  }

  /** The page's address leads to the moment that is wanted. */
  updateAddress() {
    const address = new URL(window.location.href);
    if (this.wantedMoment === null) address.searchParams.delete("at");
    else address.searchParams.set("at", String(this.wantedMoment));
    window.history.replaceState(null, "", address);
  }

  /**
   * Put in a panel; who was typing or reading in it finds their place again.
   * @param {string} name
   * @param {string} html
   */
  replacePanel(name, html) {
    const old = document.getElementById(`panel-${name}`);
    if (old === null) return;
    const template = document.createElement("template");
    template.innerHTML = html.trim();
    const fresh = /** @type {HTMLElement} */ (template.content.firstElementChild);
    const parts = (/** @type {HTMLElement} */ panel) => [panel, ...panel.querySelectorAll(".scroll, .hexes")];
    const scrolled = parts(old).map((part) => [part.scrollLeft, part.scrollTop]);
    const open = new Map([...old.querySelectorAll("details")].map((part, index) => [foldName(part, index), part.open]));
    const held = old.contains(document.activeElement) ? selectorOf(/** @type {Element} */ (document.activeElement)) : null;
    const keepPlace = keepScrollPosition(old);
    old.replaceWith(fresh);
    keepPlace(fresh);
    if (name !== "question") parts(fresh).forEach((part, index) => {
      [part.scrollLeft, part.scrollTop] = scrolled[index] ?? [0, 0];
    });
    if (name !== "question") fresh.querySelectorAll("details").forEach((part, index) => {
      part.open = open.get(foldName(part, index)) ?? part.open;
    });
    this.hashes.set(name, fresh.dataset.hash ?? "");
    if (held === null) return;
    fresh.tabIndex = -1; // whoever goes about by keys goes on from here
    const again = held === "" ? null : /** @type {HTMLElement | null} */ (fresh.querySelector(held));
    (again ?? fresh).focus({ preventScroll: true });
  }

  // Trouble

  /**
   * Say what was refused, with the rule's text; null: all is well.
   * @param {unknown} fault
   */
  showError(fault) {
    if (fault === null) {
      this.isUnreachable = false;
      this.errorBox.hidden = true;
      this.errorBox.replaceChildren();
      return;
    }
    this.isUnreachable = !(fault instanceof Refused) || AWAY.includes(fault.status);
    const words = fault instanceof Refused ? fault.message : "The server cannot be reached. Your move may not have been sent: look again when you are connected.";
    const rule = fault instanceof Refused && fault.rule ? fault.rule : "";
    this.errorBox.replaceChildren(
      el("p", {}, words),
      ...(rule ? [el("p", { class: "rule" }, `${rule}: ${fault instanceof Refused ? fault.ruleText : ""}`)] : []),
      el("button", { type: "button", class: "quiet", onclick: () => this.showError(null) }, "Close"),
    );
    this.errorBox.hidden = false;
  }
}

/**
 * Whoever has scrolled a list that grows at its top goes on reading the same line.
 * @param {HTMLElement} panel
 * @returns {(fresh: HTMLElement) => void} to be called with the panel that has taken its place
 */
function keepScrollPosition(panel) {
  const frame = panel.closest("[role=tabpanel]");
  const top = (/** @type {Element} */ line) => line.getBoundingClientRect().top;
  const lines = frame === null || frame.scrollTop === 0 ? [] : [...panel.querySelectorAll("[data-number]")];
  const read = /** @type {HTMLElement | undefined} */ (lines.find((line) => top(line) >= top(/** @type {Element} */ (frame))));
  const from = read === undefined ? 0 : top(read);
  return (fresh) => {
    const again = read && fresh.querySelector(`[data-number="${read.dataset.number}"]`);
    if (frame && again) frame.scrollTop += top(again) - from;
  };
}

/**
 * A fold is known by the line it stands in, since lines come before it, or else by its place among the folds.
 * @param {Element} fold
 * @param {number} index
 */
function foldName(fold, index) {
  return closest(fold, "[data-number]")?.dataset.number ?? `fold ${index}`;
}

/**
 * By what a control is found again in a panel that has been put in anew; empty if by nothing.
 * @param {Element} control
 */
function selectorOf(control) {
  if (control.id && !control.id.startsWith("panel-")) return `#${CSS.escape(control.id)}`;
  for (const name of ["data-show-company", "data-show-hex", "data-history", "name"]) {
    const value = control.getAttribute(name);
    if (value !== null) return `[${name}="${CSS.escape(value)}"]`;
  }
  return "";
}
