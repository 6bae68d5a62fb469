/** The bell of a table: a tone and a note when it becomes one's turn, and what is told while the page is closed. */

import { byId, loadSetting, saveSetting } from "./dom.js";
import { getFragment } from "./requests.js";
import { request } from "./transport.js";

/** @typedef {import("./sync.js").Table} Table */

/** Two tones of a station gong, in Hertz, each after so many seconds. */
const TONES = [[659.3, 0], [523.3, 0.22]];
const LOUD = 0.12;
const LENGTH = 0.6;

export class Bell {
  /** @param {Table} table @param {boolean} asked whether it is one's turn already */
  constructor(table, asked) {
    this.table = table;
    this.asked = asked;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("bell"));
    this.button = document.getElementById("bell-button");
    this.button?.addEventListener("click", () => void this.open());
    this.dialog.addEventListener("change", (event) => void this.changed(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.mark();
  }

  /** @param {boolean} asks_me whether it is one's turn now */
  hear(asks_me) {
    const now = asks_me && !this.asked;
    this.asked = asks_me;
    if (now && loadSetting("bell-sound") === "yes") sound();
    if (now && document.hidden && loadSetting("bell-notes") === "yes") void this.note();
  }

  async note() {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    const [title, settings] = ["Your turn", { body: document.title.replace(/^● /, ""), tag: `turn-${this.table.key}` }];
    try {
      const note = new Notification(title, settings);
      note.onclick = () => {
        window.focus();
        note.close();
      };
    } catch { // on phones only a service worker may
      const registration = await navigator.serviceWorker?.getRegistration();
      await registration?.showNotification(title, { ...settings, data: { path: window.location.pathname } });
    }
  }

  async open() {
    const card = await getFragment(`/t/${this.table.key}/bell`).catch(() => null);
    if (card === null) return;
    const body = /** @type {HTMLElement} */ (this.dialog.querySelector(".card-body"));
    body.replaceChildren(...card.childNodes);
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (body.querySelectorAll("[data-keeps]"))) {
      box.checked = loadSetting(`bell-${box.dataset.keeps}`) === "yes";
    }
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll("[data-needs]"))) {
      part.hidden = !((part.dataset.needs ?? "") in window);
    }
    this.dialog.showModal();
    /** @type {HTMLElement | null} */ (body.querySelector("#bell-title"))?.focus();
  }

  /** @param {Event} event */
  async changed(event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (box.dataset.rings !== undefined) {
      await request("POST", `/t/${this.table.key}/bell`, { body: box.checked });
    } else if (box.dataset.keeps !== undefined) {
      if (box.checked && box.dataset.keeps === "notes") box.checked = await this.mayShow();
      saveSetting(`bell-${box.dataset.keeps}`, box.checked ? "yes" : "no");
      if (box.checked && box.dataset.keeps === "sound") sound();
    }
    this.mark();
  }

  async mayShow() {
    const may = (await Notification.requestPermission()) === "granted";
    const state = this.dialog.querySelector("[data-state]");
    if (state) state.textContent = may ? "" : "This browser was told to show none; its settings can change that.";
    return may;
  }

  /** The bell is filled where this page does something by itself. */
  mark() {
    this.button?.classList.toggle("rings", ["sound", "notes"].some((what) => loadSetting(`bell-${what}`) === "yes"));
  }
}

/** A gong, made here: there is no file to fetch. */
function sound() {
  const context = new AudioContext();
  for (const [pitch = 0, after = 0] of TONES) {
    const [tone, volume, begins] = [context.createOscillator(), context.createGain(), context.currentTime + after];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(begins);
    tone.stop(begins + LENGTH);
  }
  window.setTimeout(() => void context.close(), 2000);
}
