import assert from "node:assert/strict";
import { test } from "node:test";
import { requests_for, ranges_text, StripCache } from "../../src/data/strip_cache";
import { decode_batch, ps_of, steps_of, type Strip } from "../../src/data/strips";
import { base_of, batch, strip, timed } from "../fake_strips";
import { fake_run, random } from "../fake_run";

const kRun = fake_run(4, 12);
const kBase = base_of(kRun.span);

test("what a strip was made of is what is read from it", () => {
  const made = strip(timed(kRun, 3, "obs"), 3, 0, 0, kBase);
  const { strips, level } = decode_batch(batch(0, 0, [made]));
  assert.equal(level, 0);
  assert.equal(strips.length, 1);
  const { boxes, lane, columns } = strips[0]!;
  assert.equal(lane, 3);
  assert.equal(columns, 512);
  assert.equal(boxes!.length, kRun.ops[3]!.length);
  const op = kRun.ops[3]!.find((each) => each.own_ps > 0)!;
  const box = boxes!.find((each) => each.operation === op.operation)!;
  assert.deepEqual([box.rank, box.begin, box.observed, box.kind, box.marks], [3, op.begin_ps, op.observed_ps, op.kind, op.marks]);
  assert.equal(box.own, steps_of(op.own_ps));
});

test("ranks above 65,535 and times above 2^32 are read whole", () => {
  const op = { ...kRun.ops[0]![0]!, rank: 70_000, begin_ps: 5e12, observed_ps: 2 ** 45 + 1 };
  const made = strip([{ op, begin: op.begin_ps, length: op.observed_ps }], 70_000, 0, 0, 2 ** 46);
  const box = decode_batch(batch(0, 0, [made])).strips[0]!.boxes![0]!;
  assert.deepEqual([box.rank, box.begin, box.observed], [70_000, 5e12, 2 ** 45 + 1]);
});

test("of too many operations there are no boxes, and of none there are zero", () => {
  const many = fake_run(2, 120);
  const base = base_of(many.span);
  const [full, empty] = [strip(timed(many, 0, "obs"), 0, 0, 0, base), strip([], 0, 4, 15, base)];
  const { strips } = decode_batch(batch(0, 0, [full, empty]));
  assert.equal(strips[0]!.boxes, null);
  assert.deepEqual(strips[1]!.boxes, []);
});

test("steps of excess keep the sign and are exact to an eighth of the time", () => {
  for (const ps of [0, 1000, -1500, 87e6, -1.2e12, 3e14]) {
    assert.ok(Math.abs(ps_of(steps_of(ps)) - ps) <= 0.13 * Math.abs(ps) + 500, `${ps}`);
    assert.equal(steps_of(-ps) + steps_of(ps), 0);
  }
});

test("damaged answers are refused with words, whatever was damaged", () => {
  const seed = Date.now() % 2 ** 32;
  const next = random(seed);
  const good = new Uint8Array(batch(0, 0, [strip(timed(kRun, 0, "obs"), 0, 1, 0, kBase), strip([], 1, 1, 1, kBase)]));
  for (let n = 0; n < 3000; ++n) {
    const bytes = good.slice(0, next() < 0.5 ? good.length : Math.floor(next() * good.length));
    for (let k = 0; k < 3 && bytes.length > 0; ++k) bytes[Math.floor(next() * Math.min(bytes.length, 90))] = Math.floor(next() * 256);
    try {
      decode_batch(bytes.buffer);
    } catch (error) {
      assert.match((error as Error).message, /^strips: |Offset is outside|Invalid typed array length|start offset/, `seed ${seed}, case ${n}`);
    }
  }
});

test("missing strips of many lanes become one request, and at most 4,096 strips one", () => {
  const missing = [0, 1, 2, 7].flatMap((lane) => [4, 5, 6].map((x) => ({ source: "obs", level: 3, x, lane })));
  assert.deepEqual(requests_for(missing), [{ source: "obs", level: 3, first: 4, last: 6, lanes: [0, 1, 2, 7] }]);
  const all = Array.from({ length: 5000 }, (_, lane) => ({ source: "obs", level: 3, x: 0, lane }));
  assert.deepEqual(requests_for(all).map((each) => each.lanes.length), [4096, 904]);
  assert.equal(ranges_text([0, 2, 3, 4, 5, 1073741824]), "0,2-5,1073741824");
});

function of_bytes(bytes: number): Strip {
  return { lane: 0, x: 0, columns: 512, planes: null as never, boxes: null, worst: 0, bytes };
}

test("the strip that was not used for longest is dropped first", () => {
  const cache = new StripCache(250);
  const key = (x: number) => ({ source: "obs", level: 5, x, lane: 1 });
  cache.put(key(1), of_bytes(100));
  cache.put(key(2), of_bytes(100));
  cache.get(key(1));
  cache.put(key(3), of_bytes(100));
  assert.deepEqual([1, 2, 3].map((x) => cache.has(key(x))), [true, false, true]);
});

test("until a strip is there, the closest coarser one stands for it", () => {
  const cache = new StripCache();
  cache.put({ source: "obs", level: 1, x: 1, lane: 4 }, of_bytes(1));
  assert.equal(cache.closest({ source: "obs", level: 3, x: 6, lane: 4 })?.level, 1);
  assert.equal(cache.closest({ source: "obs", level: 3, x: 2, lane: 4 }), undefined);
});
