import assert from "node:assert/strict";
import { test } from "node:test";
import { ServerSource } from "../../src/data/source";
import type { Waterfall } from "../../src/data/api_types";
import { go_to_instance, home, pan, step_operation, step_search, zoom } from "../../src/state/actions";
import { and, part_filter } from "../../src/state/parts";
import { questions } from "../../src/state/questions";
import { Store } from "../../src/state/store";
import { encode } from "../../src/state/view_state";
import { unfolded } from "../../src/draw/unfold";
import { fake_api, fetch_of } from "../fake_api";
import { fake_report } from "../fake_report";
import { placed } from "../../src/views/waterfall";

const kApi = fake_api(8, 60);

async function opened(fragment = "", log: string[] = []): Promise<Store> {
  const store = new Store(new ServerSource("t", "http://here", fetch_of(kApi, log)), fragment);
  await store.open();
  await store.activity.idle();
  return store;
}

test("finding 1 is chosen on opening, and its worst operation fills a seventh of the view on Enter", async () => {
  const store = await opened();
  assert.equal(store.view.value.finding, 0);
  await go_to_instance(store, 0);
  const worst = fake_report(kApi.run).findings[0]!.instances![0]!;
  const op = kApi.run.ops[worst.rank]![worst.operation]!;
  assert.deepEqual(store.view.value.selected, { rank: worst.rank, operation: worst.operation });
  const { begin, end } = store.range.value;
  assert.ok(begin <= op.begin_ps && op.begin_ps + op.observed_ps <= end);
  assert.ok(Math.abs((end - begin) / op.observed_ps - 7) < 0.01);
  assert.match(store.spoken.value, /MPI_File_write_at_all, rank \d+, observed .*, expected /);
});

test("twenty changes of the view and twenty undos are the identity", async () => {
  const store = await opened();
  const first = encode(store.view.value);
  for (let n = 0; n < 20; ++n) {
    if (n % 3 === 2) pan(store, 0.1 * (n - 10));
    else zoom(store, n % 3 === 0 ? 0.5 : 0.9, n * 1e9);
    store.undo();
    store.redo(); // ends the gesture, so that each change is a step
  }
  for (let n = 0; n < 20; ++n) store.undo();
  assert.equal(encode(store.view.value), first);
});

test("zooming by keys in one go is undone at once", async () => {
  const store = await opened();
  for (let n = 0; n < 5; ++n) zoom(store, 0.5);
  store.undo();
  assert.equal(store.view.value.range, null);
  zoom(store, 0.5);
  home(store);
  assert.equal(store.view.value.range, null);
});

test("a search steps through all its hits, in order, and begins again behind the last", async () => {
  const store = await opened();
  const call = "call == MPI_File_write_at_all & rank == 3";
  store.set({ search: call });
  const hits = kApi.run.ops[3]!.filter((op) => op.call === "MPI_File_write_at_all");
  for (const hit of [...hits, hits[0]!]) {
    await step_search(store, "next");
    assert.equal(store.view.value.selected!.operation, hit.operation);
    const { begin, end } = store.range.value;
    assert.ok(begin <= hit.begin_ps && hit.begin_ps < end);
  }
});

test("steps along a rank stay on it", async () => {
  const store = await opened("#v=1&selected=2.5");
  await step_operation(store, 1);
  assert.deepEqual(store.view.value.selected, { rank: 2, operation: 6 });
  await step_operation(store, -1);
  assert.deepEqual(store.view.value.selected, { rank: 2, operation: 5 });
});

test("what an address asks for is loaded, and nothing else", async () => {
  const log: string[] = [];
  const store = await opened("#v=1&selected=5.5&blame=1", log);
  const asked = questions(store);
  await store.activity.idle();
  assert.equal(asked.detail.value.data?.operation, 5);
  assert.equal(asked.causes.value.data?.steps[0]?.rank, 5);
  assert.ok(!log.some((line) => /messages|path|search/.test(line)));
  assert.ok(asked.shown_lanes.value.some((lane) => lane.kind === "rank" && lane.lane === 5));
});

test("the last question wins where answers come late", async () => {
  const store = await opened("#v=1&selected=2.5");
  const asked = questions(store);
  store.set({ selected: { rank: 3, operation: 7 } });
  store.set({ selected: { rank: 4, operation: 8 } });
  await store.activity.idle();
  assert.deepEqual([asked.detail.value.data?.rank, asked.detail.value.data?.operation], [4, 8]);
});

test("parts of the waterfall follow each other and end at the whole", async () => {
  const store = await opened();
  const { parts, total_ps } = await store.source.get<Waterfall>("aggregate/waterfall", { t0: 0, t1: store.span.value });
  const bars = placed(parts);
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.ps, 0) - total_ps) <= parts.length);
  bars.slice(1).forEach((bar, n) => assert.ok([bars[n]!.begin, bars[n]!.end].some((edge) => edge === bar.begin || edge === bar.end)));
});

test("a part of the waterfall leaves only the operations that it is made of", async () => {
  const store = await opened();
  const query = { t0: 0, t1: store.span.value, filter: and("rank == 2", part_filter("inherited")!) };
  const { operations } = await store.source.get<{ operations: { rank: number; inherited_ps: number }[] }>("operations", query);
  assert.ok(operations.length > 0 && operations.every((op) => op.rank === 2 && op.inherited_ps > 0));
});

test("a rank that something points at gets a lane of its own below its fold", () => {
  const fold = { lane: 0x20000000, kind: "fold" as const, name: "0-3", members: "0-3", node: "n01" };
  const alone = { lane: 2, kind: "rank" as const, name: "2" };
  assert.deepEqual(unfolded([fold], [], [2, 9, 2]).map((lane) => lane.lane), [0x20000000, 2]);
  assert.deepEqual(unfolded([{ ...fold, worst_rank: 2 }], [], [2]).map((lane) => lane.lane), [0x20000000]);
  assert.deepEqual(unfolded([fold, alone], [], [2]).map((lane) => lane.lane), [0x20000000, 2]);
  assert.deepEqual(unfolded([fold], [0x20000000], [2]).map((lane) => lane.lane), [0x20000000, 0, 1, 2, 3]);
});
