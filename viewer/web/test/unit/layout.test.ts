import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lane } from "../../src/data/api_types";
import { holds, layout, row_at, row_of_rank, visible, type Row } from "../../src/draw/lane_layout";
import { kDefault } from "../../src/state/view_state";

const kLanes: Lane[] = [
  { lane: 0, kind: "rank", name: "0", node: "n01" },
  { lane: 1, kind: "rank", name: "1", node: "n01" },
  { lane: 17, kind: "rank", name: "17", node: "n02" },
  { lane: 0x20000000, kind: "fold", name: "16,18–31 ×15", node: "n02", members: "16,18-31", ranks: 15 },
  { lane: 0x40000000, kind: "component", name: "s0", class: "server" },
];

const names = (rows: readonly Row[]) => rows.map((row) => (row.type === "group" ? `[${row.name}]` : row.lane.name));

test("lanes stand below their node, components last", () => {
  assert.deepEqual(names(layout(kLanes, kDefault, true).rows), ["[n01]", "0", "1", "[n02]", "17", "16,18–31 ×15", "[components]", "s0"]);
});

test("rows follow each other without gap or overlap", () => {
  const { rows, height } = layout(kLanes, { ...kDefault, mode: "absolute", whatif: 1 }, true);
  let y = 0;
  for (const row of rows) {
    assert.equal(row.y, y);
    y += row.height;
  }
  assert.equal(height, y);
});

test("a closed node keeps its heading only", () => {
  assert.deepEqual(names(layout(kLanes, { ...kDefault, closed: ["n01", "components"] }, true).rows), ["[n01]", "[n02]", "17", "16,18–31 ×15", "[components]"]);
});

test("pinned lanes come first and only once, components too", () => {
  const state = { ...kDefault, pinned: [17, 0x40000000] };
  assert.deepEqual(names(layout(kLanes, state, true).rows), ["[pinned]", "17", "s0", "[n01]", "0", "1", "[n02]", "16,18–31 ×15"]);
});

test("sorted by loss, ranks are not grouped by node", () => {
  assert.deepEqual(names(layout(kLanes, { ...kDefault, order: "own" }, true).rows), ["0", "1", "17", "16,18–31 ×15", "[components]", "s0"]);
});

test("an expected lane is there in all modes but in place, and never without an expectation", () => {
  const free = (mode: "place" | "absolute", compared: boolean) => {
    const row = layout(kLanes, { ...kDefault, mode }, compared).rows[1]!;
    return row.type === "lane" ? row.heights.free : -1;
  };
  assert.equal(free("place", true), 0);
  assert.equal(free("absolute", true), 8);
  assert.equal(free("absolute", false), 0);
});

test("in 280 thin lanes fit what a screen has", () => {
  const many = Array.from({ length: 280 }, (_, n): Lane => ({ lane: n, kind: "rank", name: String(n), node: "" }));
  assert.ok(layout(many, { ...kDefault, density: "thin" }, true).height <= 900);
});

test("a rank is found in its own lane, or in the fold it belongs to, or nowhere", () => {
  const all = layout(kLanes, kDefault, true);
  assert.equal(row_of_rank(all, 17)?.lane.name, "17");
  assert.equal(row_of_rank(all, 20)?.lane.name, "16,18–31 ×15");
  assert.equal(row_of_rank(all, 99), undefined);
  assert.equal(row_of_rank(layout(kLanes, { ...kDefault, closed: ["n01"] }, true), 0), undefined);
});

test("what is visible is what overlaps the window, and a row is found by its pixels", () => {
  const all = layout(kLanes, kDefault, true);
  const second = all.rows[1]!;
  assert.deepEqual(names(visible(all, second.y, 1)), ["0"]);
  assert.equal(row_at(all, second.y + second.height - 1), second);
  assert.equal(row_at(all, second.y + second.height), all.rows[2]);
  assert.ok(holds("1-3,7", 7) && holds("1-3,7", 2) && !holds("1-3,7", 4));
});
