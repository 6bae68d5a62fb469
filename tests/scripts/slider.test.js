import { spy, withoutConstructor } from "./stand_ins.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { History } from "./slider.js";

function history(at, count) {
  const onWish = spy();
  return withoutConstructor(History, { at, count, onWish, playing: undefined, speed: { value: "2" }, refresh() {} });
}

test("steps stay within the game, and the last moment is now", () => {
  const past = history(19, 20);
  past.go(20);
  past.go(21);
  past.go(3);
  past.go(-5);
  assert.deepEqual(past.onWish.calls(), [[null], [3], [0]], "what changes nothing is not told");
});

test("it shows what others want, and no moment that is not there", () => {
  const past = history(20, 20);
  past.show(25, 17);
  assert.deepEqual([past.at, past.isNow], [17, false]);
  past.show(3, 17);
  assert.deepEqual([past.at, past.isNow], [3, true]);
  past.show(26, null);
  assert.equal(past.at, 26);
  assert.deepEqual(past.onWish.calls(), []);
});

test("playing begins anew at the end, goes at its speed and stops at the last moment", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  const past = history(2, 2);
  past.toggle();
  context.mock.timers.tick(499);
  assert.equal(past.at, 0);
  context.mock.timers.tick(501);
  assert.deepEqual([past.at, past.playing], [2, undefined]);
  assert.deepEqual(past.onWish.calls(), [[0], [1], [null]]);
});
