/** Hearing from the server what happens at the table. */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 8_000;
/** A page for which there is no room to listen asks so often. */
const ASK = 10_000;
/** What the server answers then. */
const FULL = 429;
/** A page that was hidden for so long may have a dead connection without knowing: a laptop slept, a phone moved. */
const STALE = 45_000;

/**
 * @typedef {object} Heard
 * @property {(name: string, data: unknown) => void} onEvent
 * @property {(state: "open" | "waiting" | "asking", words?: string) => void} [onState] `open` again means: something may
 *   have been missed; `asking`, with the server's words, that it has no room for this page to listen, so that the page has
 *   to ask now and then what is new: each time that it is told so
 * @property {string[]} [names] the names of the server's events; those without a name are `message`
 */

/**
 * Listen at an address until `close` is called.
 * @param {string | ((lastId: string) => string)} url a function is given the id of the last event heard
 * @param {Heard} heard
 * @returns {{close: () => void}}
 */
export function connect(url, heard) {
  const line = new Line(url, heard);
  line.open();
  return { close: () => line.close() };
}

class Line {
  /**
   * @param {string | ((lastId: string) => string)} url
   * @param {Heard} heard
   */
  constructor(url, { onEvent, onState, names = ["message"] }) {
    this.url = url;
    this.onEvent = onEvent;
    this.onState = onState ?? (() => {});
    this.names = names;
    this.lastId = "";
    this.wait = FIRST_WAIT;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {number | undefined} */
    this.retry = undefined;
    this.hiddenAt = 0;
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    document.addEventListener("visibilitychange", () => this.seen(), { signal });
    window.addEventListener("online", () => this.open(), { signal });
    window.addEventListener("pagehide", () => this.drop(), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.open(), { signal });
  }

  open() {
    this.drop();
    const source = new EventSource(this.address);
    this.source = source;
    source.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onState("open");
    };
    source.onerror = () => void this.lost();
    for (const name of this.names) {
      source.addEventListener(name, (event) => this.hear(name, /** @type {MessageEvent} */ (event)));
    }
  }

  /**
   * @param {string} name
   * @param {MessageEvent} event
   */
  hear(name, event) {
    this.lastId = event.lastEventId || this.lastId;
    this.onEvent(name, read(event.data));
  }

  /** Try again after a while, each time a longer one, and not all browsers at the same moment. */
  async lost() {
    const refused = this.source?.readyState === EventSource.CLOSED;
    this.drop();
    const words = refused ? await this.refusal() : null;
    if (this.leaving.signal.aborted || this.source !== null) return; // somebody has opened it again meanwhile
    this.onState(words === null ? "waiting" : "asking", words ?? "");
    const wait = words === null ? this.wait : ASK;
    this.retry = window.setTimeout(() => (words === null ? this.open() : void this.askAgain()), wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** Listen if there is room by now. */
  async askAgain() {
    const words = await this.refusal();
    if (this.leaving.signal.aborted || this.source !== null) return;
    if (words === null) {
      this.open();
      return;
    }
    this.onState("asking", words);
    this.retry = window.setTimeout(() => void this.askAgain(), ASK * (0.75 + Math.random() / 2));
  }

  /**
   * Why there is no room to listen; null if there is, or if the server cannot be reached. An EventSource does not say.
   * @returns {Promise<string | null>}
   */
  async refusal() {
    const enough = new AbortController();
    const answer = await fetch(this.address, { signal: enough.signal }).catch(() => null);
    const told = answer?.status === FULL ? await answer.json().catch(() => ({})) : null;
    enough.abort();
    return told === null ? null : String(told.error ?? "");
  }

  get address() {
    return typeof this.url === "string" ? this.url : this.url(this.lastId);
  }

  seen() {
    if (document.hidden) {
      this.hiddenAt = Date.now();
      return;
    }
    if (this.source === null || Date.now() - this.hiddenAt > STALE) this.open();
  }

  drop() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  close() {
    this.leaving.abort();
    this.drop();
  }
}

/**
 * Data is JSON, or else simply text.
 * @param {string} data
 * @returns {unknown}
 */
function read(data) {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
