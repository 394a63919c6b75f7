// Draws the lanes of a scene. Calls of the context are all it does: tests read them as a log.

import type { Lane } from "../data/api_types";
import { kNothing, type Box, type Strip } from "../data/strips";
import { paint_bar, parts_of_box, parts_of_operation, type BarColours } from "./bar";
import { bar_colour, part_colours } from "./colouring";
import type { Context } from "./context";
import type { LaneRow } from "./lane_layout";
import { visible } from "./lane_layout";
import { key_of } from "../state/view_state";
import { level_of, strip_length, strips_of, ticks, x_of } from "./scale";
import { lane_of_bars, type Scene } from "./scene";
import type { StripStyle } from "./strip_image";
import { paint_free_row } from "./free_row";
import { kSameTime } from "./time_map";

const kDifferenceRows = 8;
const kBusyRows = 16;
const kLeastBox = 4; // pixels of a strip for each of its boxes

function kind_style({ meta, state, theme }: Scene): StripStyle {
  return { form: "kind", kinds: meta.kinds, hidden: state.hidden, theme };
}

function main_style(scene: Scene): StripStyle {
  const { theme, largest, state, meta } = scene;
  if (state.colour === "excess" && meta.against) return { form: "excess", largest, theme };
  return state.colour === "kind" || state.colour === "excess" ? kind_style(scene) : { form: "plain", theme };
}

// One strip stretched over its range, cut at the edges of the view. `level` may be coarser than what was asked for.
function paint_strip(
  context: Context,
  scene: Scene,
  found: { strip: Strip; level: number },
  range: [number, number],
  style: StripStyle,
  place: { y: number; height: number },
): void {
  const { scale, grid } = scene;
  const length = strip_length(grid, found.level);
  const begin = Math.max(range[0], scale.begin);
  const end = Math.min(range[1], scale.end);
  if (end <= begin) return;
  const column = (time: number) => ((time - found.strip.x * length) / length) * found.strip.columns;
  const x = x_of(scale, begin);
  const rows = "rows" in style ? style.rows : 1;
  const from = column(begin);
  const width = column(end) - from;
  context.drawImage(scene.image(found.strip, style), from, 0, width, rows, x, place.y, x_of(scale, end) - x, place.height);
}

function paint_boxes(context: Context, scene: Scene, row: LaneRow, boxes: readonly Box[], y: number, done: Set<number>): void {
  const { scale, theme } = scene;
  for (const box of boxes) {
    const x = x_of(scale, box.begin);
    const width = x_of(scale, box.begin + box.observed) - x;
    if (x > scale.width || x + width < 0) continue;
    const key = key_of(box.rank, box.operation);
    if (done.has(key) || scene.state.hidden.includes(scene.meta.kinds[box.kind] ?? "")) continue;
    done.add(key);
    const exact = scene.exact(box.rank, box.operation);
    const parts = scene.meta.against ? (exact ? parts_of_operation(exact) : parts_of_box(box)) : null;
    const colours: BarColours = part_colours(scene, box, exact);
    const bar = { x, width, y, height: row.heights.main, observed: box.observed, parts, marks: box.marks };
    paint_bar(context, bar, colours, bar_colour(scene, box, exact), theme);
    if (width > 60 && row.heights.main >= 12) paint_name(context, scene, box, x, width, y + row.heights.main / 2);
  }
}

function paint_name(context: Context, scene: Scene, box: Box, x: number, width: number, middle: number): void {
  const name = scene.meta.calls[box.call] ?? "";
  const left = Math.max(x, 0) + 4;
  const room = Math.floor((Math.min(x + width, scene.scale.width) - left - 4) / 6.5);
  if (room < 6) return;
  const text = name.length > room ? `${name.slice(0, room - 1)}…` : name;
  context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = scene.theme.paper;
  context.globalAlpha = 0.75;
  context.fillRect(left - 2, middle - 6, text.length * 6.5 + 2, 12);
  context.globalAlpha = 1;
  context.fillStyle = scene.theme.ink;
  context.fillText(text, left, middle);
}

