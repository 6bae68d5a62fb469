/**
 * The page of a table: what it shows is made by Python; here it is kept up to date and answers are sent.
 *
 * An application adds to it by a module that imports `extend` from here: chat, invitations, clocks.
 */

import { Layout } from "./layout.js";
import { QuestionController } from "./question.js";
import { BoardView } from "./board.js";
import { Sheet, Toasts, startMoments, startTabs } from "./controls.js";
import { byId, closest } from "./dom.js";
import { LogPane } from "./log.js";
import { Planning } from "./planning.js";
import { Replay } from "./replay.js";
import { Shortcuts } from "./shortcuts.js";
import { History } from "./slider.js";
import { Table } from "./sync.js";
import { subscribe } from "./transport.js";
import { CompanyHighlight, Viewer } from "./viewer.js";

/**
 * What an application adds to the page of a table; all of it is optional.
 * @typedef {object} Extension
 * @property {(update: Views.Update) => void} [onUpdate] after the page has changed
 * @property {(name: string) => void} [onEvent] when something has happened at the table
 * @property {() => void} [onAsking] when the page asks now and then, as it cannot listen
 */
/** @type {Extension[]} */
const extensions = [];

const root = byId("table");
const table = new Table(root);
const board = new BoardView(byId("board"), {
  onHex: (hex, _event, at) => replay.interrupt() || question.hexClicked(hex, at),
  onHover: (hex) => {
    byId("hex-told").textContent = hex === null ? "" : board.nameOf(hex);
  },
});
const toasts = new Toasts(byId("toasts"));
const question = new QuestionController(table, board, toasts);
const viewer = new Viewer(table);
const layout = new Layout(root, (show) => {
  question.palette.close();
  board.measure();
  if (show === "shares") board.fit();
  if (show === "tiles") viewer.inline(".tiles-left", "tiles");
});
new CompanyHighlight(table, board, layout, viewer);
const sheet = new Sheet();
const log = new LogPane(table);
const history = new History(byId("history"), {
  count: table.number,
  at: table.now ? null : table.at,
  onWish: (at) => table.showMoment(at),
});

table.onMomentChange = () => history.show(table.number, table.wantedMoment);
table.onUpdate = (update) => {
  if (update.board) board.replaceBoard(update.board);
  board.replaceHexes(update.hexes);
  table.onMomentChange();
  layout.setScene(update.scene);
  const asked = update.panels.question !== undefined; // otherwise whoever is about to answer goes on with it
  if (asked || update.board || update.at !== replay.shownAt) board.setLayer("routes", update.routes);
  if (asked) question.begin();
  if (update.panels.order !== undefined) showTurn();
  if (update.panels.plan !== undefined) planning.refresh();
  if (update.panels.sheet !== undefined) sheet.sort();
  if (update.panels.trains !== undefined && root.dataset.show === "tiles") viewer.inline(".tiles-left", "tiles");
  log.refresh();
  replay.shown(update);
  for (const extension of extensions) extension.onUpdate?.(update);
  document.title = `${update.asks_me ? "● " : ""}${document.title.replace(/^● /, "")}`;
};

board.setLayer("routes", JSON.parse(document.getElementById("drawn-routes")?.textContent ?? "null"));
question.begin();
const replay = new Replay(table, board, {
  onList: (since) => {
    if (!byId("pane-log").checkVisibility()) layout.show("log");
    log.showSince(since);
  },
});
startTabs(byId("tabs"));
const planning = new Planning(table);
startMoments(root);

document.addEventListener("click", (event) => {
  const { target } = event;
  const moment = closest(target, "[data-history]");
  if (moment !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    table.showMoment(moment.dataset.history === "now" ? null : Number(moment.dataset.history));
    return;
  }
  const zoom = closest(target, "[data-board]")?.dataset.board;
  if (zoom === "in") board.zoomBy(1.4);
  else if (zoom === "out") board.zoomBy(1 / 1.4);
  else if (zoom === "fit") board.fit();
  const dialog = closest(target, "[data-dialog]")?.dataset.dialog;
  if (dialog !== undefined) /** @type {HTMLDialogElement} */ (byId(dialog)).showModal();
  if (closest(target, ".menu > button, .menu > a")) byId("menu").hidePopover();
  if (closest(target, "[data-do=keys]")) keys.help();
  const tool = closest(target, "button")?.id;
  if (tool === "undo") table.undo();
  if (tool === "propose") table.propose();
  if (tool === "hint") question.hint();
  const reply = closest(target, "[data-reply]")?.dataset;
  if (reply !== undefined) table.reply(reply.reply === "yes", Number(reply.keep));
});

