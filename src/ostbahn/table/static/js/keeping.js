/** What a browser keeps for its owner. Where nothing may be kept, it holds as long as the page. */

/** @param {string} name @returns {string | null} */
export function kept(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // It is known until the page is left.
  }
}
