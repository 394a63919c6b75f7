import assert from "node:assert/strict";
import { test } from "node:test";
import { panned, zoomed } from "../../src/draw/scale";
import { begin, redo, step, undo } from "../../src/state/history";
import { random } from "../fake_run";

const kSpan = 12_400_000_000_123;

test("twenty zooms and twenty undos give back every range exactly, and redo the last one", () => {
  const seed = Date.now() % 2 ** 32;
  const next = random(seed);
  let history = begin({ begin: 0, end: kSpan });
  const seen = [history.present];
  for (let n = 0; n < 20; ++n) {
    const range = history.present;
    const at = range.begin + next() * (range.end - range.begin);
    history = step(history, next() < 0.7 ? zoomed(range, at, 0.3 + next(), kSpan) : panned(range, next() - 0.5, kSpan));
    seen.push(history.present);
  }
  const last = history.present;
  for (const range of [...seen].reverse().slice(1)) {
    history = undo(history);
    assert.deepEqual(history.present, range, `seed ${seed}`);
  }
  assert.deepEqual(undo(history), history);
  for (let n = 0; n < 20; ++n) history = redo(history);
  assert.deepEqual(history.present, last, `seed ${seed}`);
});

test("steps of one gesture are undone together", () => {
  let history = step(begin(1), 2);
  history = step(history, 3, true);
  history = step(history, 4, true);
  assert.equal(undo(history).present, 1);
});

test("a new step drops what was undone", () => {
  const history = step(undo(step(step(begin(1), 2), 3)), 9);
  assert.equal(redo(history).present, 9);
  assert.equal(undo(history).present, 2);
});
