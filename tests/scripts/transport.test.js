import { spy, settlePromises } from "./stand_ins.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { request, subscribe } from "./transport.js";

let streams = [];
class EventSource extends EventTarget {
  static CLOSED = 2;
  constructor(path) {
    super();
    Object.assign(this, { path, readyState: 1 });
    streams.push(this);
  }
  close() {
    this.readyState = EventSource.CLOSED;
  }
}
Object.assign(globalThis, { EventSource });

function listening() {
  const handlers = { names: ["state"], onEvent: spy(), onState: spy() };
  return { handlers, close: subscribe("/events", handlers) };
}

/** The line is lost; `refused`: with an answer that is no stream. */
async function lose(stream, refused = false) {
  stream.readyState = refused ? EventSource.CLOSED : 0;
  stream.onerror();
  await settlePromises();
}

beforeEach(() => {
  streams = [];
  Math.random = () => 0.5; // each wait is as long as it is meant on average
});

test("a request sends JSON, and passes over what is stored where it should", async (context) => {
  const fetch = context.mock.method(globalThis, "fetch", async () => new Response("{}"));
  await request("POST", "/api", { body: { a: 1 } });
  await request("GET", "/page", { fresh: true });
  const [[path, sent], [, asked]] = fetch.mock.calls.map((call) => call.arguments);
  assert.deepEqual([path, sent.method, sent.body, sent.headers], ["/api", "POST", '{"a":1}', { "Content-Type": "application/json" }]);
  assert.deepEqual([asked.body, asked.headers, asked.cache], [undefined, undefined, "no-store"]);
});

test("events come by name, until they are not wanted any more", () => {
  const { handlers, close } = listening();
  streams[0].onopen();
  streams[0].dispatchEvent(Object.assign(new Event("state"), { data: "3" }));
  assert.deepEqual(handlers.onState.calls(), [["open"]]);
  assert.deepEqual(handlers.onEvent.calls(), [["state", "3"]]);
  close();
  assert.equal(streams[0].readyState, EventSource.CLOSED);
});

test("a lost line is tried again after a longer wait each time, and soon again once it has held", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { handlers, close } = listening();
  for (const wait of [1000, 2000, 4000, 8000, 8000]) {
    const count = streams.length;
    await lose(streams.at(-1));
    context.mock.timers.tick(wait - 1);
    assert.equal(streams.length, count, `not before ${wait} ms`);
    context.mock.timers.tick(1);
    assert.equal(streams.length, count + 1);
  }
  assert.deepEqual(handlers.onState.calls(), Array(5).fill(["waiting"]));
  streams.at(-1).onopen();
  const count = streams.length;
  await lose(streams.at(-1));
  context.mock.timers.tick(1000);
  assert.equal(streams.length, count + 1);
  close();
});

test("where there is no room to listen it says why, asks now and then, and listens once there is", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [Response.json({ error: "too many" }, { status: 429 }), Response.json({ error: "still" }, { status: 429 }), new Response()];
  context.mock.method(globalThis, "fetch", async () => answers.shift());
  const { handlers, close } = listening();
  await lose(streams[0], true);
  await settlePromises();
  assert.deepEqual(handlers.onState.calls(), [["asking", "too many"]]);
  for (const opened of [1, 2]) {
    context.mock.timers.tick(10_000);
    await settlePromises();
    assert.equal(streams.length, opened);
  }
  assert.deepEqual(handlers.onState.calls(), [["asking", "too many"], ["asking", "still"]]);
  close();
});

test("what is closed does not open again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { close } = listening();
  await lose(streams[0]);
  close();
  context.mock.timers.tick(60_000);
  window.dispatchEvent(new Event("online"));
  assert.equal(streams.length, 1);
});
