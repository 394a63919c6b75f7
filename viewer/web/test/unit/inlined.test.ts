import assert from "node:assert/strict";
import { test } from "node:test";
import type { Meta, OperationsPage } from "../../src/data/api_types";
import { InlinedSource, read_inlined } from "../../src/data/inlined";
import { fake_inlined, page_with } from "../fake_inlined";

const kData = fake_inlined(4, 3);

test("a page that holds its data answers as the server does, as far as it reaches", async () => {
  const source = new InlinedSource(kData);
  const meta = await source.get<Meta>("meta");
  assert.equal(meta.most_level, 2);
  assert.equal(meta.whatif, false);
  const worst = kData.operations[0]!;
  const { operations } = await source.get<OperationsPage>("operations", { t0: worst.begin_ps, t1: worst.begin_ps + 1, sort: "own" });
  assert.deepEqual(operations[0], worst);
  assert.deepEqual(await source.get(`operation/${worst.rank}/${worst.operation}`), kData.answers[`operation/${worst.rank}/${worst.operation}`]);
});

test("its strips are those that were put in, and what is not there is left out", async () => {
  const source = new InlinedSource(kData);
  const lane = (kData.answers.lanes as { lanes: { lane: number }[] }).lanes[0]!.lane;
  const { strips } = await source.strips("", { source: "obs", level: 2, first: 0, last: 3, lanes: [lane, 999] });
  assert.deepEqual(strips.map((strip) => [strip.lane, strip.x]), [0, 1, 2, 3].map((x) => [lane, x]));
  assert.deepEqual((await source.strips("", { source: "obs", level: 9, first: 0, last: 3, lanes: [lane] })).strips, []);
});

test("what only a server knows is refused with words that say so", async () => {
  const source = new InlinedSource(kData);
  await assert.rejects(source.get("search", { q: "own > 1ms" }), /plumbline view shows all of them/);
  await assert.rejects(source.send(), /plumbline view can try settings/);
  assert.throws(() => read_inlined('{"format": "plumbline-inlined", "version": 2}'), /make the report again/);
});

test("no text within the data ends its element", () => {
  const data = { ...kData, answers: { meta: { program: "</script><b>" } }, operations: [], strips: [] };
  const page = page_with("<!--plumbline-data-->", data);
  assert.equal(page.match(/<\/script>/g)!.length, 1);
  assert.equal((read_inlined(page.replace(/<[^>]*>/, "").replace("</script>", "")).answers.meta as Meta).program, "</script><b>");
});
