/** Making elements: the few lines that every module here would otherwise repeat. */

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
