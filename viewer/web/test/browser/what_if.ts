// Story 10: what the run would take with another setting.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { duration } from "../../src/draw/format";
import { close, idle, open, seconds_in, settled, state, text } from "./opened";
import { json, plumbline, view } from "./world";

test("10: what if the hint were another: a third lane, and the length that replay tells", async () => {
  const viewing = await view("hinted", "hinted-expected", "-p", "platform.xml");
  // Where something else takes the cores meanwhile, there is a finding about that as well.
  const finding = json("hinted.json").findings.findIndex((each: any) => each.reference === "structure");
  assert.ok(finding >= 0, "the hints are found");
  const opened = await open(viewing, `v=1&finding=${finding}`);
  const { page } = opened;
  await page.locator(".finding.current").getByRole("button", { name: "romio_cb_write=enable" }).click();
  await page.waitForSelector(".whatif-result");
  await idle(page);
  const replayed = JSON.parse(plumbline("replay", "hinted", "-p", "platform.xml", "--json", "--set", "hint.romio_cb_write=enable"));
  const length = replayed.outcomes[0].length_ps;
  assert.equal((await viewing.get("whatif/1")).span_ps, length);
  assert.ok((await text(page, ".whatif-result")).startsWith(duration(length)), await text(page, ".whatif-result"));
  assert.equal((await state(page)).whatif, 1);
  assert.ok(opened.requests.some((url) => url.includes("strips?") && url.includes("s=whatif-1")), "its strips are drawn");
  // A waterfall of its own, whose parts add up to ranks times its length.
  const times = await page.locator(".whatif-waterfall .part-row:not(.sum) .part-time").allTextContents();
  const all = times.map(seconds_in);
  const sum = all.reduce((total, part) => total + part, 0);
  const rounding = all.reduce((total, part) => total + Math.abs(part) * 0.005, 0) + 1e-9;
  const { ranks } = await viewing.get("meta");
  assert.ok(Math.abs(sum - (ranks * length) / 1e12) <= rounding, `${sum} s of ${times}, ${ranks} ranks, ${length} ps`);
  await close(opened);
});

test("10: a setting that makes the run longer is seen to do so", async () => {
  const viewing = await view("hinted", "hinted-expected", "-p", "platform.xml");
  const opened = await open(viewing);
  const { page } = opened;
  await page.click(".whatif summary");
  await page.getByLabel("Number of rate of writing to local", { exact: true }).fill("0.0001");
  await page.getByRole("button", { name: "What if: rate of writing to local", exact: true }).click();
  await page.waitForSelector(".whatif-waterfall .part-row.sum");
  await idle(page);
  const { ranks, span_ps } = await viewing.get("meta");
  const number = (await state(page)).whatif;
  const { span_ps: length } = await viewing.get(`whatif/${number}`);
  assert.ok(length > 2 * span_ps, `${length} ps of ${span_ps} ps`);
  const told = await text(page, ".whatif-waterfall p.soft");
  assert.ok(told.endsWith(`: ${duration(ranks * length)}, ${duration(ranks * (length - span_ps))} more`), told);
  const widths = await page.locator(".waterfall .part-bar").evaluateAll((bars) => bars.map((bar) => {
    const [inner, outer] = [bar.getBoundingClientRect(), bar.parentElement!.getBoundingClientRect()];
    return (inner.right - outer.left) / outer.width;
  }));
  assert.ok(widths.every((width) => width < 1.01) && widths.some((width) => width > 0.99), widths.join());
  await page.evaluate((hash) => (location.hash = hash), `#v=1&whatif=${number}&range=0~${Math.round(span_ps / 2)}`);
  await idle(page);
  assert.ok(!/more|less/.test(await text(page, ".whatif-waterfall p.soft")), "of a part nothing is longer");
  await close(opened);
});

// Processes that the server has started and that have not ended.
function children(pid: number): string[] {
  const all = execFileSync("ps", ["-eo", "ppid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.trim().startsWith(`${pid} `) && !/^\s*\d+\s+Z/.test(line));
}

test("10: Cancel ends a run at once and leaves no process", async () => {
  const viewing = await view("long", "-p", "platform.xml");
  const opened = await open(viewing);
  const { page } = opened;
  await page.click(".whatif summary");
  await page.locator(".whatif details .whatif-start button").first().click();
  await page.waitForSelector(".whatif-run progress");
  assert.equal(children(viewing.process.pid!).length, 1, "it runs");
  await settled(page, page.getByRole("button", { name: "Cancel" }).click());
  assert.ok((await text(page, ".whatif-run")).includes("cancelled"));
  for (let n = 0; n < 100 && children(viewing.process.pid!).length > 0; ++n) await page.waitForTimeout(50);
  assert.deepEqual(children(viewing.process.pid!), []);
  await close(opened);
});
