/**
 * How scripts reach the server. No other module opens a connection, loads an image by its address or leaves the page, so
 * another way to reach the application, say one that runs in a web worker, exchanges this file alone. It has to export:
 *
 * - `request`: one request and its `Response`. One that came by no network is `new Response(body, { status, headers })`.
 * - `subscribe`: events until it is closed. Without a network the state is `open` once, and never another.
 * - `loadImage`: an image of the server in an `<img>`; without a server its `src` is a `data:` URL (the content policy allows no blobs).
 * - `visit`: another page of the server, or the same one anew.
 *
 * All addresses are those of the server: a path with its query. Cookies go with each request (`theme` says in which colours
 * the server draws). What answers mean is not decided here but in `requests.js`, which needs nothing but these functions.
 */

/**
 * Send a request.
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, signal?: AbortSignal, fresh?: boolean}} [options] `body` is sent as JSON; `fresh` passes over
 *   what the browser has stored
 * @returns {Promise<Response>} also where the server refuses it; rejected if the server cannot be reached
 */
export function request(method, path, { body, signal, fresh = false } = {}) {
  const headers = body === undefined ? undefined : { "Content-Type": "application/json" };
  return fetch(path, { method, headers, body: JSON.stringify(body), signal, cache: fresh ? "no-store" : "default" });
}

/**
 * Show an image of the server; nothing is loaded again while the address is the same.
 * @param {HTMLImageElement} image
 * @param {string} path
 * @returns {HTMLImageElement} the same element
 */
export function loadImage(image, path) {
  if (image.getAttribute("src") !== path) image.src = path;
  return image;
}

/**
 * Go to a page; this page's own address loads it anew.
 * @param {string} address
 */
export function visit(address) {
  if (address === window.location.href) window.location.reload();
  else window.location.assign(address);
}

/**
 * @typedef {object} Handlers
 * @property {string[]} names the names of the events that are wanted
 * @property {(name: string, data: string) => void} onEvent
 * @property {(state: "open" | "waiting" | "asking", words?: string) => void} onState `open` again means: something may
 *   have been missed; `waiting`, that the connection is lost and will be tried again; `asking`, with the server's words,
 *   that it has no room for this page to listen, so that the page has to ask for news: each time that it is refused
 */

/**
 * Listen to server-sent events.
 * @param {string} path
 * @param {Handlers} handlers
 * @returns {() => void} ends it
 */
export function subscribe(path, handlers) {
  const stream = new EventStream(path, handlers);
  stream.open();
  return () => stream.close();
}

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 8_000;
/** A page for which there is no room to listen asks so often. */
const ASK = 10_000;
/** The status of the answer then. */
const FULL = 429;
/** A page that was hidden for so long may have a dead connection without knowing: a laptop slept, a phone moved. */
const STALE = 45_000;

/** An `EventSource` that is opened again whenever it is lost. */
class EventStream {
  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    this.path = path;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {number | undefined} */
    this.retry = undefined;
    this.hiddenAt = 0;
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    document.addEventListener("visibilitychange", () => this.visibilityChanged(), { signal });
    window.addEventListener("offline", () => handlers.onState("waiting"), { signal });
    window.addEventListener("online", () => this.open(), { signal });
    window.addEventListener("pagehide", () => this.drop(), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.open(), { signal });
  }

  open() {
    this.drop();
    const { names, onEvent, onState } = this.handlers;
    const source = new EventSource(this.path);
    this.source = source;
    source.onopen = () => {
      this.wait = FIRST_WAIT;
      onState("open");
    };
    source.onerror = () => void this.lost();
    for (const name of names) {
      source.addEventListener(name, (event) => onEvent(name, /** @type {MessageEvent} */ (event).data));
    }
  }

  /** Try again after a while, each time a longer one. */
  async lost() {
    const refused = this.source?.readyState === EventSource.CLOSED;
    this.drop();
    const words = refused ? await this.refusal() : null;
    if (this.isSettled) return;
    if (words !== null) {
      this.askLater(words);
      return;
    }
    this.handlers.onState("waiting");
    this.later(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** There is no room: say so, and listen once there is. @param {string} words */
  askLater(words) {
    this.handlers.onState("asking", words);
    this.later(async () => {
      const again = await this.refusal();
      if (this.isSettled) return;
      if (again === null) this.open();
      else this.askLater(again);
    }, ASK);
  }

  /**
   * Why there is no room to listen; null if there is, or if the server cannot be reached. An EventSource does not say.
   * @returns {Promise<string | null>}
   */
  async refusal() {
    const enough = new AbortController();
    const response = await request("GET", this.path, { signal: enough.signal }).catch(() => null);
    const refused = response?.status === FULL ? await response.json().catch(() => ({})) : null;
    enough.abort();
    return refused === null ? null : String(refused.error ?? "");
  }

  /** Do something after about so many milliseconds: not all browsers at the same moment. @param {() => void} act @param {number} wait */
  later(act, wait) {
    this.retry = window.setTimeout(act, wait * (0.75 + Math.random() / 2));
  }

  /** Whether it was closed, or opened again, while something else was awaited. */
  get isSettled() {
    return this.leaving.signal.aborted || this.source !== null;
  }

  visibilityChanged() {
    if (document.hidden) this.hiddenAt = Date.now();
    else if (this.source === null || Date.now() - this.hiddenAt > STALE) this.open();
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
