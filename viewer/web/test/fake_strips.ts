// Strips of a synthetic run, made by brute force: what the server's must be like.

import type { Operation } from "../src/data/api_types";
import { kNoOperation, kNothing, steps_of } from "../src/data/strips";
import { kCalls, kKinds, type FakeRun } from "./fake_run";

export const kColumns = 512;
const kMostBoxes = 256;
const kBoxBytes = 32;

export function base_of(span: number): number {
  let base = 1;
  while (base < span) base *= 2;
  return base;
}

export type Timed = { op: Operation; begin: number; length: number };

// Of the observed or the free run.
export function timed(run: FakeRun, rank: number, source: string): Timed[] {
  return run.ops[rank]!.map((op) =>
    source === "obs"
      ? { op, begin: op.begin_ps, length: op.observed_ps }
      : { op, begin: op.free_begin_ps, length: op.judged ? op.free_ps : op.observed_ps },
  );
}

function overlapping(all: readonly Timed[], begin: number, end: number): Timed[] {
  return all.filter((each) => each.begin < end && each.begin + each.length > begin);
}

function worse(a: number, b: number): number {
  if (a > 0 || b > 0) return Math.max(a, b);
  return Math.min(a, b);
}

function fill_column(planes: DataView, n: number, inside: readonly Timed[], begin: number, end: number): void {
  const longest = new Map<number, number>();
  let [busy, own, inherited, marks] = [0, 0, 0, 0];
  for (const { op, begin: from, length } of inside) {
    const part = Math.min(end, from + length) - Math.max(begin, from);
    busy += part;
    longest.set(op.kind, (longest.get(op.kind) ?? 0) + part);
    own = worse(own, op.own_ps);
    inherited = worse(inherited, op.inherited_ps);
    marks |= op.marks;
  }
  const kind = [...longest].sort((a, b) => b[1] - a[1])[0]?.[0] ?? kNothing;
  planes.setUint8(n, kind);
  planes.setUint8(kColumns + n, Math.min(255, Math.round((255 * busy) / (end - begin))));
  planes.setUint8(2 * kColumns + n, Math.min(255, Math.round(8 * Math.log2(1 + inside.length))));
  planes.setInt8(3 * kColumns + n, steps_of(own));
  planes.setInt8(4 * kColumns + n, steps_of(inherited));
  planes.setUint8(5 * kColumns + n, marks);
}

function put_box(view: DataView, at: number, { op, begin, length }: Timed): void {
  view.setUint32(at, op.operation, true);
  view.setUint8(at + 4, op.kind);
  view.setUint8(at + 5, op.marks);
  view.setUint16(at + 6, kCalls.indexOf(op.call), true);
  view.setBigInt64(at + 8, BigInt(begin), true);
  view.setBigInt64(at + 16, BigInt(length), true);
  view.setInt8(at + 24, steps_of(op.own_ps));
  view.setInt8(at + 25, steps_of(op.inherited_ps));
  view.setUint16(at + 26, op.rank & 0xffff, true);
  view.setUint16(at + 28, op.rank >>> 16, true);
}

export type Made = { lane: number; x: number; boxes: number; worst: number; bytes: Uint8Array };

// `fold`: of several ranks, which has columns only.
export function strip(all: readonly Timed[], lane: number, level: number, x: number, base: number, fold = false): Made {
  const length = base / 2 ** level;
  const inside = overlapping(all, x * length, (x + 1) * length);
  const boxes = inside.length <= kMostBoxes && !fold ? inside : [];
  const bytes = new Uint8Array(6 * kColumns + kBoxBytes * boxes.length);
  const view = new DataView(bytes.buffer);
  for (let n = 0; n < kColumns; ++n) {
    const [begin, end] = [x * length + (n * length) / kColumns, x * length + ((n + 1) * length) / kColumns];
    fill_column(view, n, overlapping(inside, begin, end), begin, end);
  }
  boxes.forEach((box, n) => put_box(view, 6 * kColumns + n * kBoxBytes, box));
  const worst = inside.reduce<Timed | null>((a, b) => (b.op.own_ps > (a?.op.own_ps ?? 0) ? b : a), null);
  return { lane, x, boxes: boxes.length, worst: fold ? kNoOperation : (worst?.op.operation ?? kNoOperation), bytes };
}

// A component of the expected run that is busy while files are written, or messages sent.
export function component_strip(run: FakeRun, lane: number, level: number, x: number, base: number): Made {
  const bytes = new Uint8Array(6 * kColumns).fill(kNothing, 0, kColumns);
  const length = base / 2 ** level;
  const writes = timed(run, run.slow, "free").filter((each) => kKinds[each.op.kind] === (lane % 2 ? "MPI-IO" : "point to point"));
  for (let n = 0; n < kColumns; ++n) {
    const begin = x * length + (n * length) / kColumns;
    const busy = overlapping(writes, begin, begin + length / kColumns).length > 0;
    bytes[kColumns + n] = busy ? 120 + ((n * 37 + lane) % 100) : (n * lane) % 11;
  }
  return { lane, x, boxes: 0, worst: kNoOperation, bytes };
}

export function batch(level: number, source: number, strips: readonly Made[]): ArrayBuffer {
  const header = 32 + 24 * strips.length;
  const total = strips.reduce((sum, each) => sum + each.bytes.length, header);
  const body = new ArrayBuffer(total);
  const view = new DataView(body);
  [0x50, 0x4c, 0x53, 0x54].forEach((letter, n) => view.setUint8(n, letter));
  view.setUint16(4, 1, true);
  view.setUint16(6, 32, true);
  view.setUint8(16, level);
  view.setUint8(17, 9);
  view.setUint8(18, source);
  view.setUint32(20, strips.length, true);
  let offset = header;
  strips.forEach((each, n) => {
    const words = [each.lane, each.x, offset, each.bytes.length, each.boxes, each.worst];
    words.forEach((word, k) => view.setUint32(32 + 24 * n + 4 * k, word, true));
    new Uint8Array(body, offset, each.bytes.length).set(each.bytes);
    offset += each.bytes.length;
  });
  return body;
}
