import assert from "node:assert/strict";
import { test } from "node:test";
import type { Meta } from "../../src/data/api_types";
import { ServerSource, SourceError, take_token } from "../../src/data/source";
import { fake_api, fetch_of } from "../fake_api";

const kApi = fake_api(4, 4);

test("the token goes with each request, and into no address", async () => {
  const seen: [string, string | null][] = [];
  const fetcher: typeof fetch = (input, init) => {
    seen.push([String(input), new Headers(init?.headers).get("Authorization")]);
    return fetch_of(kApi)(input, init);
  };
  const source = new ServerSource("secret", "http://here", fetcher);
  await source.get<Meta>("meta");
  await source.strips(kApi.key, { source: "obs", level: 0, first: 0, last: 0, lanes: [0] });
  assert.ok(seen.every(([address, token]) => token === "Bearer secret" && !address.includes("secret")));
});

test("strips are asked for by key, source, level, range and lanes", async () => {
  const log: string[] = [];
  const source = new ServerSource("t", "http://here", fetch_of(kApi, log));
  const batch = await source.strips(kApi.key, { source: "free", level: 2, first: 1, last: 2, lanes: [0, 1, 3] });
  assert.equal(decodeURIComponent(log[0]!), `GET /api/v1/strips?k=${kApi.key}&s=free&l=2&x=1..2&r=0-1,3`);
  assert.deepEqual(batch.strips.map(({ lane, x }) => [lane, x]), [[0, 1], [0, 2], [1, 1], [1, 2], [3, 1], [3, 2]]);
});

test("an error of the server is told in its own words", async () => {
  const source = new ServerSource("t", "http://here", fetch_of(kApi));
  await assert.rejects(source.get("search", { q: "sze > 3" }), (error: SourceError) => error.status === 400 && /no field is called 'sze'/.test(error.message));
});

test("a wrong token, and a server that is gone, say what to do", async () => {
  const wrong = new ServerSource("t", "", async () => new Response("{}", { status: 401 }));
  await assert.rejects(wrong.get("meta"), /open the address that plumbline view printed/);
  const gone = new ServerSource("t", "", async () => Promise.reject(new TypeError("failed")));
  await assert.rejects(gone.get("meta"), /is plumbline view still running/);
});

test("the token is taken out of the address and kept for reloads", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) } as Storage;
  const replaced: string[] = [];
  const first = take_token({ hash: "#t=abc&v=1&mode=phase" } as Location, storage, (fragment) => replaced.push(fragment));
  const again = take_token({ hash: "#v=1&mode=phase" } as Location, storage, () => assert.fail());
  assert.deepEqual([first, again, replaced], ["abc", "abc", ["v=1&mode=phase"]]);
});
