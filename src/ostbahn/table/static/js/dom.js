/** Making and finding elements, and keeping things: the few lines that every module would otherwise repeat. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: Event) => unknown)>} Attributes */

/**
 * An element; attributes that are null or false are left out, functions named `onclick` and so on are listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svgEl(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 * @returns {Made}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * The elements that a piece of SVG consists of, ready to be put into this page.
 * @param {string} markup one or several elements, or a whole document
 * @returns {Element[]}
 */
export function parseSvg(markup) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
  const fault = parsed.querySelector("parsererror");
  if (fault) throw new Error(`This is no SVG: ${fault.textContent}`);
  return [...parsed.documentElement.children].map((child) => document.importNode(child, true));
}

/**
 * An element that the page is known to have.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @returns {Kind}
 */
export function byId(id) {
  return /** @type {Kind} */ (document.getElementById(id));
}

/**
 * What an event happened in.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {Kind | null}
 */
export function closest(target, selector) {
  return target instanceof Element ? /** @type {Kind | null} */ (target.closest(selector)) : null;
}

/** Inputs in which nothing is written. */
const PUSHED = ["button", "checkbox", "radio", "range", "submit"];

/**
 * Whether somebody is writing there, so that a key is a letter and no command.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("textarea, select") !== null) return true;
  return target instanceof HTMLInputElement && !PUSHED.includes(target.type);
}

/** Whether movement on the page is unwelcome. */
export function wantsStillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A tap becomes a click so many milliseconds after the finger is up. */
const AFTER = 50;

/**
 * Nothing is put in under a finger: what is pressed must still be there when the pointer is up, or there is no click.
 * @param {EventTarget} root
 * @param {string} [pressed] what must not be replaced meanwhile; whoever drags something else sees what comes
 * @returns {() => Promise<unknown>} kept once nothing of it is pressed any more
 */
export function releases(root, pressed = "*") {
  /** @type {Promise<unknown>} */
  let released = Promise.resolve();
  root.addEventListener("pointerdown", (event) => {
    const { target, button } = /** @type {PointerEvent} */ (event);
    if (button !== 0 || closest(target, pressed) === null) return;
    released = new Promise((resolve) => {
      const up = () => setTimeout(resolve, AFTER);
      for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, up, { once: true });
    });
  });
  return () => released;
}

/** A setting stored in this browser. @param {string} name @returns {string | null} */
export function loadSetting(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a setting in this browser; without local storage, do nothing. @param {string} name @param {string} value */
export function saveSetting(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // Storage is blocked or full.
  }
}
