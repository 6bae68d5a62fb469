import { spy, settlePromises, withoutConstructor } from "./stand_ins.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Replay } from "./replay.js";

const MOVE = { number: 12, quick: false, grave: false };

function replay(fields = {}) {
  const table = { wantedMoment: null, needsRefresh: false, refresh: spy() };
  return withoutConstructor(Replay, {
    table, pace: "normal", watching: false, from: 11, start: null, shownAt: 11, until: 0, asked: false, active: true,
    missed: null, hurry() {}, showMissed() {}, ...fields,
  });
}

beforeEach(() => {
  document.hidden = false;
});

test("what changes the game for everybody is seen longer, what looks no different shorter", () => {
  const normal = replay();
  assert.equal(normal.time(MOVE), 1200);
  assert.equal(normal.time({ ...MOVE, quick: true }), 360);
  assert.equal(normal.time({ ...MOVE, grave: true }), 1800);
  assert.equal(replay({ pace: "off" }).time(MOVE), 0);
  assert.equal(replay({ pace: "off", watching: true }).time(MOVE), 1200, "who wants to watch sees it");
});

test("the next moment that was missed is asked for, and now where nobody wants to see them", () => {
  assert.deepEqual(replay().next(), { at: null, after: 11 });
  assert.deepEqual(replay({ pace: "off" }).next(), { at: null });
  assert.deepEqual(replay({ from: null }).next(), { at: null });
  assert.deepEqual(replay({ start: 4 }).next(), { at: 4 });
  document.hidden = true;
  assert.deepEqual(replay().next(), { at: null });
});

test("a moment waits until the one before has been seen, unless somebody is in a hurry", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const end of [() => context.mock.timers.tick(1000), (here) => here.hurry()]) {
    const here = replay({ until: performance.now() + 1000 });
    let due = null;
    void here.due({ at: 12, now: false, asks_me: true }).then((wanted) => (due = wanted));
    await settlePromises();
    assert.equal(due, null);
    end(here);
    await settlePromises();
    assert.deepEqual([due, here.asked], [true, true]);
  }
});

test("a moment that nobody wants any more is not shown", async () => {
  const elsewhere = replay({ table: { wantedMoment: 3, needsRefresh: false } });
  assert.equal(await elsewhere.due({ at: 12, now: false }), false);
  assert.equal(elsewhere.table.needsRefresh, false);
  const skipped = replay({ from: null });
  assert.equal(await skipped.due({ at: 12, now: false }), false);
  assert.equal(skipped.table.needsRefresh, true, "now is fetched instead");
  assert.equal(await replay({ from: null }).due({ at: 20, now: true }), true);
});

test("a click on the board leads whoever is asked to the question", () => {
  const watching = replay();
  assert.equal(watching.interrupt(), false);
  const asked = replay({ asked: true });
  assert.equal(asked.interrupt(), true);
  assert.equal(asked.from, null);
  assert.equal(asked.table.refresh.calls().length, 1);
});

test("watching goes back to where it began, one moment after the other", () => {
  const here = replay({ from: null, active: false });
  here.watch(4);
  assert.deepEqual([here.next(), here.speed], [{ at: 4 }, 1200]);
});
