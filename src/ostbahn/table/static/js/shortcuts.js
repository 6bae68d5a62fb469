/** Keyboard shortcuts, and a dialog that lists them. */

import { closest, el, isTyping } from "./dom.js";

/** @typedef {{keys: string[], words: string, group: string, act: ((event: KeyboardEvent) => void) | null}} Shortcut */

const NAMES = /** @type {Record<string, string>} */ ({
  " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc",
});

export class Shortcuts {
  constructor() {
    /** @type {Shortcut[]} */
    this.list = [];
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
    document.addEventListener("keydown", (event) => this.key(event));
    this.add("?", "Show these shortcuts", () => this.help(), { group: "Page" });
  }

  /**
   * @param {string | string[]} keys as in `KeyboardEvent.key`, letters with `Shift+` where it is wanted
   * @param {string} words what it does
   * @param {((event: KeyboardEvent) => void) | null} act null: somebody else listens, and only the list wants to know
   * @param {{group?: string}} [where]
   * @returns {() => void} removes it again
   */
  add(keys, words, act, { group = "Page" } = {}) {
    const shortcut = { keys: [keys].flat(), words, group, act };
    this.list.push(shortcut);
    return () => {
      this.list = this.list.filter((each) => each !== shortcut);
    };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const busy = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (busy || isTyping(event.target) || isPressing(event) || document.querySelector("dialog:modal") !== null) return;
    const found = this.list.findLast(({ keys, act }) => act !== null && keys.some((key) => means(key, event)));
    if (found === undefined) return;
    event.preventDefault();
    found.act?.(event);
  }

  help() {
    this.dialog?.remove();
    const groups = Map.groupBy(this.list, ({ group }) => group);
    const sections = [...groups].map(([group, shortcuts]) =>
      el("section", {}, el("h3", {}, group), el("dl", {}, ...shortcuts.flatMap(({ keys, words }) => [
        el("dt", {}, ...keys.flatMap((key, index) => [index ? " " : "", el("kbd", {}, written(key))])),
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

/**
 * @param {string} key
 * @param {KeyboardEvent} event
 */
function means(key, event) {
  const plain = key.replace(/^Shift\+/, "");
  if (plain.length > 1 || /[a-z]/i.test(plain)) {
    return event.key.toLowerCase() === plain.toLowerCase() && event.shiftKey === (key !== plain);
  }
  return event.key === plain; // for signs such as ? the keyboard decides whether Shift is needed
}

/** @param {string} key */
function written(key) {
  const plain = key.replace(/^Shift\+/, "");
  const name = NAMES[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain);
  return key === plain ? name : `Shift+${name}`;
}
