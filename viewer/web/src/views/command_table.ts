// All commands of the page.

import {
  choose_finding, go_to_instance, home, next_mode, pan, pin_shift, set_mode, step_search, tried, zoom,
} from "../state/actions";
import { checked, type Command } from "../state/commands";
import { kColours, kDensities, kModes, kOrders } from "../state/view_state";
import { export_png, export_svg } from "./export_picture";
import type { Page } from "./page";
import { share } from "./share";

type Get = () => Page;

function moving(page: Get): Command[] {
  const store = () => page().store;
  const one = (id: string, title: string, keys: string[], run: () => void): Command => ({ id, title, group: "Move", keys, run });
  return [
    one("zoom-in", "Zoom in", ["w", "+", "="], () => zoom(store(), 0.5)),
    one("zoom-out", "Zoom out", ["s", "-"], () => zoom(store(), 2)),
    one("pan-left", "Earlier", ["a"], () => pan(store(), -0.25)),
    one("pan-right", "Later", ["d"], () => pan(store(), 0.25)),
    one("home", "Whole run", ["0", "Home"], () => home(store())),
    one("undo", "Undo zoom", ["z", "Ctrl+z"], () => store().undo()),
    one("redo", "Redo zoom", ["Z", "Ctrl+y", "Ctrl+Z"], () => store().redo()),
    one("ruler", "Zoom to what was measured", ["v"], () => {
      const { ruler } = store().view.peek();
      if (ruler) store().set_range(ruler);
      else store().say("Measure first: drag along the axis of time, or with Shift in the lanes");
    }),
    one("lanes", "Go to the timeline", ["t"], () => document.querySelector<HTMLElement>(".canvas-box")?.focus()),
    one("panel", "Go to the selected operation", ["o"], () => document.getElementById("detail-title")?.focus()),
  ];
}

function finding(page: Get): Command[] {
  const store = () => page().store;
  const one = (id: string, title: string, keys: string[], run: () => void): Command => ({ id, title, group: "Find", keys, run });
  const instance = (by: number) => tried(store(), go_to_instance(store(), store().view.peek().instance + by));
  return [
    one("search", "Find operations", ["/"], () => document.getElementById("search")?.focus()),
    one("hit-next", "Next hit", ["]"], () => tried(store(), step_search(store(), "next"))),
    one("hit-previous", "Previous hit", ["["], () => tried(store(), step_search(store(), "previous"))),
    one("finding-next", "Next finding", ["n"], () => choose_finding(store(), store().view.peek().finding + 1)),
    one("finding-previous", "Previous finding", ["p"], () => choose_finding(store(), store().view.peek().finding - 1)),
    one("finding-go", "Go to the worst operation of the finding", ["Enter"], () => instance(0)),
    one("instance-next", "Next operation of the finding", ["."], () => instance(1)),
    one("instance-previous", "Previous operation of the finding", [","], () => instance(-1)),
    one("lane-filter", "Filter lanes", ["l"], () => document.getElementById("lane-filter")?.focus()),
  ];
}

function explaining(page: Get): Command[] {
  const store = () => page().store;
  const one = (id: string, title: string, keys: string[], run: () => void): Command => ({ id, title, group: "Explain", keys, run });
  return [
    one("blame", "What the operation waited for", ["b"], () => {
      const { selected, blame } = store().view.peek();
      if (selected) store().set({ blame: !blame });
      else store().say("Select an operation first");
    }),
    one("path", "Critical path: off, observed, expected", ["c"], () => {
      const next = { off: "obs", obs: "free", free: "off" } as const;
      const path = next[store().view.peek().path];
      store().set({ path: path === "free" && !store().meta.peek()?.against ? "off" : path });
    }),
    one("align-here", "Shift the expected operation below the selected one", [], () => tried(store(), pin_shift(store()))),
  ];
}

function choices(page: Get): Command[] {
  const store = () => page().store;
  const one = (id: string, title: string, change: () => void): Command => ({ id, title, group: "Show", keys: [], run: change });
  return [
    ...kModes.map((mode) => one(`mode-${mode}`, `Align: ${mode === "place" ? "in place" : mode}`, () => set_mode(store(), mode))),
    ...kColours.map((colour) => one(`colour-${colour}`, `Colour by ${colour}`, () => store().set({ colour }))),
    ...kDensities.map((density) => one(`density-${density}`, `Lanes: ${density}`, () => store().set({ density }))),
    ...kOrders.map((order) => one(`order-${order}`, `Sort lanes by ${order}`, () => store().set({ order }))),
  ];
}

function next_of<T>(values: readonly T[], value: T): T {
  return values[(values.indexOf(value) + 1) % values.length]!;
}

function showing(page: Get): Command[] {
  const store = () => page().store;
  const view = () => store().view.peek();
  const one = (id: string, title: string, keys: string[], run: () => void): Command => ({ id, title, group: "Show", keys, run });
  return [
    one("mode-next", "Next alignment", ["x"], () => next_mode(store())),
    one("colour-next", "Colour by excess, or by kind", ["k"], () => store().set({ colour: view().colour === "excess" ? "kind" : "excess" })),
    one("density-next", "Height of lanes", ["h"], () => store().set({ density: next_of(kDensities, view().density) })),
    one("fold", "Fold ranks that behave alike", ["f"], () => store().set({ fold: !view().fold })),
    one("messages", "Arrows of messages", ["m"], () => store().set({ messages: !view().messages })),
    one("theme", "Light or dark", ["T"], () => {
      store().theme.value = page().picture.theme.peek().name === "dark" ? "light" : "dark";
    }),
    ...choices(page),
  ];
}

function others(page: Get): Command[] {
  const one = (group: Command["group"], id: string, title: string, keys: string[], run: () => void): Command => ({ id, title, group, keys, run });
  return [
    one("Export", "export-png", "Export PNG of the lanes", [], () => export_png(page())),
    one("Export", "export-svg", "Export SVG of the lanes", [], () => export_svg(page())),
    one("Export", "print", "Print", [], () => window.print()),
    one("Export", "share", "Copy a link to this view", ["y"], () => share(page())),
    one("Help", "palette", "All commands", ["Ctrl+k", ":"], () => (page().dialog.value = "palette")),
    one("Help", "keys", "Keys", ["?"], () => (page().dialog.value = "keys")),
    one("Help", "escape", "Drop the filter, what was measured, then the selection", ["Esc"], () => drop(page())),
  ];
}

// One thing at a time, the last chosen first.
function drop({ store }: Page): void {
  const { part, ruler, blame, selected, search } = store.view.peek();
  if (part) store.set({ part: "" });
  else if (ruler) store.set({ ruler: null });
  else if (blame) store.set({ blame: false });
  else if (search) store.set({ search: "" });
  else if (selected) store.set({ selected: null });
}

export function command_table(page: Get): readonly Command[] {
  return checked([...moving(page), ...finding(page), ...explaining(page), ...showing(page), ...others(page)]);
}
