// @ts-check
/** Who sits where: links are copied, and the host lets others play. */

/** @typedef {import("./sync.js").Table} Table */

/** @param {Table} table */
export function startSeats(table) {
  const pane = /** @type {HTMLElement} */ (document.getElementById("pane-seats"));
  pane.addEventListener("click", async (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-copy]"));
    if (button === null) return;
    const link = new URL(button.dataset.copy ?? "", window.location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "copied";
    } catch {
      window.prompt("Copy this link:", link);
    }
  });
  pane.addEventListener("change", async (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    if (select.dataset.seat === undefined) return;
    try {
      await table.ask("seat", { seat: select.dataset.seat, who: select.value }); // the news of it loads every page anew
    } catch (fault) {
      table.tell(fault);
    }
  });
}
