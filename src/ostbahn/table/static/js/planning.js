/** Planning boards: made at a table, played on, compared, and their first move played for real. */

import { byId, closest, loadSetting, saveSetting } from "./dom.js";
import { Refused, getFragment, readJson } from "./requests.js";
import { request, visit } from "./transport.js";

/** @typedef {import("./sync.js").Table} Table */

/** Under this a browser remembers which bot somebody likes to ask. */
const BOT = "plan-bot";
/** And under this, with the key of a table, the plans that were made with it here: those who look on share a key. */
const KNOWN = "plans-of-";

export class Planning {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** Whether bots answer one after the other. */
    this.running = false;
    const bot = this.bot;
    if (bot !== null) {
      const liked = loadSetting(BOT);
      if (liked !== null && [...bot.options].some(({ value }) => value === liked)) bot.value = liked;
      bot.addEventListener("change", () => saveSetting(BOT, bot.value));
    }
    this.refresh();
    document.addEventListener("click", (event) => this.clicked(event));
    this.dialog.addEventListener("submit", (event) => void this.submitted(event));
  }

  get bot() {
    return /** @type {HTMLSelectElement | null} */ (document.getElementById("plan-bot"));
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (byId("plans"));
  }

  /** What can be asked of bots now. */
  refresh() {
    const until = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-plan=until]"));
    if (until !== null) until.disabled = document.getElementById("panel-plan")?.dataset.asked === "yes";
  }

  /** Whether this is a planning board, and no table. */
  get isBoard() {
    return this.table.key.includes(".");
  }

  /** The key of the table that is planned for. */
  get own() {
    return this.table.key.split(".")[0] ?? "";
  }

  /** @param {Event} event */
  clicked(event) {
    const button = closest(event.target, "[data-plan]");
    if (button === null) return;
    const wish = button.dataset.plan;
    if (wish === "make") void this.make();
    else if (wish === "list") void this.list();
    else if (wish === "redo") void this.redo();
    else if (wish === "renew") void this.table.send("plan/renew", {});
    else if (wish === "play") void this.play();
    else if (wish === "bot") void this.letAnswer(null);
    else if (wish === "until") void this.letAnswer(button.dataset.until ?? null);
    else if (wish === "drop") void this.drop(button);
  }

  /** A board that begins with what the page shows. */
  async make() {
    if (this.isBoard) return;
    await this.tried(async () => {
      const at = this.table.now ? null : this.table.at;
      const made = /** @type {Views.PlanSummary} */ (await this.table.fetchJson("plans", { at }));
      this.remember(made.id);
      visit(made.path);
    });
  }

  /** @returns {Promise<boolean>} */
  redo() {
    return this.isBoard ? this.table.send("plan/redo", {}) : Promise.resolve(false);
  }

  async play() {
    await this.tried(async () => {
      const played = /** @type {Views.PlayedForReal} */ (await this.table.fetchJson("plan/play", { version: this.table.version }));
      visit(played.path);
    });
  }

  /**
   * @param {string | null} until a seat; null: one answer
   */
  async letAnswer(until) {
    const { table, bot } = this;
    if (this.running) {
      this.running = false; // a second click stops them
      return;
    }
    if (bot === null || table.sending) return;
    this.running = true;
    table.root.classList.add("busy");
    await this.tried(async () => {
      let done = false;
      while (!done && this.running) {
        const sent = { version: table.version, page: table.page(null), bot: bot.value, until };
        const { answered, update } = /** @type {Views.BotAnswers} */ (await table.fetchJson("plan/bot", sent));
        done = answered.done;
        table.wantedMoment = null;
        if (update !== null) table.apply(update);
      }
    });
    this.running = false;
    table.root.classList.remove("busy");
  }

  // One's plans

  async list() {
    await this.tried(async () => {
      const query = new URLSearchParams(this.known().map((id) => ["known", id]));
      this.dialog.replaceChildren(await getFragment(`/t/${this.table.key}/plans?${query}`, "#plans-card"));
      if (!this.dialog.open) this.dialog.showModal();
    });
  }

  /** @param {SubmitEvent} event */
  async submitted(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method === "dialog") return;
    event.preventDefault();
    const said = new FormData(form);
    if (form.matches(".plan-compare")) {
      const query = new URLSearchParams({ one: String(said.get("one")), other: String(said.get("other")) });
      const path = `/t/${this.table.key}/plans/compare?${query}`;
      await this.tried(async () => byId("compared").replaceChildren(await getFragment(path, "#comparison")));
      return;
    }
    await this.tried(async () => {
      await this.sendTo(form, "PUT", { name: said.get("name") });
      await this.list();
    });
  }

  /** @param {HTMLElement} button */
  async drop(button) {
    await this.tried(async () => {
      const key = await this.sendTo(button, "DELETE");
      if (key === this.table.key) visit(`/t/${this.own}`);
      else await this.list();
    });
  }

  /**
   * Say something to the plan in whose row a control stands.
   * @param {HTMLElement} control
   * @param {string} method
   * @param {object} [body]
   * @returns {Promise<string>} its key
   */
  async sendTo(control, method, body) {
    const key = closest(control, "[data-plan-key]")?.dataset.planKey ?? "";
    await readJson(await request(method, `/api/t/${key}/plan`, { body }));
    return key;
  }

  /** @returns {string[]} plans that were made here, the latest first */
  known() {
    return JSON.parse(loadSetting(KNOWN + this.own) ?? "[]");
  }

  /** @param {string} id */
  remember(id) {
    saveSetting(KNOWN + this.own, JSON.stringify([id, ...this.known()].slice(0, 40)));
  }

  /**
   * Do something; what the server refuses is told as everywhere.
   * @param {() => Promise<unknown>} act
   */
  async tried(act) {
    try {
      await act();
      this.table.showError(null);
    } catch (fault) {
      if (this.dialog.open) this.dialog.close();
      this.table.showError(fault);
      if (fault instanceof Refused && fault.status === 409) void this.table.refresh();
    }
  }
}
