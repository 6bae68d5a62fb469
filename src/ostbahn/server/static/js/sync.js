/** The page's side of a table: sending answers with the version they answer, and putting in what the server sends. */

import { el } from "./dom.js";

/** So many milliseconds of rest before a moment is fetched: whoever drags the slider passes by many. */
const REST = 60;

/**
 * @typedef {object} Update
 * @property {number} version
 * @property {number} number
 * @property {number} at
 * @property {boolean} now
 * @property {boolean} my_turn
 * @property {boolean} over
 * @property {number} stamp
 * @property {Record<string, string>} panels
 * @property {string | null} board
 * @property {Record<string, string>} hexes
 * @property {string} routes
 */

/** What the server refuses, as it says it. */
export class Refused extends Error {
  /** @param {{error: string, rule?: string, rule_text?: string}} told @param {number} status */
  constructor(told, status) {
    super(told.error);
    this.rule = told.rule ?? "";
    this.ruleText = told.rule_text ?? "";
    this.status = status;
  }
}

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
    this.wanted = this.now ? null : this.at;
    this.stamp = Number(data.stamp);
    /** @type {Map<string, string>} panels with the hash that the server gave them */
    this.hashes = new Map();
    for (const panel of root.querySelectorAll("[data-hash]")) {
      this.hashes.set(panel.id.slice("panel-".length), /** @type {HTMLElement} */ (panel).dataset.hash ?? "");
    }
    /** @type {(update: Update) => void} */
    this.onUpdate = () => {};
    /** Somebody wants to see another moment, or cannot see it. */
    this.onWish = () => {};
    /** @type {number | undefined} what is wanted is fetched after a rest */
    this.resting = undefined;
    this.sending = false;
    /** @type {Promise<void> | null} what is being fetched */
    this.fetching = null;
    this.again = false;
    this.trouble = /** @type {HTMLElement} */ (document.getElementById("trouble"));
  }

  /** @param {string} path */
  url(path) {
    return `/api/t/${this.key}/${path}`;
  }

  /** What the page shows, told to the server so that it sends only what is different. */
  page(at = this.wanted) {
    return { panels: Object.fromEntries(this.hashes), stamp: this.stamp, at };
  }

  // Talking to the server

  /**
   * @param {string} path
   * @param {unknown} [body] none: only ask
   * @param {string} [method]
   * @returns {Promise<unknown>} what the server says; whoever asks knows of what kind that is
   */
  async ask(path, body, method = body === undefined ? "GET" : "POST") {
    const headers = /** @type {Record<string, string>} */ (body === undefined ? {} : { "Content-Type": "application/json" });
    const answer = await fetch(this.url(path), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const told = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (!answer.ok) throw new Refused(told ?? { error: `The server answers ${answer.status}.` }, answer.status);
    return told;
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
    const { version, wanted } = this; // what the sender saw, whatever is being fetched
    try {
      await this.fetching;
      const update = /** @type {Update} */ (await this.ask(path, { version, page: this.page(null), ...body }));
      if (this.wanted === wanted) this.wanted = null; // otherwise somebody has gone elsewhere meanwhile
      this.apply(update);
      this.tell(null);
      return true;
    } catch (fault) {
      this.tell(fault);
      if (fault instanceof Refused && fault.status === 409) this.again = true;
      return false;
    } finally {
      this.sending = false;
      this.root.classList.remove("busy");
      if (this.again) this.refresh();
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
  news(name, version) {
    if (name === "seats") window.location.reload();
    else if (name !== "state" || version !== this.version) this.refresh();
  }

  /** Fetch what has changed; news that comes meanwhile is fetched once more afterwards. */
  async refresh() {
    this.again = this.sending || this.fetching !== null;
    if (this.again) return;
    this.fetching = this.fetch();
    await this.fetching;
    this.fetching = null;
    if (this.again) this.refresh();
  }

  async fetch() {
    const { wanted } = this;
    try {
      const update = /** @type {Update} */ (await this.ask("update", this.page()));
      if (this.wanted === wanted) this.wanted = update.now ? null : update.at; // not all that is wanted is there
      this.apply(update);
    } catch (fault) {
      if (this.wanted === wanted) this.wanted = this.now ? null : this.at;
      this.onWish();
      this.tell(fault);
    }
  }

  /** Everything that the server draws has to be fetched anew, say in other colours. */
  redraw() {
    this.stamp = -1;
    return this.refresh();
  }

  /**
   * Look at the table as it was after so many answers.
   * @param {number | null} at null is now
   */
  look(at) {
    this.wanted = at;
    this.onWish();
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.refresh(), REST);
  }

  /** @param {number} by so many answers from what is looked at */
  step(by) {
    const at = Math.max(this.skipped, (this.wanted ?? this.number) + by);
    this.look(at < this.number ? at : null);
  }

  /** @param {Update} update */
  apply(update) {
    Object.assign(this, {
      version: update.version, number: update.number, at: update.at, now: update.now, stamp: update.stamp,
    });
    for (const [name, html] of Object.entries(update.panels)) this.put(name, html);
    Object.assign(this.root.dataset, { version: update.version, number: update.number, at: update.at });
    this.root.classList.toggle("past", !update.now);
    this.readdress();
    this.onUpdate(update);
  }

  /** The page's address leads to the moment that is wanted. */
  readdress() {
    const address = new URL(window.location.href);
    if (this.wanted === null) address.searchParams.delete("at");
    else address.searchParams.set("at", String(this.wanted));
    window.history.replaceState(null, "", address);
  }

  /**
   * Put in a panel; who was typing or reading in it finds his place again.
   * @param {string} name
   * @param {string} html
   */
  put(name, html) {
    const old = document.getElementById(`panel-${name}`);
    if (old === null) return;
    const template = document.createElement("template");
    template.innerHTML = html.trim();
    const fresh = /** @type {HTMLElement} */ (template.content.firstElementChild);
    const scrolled = [...old.querySelectorAll(".scroll")].map((part) => [part.scrollLeft, part.scrollTop]);
    const open = [...old.querySelectorAll("details")].map((part) => part.open);
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    fresh.querySelectorAll(".scroll").forEach((part, index) => {
      [part.scrollLeft, part.scrollTop] = scrolled[index] ?? [0, 0];
    });
    fresh.querySelectorAll("details").forEach((part, index) => {
      part.open = open[index] ?? part.open;
    });
    this.hashes.set(name, fresh.dataset.hash ?? "");
    if (!focused) return;
    fresh.tabIndex = -1; // whoever goes about by keys goes on from here
    fresh.focus({ preventScroll: true });
  }

  // Trouble

  /**
   * Say what was refused, with the rule's text; null: all is well.
   * @param {unknown} fault
   */
  tell(fault) {
    if (fault === null) {
      this.trouble.hidden = true;
      this.trouble.replaceChildren();
      return;
    }
    const words = fault instanceof Refused ? fault.message : "The server cannot be reached; what you see may be old.";
    const rule = fault instanceof Refused && fault.rule ? fault.rule : "";
    this.trouble.replaceChildren(
      el("p", {}, words),
      ...(rule ? [el("p", { class: "rule" }, `${rule}: ${fault instanceof Refused ? fault.ruleText : ""}`)] : []),
      el("button", { type: "button", class: "quiet", onclick: () => this.tell(null) }, "Close"),
    );
    this.trouble.hidden = false;
  }
}
