/** What scripts expect of a browser as soon as they are loaded, as far as tests without one need it. */

import { mock } from "node:test";

class Element extends EventTarget {
  closest() {
    return null;
  }
}
const document = Object.assign(new EventTarget(), {
  hidden: false,
  activeElement: null,
  getElementById: () => null,
  querySelector: () => null,
  querySelectorAll: () => [],
});
const window = new EventTarget();
Object.assign(globalThis, { document, Element, HTMLElement: Element, HTMLInputElement: Element, window });
for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval"]) {
  window[name] = (...given) => globalThis[name](...given); // so that a test can set its own
}
Map.groupBy ??= (values, keyOf) => {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
};

/** An instance made without its constructor, which would need a page. */
export function withoutConstructor(kind, fields) {
  return Object.assign(Object.create(kind.prototype), fields);
}

/** Run all pending microtasks. */
export async function settlePromises() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A mock function with the arguments of its calls. */
export function spy() {
  const listener = mock.fn();
  return Object.assign(listener, { calls: () => listener.mock.calls.map((call) => call.arguments) });
}
