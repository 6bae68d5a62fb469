/** Chat with a mark for what has not been read, and notes that keep themselves. */

import { byId, loadSetting, saveSetting } from "./dom.js";

/** @typedef {import("./sync.js").Table} Table */

const REST = 800;

/** @param {Table} table */
export function startChat(table) {
  startNotes(table);
  return new Chat(table);
}

class Chat {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.pane = byId("pane-chat");
    this.mark = byId("unread");
    this.form = /** @type {HTMLFormElement} */ (byId("chat-form"));
    this.form.addEventListener("submit", (event) => this.send(event));
    document.getElementById("tab-chat")?.addEventListener("click", () => window.setTimeout(() => this.refresh(true)));
    this.refresh(true);
  }

  /** How many messages there are. */
  get count() {
    return this.pane.querySelectorAll(".messages li:not(.empty)").length;
  }

  get place() {
    return `ostbahn-read-${this.table.key}`;
  }

  /**
   * Mark what has not been read; what is in view counts as read.
   * @param {boolean} [opened] whether somebody has just opened it; otherwise only a new message moves it
   */
  refresh(opened = false) {
    const read = Number(loadSetting(this.place) ?? 0);
    if (!this.pane.hidden && this.pane.checkVisibility()) {
      saveSetting(this.place, String(this.count));
      if (opened || this.count > read) this.pane.scrollTop = this.pane.scrollHeight;
    }
    const unread = Math.max(0, this.count - Number(loadSetting(this.place) ?? 0));
    this.mark.hidden = unread === 0;
    this.mark.textContent = String(unread);
    this.mark.setAttribute("aria-label", `${unread} not read`);
    document.querySelector("[data-view=log]")?.classList.toggle("has-unread", unread > 0); // where the chat is not in sight
  }

  /** @param {SubmitEvent} event */
  async send(event) {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (this.form.elements.namedItem("text"));
    try {
      await this.table.fetchJson("chat", { text: field.value });
      field.value = "";
      await this.table.refresh();
      this.refresh();
    } catch (fault) {
      this.table.showError(fault);
    }
  }
}

/** @param {Table} table */
function startNotes(table) {
  const field = /** @type {HTMLTextAreaElement} */ (byId("note-text"));
  const state = byId("note-state");
  let timer = 0;
  const keepNote = async () => {
    try {
      await table.fetchJson("note", { text: field.value }, "PUT");
      state.textContent = "Kept.";
    } catch {
      state.textContent = "Not kept: the server cannot be reached.";
    }
  };
  field.addEventListener("input", () => {
    state.textContent = "…";
    window.clearTimeout(timer);
    timer = window.setTimeout(keepNote, REST);
  });
}
