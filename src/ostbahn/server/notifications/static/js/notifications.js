/** The page on which somebody says how to be told: push messages for this browser, and the time zone it is in. */

import { loadWhenReady } from "./requests.js";
import { request } from "./transport.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("push"));
const state = /** @type {HTMLElement} */ (document.getElementById("push-state"));

const zone = /** @type {HTMLInputElement | null} */ (document.getElementById("zone"));
if (zone?.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";

if (button !== null && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  button.hidden = false;
  state.textContent = Notification.permission === "denied" ? "This browser was told to show none; its settings can change that." : "";
  button.addEventListener("click", () => void subscribe(button));
}

/** @param {HTMLButtonElement} button */
async function subscribe(button) {
  button.disabled = true;
  try {
    if ((await Notification.requestPermission()) !== "granted") throw new Error("this browser was told to show none");
    const registration = await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
    const held = await registration.pushManager.getSubscription();
    await held?.unsubscribe(); // it may be of another server that was at this address
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true, applicationServerKey: bytes(button.dataset.key ?? ""),
    });
    const { endpoint, keys } = subscription.toJSON();
    const answer = await request("POST", "/told/push", { body: { endpoint, keys } });
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    await loadWhenReady();
  } catch (fault) {
    state.textContent = `That did not work: ${fault instanceof Error ? fault.message : fault}.`;
    button.disabled = false;
  }
}

/** @param {string} text in the base 64 of addresses */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
