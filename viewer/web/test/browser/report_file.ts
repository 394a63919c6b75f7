// Story 12: the page with its data inside, as a file.

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fake_inlined, page_with } from "../fake_inlined";
import { close, idle, open_address, press, state, text, type Opened } from "./opened";
import { compare, directory, json, run, view } from "./world";

async function open_file(name: string, options = {}): Promise<Opened> {
  return open_address(pathToFileURL(join(directory, name)).href, { offline: true, ...options });
}

async function zooms(name: string, headline: string): Promise<void> {
  const opened = await open_file(name);
  await opened.page.waitForSelector(".canvas-box");
  await idle(opened.page);
  assert.ok((await text(opened.page, ".headline")).endsWith(headline));
  await press(opened.page, "w", "w");
  assert.ok((await state(opened.page)).range);
  assert.deepEqual(opened.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  await close(opened);
}

test("12: the page of this server, with data inside, zooms without a network", async () => {
  const viewing = await view("hinted");
  const page = await (await fetch(viewing.url.split("#")[0]!)).text();
  const data = fake_inlined(16);
  writeFileSync(join(directory, "inlined.html"), page_with(page, data));
  await zooms("inlined.html", (data.answers.meta as { headline: string }).headline);
});

const kWritesReports = run(process.env.PLUMBLINE!, ["compare", "--help"]).includes("--html");

test("12: the report of a comparison zooms without a network", { skip: !kWritesReports && "compare has no --html" }, async () => {
  compare("hinted", "hinted-expected", "--html", "report.html");
  assert.ok(existsSync(join(directory, "report.html")));
  await zooms("report.html", json("hinted.json").verdict.sentence);
});

test("12: it is read without scripts, and printed", { skip: !kWritesReports && "compare has no --html" }, async () => {
  compare("hinted", "hinted-expected", "--html", "report.html");
  const opened = await open_file("report.html", { javaScriptEnabled: false });
  const all = await text(opened.page, "body");
  const { verdict, findings } = json("hinted.json");
  assert.ok(all.includes(verdict.sentence));
  for (const finding of findings) assert.ok(all.includes(finding.title), finding.title);
  const pdf = await opened.page.pdf({ format: "A4" });
  assert.ok(pdf.length > 1000 && pdf.subarray(0, 5).toString() === "%PDF-");
  await close(opened);
});
