// Stories 3, 4 and 9: what is below the pointer, where time went, and who caused it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { close, hit, idle, open, pixels_of, press, seconds_in, settled, state, text } from "./opened";
import { view, type Viewing } from "./world";

async function worst(viewing: Viewing, sort: "own" | "inherited") {
  const { span_ps } = await viewing.get("meta");
  const { operations } = await viewing.get(`operations?t0=0&t1=${span_ps}&sort=${sort}&page=0`);
  return { op: operations[0], span: span_ps as number };
}

// Of the operations that inherited most, the first of which an excess of another rank explains a part; or, where there
// is none that does, the time (docs/reference/viewer-api.md).
async function worstExplained(viewing: Viewing, by_time: boolean) {
  const { span_ps } = await viewing.get("meta");
  const { operations } = await viewing.get(`operations?t0=0&t1=${span_ps}&sort=inherited&page=0`);
  for (const op of operations) {
    const causes = await viewing.get(`causes/${op.rank}/${op.operation}`);
    if (causes.explained_ps > 0 && causes.by_time === by_time) return { op, causes };
  }
  throw new Error(`no ${by_time ? "time" : "excess"} explains any waiting`);
}

function explained(causes: { steps: { explains_ps: number }[] }): number {
  return causes.steps.reduce((total, step) => total + step.explains_ps, 0);
}

test("3: what is drawn of the worst operation is it, however far the view is from it", async () => {
  const viewing = await view("hinted", "hinted-expected");
  const { op, span } = await worst(viewing, "own");
  const opened = await open(viewing);
  const middle = op.begin_ps + op.observed_ps / 2;
  for (let level = 0; level < 10; ++level) {
    const half = span / 2 ** (level + 1);
    const begin = Math.round(Math.max(0, Math.min(middle - half, span - 2 * half)));
    const range = level === 0 ? "" : `&range=${begin}~${Math.round(begin + 2 * half)}`;
    await opened.page.evaluate((hash) => (location.hash = hash), `#v=1${range}`);
    await idle(opened.page);
    const bar = (await pixels_of(opened.page, op.rank, op.operation))!;
    const box = (await opened.page.locator(".canvas-box").boundingBox())!;
    const [left, right] = [Math.max(bar.x, box.x), Math.min(bar.x + bar.width, box.x + box.width)];
    const found = await hit(opened.page, (left + right) / 2, bar.y + bar.height / 2);
    assert.deepEqual(found, { lane: op.rank, rank: op.rank, operation: op.operation }, `zoom 2^${level}`);
  }
  await close(opened);
});

async function parts(page: Page) {
  const rows = await page.locator(".waterfall .part-row:not(.sum) .part-time").allTextContents();
  return rows.map(seconds_in);
}

test("4: the parts of the waterfall add up to ranks times run, and one of them filters the table", async () => {
  const viewing = await view("hinted", "hinted-expected");
  const { ranks, span_ps } = await viewing.get("meta");
  const opened = await open(viewing);
  const { page } = opened;
  const all = await parts(page);
  const sum = all.reduce((total, part) => total + part, 0);
  const rounding = all.reduce((total, part) => total + Math.abs(part) * 0.005, 0);
  assert.ok(Math.abs(sum - (ranks * span_ps) / 1e12) <= rounding, `${sum} s of ${all}`);
  const before = await text(page, ".operations caption");
  await settled(page, page.click(".waterfall button.part-row:has(.inherited)"));
  const rows = await page.locator(".operations tbody tr td:last-child").allTextContents();
  assert.ok(rows.length > 0);
  assert.ok(rows.every((each) => seconds_in(each) > 0), rows.join());
  assert.notEqual(await text(page, ".operations caption"), before);
  await press(page, "Escape");
  assert.equal(await text(page, ".operations caption"), before);
  await close(opened);
});

test("9: b tells what an operation waited for: a late sender, by its computing", async () => {
  const viewing = await view("late", "late-expected");
  const received = (await viewing.get("operations?filter=call%20%3D%3D%20MPI_Recv&sort=observed&page=0")).operations[0];
  const opened = await open(viewing, `v=1&selected=${received.rank}.${received.operation}`);
  await press(opened.page, "b");
  const causes = await viewing.get(`causes/${received.rank}/${received.operation}`);
  const last = causes.steps.at(-1);
  assert.equal(last.rank, 0, "who sends");
  assert.ok(["MPI_Send", "MPI_Init"].includes(last.call), last.call);
  assert.ok((await text(opened.page, ".blame p")).includes(causes.sentence));
  await close(opened);
});

test("9: the steps add up to what is explained of the waiting, and each can be gone to", async () => {
  const viewing = await view("hinted", "hinted-expected");
  const { op, causes } = await worstExplained(viewing, false);
  assert.equal(explained(causes), causes.explained_ps);
  assert.equal(causes.waited_ps, op.inherited_ps);
  assert.ok(causes.explained_ps <= causes.waited_ps);
  const opened = await open(viewing);
  for (const [n, step] of causes.steps.entries()) {
    await opened.page.evaluate((hash) => (location.hash = hash), `#v=1&selected=${op.rank}.${op.operation}&blame=1`);
    await idle(opened.page);
    await settled(opened.page, opened.page.locator(".blame li button").nth(n).click());
    assert.deepEqual((await state(opened.page)).selected, { rank: step.rank, operation: step.operation });
  }
  await close(opened);
});

test("9: so do those that explain the time until the last of the others began", async () => {
  const { causes } = await worstExplained(await view("late", "late-expected"), true);
  assert.equal(explained(causes), causes.explained_ps);
  assert.ok(causes.explained_ps <= causes.waited_ps);
});
