/** Clocks that run, the card about the time at a table, and votes on it. */

import { byId, closest } from "./dom.js";
import { getFragment } from "./requests.js";

/** @typedef {import("./sync.js").Table} Table */

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below so many seconds the time is short. */
const SHORT = 2 * MINUTE;

/** The server says when somebody's time is over, and the page counts down to it. @param {HTMLElement} root the table, which says what time the server has */
export function startClocks(root) {
  const ahead = Date.now() - Date.parse(root.dataset.time ?? "");
  const show = () => {
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".clock[data-until]"))) {
      const left = (Date.parse(clock.dataset.until ?? "") - (Date.now() - ahead)) / SECOND;
      const words = told(Math.max(0, left));
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("short", left < SHORT);
    }
  };
  show();
  window.setInterval(show, SECOND);
  return { show };
}

/**
 * As a clock shows it: `2 d 3 h`, `1:05:09`, `4:30`.
 * @param {number} seconds
 */
export function told(seconds) {
  const whole = Math.floor(seconds);
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % MINUTE)}` : `${minutes}:${two(whole % MINUTE)}`;
}

/** The card, and votes. @param {Table} table */
export function startTime(table) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("time"));
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
      await table.fetchJson(path, said);
      table.showError(null);
    } catch (fault) {
      table.showError(fault);
    }
    await table.refresh();
  };

  document.addEventListener("click", (event) => {
    const { target } = event;
    if (closest(target, "[data-open-time]")) void open();
    if (target === dialog) dialog.close(); // beside the card
    const vote = closest(target, "[data-vote]")?.dataset;
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
