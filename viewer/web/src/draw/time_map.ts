// Where a time of the expected run is drawn on the axis of the observed one.

import type { TimeMap } from "../data/api_types";

// Index of the last point that is not after `time`, at least 0.
function segment(points: readonly number[], time: number): number {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (points[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Linear between the points, of slope 1 outside of them.
function mapped(from: readonly number[], to: readonly number[], time: number): number {
  if (from.length === 0) return time;
  const n = segment(from, time);
  const after = n + 1 < from.length;
  if (time < from[0]! || !after) return to[n]! + (time - from[n]!);
  const length = from[n + 1]! - from[n]!;
  if (length <= 0) return to[n]!;
  return to[n]! + ((time - from[n]!) / length) * (to[n + 1]! - to[n]!);
}

export function shift_map(by: number): TimeMap {
  return { observed_ps: [by], free_ps: [0] };
}

export const kSameTime: TimeMap = { observed_ps: [], free_ps: [] };

export function observed_of(map: TimeMap, free: number): number {
  return mapped(map.free_ps, map.observed_ps, free);
}

export function free_of(map: TimeMap, observed: number): number {
  return mapped(map.observed_ps, map.free_ps, observed);
}

// Pieces of [begin, end) of the expected run that are drawn linearly; points closer than `least` ps are passed over.
export function pieces(map: TimeMap, begin: number, end: number, least: number): [number, number][] {
  const cuts = [begin];
  for (let n = map.free_ps.length > 0 ? segment(map.free_ps, begin) : 0; n < map.free_ps.length; ++n) {
    const point = map.free_ps[n]!;
    if (point >= end) break;
    if (point - cuts[cuts.length - 1]! >= least) cuts.push(point);
  }
  return cuts.map((cut, n) => [cut, cuts[n + 1] ?? end]);
}
