// Binary strips: of one lane and 2^columns_log2 columns of time (docs/reference/viewer-api.md, strips).

export const kNothing = 0xff;
export const kNoOperation = 0xffffffff;
export const kMark = { finding: 1, notJudged: 2, unfinished: 4, withheld: 8 } as const;

const kMagic = 0x54534c50; // "PLST"
const kHeaderBytes = 32;
const kEntryBytes = 24;
const kBoxBytes = 32;
const kPlanes = 6;

// Column by column.
export type Planes = {
  kind: Uint8Array;
  busy: Uint8Array;
  count: Uint8Array;
  own: Int8Array;
  inherited: Int8Array;
  marks: Uint8Array;
};

// One operation; own and inherited as steps (steps_of).
export type Box = {
  rank: number;
  operation: number;
  kind: number;
  marks: number;
  call: number;
  begin: number;
  observed: number;
  own: number;
  inherited: number;
};

export type Strip = {
  lane: number;
  x: number;
  columns: number;
  planes: Planes;
  boxes: Box[] | null; // the worst last; null: too many operations for boxes
  worst: number; // operation of the lane's worst own excess, or kNoOperation
  bytes: number;
};

export type Batch = { level: number; source: number; damaged: boolean; truncated: boolean; strips: Strip[] };

// Times for colour only: sign × min(127, round(3 · log2(1 + |t| / 1 ns))).
export function steps_of(ps: number): number {
  const steps = Math.min(127, Math.round(3 * Math.log2(1 + Math.abs(ps) / 1000)));
  return ps < 0 ? -steps : steps;
}

export function ps_of(steps: number): number {
  const ps = (2 ** (Math.abs(steps) / 3) - 1) * 1000;
  return steps < 0 ? -ps : ps;
}

function fail(what: string): never {
  throw new Error(`strips: ${what}; the server and the page may be of different versions: reload the page`);
}

function planes_at(body: ArrayBuffer, offset: number, columns: number): Planes {
  const plane = (n: number) => new Uint8Array(body, offset + n * columns, columns);
  const signed = (n: number) => new Int8Array(body, offset + n * columns, columns);
  return { kind: plane(0), busy: plane(1), count: plane(2), own: signed(3), inherited: signed(4), marks: plane(5) };
}

function box_at(view: DataView, at: number): Box {
  return {
    operation: view.getUint32(at, true),
    kind: view.getUint8(at + 4),
    marks: view.getUint8(at + 5),
    call: view.getUint16(at + 6, true),
    begin: Number(view.getBigInt64(at + 8, true)),
    observed: Number(view.getBigInt64(at + 16, true)),
    own: view.getInt8(at + 24),
    inherited: view.getInt8(at + 25),
    rank: view.getUint16(at + 26, true) + 0x10000 * view.getUint16(at + 28, true),
  };
}

function strip_at(body: ArrayBuffer, view: DataView, entry: number, columns: number): Strip {
  const word = (n: number) => view.getUint32(entry + 4 * n, true);
  const [offset, bytes, count] = [word(2), word(3), word(4)];
  if (offset + bytes > body.byteLength) fail(`strip at ${entry} ends behind the ${body.byteLength} B of the answer`);
  const planes_bytes = kPlanes * columns;
  if (bytes !== planes_bytes + count * kBoxBytes) fail(`strip at ${entry} has ${bytes} B for ${count} boxes`);
  const boxes = Array.from({ length: count }, (_, n) => box_at(view, offset + planes_bytes + n * kBoxBytes));
  boxes.sort((a, b) => Math.abs(a.own) - Math.abs(b.own));
  const planes = planes_at(body, offset, columns);
  // A strip without boxes and with busy columns holds more operations than are sent one by one.
  const has_time = planes.kind.some((kind) => kind !== kNothing);
  return { lane: word(0), x: word(1), columns, planes, boxes: count || !has_time ? boxes : null, worst: word(5), bytes };
}

// Throws an Error that says what is wrong with the bytes.
export function decode_batch(body: ArrayBuffer): Batch {
  const view = new DataView(body);
  if (body.byteLength < kHeaderBytes || view.getUint32(0, true) !== kMagic) fail("the answer is no batch of strips");
  const version = view.getUint16(4, true);
  if (version !== 1) fail(`version ${version} is not known here, 1 is`);
  const header = view.getUint16(6, true);
  const columns = 2 ** view.getUint8(17);
  const flags = view.getUint8(19);
  const count = view.getUint32(20, true);
  if (header < kHeaderBytes || header + count * kEntryBytes > body.byteLength) fail(`no room for ${count} strips`);
  const strips = Array.from({ length: count }, (_, n) => strip_at(body, view, header + n * kEntryBytes, columns));
  return { level: view.getUint8(16), source: view.getUint8(18), damaged: !!(flags & 1), truncated: !!(flags & 2), strips };
}
