/** The spreadsheet is sorted by the column whose heading is pressed, and stays so when figures change. */

export class Sheet {
  constructor() {
    /** @type {{table: string, column: number, falling: boolean} | null} */
    this.order = null;
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest(".sheet thead button") : null;
      if (button !== null) this.press(button);
    });
  }

  /** @param {Element} button */
  press(button) {
    const cell = /** @type {HTMLTableCellElement} */ (button.closest("th"));
    const table = cell.closest("table")?.id ?? "";
    const again = this.order !== null && this.order.table === table && this.order.column === cell.cellIndex;
    this.order = { table, column: cell.cellIndex, falling: again ? !this.order?.falling : true };
    this.sort();
  }

  sort() {
    if (this.order === null) return;
    const { table: id, column, falling } = this.order;
    const table = /** @type {HTMLTableElement | null} */ (document.getElementById(id));
    const body = table?.tBodies[0];
    if (!table || !body) return;
    for (const cell of table.tHead?.rows[0].cells ?? []) cell.removeAttribute("aria-sort");
    table.tHead?.rows[0].cells[column].setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = [...body.rows].sort((one, other) => compared(one.cells[column], other.cells[column]));
    body.append(...(falling ? rows.reverse() : rows));
  }
}

/** @param {HTMLTableCellElement} one @param {HTMLTableCellElement} other */
function compared(one, other) {
  const [a, b] = [one, other].map((cell) => cell.dataset.value ?? cell.textContent ?? "");
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
}
