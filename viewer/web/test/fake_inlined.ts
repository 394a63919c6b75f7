// A report that is one file, of a synthetic run, as validate and compare write it.

import { gzipSync } from "node:zlib";
import type { Inlined } from "../src/data/inlined";
import { fake_api, type FakeApi } from "./fake_api";

export function fake_inlined(ranks: number, levels = 7): Inlined {
  const api = fake_api(ranks);
  const ask = (path: string, query = "") => JSON.parse(String(api.answer("GET", path, new URLSearchParams(query), "").body));
  const lanes = ask("lanes", "fold=1");
  const answers: Record<string, unknown> = {
    meta: ask("meta"), report: ask("report"), lanes, "aggregate/waterfall": ask("aggregate/waterfall"), phases: ask("phases"),
  };
  const worst = ask("operations", "sort=own").operations;
  for (const { rank, operation } of worst.slice(0, 40)) {
    for (const path of ["operation", "causes"]) answers[`${path}/${rank}/${operation}`] = ask(`${path}/${rank}/${operation}`);
  }
  const all = lanes.lanes.map((lane: { lane: number }) => lane.lane);
  const strips = ["obs", "free"].flatMap((source) => Array.from({ length: levels }, (_, level) => batch_of(api, source, level, all)));
  return { format: "plumbline-inlined", version: 1, answers, operations: worst, strips };
}

function batch_of(api: FakeApi, source: string, level: number, lanes: readonly number[]): string {
  const query = new URLSearchParams({ k: api.key, s: source, l: String(level), x: `0..${2 ** level - 1}`, r: lanes.join(",") });
  const { body } = api.answer("GET", "strips", query, "");
  return gzipSync(Buffer.from(body as ArrayBuffer)).toString("base64");
}

export function page_with(page: string, data: Inlined): string {
  const text = JSON.stringify(data).replace(/</g, "\\u003c");
  return page.replace("<!--plumbline-data-->", () => `<script type="application/json" id="plumbline-data">${text}</script>`);
}

