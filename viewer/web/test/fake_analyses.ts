// Tables, sums and searches of a synthetic run.

import type { Operation, WhatifRun } from "../src/data/api_types";
import { steps_of } from "../src/data/strips";
import { filter } from "./fake_filter";
import type { Answer } from "./fake_api";
import { kKinds, type FakeRun } from "./fake_run";

type Endpoint = (query: URLSearchParams, parts: string[]) => Answer;

const kPage = 200;

function reply(value: unknown): Answer {
  return { status: 200, type: "application/json", body: JSON.stringify(value) };
}

function range(run: FakeRun, query: URLSearchParams): [number, number] {
  return [Number(query.get("t0") ?? 0), Number(query.get("t1") ?? run.span)];
}

function overlapping(run: FakeRun, query: URLSearchParams): Operation[] {
  return within(run, ...range(run, query));
}

function within(run: FakeRun, begin: number, end: number): Operation[] {
  return run.ops.flat().filter((op) => op.begin_ps < end && op.begin_ps + op.observed_ps > begin);
}

function operations(run: FakeRun, query: URLSearchParams): Answer {
  const keys = { own: "own_ps", inherited: "inherited_ps", begin: "begin_ps", observed: "observed_ps", bytes: "bytes" } as const;
  const sort = (query.get("sort") ?? "own") as keyof typeof keys;
  const sign = sort === "begin" ? 1 : -1;
  const all = overlapping(run, query)
    .filter(filter(query.get("filter") ?? ""))
    .sort((a, b) => sign * (a[keys[sort]] - b[keys[sort]]) || a.rank - b.rank || a.operation - b.operation);
  const page = Number(query.get("page") ?? 0);
  const pages = Math.max(1, Math.ceil(all.length / kPage));
  return reply({ total: all.length, page, pages, operations: all.slice(page * kPage, (page + 1) * kPage) });
}

// Of a what-if run: as observed, as far as it goes, and beyond the expectation where it is longer.
function waterfall(run: FakeRun, query: URLSearchParams, whatifs: readonly WhatifRun[] = []): Answer {
  const whatif = whatifs.find((each) => query.get("s") === `whatif-${each.run}`);
  const length = whatif?.span_ps ?? run.span;
  const cut = (name: string, otherwise: number) => Math.min(length, Number(query.get(name) ?? otherwise));
  const [first, last] = [cut("t0", 0), cut("t1", length)];
  const [begin, end] = [Math.min(first, run.span), Math.min(last, run.span)];
  const beyond = run.ranks * (last - first - (end - begin));
  const sums = { expected: 0, inherited: 0, structure: 0, network_stack: 0, storage_stack: 0, gained: 0, not_judged: 0 };
  let inside = 0;
  for (const op of within(run, begin, end)) {
    const part = Math.min(end, op.begin_ps + op.observed_ps) - Math.max(begin, op.begin_ps);
    const share = part / Math.max(1, op.observed_ps);
    inside += part;
    if (!op.judged) sums.not_judged += part;
    sums.expected += op.free_ps * share;
    sums.inherited += op.inherited_ps * share;
    sums.structure += op.structure_ps * share;
    sums[op.kind === 3 ? "storage_stack" : "network_stack"] += op.stack_ps * share;
    sums.gained -= op.gained_ps * share;
  }
  const total = run.ranks * (end - begin);
  const names: Record<string, string> = { network_stack: "network stack", storage_stack: "storage stack", not_judged: "not judged" };
  const parts = Object.entries({ compute: total - inside, ...sums, ...(whatif ? { beyond } : {}) }).map(([id, ps]) => ({ id, name: names[id] ?? id, ps: Math.round(ps) }));
  return reply({ parts, total_ps: total + beyond });
}

function profile(run: FakeRun, query: URLSearchParams): Answer {
  const rows = new Map<string, Record<string, unknown> & { count: number; observed_ps: number; expected_ps: number; own_ps: number; inherited_ps: number; bytes: number }>();
  for (const op of overlapping(run, query)) {
    const name = `${op.call} ${op.site}`;
    const row = rows.get(name) ?? { call: op.call, site: op.site, kind: op.kind, count: 0, observed_ps: 0, expected_ps: 0, own_ps: 0, inherited_ps: 0, bytes: 0 };
    row.count += 1;
    row.observed_ps += op.observed_ps;
    row.expected_ps += op.free_ps;
    row.own_ps += op.own_ps;
    row.inherited_ps += op.inherited_ps;
    row.bytes += op.bytes;
    rows.set(name, row);
  }
  return reply({ rows: [...rows.values()].sort((a, b) => b.own_ps - a.own_ps) });
}

function matrix(run: FakeRun, query: URLSearchParams): Answer {
  const by_node = query.get("by") === "node";
  const node = (rank: number) => (by_node ? Math.floor(rank / Math.ceil(run.ranks / 4)) : rank);
  const cells = new Map<string, [number, number, number]>();
  for (const op of overlapping(run, query)) {
    if (op.call !== "MPI_Send") continue;
    const value = { bytes: op.bytes, count: 1, own: Math.max(0, op.own_ps) }[query.get("what") ?? "bytes"] ?? 0;
    const name = `${node(op.rank)} ${node(op.peer!)}`;
    const cell = cells.get(name) ?? [node(op.rank), node(op.peer!), 0];
    cell[2] += value;
    cells.set(name, cell);
  }
  const names = by_node ? ["n01", "n02", "n03", "n04"] : run.ops.map((_, rank) => String(rank));
  return reply({ names, cells: [...cells.values()] });
}

function of_call(run: FakeRun, query: URLSearchParams): Operation[][] {
  const call = query.get("call") ?? "MPI_File_write_at_all";
  return run.ops.map((ops) => ops.filter((op) => op.call === call));
}

