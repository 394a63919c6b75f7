import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerSource } from "../../src/data/source";
import { questions } from "../../src/state/questions";
import { Store } from "../../src/state/store";
import { cancel_whatif, number_of, start_whatif, with_number } from "../../src/state/whatif";
import type { WhatifChoice } from "../../src/data/api_types";
import { duration } from "../../src/draw/format";
import { length_told, scale_of } from "../../src/views/waterfall";
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

test("a run that takes longer is longer in its waterfall, and a part of it says nothing of lengths", async () => {
  const { store, choices } = await opened();
  const asked = questions(store);
  await start_whatif(store, choices.find((choice) => choice.title === "MPI_Allreduce by ring")!);
  await until(() => asked.whatif_waterfall.value.data !== null && asked.waterfall.value.data !== null);
  const [observed, longer] = [asked.waterfall.value.data!, asked.whatif_waterfall.value.data!];
  assert.ok(Math.abs(longer.total_ps - 1.25 * observed.total_ps) <= observed.parts.length, `${longer.total_ps} of ${observed.total_ps}`);
  assert.ok(longer.parts.some((part) => part.id === "beyond" && part.ps > 0));
  assert.equal(scale_of(observed, longer), longer.total_ps);
  assert.equal(scale_of(observed, null), observed.total_ps);
  assert.equal(length_told(longer.total_ps, observed.total_ps), `${duration(longer.total_ps)}, ${duration(longer.total_ps - observed.total_ps)} more`);
  store.set_range({ begin: 0, end: store.span.value / 2 });
  await until(() => !asked.whatif_waterfall.value.loading && !asked.waterfall.value.loading);
  assert.equal(asked.whatif_waterfall.value.data!.total_ps, asked.waterfall.value.data!.total_ps);
  assert.equal(length_told(longer.total_ps, null), duration(longer.total_ps));
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
