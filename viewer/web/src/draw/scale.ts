// Time on the x axis: pixels and picoseconds, zoom, levels of strips, ticks.

import type { TimeRange } from "../state/view_state";

export type Scale = { begin: number; end: number; width: number };

export const kLeastLength = 1000; // ps: a nanosecond across the view

export function x_of(scale: Scale, time: number): number {
  return ((time - scale.begin) / (scale.end - scale.begin)) * scale.width;
}

export function time_of(scale: Scale, x: number): number {
  return scale.begin + (x / scale.width) * (scale.end - scale.begin);
}

export function ps_per_pixel(scale: Scale): number {
  return (scale.end - scale.begin) / scale.width;
}

// Of whole picoseconds and within 0 .. span; keeps its length where it fits.
export function clamped(range: TimeRange, span: number): TimeRange {
  const length = Math.min(span, Math.max(kLeastLength, Math.round(range.end - range.begin)));
  const begin = Math.min(Math.max(0, Math.round(range.begin)), span - length);
  return { begin, end: begin + length };
}

// The time `at` stays where it is on the screen. factor < 1: closer.
export function zoomed(range: TimeRange, at: number, factor: number, span: number): TimeRange {
  const length = Math.max(kLeastLength, (range.end - range.begin) * factor);
  const share = (at - range.begin) / (range.end - range.begin);
  return clamped({ begin: at - share * length, end: at + (1 - share) * length }, span);
}

// By a share of the view; negative: to earlier times.
export function panned(range: TimeRange, share: number, span: number): TimeRange {
  const by = share * (range.end - range.begin);
  return clamped({ begin: range.begin + by, end: range.end + by }, span);
}

// An operation with three times its duration on both sides.
export function around(begin: number, duration: number, span: number): TimeRange {
  const length = Math.max(duration, kLeastLength / 7);
  return clamped({ begin: begin - 3 * length, end: begin + 4 * length }, span);
}

export type Grid = { base: number; columns_log2: number; most_level: number };

export function column_length(grid: Grid, level: number): number {
  return grid.base / 2 ** level / 2 ** grid.columns_log2;
}

export function strip_length(grid: Grid, level: number): number {
  return grid.base / 2 ** level;
}

// The finest level whose columns are at least a pixel wide, so that no column, and no worst case, falls between pixels.
export function level_of(scale: Scale, grid: Grid): number {
  const level = Math.floor(Math.log2(column_length(grid, 0) / ps_per_pixel(scale)));
  return Math.min(grid.most_level, Math.max(0, level));
}

// Numbers of the strips that cover the range, `margin` more on each side.
export function strips_of(range: TimeRange, level: number, grid: Grid, margin = 0): [number, number] {
  const length = strip_length(grid, level);
  const most = 2 ** level - 1;
  const first = Math.floor(range.begin / length) - margin;
  const last = Math.ceil(range.end / length) - 1 + margin;
  return [Math.min(most, Math.max(0, first)), Math.min(most, Math.max(0, last))];
}

// What the pixel at x was drawn from: its column where columns are wider than pixels, never less than a pixel.
export function time_at_pixel(scale: Scale, x: number, grid: Grid): TimeRange {
  const length = column_length(grid, level_of(scale, grid));
  const time = time_of(scale, x);
  if (length < ps_per_pixel(scale)) return { begin: Math.floor(time), end: Math.ceil(time + ps_per_pixel(scale)) };
  const column = Math.floor(time / length);
  return { begin: Math.floor(column * length), end: Math.ceil((column + 1) * length) };
}

// Round times, 1, 2 or 5 times a power of ten apart, at least `least` pixels from each other.
export function ticks(scale: Scale, least = 90): number[] {
  const want = ps_per_pixel(scale) * least;
  const power = 10 ** Math.floor(Math.log10(want));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= want) ?? 10 * power;
  const result: number[] = [];
  for (let n = Math.ceil(scale.begin / step); n * step <= scale.end; ++n) result.push(n * step);
  return result;
}

// The edge closest to `time` that is not further than `most`, or `time` itself.
export function snapped(time: number, edges: readonly number[], most: number): number {
  let best = time;
  let distance = most;
  for (const edge of edges) {
    if (Math.abs(edge - time) > distance) continue;
    distance = Math.abs(edge - time);
    best = edge;
  }
  return best;
}