function histogram(run: FakeRun, query: URLSearchParams): Answer {
  const bounds = Array.from({ length: 33 }, (_, n) => Math.round(1e8 * 2 ** (n / 2.5)));
  const [observed, expected] = [Array<number>(32).fill(0), Array<number>(32).fill(0)];
  const bin = (ps: number) => Math.min(31, Math.max(0, bounds.findIndex((bound) => bound > ps) - 1));
  for (const op of of_call(run, query).flat()) {
    observed[bin(op.observed_ps)]!++;
    expected[bin(op.upper_ps)]!++;
  }
  return reply({ bounds_ps: bounds, observed, expected });
}

function instances(run: FakeRun, query: URLSearchParams): Answer {
  const all = of_call(run, query);
  const count = Math.max(...all.map((ops) => ops.length));
  const own = new Int8Array(count * run.ranks);
  all.forEach((ops, rank) => ops.forEach((op, n) => (own[n * run.ranks + rank] = steps_of(op.own_ps))));
  const own_log = btoa(String.fromCharCode(...new Uint8Array(own.buffer)));
  return reply({ instances: count, ranks: all.map((_, rank) => rank), own_log, first: 0 });
}

function efficiency(run: FakeRun, query: URLSearchParams): Answer {
  const [begin, end] = range(run, query);
  const bins = Array.from({ length: 128 }, (_, n) => Math.round(begin + (n * (end - begin)) / 128));
  const wave = (phase: number, base: number) => bins.map((time) => base + 0.08 * Math.sin((time / run.span) * 40 + phase));
  return reply({ bins, load_balance: wave(0, 0.9), serialisation: wave(1, 0.8), transfer: wave(2, 0.7) });
}

function search(run: FakeRun, query: URLSearchParams): Answer {
  const hits = run.ops.flat().filter(filter(query.get("q") ?? "")).sort((a, b) => a.begin_ps - b.begin_ps || a.rank - b.rank);
  const from = hits.findIndex((op) => op.rank === Number(query.get("from_rank")) && op.operation === Number(query.get("from_operation")));
  const step = query.get("dir") === "previous" ? -1 : 1;
  const hit = query.has("from_rank") && from >= 0 ? (hits[from + step] ?? null) : (hits[0] ?? null);
  return reply({ count: hits.length, hit, ticks: hits.slice(0, 4096).map((op) => op.begin_ps) });
}

function causes(run: FakeRun, parts: string[]): Answer {
  const op = run.ops[Number(parts[1])]![Number(parts[2])]!;
  const before = run.ops[run.late]!.filter((each) => each.begin_ps <= op.begin_ps && each.call === "MPI_Send").pop() ?? op;
  const link = (each: Operation, why: string) => ({
    rank: each.rank, operation: each.operation, call: each.call, site: each.site, begin_ps: each.begin_ps,
    end_ps: each.begin_ps + each.observed_ps, own_ps: each.own_ps, inherited_ps: each.inherited_ps, compute_ps: 0, why,
  });
  return reply({
    steps: [link(op, "last to arrive"), link(before, "own excess")], inherited_ps: op.inherited_ps,
    explained_ps: op.inherited_ps, sentence: `of the wait, all comes from rank ${before.rank}, ${before.call} at ${before.site}`,
  });
}

function messages(run: FakeRun, query: URLSearchParams): Answer {
  const sends = overlapping(run, query).filter((op) => op.call === "MPI_Send");
  const all = sends.slice(0, 10000).map((op) => {
    const recv = run.ops[op.peer!]!.find((each) => each.call === "MPI_Recv" && each.begin_ps + each.observed_ps >= op.begin_ps + op.observed_ps)!;
    return {
      from: { rank: op.rank, operation: op.operation }, to: { rank: op.peer, operation: recv?.operation ?? 0 }, sent_ps: op.begin_ps,
      received_ps: recv ? recv.begin_ps + recv.observed_ps : op.begin_ps + op.observed_ps, bytes: op.bytes, tag: op.tag,
    };
  });
  return reply({ aggregated: false, messages: all, total: sends.length });
}

function path(run: FakeRun, query: URLSearchParams): Answer {
  const free = query.get("s") === "free";
  const pieces = run.ops[run.slow]!.map((op) => ({
    rank: run.slow, begin_ps: free ? op.free_begin_ps : op.begin_ps,
    end_ps: free ? op.free_begin_ps + op.free_ps : op.begin_ps + op.observed_ps, operation: op.operation,
  }));
  return reply({ pieces, by_call: [{ call: "MPI_File_write_at_all", ps: 1e12 }] });
}

function phases(run: FakeRun, rank: number): Answer {
  const points = run.ops[rank]!.filter((op) => kKinds[op.kind] === "collective");
  const ends = points.map((op) => ({ observed: op.begin_ps + op.observed_ps, free: op.free_begin_ps + op.free_ps }));
  return reply({ phases: [{ observed_ps: [0, ...ends.map((end) => end.observed)], free_ps: [0, ...ends.map((end) => end.free)] }] });
}

export function analyses(run: FakeRun, whatifs: readonly WhatifRun[]): Record<string, Endpoint> {
  const aggregates: Record<string, (run: FakeRun, query: URLSearchParams) => Answer> = {
    waterfall: (of, query) => waterfall(of, query, whatifs), profile, matrix, histogram, instances, efficiency,
  };
  return {
    operations: (query) => operations(run, query),
    search: (query) => search(run, query),
    causes: (_, parts) => causes(run, parts),
    messages: (query) => messages(run, query),
    path: (query) => path(run, query),
    phases: (_, parts) => phases(run, Number(parts[1] ?? 0)),
    aggregate: (query, parts) => aggregates[parts[1]!]!(run, query),
  };
}
