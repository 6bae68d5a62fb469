/**
 * What every page does: show its colours and let them be chosen, and come back where the server was away.
 *
 * The chosen colours are kept in the cookie `theme-choice`; the cookie `theme` says what they come to, because the
 * server draws pictures in these colours and cannot ask the system.
 */

import { loadWhenReady } from "./requests.js";

const NAMES = { auto: "As the system", light: "Light", dark: "Dark", "colour-blind": "Colour-blind safe" };
/** @typedef {keyof typeof NAMES} Choice */
const YEAR = 365 * 24 * 60 * 60;
const darkness = matchMedia("(prefers-color-scheme: dark)");

darkness.addEventListener("change", showTheme);
showTheme();
const select = /** @type {HTMLSelectElement | null} */ (document.querySelector("#theme"));
select?.closest("label")?.removeAttribute("hidden");
select?.replaceChildren(...Object.entries(NAMES).map(([choice, name]) => new Option(name, choice)));
if (select !== null) select.value = chosen();
select?.addEventListener("change", () => {
  setCookie("theme-choice", select.value);
  showTheme();
});

/** A page that waits for something says in `data-returns` where it goes, and after how many milliseconds. */
const waiting = /** @type {HTMLElement | null} */ (document.querySelector("[data-returns]"));
if (waiting !== null) {
  const note = waiting.querySelector("[data-away]");
  window.setTimeout(() => {
    void loadWhenReady(waiting.dataset.returns || window.location.href, (away) => note?.toggleAttribute("hidden", !away));
  }, Number(waiting.dataset.after));
}

/** @returns {Choice} */
function chosen() {
  const kept = cookie("theme-choice") ?? "";
  return Object.hasOwn(NAMES, kept) ? /** @type {Choice} */ (kept) : "auto";
}

/** Pictures of the server have to be fetched again on `themechange`. */
function showTheme() {
  const choice = chosen();
  const theme = choice !== "auto" ? choice : darkness.matches ? "dark" : "light";
  const before = document.documentElement.dataset.theme;
  setCookie("theme", theme);
  document.documentElement.dataset.theme = theme;
  if (before !== theme) document.dispatchEvent(new CustomEvent("themechange", { detail: { theme } }));
}

/** @param {string} name @returns {string | undefined} */
function cookie(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found && decodeURIComponent(found.slice(name.length + 1));
}

/** @param {string} name @param {string} value */
function setCookie(name, value) {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR}; samesite=lax`;
}
