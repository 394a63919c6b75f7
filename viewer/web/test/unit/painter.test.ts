import assert from "node:assert/strict";
import { test } from "node:test";
import { paint_bar, parts_of_operation, pieces_of } from "../../src/draw/bar";
import { drawn_calls } from "../../src/draw/io_arrows";
import { layout } from "../../src/draw/lane_layout";
import { paint_overlay, type Overlay } from "../../src/draw/overlay";
import { paint_lanes } from "../../src/draw/painter";
import { excess_class, kThemes, largest_steps } from "../../src/draw/palette";
import { level_of, x_of } from "../../src/draw/scale";
import type { Scene } from "../../src/draw/scene";
import { strip_pixels } from "../../src/draw/strip_image";
import { kSameTime } from "../../src/draw/time_map";
import type { Lane } from "../../src/data/api_types";
import { decode_batch, kMark, steps_of } from "../../src/data/strips";
import { kDefault, type ViewState } from "../../src/state/view_state";
import { draw_log, of } from "../draw_log";
import { base_of, batch, strip, timed } from "../fake_strips";
import { fake_run, kCalls, kKinds } from "../fake_run";

const kRun = fake_run(4, 12);
const kGrid = { base: base_of(kRun.span), columns_log2: 9, most_level: 30 };
const kLanes = kRun.ops.map((_, rank) => ({ lane: rank, kind: "rank" as const, name: String(rank), node: "n01" }));
const kWorst = kRun.ops[3]!.reduce((a, b) => (b.own_ps > a.own_ps ? b : a));

function scene(begin: number, end: number, more: Partial<ViewState> = {}, exact = true): Scene {
  const state = { ...kDefault, ...more };
  return {
    scale: { begin, end, width: 1000 }, grid: kGrid, span: kRun.span, layout: layout(kLanes, state, true), top: 0, height: 400,
    state, theme: kThemes.light, meta: { kinds: kKinds, calls: kCalls, against: "expected" }, largest: largest_steps(kWorst.own_ps),
    strip({ source, level, x, lane }) {
      const made = strip(timed(kRun, lane, source), lane, level, x, kGrid.base);
      return { strip: decode_batch(batch(level, 0, [made])).strips[0]!, level };
    },
    image: (of_strip, style) => ({ lane: of_strip.lane, form: style.form }),
    exact: (rank, operation) => (exact ? kRun.ops[rank]![operation] : undefined),
    time_map: () => kSameTime,
  };
}

test("a bar is as long as its operation took, and its parts add up to it", () => {
  const view = scene(kWorst.begin_ps - kWorst.observed_ps, kWorst.begin_ps + 2 * kWorst.observed_ps);
  const log = draw_log();
  paint_lanes(log, view);
  const y = view.layout.rows[4]!.y;
  const left = x_of(view.scale, kWorst.begin_ps);
  const right = x_of(view.scale, kWorst.begin_ps + kWorst.observed_ps);
  const parts = of(log, "fillRect").filter(({ args: [x, top, , height] }) => top === y && height === 14 && (x as number) >= left - 1e-6 && (x as number) < right - 1);
  const total = parts.reduce((sum, { args }) => sum + (args[2] as number), 0);
  assert.ok(Math.abs(total - (right - left)) < 1e-6, `${total} for ${right - left}`);
  assert.deepEqual(parts.map((call) => call.fill).slice(-2), [kThemes.light.ramp[7], kThemes.light.ramp[8]]);
});

test("parts of an operation that waited are free, then inherited, without a third", () => {
  const op = { ...kWorst, observed_ps: 100, free_ps: 30, inherited_ps: 70, structure_ps: 0, stack_ps: 0, gained_ps: 0 };
  assert.deepEqual(pieces_of(parts_of_operation(op)!, 100), [
    { part: "free", begin: 0, end: 0.3 },
    { part: "inherited", begin: 0.3, end: 1 },
  ]);
});

test("what was inherited is hatched, a bracket is an I, and gained time is outlined behind the bar", () => {
  const parts = { free: 40, inherited: 40, structure: 0, stack: 0, gained: 20, bracket: { lower: 80, upper: 85 } };
  const log = draw_log();
  const bar = { x: 100, y: 10, width: 80, height: 14, observed: 80, parts, marks: 0 };
  paint_bar(log, bar, { free: "#aaaaaa", structure: "", stack: "" }, "", kThemes.light);
  assert.ok(of(log, "stroke").length >= 2);
  const [outline] = of(log, "strokeRect");
  assert.deepEqual(outline!.args, [180.5, 10.5, 19, 13]);
  assert.deepEqual(outline!.dash, [3, 2]);
  const bracket = of(log, "moveTo").slice(-3).map((call) => call.args[0]);
  assert.deepEqual(bracket, [180, 180, 185]);
});

