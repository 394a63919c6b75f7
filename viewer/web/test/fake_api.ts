// The endpoints of docs/reference/viewer-api.md over a synthetic run.

import type { Lane, Operation } from "../src/data/api_types";
import { base_of, batch, component_strip, strip, timed } from "./fake_strips";
import { filter } from "./fake_filter";
import { fake_report } from "./fake_report";
import { fake_whatif, type Whatif } from "./fake_whatif";
import { analyses } from "./fake_analyses";
import { fake_run, kCalls, kKinds, kSites, type FakeRun } from "./fake_run";

export type Answer = { status: number; type: string; body: string | ArrayBuffer };

export type FakeApi = {
  run: FakeRun;
  key: string;
  whatif: Whatif;
  answer(method: string, path: string, query: URLSearchParams, body: string): Answer;
};

export const kFirstFold = 0x20000000;
export const kFirstComponent = 0x40000000;
export const kComponentNames: readonly [string, string][] = [
  ["n02-s0 >", "link"], ["s0", "server"], ["n01-s0 >", "link"], ["disk0", "disk"], ["s0-n02 >", "link"],
];

export function json(value: unknown, status = 200): Answer {
  return { status, type: "application/json", body: JSON.stringify(value) };
}

function meta(run: FakeRun, key: string) {
  const per_node = Math.ceil(run.ranks / 4);
  const nodes = [0, 1, 2, 3].map((n) => ({
    name: `n0${n + 1}`,
    ranks: Array.from({ length: per_node }, (_, k) => n * per_node + k).filter((rank) => rank < run.ranks),
  }));
  return {
    version: 1, key, observed: "btio.observed", reference: "btio.expected", against: "expected", platform: "cluster.xml",
    program: "./btio", library: "Open MPI 4.1.4", headline: "3 findings cost 41 % of the run", word: "findings",
    span_ps: run.span, ranks: run.ranks, operations: run.ops.reduce((sum, ops) => sum + ops.length, 0),
    judged_share: 0.93, band_share: 0.02, base_ps: base_of(run.span), columns_log2: 9, most_level: 30, nodes,
    kinds: kKinds, calls: kCalls, sites: kSites, banners: [], notes: ["Buffered writes are bounded by two runs."],
    sources: ["obs", "free"], unmatched: 1, is_validation: false, whatif: true,
  };
}

function sums(run: FakeRun, ranks: readonly number[]) {
  const all = ranks.flatMap((rank) => run.ops[rank]!).filter((op) => op.judged);
  const sum = (field: "own_ps" | "inherited_ps") => all.reduce((total, op) => total + op[field], 0);
  return { own_ps: sum("own_ps"), inherited_ps: sum("inherited_ps") };
}

function folded(run: FakeRun, node: { name: string; ranks: number[] }, n: number): Lane[] {
  const outliers = node.ranks.filter((rank) => rank === run.slow || rank === run.late);
  const alike = node.ranks.filter((rank) => !outliers.includes(rank));
  const note = (rank: number) => (rank === run.slow ? "+840 ms own in MPI_File_write_at_all" : "+360 ms own in MPI_Send");
  const lanes: Lane[] = outliers.map((rank) => ({
    lane: rank, kind: "rank", name: String(rank), node: node.name, ranks: 1, ...sums(run, [rank]), note: note(rank),
  }));
  if (alike.length === 0) return lanes;
  const name = `${alike[0]}–${alike[alike.length - 1]} ×${alike.length}`;
  lanes.unshift({
    lane: kFirstFold + n, kind: "fold", name, node: node.name, members: alike.join(","), ranks: alike.length,
    ...sums(run, alike), note: "", worst_rank: alike[0]!,
  });
  return lanes;
}

function lanes_of(run: FakeRun, query: URLSearchParams): Lane[] {
  const { nodes } = meta(run, "");
  let lanes: Lane[] = query.get("fold") === "1" ? nodes.flatMap((node, n) => folded(run, node, n)) : [];
  if (lanes.length === 0) {
    lanes = nodes.flatMap((node) =>
      node.ranks.map((rank): Lane => ({
        lane: rank, kind: "rank", name: String(rank), node: node.name, ranks: 1, ...sums(run, [rank]), note: "",
      })),
    );
  }
  const test = filter(query.get("filter") ?? "");
  lanes = lanes.filter((lane) => lane.kind !== "rank" || run.ops[lane.lane]!.some(test));
  const order = query.get("order");
  if (order === "own") lanes.sort((a, b) => b.own_ps! - a.own_ps!);
  if (order === "inherited") lanes.sort((a, b) => b.inherited_ps! - a.inherited_ps!);
  const components = kComponentNames.map(([name, of], n): Lane => ({
    lane: kFirstComponent + n, kind: "component", name, class: of, busy_share: 0.4 / (n + 1),
  }));
  return [...lanes, ...components];
}

export function numbers(text: string | null): number[] | null {
  if (!text) return null;
  return text.split(",").flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return Array.from({ length: (last ?? first!) - first! + 1 }, (_, n) => first! + n);
  });
}

