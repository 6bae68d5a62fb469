/** The card about the time at a table, and votes on it. */

import { getFragment } from "./requests.js";

/** @typedef {import("./sync.js").Table} Table */

/** @param {Table} table */
export function startTime(table) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("time"));
  const body = /** @type {HTMLElement} */ (dialog.querySelector(".card-body"));

  const open = async () => {
    const card = await getFragment(`/t/${table.key}/time`).catch(() => null);
    if (card === null) return;
    body.replaceChildren(...card.childNodes);
    dialog.showModal();
    /** @type {HTMLElement | null} */ (body.querySelector("#time-title"))?.focus();
  };

  /** @param {string} path @param {object} said */
  const send = async (path, said) => {
    try {
      await table.ask(path, said);
      table.tell(null);
    } catch (fault) {
      table.tell(fault);
    }
    await table.refresh();
  };

  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("[data-open-time]")) void open();
    if (target === dialog) dialog.close(); // beside the card
    const vote = /** @type {HTMLElement | null} */ (target.closest("[data-vote]"))?.dataset;
    if (vote !== undefined) void send("vote/reply", { number: Number(vote.number), agree: vote.vote === "yes" });
  });
  dialog.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const what = form.dataset.motion;
    if (what === undefined) return;
    event.preventDefault();
    dialog.close();
    void send("vote", motion(what, new FormData(form)));
  });
}

/**
 * What is proposed, as the server wants it told.
 * @param {string} what
 * @param {FormData} fields
 */
function motion(what, fields) {
  if (what === "more") return { what, seat: fields.get("seat"), seconds: Number(fields.get("seconds")) };
  if (what === "bot") return { what, seat: fields.get("seat") };
  if (what !== "clock") return { what };
  const [kind, seconds, increment] = String(fields.get("clock")).split("-");
  if (kind === "none") return { what, clock: null };
  return { what, clock: { kind, seconds: Number(seconds), increment: Number(increment), end: fields.get("end") } };
}
