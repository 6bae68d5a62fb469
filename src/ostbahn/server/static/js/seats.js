/** Who sits where: links are copied, and the host lets others play. */

/** @typedef {import("./sync.js").Table} Table */

/** @param {Table} table */
export function startSeats(table) {
  const pane = /** @type {HTMLElement} */ (document.getElementById("pane-seats"));

  /** Let somebody play a seat; the news of it loads every page anew. @param {string} seat @param {string} who */
  const give = async (seat, who) => {
    try {
      await table.ask("seat", { seat, who });
    } catch (fault) {
      table.tell(fault);
    }
  };
  pane.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button"));
    if (button?.dataset.copy !== undefined) copy(button, new URL(button.dataset.copy, window.location.href).href);
    const seat = button?.dataset.newLink;
    if (seat !== undefined && window.confirm(`The old link of ${button?.dataset.name} will open nothing any more. Make a new one?`)) {
      give(seat, "link");
    }
  });
  pane.addEventListener("change", (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    if (select.dataset.seat !== undefined) give(select.dataset.seat, select.value);
  });
}

/**
 * @param {HTMLElement} button
 * @param {string} link
 */
async function copy(button, link) {
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = "copied";
  } catch {
    window.prompt("Copy this link:", link);
  }
}
