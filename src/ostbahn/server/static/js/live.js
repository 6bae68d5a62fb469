/** Hearing from the server what happens at the table. */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 8_000;
/** A page that was hidden for so long may have a dead connection without knowing: a laptop slept, a phone moved. */
const STALE = 45_000;

/**
 * @typedef {object} Heard
 * @property {(name: string, data: unknown) => void} onEvent
 * @property {(state: "open" | "waiting") => void} [onState] `open` again means: something may have been missed
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
    const source = new EventSource(typeof this.url === "string" ? this.url : this.url(this.lastId));
    this.source = source;
    source.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onState("open");
    };
    source.onerror = () => this.lost();
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
  lost() {
    this.drop();
    this.onState("waiting");
    this.retry = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
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
