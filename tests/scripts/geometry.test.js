import "./stand_ins.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { APOTHEM, RADIUS, Viewport, inside } from "./geometry.js";

const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-6, `${one} is not ${other}`);

test("a hex has its corners above and below, and its sides left and right", () => {
  assert.ok(inside({ x: 0, y: RADIUS - 0.1 }));
  assert.ok(!inside({ x: 0, y: RADIUS + 0.1 }));
  assert.ok(inside({ x: -(APOTHEM - 0.1), y: 0 }));
  assert.ok(!inside({ x: APOTHEM + 0.1, y: 0 }));
  assert.ok(!inside({ x: APOTHEM - 1, y: RADIUS - 1 }), "beyond the slanting side");
});

test("at first the whole picture is seen, in the proportions of the window", () => {
  const seen = new Viewport({ x: 0, y: 0, width: 1000, height: 500 });
  seen.resize(400, 400);
  assert.deepEqual(seen.box, { x: 0, y: -250, width: 1000, height: 1000 });
  near(seen.unit, 2.5);
  assert.ok(!seen.zoomed);
});

test("zooming keeps what is under the pointer, within its limits", () => {
  const seen = new Viewport({ x: 0, y: 0, width: 1000, height: 1000 });
  seen.resize(500, 500);
  const pixel = { x: 100, y: 400 };
  const before = seen.at(pixel);
  assert.ok(seen.zoomBy(2, pixel));
  near(seen.at(pixel).x, before.x);
  near(seen.at(pixel).y, before.y);
  seen.zoomBy(1000);
  near(seen.box.width, 150);
  assert.ok(!seen.zoomBy(2), "nothing changes at the limit");
  seen.zoomBy(0.0001);
  near(seen.zoom, 1);
});

test("nothing beyond the picture is seen, but for what is covered at the bottom", () => {
  const seen = new Viewport({ x: 0, y: 0, width: 1000, height: 1000 });
  seen.resize(500, 500);
  seen.look({ x: 500, y: 500 }, 2);
  assert.ok(seen.panBy(-100000, 100000));
  assert.deepEqual([seen.box.x, seen.box.y], [0, 500]);
  assert.ok(!seen.panBy(-10, 0));
  seen.roomBelow = 100;
  seen.panBy(0, 100000);
  near(seen.box.y, 600);
});

test("another size of the window leaves middle and zoom", () => {
  const seen = new Viewport({ x: 0, y: 0, width: 1000, height: 1000 });
  seen.look({ x: 400, y: 600 }, 3);
  seen.resize(300, 600);
  near(seen.zoom, 3);
  near(seen.box.x + seen.box.width / 2, 400);
  near(seen.box.y + seen.box.height / 2, 600);
  assert.ok(seen.shows({ x: 400, y: 600 }, 50));
  assert.ok(!seen.shows({ x: 400 + seen.box.width / 2, y: 600 }, 50));
});