test("a bracket that goes far beyond its bar is cut, and left open", () => {
  const parts = { free: 40, inherited: 40, structure: 0, stack: 0, gained: 0, bracket: { lower: 60, upper: 4000 } };
  const log = draw_log();
  const bar = { x: 100, y: 10, width: 80, height: 14, observed: 80, parts, marks: 0 };
  paint_bar(log, bar, { free: "#aaaaaa", structure: "", stack: "" }, "", kThemes.light);
  const ends = of(log, "lineTo").slice(-2).map((call) => call.args[0]);
  assert.deepEqual(ends, [196, 160]);
});

test("an operation that is not judged is dotted, one that did not end is torn, and neither has parts", () => {
  const log = draw_log();
  const bar = { x: 0, y: 0, width: 40, height: 12, observed: 5, parts: null, marks: kMark.notJudged | kMark.unfinished };
  paint_bar(log, bar, { free: "", structure: "", stack: "" }, "#123456", kThemes.light);
  const rects = of(log, "fillRect");
  assert.deepEqual(rects[0]!.args, [0, 0, 40, 12]);
  assert.ok(rects.slice(1).every(({ args }) => args[2] === 1 && args[3] === 1) && rects.length > 20);
  assert.equal(of(log, "fill").length, 4);
});

test("a bar that is shorter than a pixel is one pixel wide", () => {
  const log = draw_log();
  const bar = { x: 5, y: 0, width: 0.01, height: 12, observed: 5, parts: null, marks: 0 };
  paint_bar(log, bar, { free: "", structure: "", stack: "" }, "#123456", kThemes.light);
  assert.deepEqual(of(log, "fillRect").map((call) => call.args), [[5, 0, 1, 12]]);
});

test("the column of the worst operation has the strongest colour in each view that shows it", () => {
  for (let zoom = 0; zoom < 10; ++zoom) {
    const length = kRun.span / 3 ** zoom;
    const begin = Math.max(0, kWorst.begin_ps - length / 2);
    const view = scene(begin, begin + length);
    const level = level_of(view.scale, kGrid);
    const column = Math.floor(kWorst.begin_ps / (kGrid.base / 2 ** level / 512));
    const found = view.strip({ source: "obs", level, x: Math.floor(column / 512), lane: 3 })!;
    const { data } = strip_pixels(found.strip, { form: "excess", largest: view.largest, theme: view.theme });
    const at = 4 * (column % 512);
    assert.deepEqual([...data.slice(at, at + 4)], [0xb2, 0x18, 0x2b, 255], `zoom ${zoom}`);
  }
});

test("loss and gain are told apart by position as well as by colour", () => {
  const view = scene(0, kRun.span);
  const { strip: one } = view.strip({ source: "obs", level: 0, x: 0, lane: 3 })!;
  one.planes.own.fill(0);
  one.planes.own[0] = 100;
  one.planes.own[1] = -100;
  const { data } = strip_pixels(one, { form: "difference", largest: 100, theme: view.theme, rows: 8 });
  const filled = (column: number) => Array.from({ length: 8 }, (_, row) => data[4 * (row * 512 + column) + 3]! > 0);
  assert.deepEqual(filled(0), [true, true, true, true, false, false, false, false]);
  assert.deepEqual(filled(1), [false, false, false, false, true, true, true, true]);
});

test("a class of excess is a factor of four, counted down from the largest, and never zero for what is beyond the band", () => {
  const largest = steps_of(1e12);
  assert.deepEqual([1e12, 2e11, 5e10, 1e10, 5, -1e12].map((ps) => excess_class(steps_of(ps), largest)), [4, 3, 2, 1, 0, -4]);
  assert.equal(excess_class(1, largest), 1);
});

test("kinds that are hidden are not drawn, neither as bars nor as columns", () => {
  const hidden = { hidden: [...kKinds], colour: "kind" as const };
  const log = draw_log();
  paint_lanes(log, scene(kWorst.begin_ps, kWorst.begin_ps + kWorst.observed_ps, hidden));
  assert.equal(of(log, "fillText").length, 0);
  const { strip: one } = scene(0, kRun.span).strip({ source: "obs", level: 0, x: 0, lane: 3 })!;
  const { data } = strip_pixels(one, { form: "kind", kinds: kKinds, hidden: kKinds, theme: kThemes.light });
  assert.ok(data.every((value) => value === 0));
});

