// Draws the lanes of a scene. Calls of the context are all it does: tests read them as a log.

import { kNothing, type Box, type Strip } from "../data/strips";
import { paint_bar, parts_of_box, parts_of_operation, type BarColours } from "./bar";
import { bar_colour, part_colours } from "./colouring";
import type { Context } from "./context";
import type { LaneRow } from "./lane_layout";
import { visible } from "./lane_layout";
import { level_of, strip_length, strips_of, ticks, x_of } from "./scale";
import type { Scene } from "./scene";
import { source_of } from "./scene";
import type { StripStyle } from "./strip_image";
import { paint_free_row } from "./free_row";

const kDifferenceRows = 8;
const kBusyRows = 16;

function main_style(scene: Scene, component: boolean): StripStyle {
  const { theme, largest, state, meta } = scene;
  if (component) return { form: "busy", theme, rows: kBusyRows };
  if (state.colour === "excess" && meta.against) return { form: "excess", largest, theme };
  if (state.colour === "kind" || state.colour === "excess") {
    return { form: "kind", kinds: meta.kinds, hidden: state.hidden, theme };
  }
  return { form: "plain", theme };
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

function paint_boxes(context: Context, scene: Scene, row: LaneRow, boxes: readonly Box[], y: number, done: Set<string>): void {
  const { scale, theme } = scene;
  const worst_last = [...boxes].sort((a, b) => Math.abs(a.own) - Math.abs(b.own));
  for (const box of worst_last) {
    const name = `${box.rank}.${box.operation}`;
    if (done.has(name) || scene.state.hidden.includes(scene.meta.kinds[box.kind] ?? "")) continue;
    done.add(name);
    const x = x_of(scale, box.begin);
    const width = x_of(scale, box.begin + box.observed) - x;
    if (x > scale.width || x + width < 0) continue;
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

function paint_lane(context: Context, scene: Scene, row: LaneRow): void {
  const { grid, scale, state } = scene;
  const component = row.lane.kind === "component";
  const level = level_of(scale, grid);
  const [first, last] = strips_of(scale, level, grid);
  const y = row.y - scene.top;
  const done = new Set<string>();
  const style = main_style(scene, component);
  for (let x = first; x <= last; ++x) {
    const found = scene.strip({ source: source_of(row.lane), level, x, lane: row.lane.lane });
    if (!found) continue;
    const length = strip_length(grid, level);
    const range: [number, number] = [x * length, (x + 1) * length];
    const boxes = found.level === level ? found.strip.boxes : null;
    if (boxes && !component) paint_boxes(context, scene, row, boxes, y, done);
    else paint_strip(context, scene, found, range, style, { y, height: row.heights.main });
    paint_difference(context, scene, row, found, range);
  }
  paint_free_row(context, scene, row, "free", row.heights.free, y + row.heights.main, scene.time_map(row.lane));
  if (state.whatif > 0) {
    const below = y + row.heights.main + row.heights.free;
    paint_free_row(context, scene, row, `whatif-${state.whatif}`, row.heights.whatif, below, null);
  }
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
      const found = scene.strip({ source: "obs", level, x, lane: row.lane.lane });
      if (found?.level !== level || !found.strip.boxes) continue;
      for (const box of found.strip.boxes) {
        const overlaps = box.begin < scale.end && box.begin + box.observed > scale.begin;
        if (overlaps && box.observed >= least && box.kind !== kNothing) result.push(box);
      }
    }
  }
  return result;
}
