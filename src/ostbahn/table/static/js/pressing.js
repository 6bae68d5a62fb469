/** Nothing is put in under a finger: what is pressed must still be there when the pointer is up, or there is no click. */

/** A tap becomes a click a little after the finger is up. */
const AFTER = 50;

/**
 * @param {EventTarget} root
 * @param {string} [pressed] what must not be replaced meanwhile; whoever drags something else sees what comes
 * @returns {() => Promise<unknown>} kept once nothing of it is pressed any more
 */
export function releases(root, pressed = "*") {
  /** @type {Promise<unknown>} */
  let released = Promise.resolve();
  root.addEventListener("pointerdown", (event) => {
    const { target, button } = /** @type {PointerEvent} */ (event);
    if (button !== 0 || !(target instanceof Element) || target.closest(pressed) === null) return;
    released = new Promise((resolve) => {
      const up = () => setTimeout(resolve, AFTER);
      for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, up, { once: true });
    });
  });
  return () => released;
}
