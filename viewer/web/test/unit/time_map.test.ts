import assert from "node:assert/strict";
import { test } from "node:test";
import { free_of, kSameTime, observed_of, pieces, shift_map } from "../../src/draw/time_map";

const kMap = { observed_ps: [0, 100, 400], free_ps: [0, 50, 100] };

test("points are mapped onto each other, and times between them linearly", () => {
  assert.deepEqual([0, 25, 50, 75, 100].map((time) => observed_of(kMap, time)), [0, 50, 100, 250, 400]);
  assert.deepEqual([0, 50, 100, 250, 400].map((time) => free_of(kMap, time)), [0, 25, 50, 75, 100]);
});

test("outside of the points time runs as it does", () => {
  assert.equal(observed_of(kMap, 130), 430);
  assert.equal(observed_of(kMap, -10), -10);
  assert.equal(observed_of(shift_map(7), 100), 107);
  assert.equal(observed_of(kSameTime, 100), 100);
});

test("pieces end at the points, but are not shorter than asked for", () => {
  assert.deepEqual(pieces(kMap, 20, 130, 1), [[20, 50], [50, 100], [100, 130]]);
  assert.deepEqual(pieces(kMap, 20, 130, 40), [[20, 100], [100, 130]]);
  assert.deepEqual(pieces(kSameTime, 20, 130, 1), [[20, 130]]);
});