/** @param {string} theme */
function recolour(theme) {
  root.dataset.theme = theme;
  table.redraw();
}
document.addEventListener("themechange", (event) => recolour(/** @type {CustomEvent<{theme: string}>} */ (event).detail.theme));
// at the first visit the server could not know what the system wants, and that has been found out before this was loaded
const theme = document.documentElement.dataset.theme;
if (theme && theme !== (root.dataset.theme || "light")) recolour(theme);

/** A lost connection is told at once, wherever it is noticed; also that the page only asks now and then (`limited`). */
const reached = { line: true, server: true, limited: "" };
/** @param {Partial<typeof reached>} found */
function showConnection(found) {
  Object.assign(reached, found);
  const lost = !(reached.line && reached.server);
  root.classList.toggle("offline", lost);
  const note = byId("offline");
  const asking = reached.limited && `${reached.limited} This page asks for news every ten seconds instead.`;
  note.hidden = !lost && !asking;
  if (!lost) table.showError(null); // what could not be reached can be
  note.textContent = lost ? "Not connected. Trying again … What you see may be old." : asking;
}
table.onReachable = (server) => server !== reached.server && showConnection({ server });
subscribe(table.url("events"), {
  names: ["state", "chat", "proposal", "seats", "joined", "presence", "origin"],
  onEvent: (name, version) => {
    table.onEvent(name, Number(version));
    for (const extension of extensions) extension.onEvent?.(name);
  },
  onState: (state, words = "") => {
    if (state === "waiting") showConnection({ line: false });
    else showConnection({ line: true, server: true, limited: words });
    if (state !== "asking") return;
    void table.refresh();
    for (const extension of extensions) extension.onAsking?.();
  },
});

const keys = new Shortcuts();
const views = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-view]"));
for (const { dataset, title } of views) {
  const key = title.slice(-2, -1);
  keys.add(key, title.slice(0, -4), () => layout.toggle(dataset.view ?? "table"), "Views");
}
keys.add("Escape", "leave what is chosen", () => leavePast() || question.cancel(), "Answering");
keys.add("r", "turn the tile", null, "Answering");
keys.add("Enter", "lay the tile", null, "Answering");
keys.add("p", "pass, or done", () => question.pass(), "Answering");
keys.add("u", "take back my last move", () => table.undo(), "Answering");
keys.add("y", "give it again, on a planning board", () => void planning.redo(), "Answering");
keys.add("f", "plan from here", () => void planning.make(), "Answering");
keys.add("h", "what would the bot do?", () => question.hint(), "Answering");
keys.add("j", "go to the question", () => question.focus(), "Going about");
keys.add("b", "go to the map", () => board.container.focus(), "Going about");
keys.add("[", "one move back", () => table.step(-1), "Going about");
keys.add("]", "one move on", () => table.step(1), "Going about");
keys.add("x", "skip to now", () => leavePast() || replay.skip(), "Going about");

/** @returns {boolean} whether somebody was looking back */
function leavePast() {
  if (table.wantedMoment === null) return false;
  table.showMoment(null);
  return true;
}

/** On a narrow screen the strip of companies moves to the one in turn. */
function showTurn() {
  const now = /** @type {HTMLElement | null} */ (document.querySelector(".order-companies .now"));
  const strip = now?.parentElement;
  if (now && strip) strip.scrollLeft = now.offsetLeft - (strip.clientWidth - now.offsetWidth) / 2;
}
showTurn();

/**
 * Add something to the page, once it is set up.
 * @param {(page: { root: HTMLElement, table: Table, toasts: Toasts, keys: Shortcuts }) => Extension} make
 */
export function extend(make) {
  extensions.push(make({ root, table, toasts, keys }));
}
