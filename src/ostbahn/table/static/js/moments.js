/** Links that lead on from the moment that the table shows, whichever that is when they are clicked. */

/** @param {HTMLElement} root the table */
export function startMoments(root) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-moment]"))) {
    link.addEventListener("click", () => {
      const address = new URL(link.href);
      address.searchParams.set("at", root.dataset.at ?? "");
      link.href = address.href;
    });
  }
}
