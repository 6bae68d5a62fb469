/** The invite card: links are copied and shared, guests sit down, and the host lets others play. */

import { byId, closest, releases } from "./dom.js";
import { getFragment } from "./requests.js";

/** @typedef {import("./sync.js").Table} Table */

const HASH = "#invite";

/**
 * Bring the card in `<dialog id="invite">` to life. It opens by itself for a guest who has not sat down yet, and at
 * `#invite`, where the host comes from the form of a new game; anything with `data-open-invite` opens it too.
 * @param {Table} table
 * @returns {{open: () => void, refresh: () => Promise<void>}} `refresh` is for news: joined, presence, and seats where
 *   these do not load the page anew
 */
export function startInvite(table) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("invite"));
  const invite = new Invite(table, dialog);
  dialog.addEventListener("click", (event) => invite.clicked(event));
  dialog.addEventListener("change", (event) => invite.chosen(event));
  dialog.addEventListener("close", () => invite.closed());
  document.addEventListener("click", (event) => {
    if (closest(event.target, "[data-open-invite]")) invite.open();
  });
  window.addEventListener("hashchange", () => invite.openIfWanted());
  invite.begin();
  invite.openIfWanted();
  return { open: () => invite.open(), refresh: () => invite.refresh() };
}

class Invite {
  /** @param {Table} table @param {HTMLDialogElement} dialog */
  constructor(table, dialog) {
    this.table = table;
    this.dialog = dialog;
    /** Whether something has happened that the card does not show yet. */
    this.stale = false;
    this.released = releases(dialog);
  }

  get card() {
    return /** @type {HTMLElement} */ (this.dialog.querySelector("#invite-card"));
  }

  /** Where it is told that a link was copied. */
  get copied() {
    return /** @type {HTMLElement} */ (this.card.querySelector(".copied"));
  }

  /** Under this it is remembered that a guest wants to look first. */
  get later() {
    return `later-${this.table.key}`;
  }

  /** What works by script alone is shown. */
  begin() {
    for (const part of this.card.querySelectorAll(".with-script")) part.removeAttribute("hidden");
    for (const button of this.card.querySelectorAll("[data-share]")) button.toggleAttribute("hidden", !("share" in navigator));
  }

  openIfWanted() {
    const wanted = window.location.hash === HASH;
    if (wanted) window.history.replaceState(null, "", window.location.pathname + window.location.search);
    if (wanted || (this.card.dataset.ask && window.sessionStorage.getItem(this.later) === null)) this.open();
  }

  open() {
    if (!this.dialog.open) this.dialog.showModal();
    if (this.stale) void this.refresh();
    const field = /** @type {HTMLElement | null} */ (this.card.querySelector("[data-ask] .name-form input[name=name]"));
    (field ?? /** @type {HTMLElement} */ (this.card.querySelector("#invite-title"))).focus();
  }

  closed() {
    if (this.card.dataset.ask) window.sessionStorage.setItem(this.later, "yes");
  }

  /** Fetch the card anew, once somebody looks at it, and unless they are about to write in it. */
  async refresh() {
    this.stale = !this.dialog.open;
    if (this.stale) return;
    const fresh = await getFragment(`/t/${this.table.key}/invite`, "#invite-card").catch(() => null);
    if (fresh === null) return; // whoever listens to the server hears soon enough that it is away
    await this.released();
    const busy = this.card.contains(document.activeElement) && document.activeElement?.matches("input:not([readonly]), select");
    this.stale = busy === true;
    if (busy) return;
    const focused = this.card.contains(document.activeElement) ? document.activeElement : null;
    const open = [...this.card.querySelectorAll("details[open]")].map((part) => /** @type {HTMLElement} */ (part).dataset.keep);
    const copied = this.copied.textContent;
    this.card.replaceWith(document.adoptNode(fresh));
    this.copied.textContent = copied; // whoever copies a link may do so at the moment in which somebody comes
    for (const part of this.card.querySelectorAll("details")) part.open = open.includes(part.dataset.keep);
    this.begin();
    if (focused !== null) this.same(focused).focus();
  }

  /**
   * What stands in a new card where somebody was in the old one: it has the same name, or it is the title.
   * @param {Element} old
   */
  same(old) {
    const name = old.getAttribute("aria-label");
    const known = name === null ? null : this.card.querySelector(`${old.localName}[aria-label="${CSS.escape(name)}"]`);
    return /** @type {HTMLElement} */ (known ?? this.card.querySelector("#invite-title"));
  }

  /** @param {Event} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const { copy, share, newLink, name } = target.closest("button")?.dataset ?? {};
    if (copy !== undefined) void this.copy(copy);
    if (share !== undefined) navigator.share({ url: share }).catch(() => {}); // whoever thinks better of it says so that way
    if (newLink !== undefined && window.confirm(`The old link of ${name} will stop working. Make a new one?`)) {
      void this.give(newLink, "link");
    }
    if (target === this.dialog) this.dialog.close(); // beside the card
  }

  /** @param {Event} event */
  chosen(event) {
    const select = /** @type {HTMLElement} */ (event.target).closest("select");
    if (select?.dataset.give === undefined) return;
    const { give, confirm } = select.dataset;
    if (confirm === undefined || window.confirm(confirm)) void this.give(give, select.value);
    else for (const option of select.options) option.selected = option.defaultSelected;
  }

  /** @param {string} link */
  async copy(link) {
    try {
      await navigator.clipboard.writeText(link);
      this.copied.textContent = "Link copied.";
    } catch { // a page that did not come by HTTPS may not copy; the link is there to be copied by hand
      const field = /** @type {HTMLInputElement | undefined} */ (
        [...this.card.querySelectorAll("input")].find(({ value }) => value === link));
      field?.select();
      this.copied.textContent = "Press Ctrl+C to copy the link.";
    }
  }

  /**
   * Let somebody else play a seat; the news of it may load every page anew, and the card is wanted then.
   * @param {string} seat
   * @param {string} who
   */
  async give(seat, who) {
    window.history.replaceState(null, "", HASH);
    try {
      await this.table.fetchJson("seat", { seat, who });
      await this.refresh();
    } catch (fault) {
      this.dialog.close();
      this.table.showError(fault);
    }
  }
}