test("in absolute alignment the expected run is drawn below, at its own times", () => {
  const view = scene(0, kRun.span / 5, { mode: "absolute" });
  const log = draw_log();
  paint_lanes(log, view);
  const row = view.layout.rows[1]!;
  const op = kRun.ops[0]![5]!;
  const x = x_of(view.scale, op.free_begin_ps);
  const found = of(log, "fillRect").some(({ args }) => Math.abs((args[0] as number) - x) < 1e-6 && args[1] === row.y + 14);
  assert.ok(found);
});

function overlay(more: Partial<Overlay>): Overlay {
  return {
    scale: { begin: 0, end: 1000, width: 1000 }, layout: layout(kLanes, kDefault, true), top: 0, height: 300, theme: kThemes.dark,
    selected: null, pins: [], messages: [], chain: [], path: [], ruler: null, ticks: [], pointer: null, ...more,
  };
}

test("a single hit has a tick of three pixels, a selected operation of a picosecond a frame", () => {
  const log = draw_log();
  paint_overlay(log, overlay({ ticks: [500], selected: { rank: 1, begin: 20, end: 20, inside: [], served: [] } }));
  assert.deepEqual(of(log, "fillRect").map((call) => call.args), [[499, 0, 3, 7]]);
  assert.equal(of(log, "strokeRect").at(-1)!.args[2], 5);
});

test("an arrow runs from the sender's lane to the receiver's, and none within one lane", () => {
  const all = overlay({});
  const message = { from: { rank: 0, operation: 1 }, to: { rank: 2, operation: 1 }, sent_ps: 100, received_ps: 300, bytes: 1, tag: 0 };
  const log = draw_log();
  paint_overlay(log, { ...all, messages: [message, { ...message, to: message.from }] });
  const lane_middle = (n: number) => all.layout.rows[n]!.y + 7;
  assert.deepEqual(of(log, "moveTo")[0]!.args, [100, lane_middle(1)]);
  assert.deepEqual(of(log, "lineTo")[0]!.args, [300, lane_middle(3)]);
  assert.equal(of(log, "fill").length, 1);
});

test("pins carry the number of their finding, the current one on top", () => {
  const log = draw_log();
  const pin = { rank: 1, begin: 100, end: 200, number: 1, current: true };
  paint_overlay(log, overlay({ pins: [pin, { ...pin, number: 2, current: false }] }));
  assert.deepEqual(of(log, "fillText").map((call) => call.args[0]), ["②", "①"]);
});

test("calls inside of the selected operation are ticks within its bar", () => {
  const inside = [[200, 250], [300, 300], [2000, 2100]].map(([begin_ps, end_ps]) => ({ kind: "write", begin_ps: begin_ps!, end_ps: end_ps! }));
  const log = draw_log();
  paint_overlay(log, overlay({ selected: { rank: 1, begin: 100, end: 600, inside, served: [] } }));
  assert.deepEqual(of(log, "fillRect").map(({ args }) => [args[0], args[2]]), [[200, 50], [300, 1]]);
});

test("arrows run from each POSIX call of a file operation to its server, and from there to the disk of that server", () => {
  const component = (n: number, name: string, of: string): Lane => ({ lane: 0x40000000 + n, kind: "component", name, class: of });
  const parts = [component(0, "d0", "server"), component(1, "d0 disk", "device"), component(2, "d1", "server")];
  const all = overlay({ layout: layout([...kLanes, ...parts], kDefault, true) });
  const served = parts.map(({ lane, name, class: of }) => ({ lane, name, class: of!, begin: 400, end: 600 }));
  const inside = [{ kind: "write", begin_ps: 100, end_ps: 300 }, { kind: "send", begin_ps: 300, end_ps: 310 }];
  const log = draw_log();
  paint_overlay(log, { ...all, selected: { rank: 1, begin: 0, end: 1000, inside, served } });
  const [server, disk, other] = parts.map(({ lane }) => all.layout.rows.find((row) => row.type === "lane" && row.lane.lane === lane)!);
  const middle = (row: typeof server) => row!.y + (row as { heights: { main: number } }).heights.main / 2;
  const ends = of(log, "lineTo").map((call) => call.args);
  const expected = [[440, middle(server)], [440, middle(other)], [440, middle(disk)]];
  for (const end of expected) assert.ok(ends.some((args) => args[0] === end[0] && args[1] === end[1]), `${end} of ${JSON.stringify(ends)}`);
});

test("of very many calls some have arrows, and of messages within a call none", () => {
  const writes = Array.from({ length: 500 }, (_, n) => ({ kind: "write", begin_ps: n, end_ps: n + 1 }));
  assert.equal(drawn_calls(writes).length, 12);
  assert.deepEqual(drawn_calls([{ kind: "send", begin_ps: 0, end_ps: 1 }]), []);
});
