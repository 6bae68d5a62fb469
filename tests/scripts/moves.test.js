import "./stand_ins.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { drawRun } from "./moves.js";

/** A piece of a route: a straight line in a hex, from one point to another as seen from its middle. */
function piece([x, y], from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const made = {
    transform: { baseVal: { consolidate: () => ({ matrix: { e: x, f: y } }) } },
    getTotalLength: () => length,
    getPointAtLength: (at) => ({ x: from[0] + ((to[0] - from[0]) * at) / length, y: from[1] + ((to[1] - from[1]) * at) / length }),
    animate: ([{ strokeDashoffset }], how) => Object.assign(made, { offset: strokeDashoffset, how }),
  };
  return made;
}

function drawn(...pieces) {
  drawRun({ querySelectorAll: () => [{ querySelectorAll: () => pieces }] }, 900);
  return pieces;
}

test("a train goes from the first hex of its route to the last, however each piece was drawn", () => {
  const [first, second, third] = drawn(piece([0, 0], [40, 0], [0, 0]), piece([80, 0], [-40, 0], [40, 0]), piece([160, 0], [40, 0], [-40, 0]));
  assert.deepEqual([first.offset, second.offset, third.offset], [-40, 80, -80], "backwards where it was drawn from its far end");
  assert.deepEqual([first.how.delay, second.how.delay, third.how.delay], [0, 300, 600]);
  assert.equal(third.how.duration, 300);
});

test("a single piece is drawn as it is", () => {
  const [alone] = drawn(piece([0, 0], [-40, 0], [40, 0]));
  assert.deepEqual([alone.offset, alone.how.delay, alone.how.duration], [80, 0, 900]);
});
