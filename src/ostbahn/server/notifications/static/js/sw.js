/** Shows push messages, and leads to the table they are about. It keeps no pages: what it would show might be old. */

/** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {data: {json: () => Record<string, string>} | null}} Pushed */
/** @typedef {Lasting & {notification: Notification}} Clicked */
/** @typedef {{url: string, focus: () => Promise<unknown>}} Shown a window of the browser */
/**
 * @typedef {object} Serving what a service worker is to itself, as far as it is needed here
 * @property {(kind: string, heard: (event: Event) => void) => void} addEventListener
 * @property {ServiceWorkerRegistration} registration
 * @property {Location} location
 * @property {{matchAll: (which: object) => Promise<Shown[]>, openWindow: (address: string) => Promise<unknown>}} clients
 */

const worker = /** @type {Serving} */ (/** @type {unknown} */ (self));

worker.addEventListener("push", (event) => {
  const pushed = /** @type {Pushed} */ (event);
  const { title = "Ostbahn", body = "", path = "/", tag = "ostbahn" } = pushed.data?.json() ?? {};
  const look = { body, tag, data: { path }, renotify: true };
  pushed.waitUntil(worker.registration.showNotification(title, look));
});

worker.addEventListener("notificationclick", (event) => {
  const clicked = /** @type {Clicked} */ (event);
  clicked.notification.close();
  clicked.waitUntil(open(new URL(clicked.notification.data.path, worker.location.origin).href));
});

/**
 * A window that shows the table already comes to the front.
 * @param {string} address
 */
async function open(address) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((each) => each.url.split(/[?#]/)[0] === address);
  return shown ? shown.focus() : worker.clients.openWindow(address);
}
