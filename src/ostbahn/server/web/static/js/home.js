/** The first page: pictures in the colours of the page, and games that are begun once however often one clicks. */

import { loadImage } from "./transport.js";

/** @param {string} theme */
function recolour(theme) {
  for (const picture of document.querySelectorAll("picture")) {
    const image = picture.querySelector("img");
    const address = image?.dataset.themed?.replace("THEME", theme);
    if (image == null || address === undefined) continue;
    picture.querySelector("source")?.remove(); // which follows the system, whatever was chosen
    loadImage(image, address);
  }
}
document.addEventListener("themechange", (event) => recolour(/** @type {CustomEvent<{theme: string}>} */ (event).detail.theme));
recolour(document.documentElement.dataset.theme ?? "light");

for (const form of document.forms) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  window.addEventListener("pageshow", () => (sent = false)); // whoever comes back may begin another one
}
