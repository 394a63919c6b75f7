import assert from "node:assert/strict";
import { test } from "node:test";
import { checked, command_of, key_name, type Command } from "../../src/state/commands";

const event = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
const command = (id: string, ...keys: string[]): Command => ({ id, title: id, group: "Move", keys, run() {} });

test("keys are called by what they print, with Ctrl in front", () => {
  assert.equal(key_name(event("Z")), "Z");
  assert.equal(key_name(event("k", { ctrlKey: true })), "Ctrl+k");
  assert.equal(key_name(event("k", { metaKey: true })), "Ctrl+k");
  assert.equal(key_name(event(" ")), "Space");
});

test("a command is found by each of its keys", () => {
  const table = checked([command("undo", "z"), command("redo", "Z", "Ctrl+y")]);
  assert.equal(command_of(table, "Ctrl+y")?.id, "redo");
  assert.equal(command_of(table, "q"), undefined);
});

test("two commands with one key are refused", () => {
  assert.throws(() => checked([command("a", "x"), command("b", "x")]), /commands a and b have the key x in common/);
});
