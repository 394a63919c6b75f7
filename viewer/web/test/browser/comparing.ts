// Stories 5 and 6: alignments of two runs, and the search.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { close, free_pixels_of, idle, open, pixels_of, press, settled, state, text } from "./opened";
import { json, view } from "./world";

test("5: by phase, both runs leave their common synchronisations at the same pixel", async () => {
  const viewing = await view("hinted", "hinted-expected");
  const { operations } = await viewing.get("operations?filter=call%20%3D%3D%20MPI_Allreduce&sort=begin&page=0");
  const opened = await open(viewing, "v=1&mode=phase");
  const ends = new Map<number, { observed: number[]; free: number[] }>();
  for (const { rank, operation } of operations) {
    const [observed, free] = [await pixels_of(opened.page, rank, operation), await free_pixels_of(opened.page, rank, operation)];
    const both = ends.get(operation) ?? { observed: [], free: [] };
    both.observed.push(observed!.x + observed!.width);
    both.free.push(free!.x + free!.width);
    ends.set(operation, both);
  }
  assert.ok(ends.size > 0);
  for (const { observed, free } of ends.values()) {
    assert.ok(Math.abs(Math.max(...observed) - Math.max(...free)) <= 1, `${observed} and ${free}`);
  }
  await close(opened);
});

test("5: shifted, an operation that is aligned lies below the observed one", async () => {
  const [first] = json("hinted.json").findings[0].instances;
  const opened = await open(await view("hinted", "hinted-expected"), `v=1&mode=shift&selected=${first.rank}.${first.operation}`);
  await settled(opened.page, opened.page.getByRole("button", { name: "Align here" }).click());
  const observed = (await pixels_of(opened.page, first.rank, first.operation))!;
  const free = (await free_pixels_of(opened.page, first.rank, first.operation))!;
  assert.ok(Math.abs(observed.x - free.x) <= 1, `${observed.x} and ${free.x}`);
  await close(opened);
});

test("5: an operation whose other end is missing is counted and listed", async () => {
  const opened = await open(await view("slow", "before"));
  const { page } = opened;
  await settled(page, page.getByRole("tab", { name: "Unmatched (1)" }).click());
  const rows = await page.locator(".operations tbody tr").allTextContents();
  assert.equal(rows.length, 1, rows.join("\n"));
  assert.match(rows[0]!, /^9MPI_Send/);
  await close(opened);
});

async function found(page: Page, query: string): Promise<number> {
  await page.keyboard.press("/");
  await page.fill("#search", query);
  await idle(page);
  return Number((await text(page, "#search-count")).replace(/[^\d]/g, ""));
}

test("6: as many hits as the command line counts, and Enter steps through all of them", async () => {
  const opened = await open(await view("hinted", "hinted-expected"));
  const { page } = opened;
  const wanted = json("hinted.json").rows.filter((row: any) => row.call === "MPI_File_write_all" && row.least_bytes >= 1 << 20);
  const operations = wanted.reduce((sum: number, row: any) => sum + row.operations, 0);
  assert.ok(operations > 0);
  assert.equal(await found(page, "call == MPI_File_write_all & bytes >= 1MiB"), operations);
  const seen = new Set<string>();
  for (let n = 0; n < operations; ++n) {
    await press(page, "Enter");
    const { selected } = await state(page);
    seen.add(`${selected!.rank}.${selected!.operation}`);
  }
  assert.equal(seen.size, operations);
  await close(opened);
});

test("6: one hit of a microsecond among 200 000 operations has a mark in the view of the whole run", async () => {
  const viewing = await view("slow", "before");
  const opened = await open(viewing);
  const { page } = opened;
  assert.equal(await found(page, "call == MPI_Barrier"), 1);
  const { span_ps } = await viewing.get("meta");
  const { ticks } = await viewing.get("search?q=call%20%3D%3D%20MPI_Barrier&dir=next");
  const differs = await page.evaluate((share) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".minimap-box canvas")!;
    const row = canvas.getContext("2d")!.getImageData(0, canvas.height - 4, canvas.width, 1).data;
    const colour = (x: number) => [...row.slice(4 * x, 4 * x + 3)].join();
    const x = Math.round(share * canvas.width);
    return colour(x) !== colour(x + 20);
  }, ticks[0] / span_ps);
  assert.ok(differs);
  await close(opened);
});
