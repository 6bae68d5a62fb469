/** The question how trains run: the editor of routes, opened with what the server found. */

import { el } from "./dom.js";
import { RouteEditor } from "./routes.js";

/** @typedef {import("./asking.js").Asking} Asking */
/** @typedef {import("./routes.js").Refusal} Refusal */
/** @typedef {import("./routes.js").Run} Run */
/** @typedef {import("./routes.js").RunView} RunView */
/** @typedef {{place: {id: string, name: string}, value: number, counted: boolean}} StopData */
/** @typedef {{card: string, face: string, path: string[], stops: StopData[], revenue: number, subsidy: number, cars: string[], bonuses: {words: string, value: number}[], colour: number, refusal: Refusal | null}} RouteData */
/** @typedef {{routes: RouteData[], revenue: number, subsidy: number, most: number, bound: number, legal: boolean, refusal: Refusal | null}} RoutesData */

/**
 * @param {Asking} asking
 * @param {RoutesData} view
 * @returns {RouteEditor | null} null where the page has no place for it
 */
export function openRoutes(asking, view) {
  const root = document.getElementById("route-editor");
  if (root === null) return null;
  /** @type {Map<string, string[]>} the rail cars that go with each train */
  const cars = new Map(view.routes.map((route) => [route.card, route.cars]));
  const runs = (/** @type {Run[]} */ drawn) =>
    drawn.filter(({ path }) => path.length > 0)
      .map((run) => ((cars.get(run.card) ?? []).length ? { ...run, cars: cars.get(run.card) } : run));
  const place = document.createElement("div");
  const run = el("button", { type: "button", class: "run primary", onclick: () => asking.choose({ do: "run_trains", runs: runs(editor.runs()) }) }, "Run");
  root.replaceChildren(place, run);
  const editor = new RouteEditor(place, asking.board, {
    check: async (drawn) => {
      const told = /** @type {{view: RoutesData, svg: string}} */ (await asking.table.ask("runs", { action: { runs: runs(drawn) } }));
      return { ...routesFor(told.view), cities: asking.cities, svg: told.svg };
    },
  });
  editor.open({ ...routesFor(view), cities: asking.cities });
  return editor;
}

/** The server's view of routes as the editor wants it. @param {RoutesData} view @returns {RunView} */
function routesFor(view) {
  return {
    trains: view.routes.map(({ colour, ...route }) => ({
      ...route,
      stops: route.stops.map((stop) => ({ place: stop.place.id, name: stop.place.name, value: stop.value, counted: stop.counted })),
    })),
    total: view.revenue + view.subsidy,
    highest: view.most,
    bound: view.bound,
    allowed: view.legal,
    refusal: view.refusal,
  };
}
