/**
 * The form for a new game: another game or number of players brings other seats, options and rulings.
 * The server makes them from what has been filled in so far, as it does where there are no scripts.
 */

import { getFragment, loadWhenReady } from "./requests.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("#new-form"));
let latest = 0;

form.classList.add("scripted");
form.addEventListener("change", (event) => {
  const { target } = event;
  if (target instanceof HTMLInputElement && target.name === "others") seatOthers(target.value);
  if (target instanceof HTMLSelectElement && target.name === "opponent") seatOthers("bots");
  if (target instanceof HTMLSelectElement && /^(who|opponent)/.test(target.name)) tellOthers();
  if (event.target instanceof HTMLElement && event.target.matches("[data-reshapes]")) void reshape(event.target);
  else tellRulings();
});
showScripted();
tellRulings();
// what was chosen before this was loaded, or what a browser has filled in again by itself
const chosen = [...form.querySelectorAll("input[data-reshapes]")].find(
  (input) => input instanceof HTMLInputElement && input.checked && !input.defaultChecked,
);
if (chosen instanceof HTMLInputElement) void reshape(chosen);

/** @param {HTMLElement} cause */
async function reshape(cause) {
  const turn = ++latest;
  const address = `${form.dataset.page}?${filledIn()}`;
  const shaped = await getFragment(address, "#shaped").catch(() => null);
  if (turn !== latest) return; // something else has been chosen meanwhile
  if (shaped === null) return loadWhenReady(new URL(address, window.location.href).href);
  const open = [...form.querySelectorAll("details[open]")].map((details) => details.id);
  document.querySelector("#shaped")?.replaceWith(document.adoptNode(shaped));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  showScripted();
  tellRulings();
  if (!cause.isConnected) sameAs(cause)?.focus(); // the keyboard stays where it was
}

/**
 * Let all but the first seat be played in one way: `here`, by `link`, or by the `bots` that are chosen beside it.
 * @param {string} who
 */
function seatOthers(who) {
  const opponent = form.querySelector("select[name=opponent]");
  const value = who === "bots" && opponent instanceof HTMLSelectElement ? opponent.value : who;
  for (const select of others()) select.value = value;
}

/** Say what the others are where somebody has chosen seat by seat, if all are the same. */
function tellOthers() {
  const kinds = new Set(others().map(({ value }) => (["here", "link"].includes(value) ? value : "bots")));
  for (const radio of form.querySelectorAll("input[name=others]")) {
    if (radio instanceof HTMLInputElement) radio.checked = kinds.size === 1 && kinds.has(radio.value);
  }
}

/** Who plays the seats after the first. */
function others() {
  return [...form.querySelectorAll("select")].filter(({ name }) => /^who(?!1$)/.test(name));
}

/** What works by script alone is shown where there is one. */
function showScripted() {
  for (const part of form.querySelectorAll(".with-script")) part.removeAttribute("hidden");
}

/** Say at each ruling what the preset makes of it. */
function tellRulings() {
  const preset = new FormData(form).get("preset");
  for (const option of form.querySelectorAll("option")) {
    const values = /** @type {Record<string, string> | null} */ (JSON.parse(option.dataset.rulings ?? "null"));
    if (values) option.textContent = `as answered above: ${values[String(preset)]}`;
  }
}

/** All that has been typed and chosen; files cannot go into an address. */
function filledIn() {
  const fields = [...new FormData(form)].filter((field) => typeof field[1] === "string");
  return new URLSearchParams(/** @type {[string, string][]} */ (fields));
}

/**
 * What has taken the place of a radio button.
 * @param {HTMLElement} cause
 * @returns {HTMLElement | null}
 */
function sameAs(cause) {
  const { name, value } = /** @type {HTMLInputElement} */ (cause);
  return form.querySelector(`input[name="${name}"][value="${CSS.escape(value)}"]`);
}
