import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode, kColours, kDefault, kModes, kTabs, type ViewState } from "../../src/state/view_state";
import { random } from "../fake_run";

function any_state(next: () => number): ViewState {
  const whole = (most: number) => Math.floor(next() * most);
  const one = <T>(values: readonly T[]) => values[whole(values.length)]!;
  const text = () => one(["", "call == MPI_Send & bytes > 1MiB", "é,%&=#~ 東", "site ~ \"a b\"", "+", "%41"]);
  const begin = whole(1e15);
  return {
    range: next() < 0.3 ? null : { begin, end: begin + 1 + whole(1e12) },
    mode: one(kModes), colour: one(kColours), density: one(["large", "normal", "small", "thin"] as const),
    order: one(["node", "rank", "own", "inherited"] as const), fold: next() < 0.5, lanes: text(), search: text(),
    selected: next() < 0.3 ? null : { rank: whole(1e6), operation: whole(4e9) },
    finding: whole(9) - 1, instance: whole(20), leastShare: one([0, 0.01, 0.1, 1]), tab: one(kTabs), part: text(),
    pinned: Array.from({ length: whole(4) }, () => whole(0x50000000)),
    closed: Array.from({ length: whole(3) }, () => one(["n01", "a,b", "ü%2C", "components"])),
    opened: next() < 0.5 ? [] : [0x20000000], hidden: next() < 0.5 ? [] : ["wait", "one-sided"], shift: whole(1e12) - 5e11, messages: next() < 0.5,
    blame: next() < 0.5, path: one(["off", "obs", "free"] as const), whatif: whole(3),
    ruler: next() < 0.5 ? null : { begin, end: begin + 5 },
  };
}

test("an address gives back the state that it was made of", () => {
  const seed = Date.now() % 2 ** 32;
  const next = random(seed);
  for (let n = 0; n < 2000; ++n) {
    const state = any_state(next);
    assert.deepEqual(decode(`#${encode(state)}`), { state, newer: false }, `seed ${seed}, state ${n}`);
  }
});

test("the default state has an address of its version only", () => {
  assert.equal(encode(kDefault), "v=1");
});

test("a damaged address opens with defaults in place of what cannot be read", () => {
  const { state } = decode("#v=1&mode=sideways&range=9~3&selected=1.-2&pinned=1,x&fold=maybe&closed=%25E0&density=small&leastShare=7");
  assert.deepEqual(state, { ...kDefault, density: "small" });
});

test("any text opens", () => {
  const seed = Date.now() % 2 ** 32;
  const next = random(seed);
  const letters = [..."#&=%~.,+-0123456789abcdefv rangeselectedpinned"];
  for (let n = 0; n < 5000; ++n) {
    const text = Array.from({ length: Math.floor(next() * 60) }, () => letters[Math.floor(next() * letters.length)]).join("");
    const { state } = decode(text);
    assert.deepEqual(decode(encode(state)).state, state, `seed ${seed}: ${text}`);
  }
});

test("an address written by hand, without a version, opens", () => {
  const { state } = decode("#op=17.1203&time=0~5000&q=bytes > 1MiB&finding=2");
  assert.deepEqual(state, {
    ...kDefault, selected: { rank: 17, operation: 1203 }, range: { begin: 0, end: 5000 }, search: "bytes > 1MiB", finding: 1,
  });
});

test("an address of a later version opens as far as it is understood, and is known as one", () => {
  assert.deepEqual(decode("#v=99&mode=phase&hologram=1"), { state: { ...kDefault, mode: "phase" }, newer: true });
});
