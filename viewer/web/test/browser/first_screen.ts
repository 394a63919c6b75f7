// Stories 1 and 2: what is seen at first, and the way from a finding to its place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, idle, open, pixels_of, press, state, text } from "./opened";
import { compare, json, view } from "./world";

test("1: the headline is the verdict of the report, and finding 1 is current", async () => {
  const opened = await open(await view("hinted", "hinted-expected"));
  const { page } = opened;
  const report = json("hinted.json");
  assert.ok((await text(page, ".headline")).endsWith(report.verdict.sentence), await text(page, ".headline"));
  assert.ok(compare("hinted", "hinted-expected").includes(report.verdict.sentence), "as the command line says it");
  assert.equal(await page.locator("[aria-current=true] #finding-1").count(), 1);
  assert.ok((await text(page, "#finding-1")).includes(report.findings[0].title));
  await close(opened);
});

test("2: Enter goes to the worst operation of the finding, which is then wide enough to be seen", async () => {
  const opened = await open(await view("hinted", "hinted-expected"));
  const { page } = opened;
  const [first, second] = json("hinted.json").findings[0].instances;
  await press(page, "Enter");
  const { call } = json("hinted.json").findings[0];
  assert.equal(await text(page, "#detail-title"), `${call} #${first.operation}`);
  assert.ok((await text(page, ".detail")).includes(`rank ${first.rank}`));
  assert.deepEqual((await state(page)).selected, { rank: first.rank, operation: first.operation });
  const bar = (await pixels_of(page, first.rank, first.operation))!;
  const box = (await page.locator(".canvas-box").boundingBox())!;
  assert.ok(bar.x >= box.x && bar.x + bar.width <= box.x + box.width, JSON.stringify({ bar, box }));
  assert.ok(bar.width >= 20, `${bar.width} px`);
  await press(page, ".");
  assert.deepEqual((await state(page)).selected, { rank: second.rank, operation: second.operation });
  await page.click("#finding-1");
  await idle(page);
  await close(opened);
});
