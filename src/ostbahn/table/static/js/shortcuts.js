/** Keyboard shortcuts, and a dialog that lists them. */

import { closest, el, isTyping } from "./dom.js";

/** @typedef {{key: string, words: string, group: string, act: (() => unknown) | null}} Shortcut */

export class Shortcuts {
  constructor() {
    /** @type {Shortcut[]} */
    this.list = [];
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
    document.addEventListener("keydown", (event) => this.key(event));
    this.add("?", "Show these shortcuts", () => this.help(), "Page");
  }

  /**
   * @param {string} key as in `KeyboardEvent.key`
   * @param {string} words what it does
   * @param {(() => unknown) | null} act null: somebody else listens, and only the list wants to know
   * @param {string} group
   */
  add(key, words, act, group) {
    this.list.push({ key, words, act, group });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const busy = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (busy || isTyping(event.target) || isPressing(event) || document.querySelector("dialog:modal") !== null) return;
    const found = this.list.findLast(({ key, act }) => act !== null && means(key, event));
    if (found === undefined) return;
    event.preventDefault();
    found.act?.();
  }

  help() {
    this.dialog?.remove();
    const groups = Map.groupBy(this.list, ({ group }) => group);
    const sections = [...groups].map(([group, shortcuts]) =>
      el("section", {}, el("h3", {}, group), el("dl", {}, ...shortcuts.flatMap(({ key, words }) => [
        el("dt", {}, el("kbd", {}, written(key))),
        el("dd", {}, words),
      ]))));
    const close = el("button", { autofocus: true }, "Close");
    /** @type {HTMLDialogElement} */
    const dialog = el("dialog",
      { class: "shortcuts", "aria-labelledby": "shortcuts-heading", onclose: () => dialog.remove() },
      el("h2", { id: "shortcuts-heading" }, "Keyboard shortcuts"),
      ...sections,
      el("form", { method: "dialog" }, close));
    this.dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
  }
}

/**
 * Whether the key presses what has the focus, and is no command.
 * @param {KeyboardEvent} event
 */
function isPressing({ key, target }) {
  const pressed = "button, a[href], summary, input, [role=button]";
  return (key === "Enter" || key === " ") && closest(target, pressed) !== null;
}

/** Letters and names of keys want no Shift; for signs such as ? the keyboard decides. @param {string} key @param {KeyboardEvent} event */
function means(key, event) {
  const plain = key.length > 1 || /[a-z]/.test(key);
  return plain ? event.key.toLowerCase() === key.toLowerCase() && !event.shiftKey : event.key === key;
}

/** @param {string} key */
function written(key) {
  return key === "Escape" ? "Esc" : key.length === 1 ? key.toUpperCase() : key;
}
