// Which rows there are and where: a pure function of lanes and state.

import type { Lane } from "../data/api_types";
import type { Density, ViewState } from "../state/view_state";

// Heights in pixels of what is drawn of one lane, from the top; 0: not there.
export type Heights = { main: number; free: number; whatif: number; difference: number; gap: number };

export type GroupRow = { type: "group"; name: string; y: number; height: number; closed: boolean; lanes: number };
export type LaneRow = { type: "lane"; lane: Lane; y: number; height: number; heights: Heights; pinned: boolean };
export type Row = GroupRow | LaneRow;
export type Layout = { rows: Row[]; height: number };

export const kPinned = "pinned";
export const kComponents = "components";

const kGroupHeight = 20;

const kHeights: Record<Density, Heights> = {
  large: { main: 22, free: 12, whatif: 12, difference: 8, gap: 4 },
  normal: { main: 14, free: 8, whatif: 8, difference: 6, gap: 3 },
  small: { main: 8, free: 4, whatif: 4, difference: 3, gap: 1 },
  thin: { main: 3, free: 0, whatif: 0, difference: 0, gap: 0 },
};

export function heights_of(state: ViewState, lane: Lane, compared: boolean): Heights {
  const heights = kHeights[state.density];
  if (lane.kind === "component") {
    return { main: Math.max(heights.main, 8), free: 0, whatif: 0, difference: 0, gap: Math.max(2, heights.gap) };
  }
  return {
    ...heights,
    free: compared && state.mode !== "place" ? heights.free : 0,
    whatif: state.whatif > 0 ? heights.whatif : 0,
    difference: compared ? heights.difference : 0,
  };
}

function group_name(lane: Lane, pinned: ReadonlySet<number>): string {
  if (pinned.has(lane.lane)) return kPinned;
  return lane.kind === "component" ? kComponents : (lane.node ?? "");
}

// Groups in the order in which their first lane comes; pinned lanes first, components last.
function grouped(lanes: readonly Lane[], pinned: ReadonlySet<number>, by_node: boolean): Map<string, Lane[]> {
  const groups = new Map<string, Lane[]>();
  if (pinned.size > 0) groups.set(kPinned, []);
  for (const lane of lanes) {
    const own = group_name(lane, pinned);
    const name = by_node || own === kPinned || own === kComponents ? own : "";
    groups.set(name, [...(groups.get(name) ?? []), lane]);
  }
  const components = groups.get(kComponents);
  if (components) {
    groups.delete(kComponents);
    groups.set(kComponents, components);
  }
  if (groups.get(kPinned)?.length === 0) groups.delete(kPinned);
  return groups;
}

function lane_row(state: ViewState, lane: Lane, y: number, compared: boolean, pinned: boolean): LaneRow {
  const heights = heights_of(state, lane, compared);
  const height = heights.main + heights.free + heights.whatif + heights.difference + heights.gap;
  return { type: "lane", lane, y, height, heights, pinned };
}

export function layout(lanes: readonly Lane[], state: ViewState, compared: boolean): Layout {
  const pinned = new Set(state.pinned);
  const closed = new Set(state.closed);
  const rows: Row[] = [];
  let y = 0;
  for (const [name, members] of grouped(lanes, pinned, state.order === "node")) {
    const is_closed = closed.has(name);
    if (name !== "") {
      rows.push({ type: "group", name, y, height: kGroupHeight, closed: is_closed, lanes: members.length });
      y += kGroupHeight;
    }
    if (is_closed) continue;
    for (const lane of members) {
      const row = lane_row(state, lane, y, compared, pinned.has(lane.lane));
      rows.push(row);
      y += row.height;
    }
  }
  return { rows, height: y };
}

// Rows that overlap top .. top + height.
export function visible(layout: Layout, top: number, height: number): Row[] {
  return layout.rows.filter((row) => row.y + row.height > top && row.y < top + height);
}

export function row_at(layout: Layout, y: number): Row | undefined {
  return layout.rows.find((row) => y >= row.y && y < row.y + row.height);
}

// "1-3,7" holds 2.
export function holds(members: string, rank: number): boolean {
  return members.split(",").some((part) => {
    const [first, last] = part.split("-").map(Number);
    return rank >= first! && rank <= (last ?? first!);
  });
}

const kIndexes = new WeakMap<Layout, Map<number, LaneRow>>();

// "1-3,7" is 1, 2, 3, 7.
export function ranks_of(members: string): number[] {
  return members.split(",").filter(Boolean).flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return Array.from({ length: (last ?? first!) - first! + 1 }, (_, n) => first! + n);
  });
}

// A rank that has a lane of its own is found there, not in its fold; the first of equal rows counts.
function index_of(layout: Layout): Map<number, LaneRow> {
  const index = new Map<number, LaneRow>();
  const rows = layout.rows.filter((row): row is LaneRow => row.type === "lane");
  for (const row of rows) if (row.lane.kind === "rank" && !index.has(row.lane.lane)) index.set(row.lane.lane, row);
  for (const row of rows) {
    if (row.lane.kind !== "fold") continue;
    for (const rank of ranks_of(row.lane.members ?? "")) if (!index.has(rank)) index.set(rank, row);
  }
  return index;
}

// The row that shows a rank: its own, or that of the fold it is in. Undefined: its group is closed, or filtered out.
export function row_of_rank(layout: Layout, rank: number): LaneRow | undefined {
  let index = kIndexes.get(layout);
  if (!index) kIndexes.set(layout, (index = index_of(layout)));
  return index.get(rank);
}
