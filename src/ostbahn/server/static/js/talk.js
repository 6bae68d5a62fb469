/** Chat, and notes that keep themselves. */

/** @typedef {import("./sync.js").Table} Table */

const REST = 800;

/** @param {Table} table */
export function startTalk(table) {
  startChat(table);
  startNotes(table);
}

/** @param {Table} table */
function startChat(table) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("chat-form"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("text"));
    try {
      await table.ask("chat", { text: field.value });
      field.value = "";
      await table.refresh();
    } catch (fault) {
      table.tell(fault);
    }
  });
}

/** @param {Table} table */
function startNotes(table) {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("note-text"));
  const state = /** @type {HTMLElement} */ (document.getElementById("note-state"));
  let timer = 0;
  const keep = async () => {
    try {
      await table.ask("note", { text: field.value }, "PUT");
      state.textContent = "Kept.";
    } catch {
      state.textContent = "Not kept: the server cannot be reached.";
    }
  };
  field.addEventListener("input", () => {
    state.textContent = "…";
    window.clearTimeout(timer);
    timer = window.setTimeout(keep, REST);
  });
}
