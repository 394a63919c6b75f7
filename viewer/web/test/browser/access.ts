// Story 11: without a mouse, and read aloud.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { close, open, press, settled, state, text } from "./opened";
import { modules, view } from "./world";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className || "");

test("11: by keys alone to an operation, its panel and back, and the operation is spoken", async () => {
  const opened = await open(await view("hinted", "hinted-expected"));
  const { page } = opened;
  for (let n = 0; n < 100 && (await focused(page)) !== "canvas-box"; ++n) await page.keyboard.press("Tab");
  assert.equal(await focused(page), "canvas-box");
  await press(page, "ArrowRight");
  const { selected } = await state(page);
  assert.ok(selected);
  assert.match(await text(page, ".spoken"), new RegExp(`^MPI_\\w+, rank ${selected.rank}, observed .+, (expected|not judged)`));
  await press(page, "ArrowRight");
  assert.deepEqual((await state(page)).selected, { ...selected, operation: selected.operation + 1 });
  await press(page, selected.rank === 0 ? "ArrowDown" : "ArrowUp"); // to the other of two ranks
  assert.notEqual((await state(page)).selected!.rank, selected.rank);
  await press(page, "o");
  assert.equal(await focused(page), "detail-title");
  await press(page, "t");
  assert.equal(await focused(page), "canvas-box");
  await press(page, "?");
  assert.equal(await page.locator("dialog[open]").count(), 1);
  await press(page, "Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await close(opened);
});

for (const theme of ["light", "dark"] as const) {
  test(`11: axe finds nothing serious, ${theme}`, async () => {
    const opened = await open(await view("hinted", "hinted-expected", "-p", "platform.xml"), "", { colorScheme: theme });
    const { page } = opened;
    const source = readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(source);
    const check = async (what: string, within = "body") => {
      const found = await page.evaluate(async (part) => (await (window as any).axe.run(part)).violations, within);
      const serious = found.filter((each: any) => ["serious", "critical"].includes(each.impact));
      const places = (each: any) => each.nodes.map((node: any) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ");
      const told = serious.map((each: any) => `${each.id}: ${places(each)}`);
      assert.deepEqual(told, [], what);
    };
    await check("first screen");
    await press(page, "Enter", "b", "c", "m");
    await check("an operation and what it waited for");
    for (const tab of ["Calls", "Instances", "Matrix", "Histogram"]) {
      await settled(page, page.getByRole("tab", { name: tab }).click());
      await check(tab, ".bottom");
    }
    await press(page, "?");
    await check("keys", "dialog[open]");
    await close(opened);
  });
}