// Null where they are so many that columns, of which each shows its worst, say as much.
function boxes_of(scene: Scene, lane: Lane, level: number, x: number): readonly Box[] | null {
  const found = scene.strip({ source: "obs", level, x, lane: lane_of_bars(lane) });
  if (found?.level !== level || !found.strip.boxes) return null;
  const width = (strip_length(scene.grid, level) / (scene.scale.end - scene.scale.begin)) * scene.scale.width;
  const by_attribute = scene.state.colour !== "excess" && scene.state.colour !== "kind";
  return by_attribute || found.strip.boxes.length * kLeastBox <= width ? found.strip.boxes : null;
}

function paint_observed(context: Context, scene: Scene, row: LaneRow, y: number): void {
  const { grid, scale } = scene;
  const level = level_of(scale, grid);
  const length = strip_length(grid, level);
  const [first, last] = strips_of(scale, level, grid);
  const done = new Set<number>();
  const style = main_style(scene);
  for (let x = first; x <= last; ++x) {
    const found = scene.strip({ source: "obs", level, x, lane: row.lane.lane });
    if (!found) continue;
    const range: [number, number] = [x * length, (x + 1) * length];
    const boxes = boxes_of(scene, row.lane, level, x);
    if (boxes) paint_boxes(context, scene, row, boxes, y, done);
    else paint_strip(context, scene, found, range, style, { y, height: row.heights.main });
    paint_difference(context, scene, row, found, range);
  }
}

function paint_lane(context: Context, scene: Scene, row: LaneRow): void {
  const { state, theme } = scene;
  const { main, free, whatif } = row.heights;
  const y = row.y - scene.top;
  const map = scene.time_map(row.lane);
  if (row.lane.kind === "component") {
    const style: StripStyle = { form: "busy", theme, rows: kBusyRows };
    return paint_free_row(context, scene, row, "free", { y, height: main }, map, style);
  }
  paint_observed(context, scene, row, y);
  paint_free_row(context, scene, row, "free", { y: y + main, height: free - 1 }, map, kind_style(scene));
  const place = { y: y + main + free, height: whatif - 1 };
  paint_free_row(context, scene, row, `whatif-${state.whatif}`, place, kSameTime, kind_style(scene));
}

function paint_difference(
  context: Context,
  scene: Scene,
  row: LaneRow,
  found: { strip: Strip; level: number },
  range: [number, number],
): void {
  const height = row.heights.difference;
  if (height === 0) return;
  const y = row.y - scene.top + row.height - row.heights.gap - height;
  const style: StripStyle = { form: "difference", largest: scene.largest, theme: scene.theme, rows: kDifferenceRows };
  paint_strip(context, scene, found, range, style, { y, height });
}

export function paint_lanes(context: Context, scene: Scene): void {
  const { theme, scale, height } = scene;
  context.imageSmoothingEnabled = false;
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, scale.width, height);
  context.fillStyle = theme.gridline;
  for (const time of ticks(scale)) context.fillRect(Math.round(x_of(scale, time)), 0, 1, height);
  for (const row of visible(scene.layout, scene.top, height)) {
    if (row.type === "lane") paint_lane(context, scene, row);
    else {
      context.fillStyle = theme.group;
      context.fillRect(0, row.y - scene.top, scale.width, row.height);
    }
  }
}

// Operations whose bars are wide enough for parts, of which exact times are worth asking for.
export function wide_boxes(scene: Scene): Box[] {
  const { scale, grid } = scene;
  const level = level_of(scale, grid);
  const [first, last] = strips_of(scale, level, grid);
  const least = ((scale.end - scale.begin) / scale.width) * 8;
  const result: Box[] = [];
  for (const row of visible(scene.layout, scene.top, scene.height)) {
    if (row.type !== "lane" || row.lane.kind === "component") continue;
    for (let x = first; x <= last; ++x) {
      const found = scene.strip({ source: "obs", level, x, lane: lane_of_bars(row.lane) });
      if (found?.level !== level || !found.strip.boxes) continue;
      for (const box of found.strip.boxes) {
        const overlaps = box.begin < scale.end && box.begin + box.observed > scale.begin;
        if (overlaps && box.observed >= least && box.kind !== kNothing) result.push(box);
      }
    }
  }
  return result;
}
