// Story 8: very many ranks, of which three are unlike the others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, open, settled, text } from "./opened";
import { view } from "./world";

const kSlow = [409, 2049, 4089]; // as tests/viewer/web/story_archives.cpp writes them

test("8: 4,096 ranks are few lanes, those that are unlike the others alone and with the reason", async () => {
  const viewing = await view("slow", "before");
  const opened = await open(viewing);
  const { page } = opened;
  const lanes = (await viewing.get("lanes?fold=1&order=node")).lanes.filter((lane: any) => lane.kind !== "component");
  assert.ok(lanes.length <= 12, `${lanes.length} lanes`);
  assert.equal(lanes.reduce((sum: number, lane: any) => sum + lane.ranks, 0), 4096);
  for (const rank of kSlow) {
    const lane = lanes.find((each: any) => each.kind === "rank" && each.lane === rank);
    assert.match(lane?.note ?? "", /\+.* own in MPI_Allreduce/, `rank ${rank}`);
    assert.equal(await page.locator(".lane-label", { hasText: new RegExp(`^${rank}\\b`) }).count(), 1, `rank ${rank}`);
  }
  await close(opened);
});

test("8: the worst that the folded lanes show is the worst of all ranks", async () => {
  const viewing = await view("slow", "before");
  const { span_ps } = await viewing.get("meta");
  const worst = (await viewing.get(`operations?t0=0&t1=${span_ps}&sort=own&page=0`)).operations[0];
  const { lanes } = await viewing.get("lanes?fold=1&order=node");
  const shown = await Promise.all(lanes.map(({ lane }: any) => viewing.get(`at?lane=${lane}&t0=0&t1=${span_ps}`)));
  assert.equal(Math.max(...shown.map((at: any) => at.worst_own_ps)), worst.own_ps);
  const opened = await open(viewing);
  await settled(opened.page, opened.page.keyboard.press("f"));
  const rank = await text(opened.page, ".operations tbody tr:first-child td:first-child");
  assert.equal(rank, String(worst.rank));
  await close(opened);
});