// The rank whose operations a lane shows.
export function shown_rank(run: FakeRun, lane: number): number {
  if (lane < kFirstFold) return lane;
  const { nodes } = meta(run, "");
  return folded(run, nodes[lane - kFirstFold]!, lane - kFirstFold)[0]!.worst_rank!;
}

function strips(api: FakeApi, query: URLSearchParams): Answer {
  const { run } = api;
  if (query.get("k") !== api.key) return json({ error: "strips: the key is not that of what is open; reload the page" }, 409);
  const [first, last] = query.get("x")!.split("..").map(Number);
  const level = Number(query.get("l"));
  const source = query.get("s")!;
  const base = base_of(run.span);
  const made = numbers(query.get("r"))!.flatMap((lane) =>
    Array.from({ length: last! - first! + 1 }, (_, n) =>
      lane >= kFirstComponent
        ? component_strip(run, lane, level, first! + n, base)
        : strip(timed(run, shown_rank(run, lane), source), lane, level, first! + n, base, lane >= kFirstFold),
    ),
  );
  return { status: 200, type: "application/octet-stream", body: batch(level, source === "obs" ? 0 : 1, made) };
}

const id = (op: Operation | undefined) => (op ? { rank: op.rank, operation: op.operation } : null);

function at(run: FakeRun, query: URLSearchParams): Answer {
  const [begin, end] = [Number(query.get("t0")), Number(query.get("t1"))];
  const all = run.ops[shown_rank(run, Number(query.get("lane")))]!.filter(
    (op) => op.begin_ps < end && op.begin_ps + op.observed_ps > begin,
  );
  const by = (field: "own_ps" | "inherited_ps") => [...all].sort((a, b) => b[field] - a[field]);
  const [own, inherited] = [by("own_ps"), by("inherited_ps")];
  return json({
    count: all.length, busy_ps: 0, operations: own.slice(0, 20), worst_own_ps: own[0]?.own_ps ?? 0,
    worst_inherited_ps: inherited[0]?.inherited_ps ?? 0, worst_own_operation: id(own[0]),
    worst_inherited_operation: id(inherited[0]),
  });
}

function detail(run: FakeRun, rank: number, operation: number): Answer {
  const op = run.ops[rank]?.[operation];
  if (!op) return json({ error: `operation: rank ${rank} has no operation ${operation}` }, 404);
  const writes = op.kind === 3;
  const inside = Array.from({ length: writes ? 8 : 0 }, (_, n) => ({
    kind: "write", begin_ps: op.begin_ps + (n * op.observed_ps) / 8, end_ps: op.begin_ps + ((n + 0.8) * op.observed_ps) / 8,
    bytes: 512, offset: n * 4096, file: op.file, peer: null,
  }));
  const partner = op.call === "MPI_Recv" ? id(run.ops[op.peer!]!.filter((each) => each.call === "MPI_Send" && each.begin_ps <= op.begin_ps + op.observed_ps).pop()) : null;
  return json({
    ...op, node: `n0${Math.floor(rank / Math.ceil(run.ranks / 4)) + 1}`, row: 0,
    inner: { messages: 0, posix: writes ? 2048 : 0, bytes: op.bytes, needed: writes ? 4 : 0 }, inside, partner,
    findings: op.marks & 1 ? [0] : [],
    in_its_kind: { bounds_ps: [1e9, 2e9, 4e9, 8e9, 16e9, 32e9, 64e9, 128e9, 256e9], counts: [1, 2, 7, 30, 80, 40, 12, 3], percentile: 99.8 },
  });
}

export function fake_api(ranks = 64, iterations = 60, seed = 1): FakeApi {
  const run = fake_run(ranks, iterations, seed);
  const key = "0123456789abcdef";
  const api: FakeApi = { run, key, whatif: fake_whatif(run), answer };
  const by_name: Record<string, (query: URLSearchParams, parts: string[], body: string, method: string) => Answer> = {
    meta: () => json(meta(run, key)),
    lanes: (query) => json({ lanes: lanes_of(run, query) }),
    strips: (query) => strips(api, query),
    at: (query) => at(run, query),
    operation: (_, parts) => detail(run, Number(parts[1]), Number(parts[2])),
    report: () => json(fake_report(run)),
    whatif: (_, parts, body, method) => api.whatif.answer(method, parts, body),
    ...analyses(run, api.whatif.runs),
  };
  function answer(method: string, path: string, query: URLSearchParams, body: string): Answer {
    const parts = path.split("/");
    try {
      return by_name[parts[0]!]?.(query, parts, body, method) ?? json({ error: `there is no ${path}` }, 404);
    } catch (error) {
      return json({ error: (error as Error).message }, 400);
    }
  }
  return api;
}

// A fetch() that asks the synthetic run.
export function fetch_of(api: FakeApi, log: string[] = []): typeof fetch {
  return async (input, init) => {
    const address = new URL(String(input), "http://fake");
    log.push(`${init?.method ?? "GET"} ${address.pathname}${address.search}`);
    const path = decodeURIComponent(address.pathname.replace(/^\/api\/v1\//, ""));
    const { status, type, body } = api.answer(init?.method ?? "GET", path, address.searchParams, String(init?.body ?? ""));
    return new Response(body, { status, headers: { "Content-Type": type } });
  };
}

