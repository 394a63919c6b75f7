// Strips that were read, the least recently used one dropped first, and what still has to be asked for.

import type { Strip } from "./strips";

export type StripKey = { source: string; level: number; x: number; lane: number };

// One request: all x of a range for all of these lanes.
export type Request = { source: string; level: number; first: number; last: number; lanes: number[] };

export const kMostStripsOfRequest = 4096;

function text_of(key: StripKey): string {
  return `${key.source}/${key.level}/${key.x}/${key.lane}`;
}

export class StripCache {
  private strips = new Map<string, Strip>();
  private bytes = 0;

  constructor(private most_bytes = 64 << 20) {}

  get(key: StripKey): Strip | undefined {
    const text = text_of(key);
    const strip = this.strips.get(text);
    if (strip) {
      this.strips.delete(text);
      this.strips.set(text, strip);
    }
    return strip;
  }

  has(key: StripKey): boolean {
    return this.strips.has(text_of(key));
  }

  put(key: StripKey, strip: Strip): void {
    const text = text_of(key);
    this.bytes += strip.bytes - (this.strips.get(text)?.bytes ?? 0);
    this.strips.delete(text);
    this.strips.set(text, strip);
    for (const [oldest, each] of this.strips) {
      if (this.bytes <= this.most_bytes || oldest === text) break;
      this.strips.delete(oldest);
      this.bytes -= each.bytes;
    }
  }

  clear(): void {
    this.strips.clear();
    this.bytes = 0;
  }

  // Of the strip itself, or else of the closest coarser one that is there.
  closest(key: StripKey): { strip: Strip; level: number } | undefined {
    for (let up = 0; up <= key.level; ++up) {
      const strip = this.get({ ...key, level: key.level - up, x: Math.floor(key.x / 2 ** up) });
      if (strip) return { strip, level: key.level - up };
    }
    return undefined;
  }
}

// Joins missing strips of one source and level into few requests: lanes that miss the same range go together.
export function requests_for(missing: readonly StripKey[]): Request[] {
  const ranges = new Map<string, { source: string; level: number; lane: number; first: number; last: number }>();
  for (const key of missing) {
    const name = `${key.source}/${key.level}/${key.lane}`;
    const range = ranges.get(name);
    if (!range) ranges.set(name, { ...key, first: key.x, last: key.x });
    else Object.assign(range, { first: Math.min(range.first, key.x), last: Math.max(range.last, key.x) });
  }
  const requests = new Map<string, Request>();
  for (const { source, level, lane, first, last } of ranges.values()) {
    const name = `${source}/${level}/${first}/${last}`;
    const request = requests.get(name) ?? { source, level, first, last, lanes: [] };
    request.lanes.push(lane);
    requests.set(name, request);
  }
  return [...requests.values()].flatMap(split);
}

function split(request: Request): Request[] {
  const most = Math.max(1, Math.floor(kMostStripsOfRequest / (request.last - request.first + 1)));
  const lanes = [...request.lanes].sort((a, b) => a - b);
  const parts: Request[] = [];
  for (let at = 0; at < lanes.length; at += most) parts.push({ ...request, lanes: lanes.slice(at, at + most) });
  return parts;
}

// "0,2-5,1073741824" of ascending numbers.
export function ranges_text(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < numbers.length; ) {
    let end = at;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end]! + 1) ++end;
    parts.push(at === end ? `${numbers[at]}` : `${numbers[at]}-${numbers[end]}`);
    at = end + 1;
  }
  return parts.join(",");
}
