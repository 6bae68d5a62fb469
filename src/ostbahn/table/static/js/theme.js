/**
 * The colours of the page. The choice is kept in the cookie `theme-choice`; the cookie `theme` says what it comes to,
 * because the server draws pictures in these colours and cannot ask the system.
 */

export const CHOICES = /** @type {const} */ (["auto", "light", "dark", "colour-blind"]);
/** @typedef {typeof CHOICES[number]} Choice */

const NAMES = { auto: "As the system", light: "Light", dark: "Dark", "colour-blind": "Colour-blind safe" };
const YEAR = 365 * 24 * 60 * 60;
const darkness = matchMedia("(prefers-color-scheme: dark)");

/** @returns {Choice} */
export function chosen() {
  const kept = cookie("theme-choice");
  return CHOICES.find((choice) => choice === kept) ?? "auto";
}

/**
 * What a choice comes to here and now.
 * @param {Choice} [choice]
 */
export function resolved(choice = chosen()) {
  if (choice !== "auto") return choice;
  return darkness.matches ? "dark" : "light";
}

/** @param {Choice} choice */
export function choose(choice) {
  setCookie("theme-choice", choice);
  apply();
}

/** Show the theme; pictures of the server have to be fetched again on `themechange`. */
function apply() {
  const theme = resolved();
  const before = document.documentElement.dataset.theme;
  setCookie("theme", theme);
  document.documentElement.dataset.theme = theme;
  if (before !== theme) document.dispatchEvent(new CustomEvent("themechange", { detail: { theme, before } }));
}

/**
 * Keep the page in the chosen theme; with a `<select>` let it be chosen.
 * @param {HTMLSelectElement | null} [select]
 */
export function startTheme(select = null) {
  darkness.addEventListener("change", apply);
  apply();
  if (select === null) return;
  select.replaceChildren(...CHOICES.map((choice) => new Option(NAMES[choice], choice)));
  select.value = chosen();
  select.addEventListener("change", () => choose(/** @type {Choice} */ (select.value)));
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
