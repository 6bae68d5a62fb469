/** The page of a table: what it shows is made by the server; here it is kept up to date and answers are sent. */

import { BoardView } from "./board.js";
import { Asking } from "./asking.js";
import { History } from "./slider.js";
import { LogPane } from "./log.js";
import { Shortcuts } from "./shortcuts.js";
import { Table } from "./sync.js";
import { Viewer } from "./viewer.js";
import { connect } from "./live.js";
import { startSeats } from "./seats.js";
import { startTabs } from "./tabs.js";
import { startTalk } from "./talk.js";

const root = /** @type {HTMLElement} */ (document.getElementById("table"));
const table = new Table(root);
const told = /** @type {HTMLElement} */ (document.getElementById("hex-told"));
const board = new BoardView(/** @type {HTMLElement} */ (document.getElementById("board")), {
  onHex: (hex, _event, at) => asking.hexClicked(hex, at),
  onHover: (hex) => {
    told.textContent = hex === null ? "" : board.nameOf(hex);
  },
});
const asking = new Asking(table, board);
const viewer = new Viewer(table);
const log = new LogPane(table);
const history = new History(/** @type {HTMLElement} */ (document.getElementById("history")), {
  count: table.number,
  at: table.now ? null : table.at,
  onWish: (at) => table.look(at),
});

table.onWish = () => history.show(table.number, table.wanted);
table.onUpdate = (update) => {
  if (update.board) board.replaceBoard(update.board);
  board.replaceHexes(update.hexes);
  table.onWish();
  const asked = update.panels.question !== undefined; // otherwise whoever is about to answer goes on with it
  if (asked || update.board) board.setRoutes(update.routes);
  if (asked) asking.begin();
  log.refresh();
  document.title = `${update.my_turn ? "● " : ""}${document.title.replace(/^● /, "")}`;
};

board.setRoutes(JSON.parse(document.getElementById("drawn-routes")?.textContent ?? "null"));
asking.begin();
startTabs(/** @type {HTMLElement} */ (document.getElementById("tabs")));
startTalk(table);
startSeats(table);

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const moment = /** @type {HTMLElement | null} */ (target.closest("[data-history]"));
  if (moment !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    table.look(moment.dataset.history === "now" ? null : Number(moment.dataset.history));
    return;
  }
  const zoom = /** @type {HTMLElement | null} */ (target.closest("[data-board]"))?.dataset.board;
  if (zoom === "in") board.zoomBy(1.4);
  else if (zoom === "out") board.zoomBy(1 / 1.4);
  else if (zoom === "fit") board.fit();
  if (target.id === "undo") table.undo();
  if (target.id === "propose") table.propose();
  if (target.id === "hint") asking.hint();
  const reply = /** @type {HTMLElement | null} */ (target.closest("[data-reply]"))?.dataset;
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

connect(table.url("events"), {
  names: ["state", "chat", "proposal", "seats"],
  onEvent: (name, version) => table.news(name, Number(version)),
  onState: (state) => root.classList.toggle("offline", state !== "open"),
});

const keys = new Shortcuts();
keys.add("Enter", "confirm what is chosen", () => asking.confirmChosen(), { group: "Answering" });
keys.add("Escape", "leave what is chosen", () => asking.cancel(), { group: "Answering" });
keys.add("p", "pass", () => asking.pass(), { group: "Answering" });
keys.add("u", "take back my last move", () => table.undo(), { group: "Answering" });
keys.add("h", "what would the bot do?", () => asking.hint(), { group: "Answering" });
keys.add("j", "go to the question", () => asking.focus(), { group: "Going about" });
keys.add("b", "go to the board", () => board.container.focus(), { group: "Going about" });
keys.add("[", "one move back", () => table.step(-1), { group: "Going about" });
keys.add("]", "one move on", () => table.step(1), { group: "Going about" });
keys.add("t", "tiles that are left", () => viewer.show("tiles"), { group: "Looking" });
