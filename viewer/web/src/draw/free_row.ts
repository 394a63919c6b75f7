// Lanes of the expected run, or of a what-if run: below the observed one, and of components.

import type { TimeMap } from "../data/api_types";
import type { Box, Strip } from "../data/strips";
import type { Context } from "./context";
import type { LaneRow } from "./lane_layout";
import { kind_colour } from "./palette";
import { level_of, ps_per_pixel, strip_length, strips_of, x_of } from "./scale";
import { lane_of_bars, type Scene } from "./scene";
import type { StripStyle } from "./strip_image";
import { free_of, observed_of, pieces } from "./time_map";

export type Place = { y: number; height: number };

function paint_free_boxes(context: Context, scene: Scene, boxes: readonly Box[], map: TimeMap, place: Place): void {
  for (const box of boxes) {
    const kind = scene.meta.kinds[box.kind] ?? "other";
    if (scene.state.hidden.includes(kind)) continue;
    const begin = x_of(scene.scale, observed_of(map, box.begin));
    const end = x_of(scene.scale, observed_of(map, box.begin + box.observed));
    if (end < 0 || begin > scene.scale.width) continue;
    context.fillStyle = kind_colour(kind, scene.theme);
    context.fillRect(begin, place.y, Math.max(1, end - begin), place.height);
  }
}

function paint_free_strip(
  context: Context,
  scene: Scene,
  found: { strip: Strip; level: number },
  range: [number, number],
  map: TimeMap,
  place: Place,
  style: StripStyle,
): void {
  const { scale, grid } = scene;
  const length = strip_length(grid, found.level);
  const image = scene.image(found.strip, style);
  const rows = "rows" in style ? style.rows : 1;
  const column = (time: number) => ((time - found.strip.x * length) / length) * found.strip.columns;
  for (const [begin, end] of pieces(map, range[0], range[1], ps_per_pixel(scale))) {
    const left = x_of(scale, observed_of(map, begin));
    const right = x_of(scale, observed_of(map, end));
    if (right <= 0 || left >= scale.width || right <= left) continue;
    context.drawImage(image, column(begin), 0, column(end) - column(begin), rows, left, place.y, right - left, place.height);
  }
}

// Times of the run are mapped to the axis of the observed one.
export function paint_free_row(
  context: Context,
  scene: Scene,
  row: LaneRow,
  source: string,
  place: Place,
  map: TimeMap,
  style: StripStyle,
): void {
  if (place.height <= 0) return;
  const { scale, grid } = scene;
  const level = level_of(scale, grid);
  const [first, last] = strips_of(free_range(map, scale.begin, scale.end), level, grid);
  const length = strip_length(grid, level);
  for (let x = first; x <= last; ++x) {
    const found = scene.strip({ source, level, x, lane: row.lane.lane });
    if (!found) continue;
    const bars = scene.strip({ source, level, x, lane: lane_of_bars(row.lane) });
    const boxes = bars?.level === level && style.form === "kind" ? bars.strip.boxes : null;
    if (boxes) paint_free_boxes(context, scene, boxes, map, place);
    else paint_free_strip(context, scene, found, [x * length, (x + 1) * length], map, place, style);
  }
}

// The range of the expected run that is drawn within begin .. end.
export function free_range(map: TimeMap, begin: number, end: number): { begin: number; end: number } {
  return { begin: free_of(map, begin), end: Math.max(free_of(map, begin) + 1, free_of(map, end)) };
}
