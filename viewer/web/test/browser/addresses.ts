// Story 7, and what else belongs to the address: undo, damage, and who may ask.

import assert from "node:assert/strict";
import { cpSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { close, idle, open, open_address, press, state, text } from "./opened";
import { directory, view } from "./world";

const strips_of = (requests: readonly string[]) => [...new Set(requests.filter((url) => url.includes("/strips?")))].sort();

test("7: a link that was copied opens the same view elsewhere", async () => {
  const viewing = await view("hinted", "hinted-expected");
  const opened = await open(viewing);
  const { page } = opened;
  await press(page, "Enter", "x", "k", "c", "h");
  const shared = await page.evaluate(() => window.plumbline.link());
  opened.requests.length = 0;
  await page.reload();
  await idle(page);
  const before = strips_of(opened.requests);
  const again = await open_address(shared!);
  await again.page.waitForSelector(".canvas-box");
  await idle(again.page);
  assert.deepEqual(await state(again.page), await state(page));
  assert.deepEqual(strips_of(again.requests), before);
  assert.ok(!(await again.page.evaluate(() => location.href)).includes(viewing.token), "the token is taken out of the address");
  await close(again);
  await close(opened);
});

test("7: an address of version 1 opens", async () => {
  const address = "v=1&range=10000000000~60000000000&mode=absolute&colour=kind&finding=0&pinned=1&messages=1";
  const opened = await open(await view("hinted", "hinted-expected"), address);
  const { range, mode, colour, pinned, messages } = await state(opened.page);
  assert.deepEqual(range, { begin: 1e10, end: 6e10 });
  assert.deepEqual([mode, colour, pinned, messages], ["absolute", "kind", [1], true]);
  await close(opened);
});

test("twenty zooms that are undone leave the view as it was", async () => {
  const opened = await open(await view("hinted", "hinted-expected"));
  const before = await state(opened.page);
  const keys = ["w", "d", "w", "a"]; // no two alike in a row, which would be one gesture
  const seen = new Set<string>();
  for (let n = 0; n < 20; ++n) {
    await opened.page.keyboard.press(keys[n % keys.length]!);
    seen.add(JSON.stringify((await state(opened.page)).range));
  }
  assert.ok(seen.size >= 10, `${seen.size} ranges`);
  for (let n = 0; n < 20; ++n) await opened.page.keyboard.press("z");
  await idle(opened.page);
  assert.deepEqual(await state(opened.page), before);
  await close(opened);
});

test("a damaged archive is shown with a banner", async () => {
  cpSync(join(directory, "hinted"), join(directory, "damaged"), { recursive: true });
  const events = join(directory, "damaged/traces/0.evt");
  truncateSync(events, Math.floor(statSync(events).size / 2));
  const opened = await open(await view("damaged"));
  assert.match(await text(opened.page, ".banner"), /damaged/);
  await close(opened);
});

test("without the token nothing is told, and the page says what to do", async () => {
  const viewing = await view("hinted");
  const opened = await open_address(viewing.url.replace(/t=\w+/, `t=${"0".repeat(32)}`));
  await opened.page.waitForSelector("[role=alert]");
  assert.match(await text(opened.page, "[role=alert]"), /the address that plumbline view printed/);
  assert.ok(opened.faults.every((fault) => fault.includes("401")), opened.faults.join());
  await opened.page.context().close();
  assert.equal((await viewing.get("meta")).observed, "hinted", "the server lives");
});
