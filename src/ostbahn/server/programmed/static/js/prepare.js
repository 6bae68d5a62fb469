/** Prepared moves: the dialog in which they are chosen, those that stand, and words about those that are over. */

import { byId, closest } from "./dom.js";
import { getFragment } from "./requests.js";

/** @typedef {import("./sync.js").Table} Table */
/** @typedef {import("./controls.js").Toasts} Toasts */

/**
 * @param {Table} table
 * @param {Toasts} toasts
 * @returns {{open: () => Promise<void>, refresh: () => void}} `refresh` when the panel is another
 */
export function startProgramming(table, toasts) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("prepare"));
  const programming = new ProgrammingDialog(table, toasts, dialog);
  document.addEventListener("click", (event) => programming.clicked(event));
  dialog.addEventListener("submit", (event) => programming.submitted(/** @type {SubmitEvent} */ (event)));
  dialog.addEventListener("change", (event) => programming.changed(event));
  programming.refresh();
  return { open: () => programming.open(), refresh: () => programming.refresh() };
}

class ProgrammingDialog {
  /** @param {Table} table @param {Toasts} toasts @param {HTMLDialogElement} dialog */
  constructor(table, toasts, dialog) {
    this.table = table;
    this.toasts = toasts;
    this.dialog = dialog;
    /** @type {Set<number>} moves of which it was told that they are done */
    this.told = new Set();
    /** @type {Promise<unknown>} what was prepared last, on its way */
    this.kept = Promise.resolve();
    this.body = /** @type {HTMLElement} */ (dialog.querySelector(".prepare-body"));
  }

  /** Fetch what can be prepared now, and show it. */
  async open() {
    if (document.getElementById("prepare-open") === null) return;
    await this.fill();
    if (!this.dialog.open) this.dialog.showModal();
    /** @type {HTMLElement | null} */ (this.body.querySelector("#prepare-title"))?.focus();
  }

  async fill() {
    await this.kept; // what was prepared a moment ago is among it
    const card = await getFragment(`/t/${this.table.key}/prepare`).catch(() => null);
    if (card === null) return; // whoever listens to the server hears soon enough that it is away
    this.body.replaceChildren(...card.childNodes);
    for (const form of this.body.querySelectorAll("form")) fit(form);
  }

  /** What was done is told once; what was cancelled stays in sight until somebody has taken note of it. */
  refresh() {
    const found = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-done]"))];
    const done = found.filter(({ dataset }) => !this.told.has(Number(dataset.done)));
    if (done.length > 0) this.toasts.show(`Done – ${done.map(({ textContent }) => textContent).join("; ")}.`);
    for (const { dataset } of done) {
      this.told.add(Number(dataset.done));
      void this.drop(Number(dataset.done));
    }
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { target } = event;
    if (closest(target, "#prepare-open")) void this.open();
    const drop = closest(target, "[data-drop]")?.dataset.drop;
    if (drop !== undefined) void this.drop(Number(drop));
    if (target === this.dialog) this.dialog.close(); // beside the form
  }

  /** @param {number} id */
  async drop(id) {
    try {
      await this.table.fetchJson(`prepared/${id}`, {}, "DELETE");
    } catch {
      // it was gone already
    }
    await this.table.refresh();
    if (this.dialog.open && this.body.querySelector(`[data-drop="${id}"]`) !== null) await this.fill(); // others go on with the form
  }

  /** @param {Event} event */
  changed(event) {
    const form = /** @type {HTMLElement} */ (event.target).closest("form");
    if (form !== null) fit(form);
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.dataset.prepare === undefined) return; // that closes the dialog
    event.preventDefault();
    this.dialog.close(); // what goes wrong is told on the page
    this.kept = this.table.send("prepared", { seat: form.dataset.seat, move: moveIn(form) });
  }
}

/**
 * The move that a form says.
 * @param {HTMLFormElement} form
 */
function moveIn(form) {
  const data = new FormData(form);
  /** @type {Record<string, unknown>} */
  const move = { prepare: form.dataset.prepare, alarms: data.getAll("alarms") };
  for (const name of ["company", "item", "thing", "until"]) if (data.has(name)) move[name] = data.get(name);
  for (const name of ["amount", "most", "below"]) if (data.has(name)) move[name] = Number(data.get(name));
  if (data.has("accept")) move.accept = true;
  return move;
}

/**
 * Choices that hang on others: how many there are of what was chosen, and whether it must be said.
 * @param {HTMLFormElement} form
 */
function fit(form) {
  const amounts = /** @type {Record<string, Record<string, Views.AmountChoice>>} */ (JSON.parse(form.dataset.amounts ?? "{}"));
  const data = new FormData(form);
  const about = String(data.get("company") ?? data.get("item") ?? data.get("thing") ?? "");
  const spans = amounts[about] ?? amounts[""] ?? {};
  for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=until]"))) {
    if (form.dataset.prepare === "buy") choice.disabled = !(choice.value in spans);
    if (choice.disabled && choice.checked) {
      /** @type {HTMLInputElement} */ (form.querySelector("[name=until]:enabled")).checked = true;
    }
  }
  const until = String(new FormData(form).get("until") ?? "");
  const field = /** @type {HTMLInputElement | null} */ (form.querySelector(".amount input"));
  const span = spans[until];
  if (field !== null && span !== undefined) {
    Object.assign(field, { min: String(span.least), max: String(span.most), step: String(span.step) });
    if (Number(field.value) < span.least || Number(field.value) > span.most || (Number(field.value) - span.least) % span.step) {
      field.value = String(span.least);
    }
    const label = /** @type {HTMLElement} */ (field.closest("label"));
    label.hidden = until === "floats";
    const called = /** @type {HTMLElement | null} */ (label.querySelector("[data-number]"));
    if (called !== null) called.textContent = called.dataset[until] ?? "";
  }
  const accept = /** @type {HTMLElement | null} */ (form.querySelector(".accept"));
  if (accept !== null) { // nobody sells whatever is wanted
    accept.hidden = about === "";
    if (accept.hidden) /** @type {HTMLInputElement} */ (accept.querySelector("input")).checked = false;
  }
}
