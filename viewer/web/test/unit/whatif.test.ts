import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerSource } from "../../src/data/source";
import { questions } from "../../src/state/questions";
import { Store } from "../../src/state/store";
import { cancel_whatif, number_of, start_whatif, with_number } from "../../src/state/whatif";
import type { WhatifChoice } from "../../src/data/api_types";
import { fake_api, fetch_of } from "../fake_api";

async function opened() {
  const store = new Store(new ServerSource("t", "http://here", fetch_of(fake_api(4, 4))), "");
  await store.open();
  const { choices } = await store.source.get<{ choices: WhatifChoice[] }>("whatif/choices");
  return { store, choices };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("a run that ends is drawn as a third lane, and says what it saves", async () => {
  const { store, choices } = await opened();
  await start_whatif(store, choices[0]!);
  assert.equal(store.whatif_runs.value[0]!.state, "running");
  await until(() => store.view.value.whatif === 1);
  assert.match(store.spoken.value, /saves/);
});

test("a run that is shown has a waterfall of its own, which goes with it", async () => {
  const { store, choices } = await opened();
  const asked = questions(store);
  await start_whatif(store, choices[0]!);
  assert.equal(asked.whatif_waterfall.value.data, null);
  await until(() => asked.whatif_waterfall.value.data !== null);
  const { parts, total_ps } = asked.whatif_waterfall.value.data!;
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.ps, 0) - total_ps) <= parts.length);
  store.set({ whatif: 0 });
  assert.equal(asked.whatif_waterfall.value.data, null);
});

test("a run that was cancelled is not drawn", async () => {
  const { store, choices } = await opened();
  await start_whatif(store, choices[0]!);
  await cancel_whatif(store, store.whatif_runs.value[0]!);
  assert.equal(store.whatif_runs.value[0]!.state, "cancelled");
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(store.view.value.whatif, 0);
});

test("what is not in the table of choices is refused in the server's words", async () => {
  const { store, choices } = await opened();
  await assert.rejects(start_whatif(store, { ...choices[0]!, options: ["--evil"] }), /not in the table of choices/);
});

test("a choice that takes a number can be asked with another, its unit kept", () => {
  const choice = { id: "", title: "rate of s0", from_finding: null, options: ["--set", "server.s0.rate=100MB/s"], takes_number: true };
  assert.equal(number_of(choice), "100");
  assert.deepEqual(with_number(choice, "250").options, ["--set", "server.s0.rate=250MB/s"]);
  assert.equal(number_of({ ...choice, takes_number: false }), null);
});
