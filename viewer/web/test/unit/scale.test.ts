import assert from "node:assert/strict";
import { test } from "node:test";
import { axis_time, bytes, circled, duration, duration_range, percent } from "../../src/draw/format";
import { around, clamped, column_length, level_of, ps_per_pixel, snapped, strips_of, ticks, time_at_pixel, time_of, x_of, zoomed } from "../../src/draw/scale";
import { random } from "../fake_run";

const kSpan = 10_000_000;
const kGrid = { base: 2 ** 24, columns_log2: 9, most_level: 15 };

test("zoom keeps the time under the pointer where it is", () => {
  const range = zoomed({ begin: 2_000_000, end: 6_000_000 }, 3_000_000, 0.5, kSpan);
  assert.deepEqual(range, { begin: 2_500_000, end: 4_500_000 });
});

test("a view stays within the run and is never empty", () => {
  assert.deepEqual(clamped({ begin: -500, end: 1_000_000 }, kSpan), { begin: 0, end: 1_000_500 });
  assert.deepEqual(clamped({ begin: kSpan - 10, end: kSpan + 2000 }, kSpan), { begin: kSpan - 2010, end: kSpan });
  assert.deepEqual(clamped({ begin: 5000, end: 5000 }, kSpan), { begin: 5000, end: 6000 });
  assert.deepEqual(clamped({ begin: 0, end: 9e15 }, kSpan), { begin: 0, end: kSpan });
});

test("an operation fills a seventh of the view that goes to it", () => {
  assert.deepEqual(around(4_000_000, 100_000, kSpan), { begin: 3_700_000, end: 4_400_000 });
});

test("columns are at least a pixel wide and less than two, until the finest level", () => {
  const seed = Date.now() % 2 ** 32;
  const next = random(seed);
  for (let n = 0; n < 500; ++n) {
    const length = kSpan * 2 ** (-next() * 10);
    const scale = { begin: 0, end: length, width: 200 + Math.floor(next() * 1800) };
    const level = level_of(scale, kGrid);
    const pixels = column_length(kGrid, level) / ps_per_pixel(scale);
    assert.ok(pixels >= 1 || level === 0, `seed ${seed}: ${pixels} pixels`);
    assert.ok(pixels < 2 || level === kGrid.most_level, `seed ${seed}: ${pixels} pixels at level ${level}`);
  }
});

test("a pixel stands for the column that it is drawn from", () => {
  const scale = { begin: 0, end: kSpan, width: 400 };
  const length = column_length(kGrid, level_of(scale, kGrid));
  for (const x of [0, 17.3, 399]) {
    const range = time_at_pixel(scale, x, kGrid);
    assert.equal(range.begin % length, 0);
    assert.equal(range.end - range.begin, length);
    assert.ok(range.begin <= time_of(scale, x) && time_of(scale, x) < range.end);
  }
});

test("strips cover the view, and no number is outside of the level", () => {
  assert.deepEqual(strips_of({ begin: 0, end: kSpan }, 2, kGrid), [0, 2]);
  assert.deepEqual(strips_of({ begin: 2 ** 22, end: 2 ** 23 }, 2, kGrid), [1, 1]);
  assert.deepEqual(strips_of({ begin: 0, end: kSpan }, 2, kGrid, 1), [0, 3]);
});

test("ticks are round and not closer than asked for", () => {
  const scale = { begin: 1_234_567, end: 2_345_678, width: 1000 };
  const times = ticks(scale, 90);
  assert.ok(times.length >= 4 && times.length <= 12);
  assert.ok(x_of(scale, times[1]!) - x_of(scale, times[0]!) >= 90);
  assert.ok(times.every((time) => time % 10_000 === 0 && time >= scale.begin && time <= scale.end));
});

test("a time snaps to the closest edge within reach", () => {
  assert.equal(snapped(100, [80, 95, 120], 10), 95);
  assert.equal(snapped(100, [80, 120], 10), 100);
});

test("numbers read as people write them", () => {
  assert.equal(duration(1_420_000_000_000), "1.42 s");
  assert.equal(duration(-87_000_000), "−87 µs");
  assert.equal(duration(0), "0 s");
  assert.equal(duration(999_999_999), "1 ms");
  assert.equal(duration_range(210e9, 300e9), "210–300 ms");
  assert.equal(duration_range(900e6, 1.2e9), "900 µs–1.2 ms");
  assert.equal(bytes(1 << 20), "1 MiB");
  assert.equal(percent(0.004), "0.4 %");
  assert.equal(percent(0.41), "41 %");
  assert.equal(circled(3), "③");
  assert.equal(circled(21), "(21)");
  assert.equal(axis_time(2.5e12, 5e11), "2.5 s");
  assert.equal(axis_time(2e12, 1e6), "2.000000 s");
});
