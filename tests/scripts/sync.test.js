import { spy, settlePromises } from "./stand_ins.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Table } from "./sync.js";

const DATA = { key: "KEY", version: "7", number: "20", at: "20", skipped: "5", now: "yes", stamp: "3" };
const SHOWN = { version: 8, number: 21, at: 21, now: true, stamp: 4, panels: {} };
const classList = { add() {}, remove() {}, toggle() {} };
const trouble = { hidden: true, replaceChildren() {} };
let sent = [];

document.getElementById = (id) => (id === "trouble" ? trouble : null);
document.createElement = () => Object.assign(new EventTarget(), { append() {}, setAttribute() {} });
window.location = { href: "https://host/t/KEY" };
window.history = { replaceState() {} };

/** A table whose server answers as it is told. */
function table(answers, data = {}) {
  globalThis.fetch = async (path, { body }) => {
    sent.push([path, body && JSON.parse(body)]);
    const { status = 200, ...answer } = answers.shift() ?? SHOWN;
    return Response.json(answer, { status });
  };
  const made = new Table({ dataset: { ...DATA, ...data }, querySelectorAll: () => [], classList });
  return Object.assign(made, { onUpdate: spy() });
}

beforeEach(() => {
  sent = [];
});

test("an answer goes with the version that its sender saw, and what comes of it is shown", async () => {
  const here = table([SHOWN]);
  assert.ok(await here.send("answer", { action: { do: "pass" } }));
  assert.deepEqual(sent, [["/api/t/KEY/answer", { version: 7, page: { panels: {}, stamp: 3, at: null }, action: { do: "pass" } }]]);
  assert.equal(here.version, 8);
  assert.equal(here.onUpdate.calls().length, 1);
});

test("a second click sends nothing while the first is on its way", async () => {
  const here = table([SHOWN]);
  const [first, second] = await Promise.all([here.send("answer", {}), here.send("answer", {})]);
  assert.deepEqual([first, second, sent.length], [true, false, 1]);
});

test("who was too late sees why, and what has happened", async () => {
  const here = table([{ status: 409, error: "the game has moved on" }, SHOWN]);
  assert.ok(!(await here.send("answer", {})));
  await settlePromises();
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(sent.map(([path]) => path), ["/api/t/KEY/answer", "/api/t/KEY/update"]);
  assert.equal(here.version, 8);
});

test("news of what the page shows already is no reason to ask", async () => {
  const here = table([]);
  here.onEvent("state", 7);
  assert.deepEqual(sent, []);
  here.onEvent("state", 8);
  here.onEvent("chat", 7);
  await here.fetching;
  assert.equal(sent[0][0], "/api/t/KEY/update");
  assert.ok(here.needsRefresh || sent.length === 2, "news that comes meanwhile is fetched once more");
});

test("steps through the history end at now and at what is kept", () => {
  const here = table([]);
  here.showMoment = spy();
  here.step(-1);
  here.step(-100);
  here.step(+1);
  assert.deepEqual(here.showMoment.calls(), [[19], [5], [null]]);
});

test("a moment is fetched after a rest, however many are passed by", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const here = table([{ ...SHOWN, number: 20, at: 11, now: false }]);
  for (const at of [18, 15, 11]) here.showMoment(at);
  context.mock.timers.tick(59);
  assert.deepEqual(sent, []);
  context.mock.timers.tick(1);
  await here.fetching;
  assert.deepEqual(sent, [["/api/t/KEY/update", { panels: {}, stamp: 3, at: 11 }]]);
  assert.deepEqual([here.at, here.wantedMoment, here.isCatchingUp], [11, 11, false]);
});
