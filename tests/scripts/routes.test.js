import { withoutConstructor } from "./stand_ins.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { RouteEditor, hexOf, nearest, pathIn, sumOf } from "./routes.js";

const NEIGHBOURS = { E11: ["E13", "D12", "E9"], E13: ["E11", "D12", "D14"], D14: ["E13", "D12"] };
const CITIES = { E11: [{ id: "E11.0", x: 13, y: 22 }, { id: "E11.1", x: 13, y: -22 }] };
const board = { neighbours: (hex) => NEIGHBOURS[hex] ?? [] };
const RUN = { revenue: 30, subsidy: 10, most: 40, bound: 40, legal: true, refusal: null };

test("a route grows at the end that is near, and an end that is clicked again goes", () => {
  const editor = withoutConstructor(RouteEditor, { board });
  assert.deepEqual(editor.extended([], "E11.0"), ["E11.0"]);
  assert.deepEqual(editor.extended(["E11.0", "E13"], "D14"), ["E11.0", "E13", "D14"]);
  assert.deepEqual(editor.extended(["E11.0", "E13"], "D12"), ["E11.0", "E13", "D12"], "at the last end if near both");
  assert.deepEqual(editor.extended(["E11.0", "E13"], "E9"), ["E9", "E11.0", "E13"]);
  assert.deepEqual(editor.extended(["E11.0", "E13"], "E13"), ["E11.0"]);
  assert.deepEqual(editor.extended(["E11.0", "E13"], "E11.0"), ["E13"]);
  assert.deepEqual(editor.extended(["E11.0", "E13"], "A1"), ["E11.0", "E13", "A1"], "the server says what is wrong");
});

test("a click means the nearest city of its hex, or plain track", () => {
  const editor = withoutConstructor(RouteEditor, { cities: CITIES });
  assert.equal(editor.placeAt("E11", { x: 0, y: -5 }), "E11.1");
  assert.equal(editor.placeAt("E11", { x: 0, y: 5 }), "E11.0");
  assert.equal(editor.placeAt("E13", { x: 0, y: 0 }), "E13");
  assert.equal(nearest(CITIES.E11, { x: 0, y: 0 }).id, "E11.0", "the first of two that are as near");
  assert.equal(hexOf("E11.1"), "E11");
});

test("an answer names the trains that run, with their rail cars", () => {
  const routes = [
    { card: "2a", path: ["E11.0", "E13"] },
    { card: "3b", path: [] },
    { card: "4c", path: ["D14"] },
  ];
  const editor = withoutConstructor(RouteEditor, { view: { routes }, cars: new Map([["2a", []], ["3b", ["mail"]], ["4c", ["mail"]]]) });
  assert.deepEqual(editor.running(), [{ card: "2a", path: ["E11.0", "E13"] }, { card: "4c", path: ["D14"], cars: ["mail"] }]);
});

test("a path is read however it is written", () => {
  assert.deepEqual(pathIn(" E11.0, E13 → E15-D14;C9>C11 "), ["E11.0", "E13", "E15", "D14", "C9", "C11"]);
  assert.deepEqual(pathIn(" , "), []);
});

test("the sum says how good a run is, and whether that is certain", () => {
  assert.equal(sumOf(RUN), "40, the highest revenue");
  assert.equal(sumOf({ ...RUN, bound: 60 }), "40, the best run found. Not proven: there may be one with up to 60");
  assert.equal(sumOf({ ...RUN, most: 50, bound: 60 }), "40 of at most 60");
  const refusal = { rule: "VIII.7/9", text: "more can be earned" };
  assert.equal(sumOf({ ...RUN, legal: false, refusal }), "40 – more can be earned (VIII.7/9)");
});

test("only the latest answer of the server counts", async () => {
  const waiting = [];
  const check = () => new Promise((done) => waiting.push(done));
  const shown = [];
  const editor = withoutConstructor(RouteEditor, {
    asked: 0, cars: new Map(), check, view: { routes: [{ card: "2a", path: [] }] }, root: { setAttribute() {}, removeAttribute() {} },
    board: { setLayer: (_layer, svg) => shown.push(svg) }, render() {},
  });
  const early = editor.setPath(0, ["E11.0"]);
  editor.setPath(0, []);
  waiting[1]({ view: { routes: [{ card: "2a", path: [] }] }, svg: "late" });
  waiting[0]({ view: { routes: [{ card: "2a", path: ["E11.0"] }] }, svg: "early" });
  await early;
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(shown, ["late"]);
  assert.deepEqual(editor.runs(), [{ card: "2a", path: [] }]);
});
