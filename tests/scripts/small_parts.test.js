import { spy } from "./stand_ins.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { told } from "./clocks.js";
import { compared } from "./controls.js";
import { saveSetting, loadSetting, releases } from "./dom.js";
import { choicesOf } from "./palette.js";
import { Refused, readJson } from "./requests.js";
import { Shortcuts } from "./shortcuts.js";

test("clocks tell days, hours or minutes", () => {
  assert.deepEqual([2.2 * 86400, 86400, 3909, 270.9, 5].map(told), ["2 d 4 h", "1 d 0 h", "1:05:09", "4:30", "0:05"]);
});

test("a column of numbers is sorted by number, one of words by word", () => {
  assert.deepEqual(["100", "20", "3"].sort(compared), ["3", "20", "100"]);
  assert.deepEqual(["Čeněk", "Zora", "Anna"].sort(compared), ["Anna", "Čeněk", "Zora"]);
});

test("a tile is one choice in the order of the answers, with its rotations in order", () => {
  const lay = (index, tile, rotation, how) => ({ index, tile, action: { hex: "E13", rotation }, how });
  const answers = [lay(0, "57", 2), lay(1, "8", 0), lay(2, "57", 0), lay(3, "57", 2, "by the power of ABC")];
  const [first, second] = choicesOf(answers, { 57: { colour: "yellow", left: 3 } });
  assert.deepEqual([first.tile, first.colour, first.left, second.tile, second.left], ["57", "yellow", 3, "8", null]);
  assert.deepEqual([...first.turns].map(([turn, lays]) => [turn, lays.map(({ index }) => index)]), [[0, [2]], [2, [0, 3]]]);
});

test("a refusal is told in the server's words", async () => {
  assert.deepEqual(await readJson(Response.json({ a: 1 })), { a: 1 });
  assert.equal(await readJson(new Response("ok")), null);
  const refused = await readJson(Response.json({ error: "no", rule: "VIII.4/8", rule_text: "so" }, { status: 400 })).catch((fault) => fault);
  assert.ok(refused instanceof Refused);
  assert.deepEqual([refused.message, refused.rule, refused.ruleText, refused.status], ["no", "VIII.4/8", "so", 400]);
  const away = await readJson(new Response("<html>", { status: 502 })).catch((fault) => fault);
  assert.equal(away.message, "The server answers 502.");
});

test("where nothing may be loadSetting, nothing is", () => {
  assert.equal(loadSetting("theme"), null); // there is no localStorage here
  saveSetting("theme", "dark");
  assert.equal(loadSetting("theme"), null);
});

test("what is pressed is waited for", async () => {
  const root = new EventTarget();
  const released = releases(root);
  const target = Object.assign(new Element(), { closest: () => target });
  const pressed = new Event("pointerdown");
  Object.defineProperty(pressed, "target", { value: target });
  Object.assign(pressed, { button: 0 });
  root.dispatchEvent(pressed);
  let over = false;
  void released().then(() => (over = true));
  await Promise.resolve();
  assert.equal(over, false);
  window.dispatchEvent(new Event("pointerup"));
  await released();
  assert.equal(over, true);
});

test("letters want no Shift, signs take what the keyboard needs", () => {
  const keys = new Shortcuts();
  const acts = { u: spy(), Escape: spy(), "[": spy() };
  for (const [key, act] of Object.entries(acts)) keys.add(key, key, act, "Page");
  const press = (key, shiftKey = false, more = {}) => keys.key({ key, shiftKey, target: null, preventDefault() {}, ...more });
  press("u");
  press("U", true);
  press("u", false, { ctrlKey: true });
  press("Escape", true);
  press("Escape");
  press("[", true);
  assert.deepEqual(Object.values(acts).map((act) => act.mock.callCount()), [1, 1, 1]);
});
