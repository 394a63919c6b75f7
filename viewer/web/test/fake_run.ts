// A synthetic run: ranks on four nodes that exchange with their neighbours, reduce, and write a file together. Three
// things are wrong: hints split the writes, one rank writes slowly, one rank sends late.

import type { Operation } from "../src/data/api_types";

export const kKinds = ["point to point", "wait", "collective", "MPI-IO", "POSIX", "one-sided", "communicators", "other", "compute"];
export const kCalls = ["MPI_Send", "MPI_Recv", "MPI_Waitall", "MPI_Allreduce", "MPI_File_write_at_all", "MPI_Comm_split"];
export const kSites = ["exchange (solve.c:88)", "exchange (solve.c:91)", "exchange (solve.c:95)", "step (solve.c:120)", "dump (io.c:88)", "main (main.c:12)"];

export type FakeRun = { ranks: number; span: number; ops: Operation[][]; slow: number; late: number };

const kMs = 1e9; // ps

// mulberry32: the same run for the same seed
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Clocks = { observed: number[]; free: number[] };
type Excess = { structure?: number; stack?: number; gained?: number };

class Maker {
  readonly ops: Operation[][];
  readonly clocks: Clocks;

  constructor(readonly ranks: number) {
    this.ops = Array.from({ length: ranks }, () => []);
    this.clocks = { observed: Array(ranks).fill(0), free: Array(ranks).fill(0) };
  }

  compute(rank: number, length: number): void {
    this.clocks.observed[rank]! += length;
    this.clocks.free[rank]! += length;
  }

  // An operation that ends at these times in the observed and in the free run.
  add(rank: number, call: number, kind: number, ends: [number, number], excess: Excess, more: Partial<Operation> = {}): void {
    const [begin, free_begin] = [this.clocks.observed[rank]!, this.clocks.free[rank]!];
    const [end, free_end] = ends.map(Math.round) as [number, number];
    const [observed, free] = [end - begin, free_end - free_begin];
    const { structure = 0, stack = 0, gained = 0 } = excess;
    const inherited = observed - free - structure - stack + gained;
    const upper = free + inherited;
    const judged = call !== 5;
    const own = structure + stack - gained;
    const of_judged = <T>(value: T, otherwise: T) => (judged ? value : otherwise);
    this.ops[rank]!.push({
      rank, operation: this.ops[rank]!.length, call: kCalls[call]!, kind, site: kSites[call]!, bytes: 0, peer: null, tag: null,
      comm_size: null, file: null, begin_ps: begin, observed_ps: observed, judged, free_begin_ps: free_begin,
      free_ps: of_judged(free, 0), lower_ps: of_judged(Math.round(upper * 0.9), 0), upper_ps: of_judged(upper, 0),
      band_ps: Math.round(0.02 * upper), own_ps: of_judged(own, 0), inherited_ps: of_judged(inherited, 0),
      structure_ps: structure, stack_ps: stack, gained_ps: gained, marks: judged ? 0 : 2,
      reason: judged ? "" : "communicators are set up once", ...more,
    });
    this.clocks.observed[rank] = end;
    this.clocks.free[rank] = free_end;
  }
}

function exchange(maker: Maker, late: number, next: () => number): void {
  const { observed, free } = maker.clocks;
  const sent: [number, number][] = [];
  for (let rank = 0; rank < maker.ranks; ++rank) {
    const cost = Math.round((0.4 + 0.1 * next()) * kMs);
    const stack = rank === late ? 30 * kMs : 0;
    const gained = next() < 0.05 ? Math.round(0.1 * kMs) : 0;
    const ends: [number, number] = [observed[rank]! + cost + stack - gained, free[rank]! + cost];
    maker.add(rank, 0, 0, ends, { stack, gained }, { bytes: 2 << 20, peer: (rank + 1) % maker.ranks, tag: 7 });
    sent.push([observed[rank]!, free[rank]!]);
  }
  for (let rank = 0; rank < maker.ranks; ++rank) {
    const from = sent[(rank + maker.ranks - 1) % maker.ranks]!;
    const cost = Math.round(0.3 * kMs);
    const ends: [number, number] = [Math.max(observed[rank]!, from[0]) + cost, Math.max(free[rank]!, from[1]) + cost];
    maker.add(rank, 1, 0, ends, {}, { bytes: 2 << 20, peer: (rank + maker.ranks - 1) % maker.ranks, tag: 7 });
  }
}

function reduce(maker: Maker): void {
  const cost = Math.round(1.2 * kMs);
  const ends: [number, number] = [Math.max(...maker.clocks.observed) + cost, Math.max(...maker.clocks.free) + cost];
  for (let rank = 0; rank < maker.ranks; ++rank) maker.add(rank, 3, 2, ends, {}, { bytes: 8, comm_size: maker.ranks });
}

function write(maker: Maker, slow: number, next: () => number): void {
  for (let rank = 0; rank < maker.ranks; ++rank) {
    const free = Math.round((25 + 3 * next()) * kMs);
    const structure = 60 * kMs;
    const stack = rank === slow ? 140 * kMs : Math.round(2 * kMs * next());
    const ends: [number, number] = [maker.clocks.observed[rank]! + free + structure + stack, maker.clocks.free[rank]! + free];
    const more = { bytes: 1 << 20, comm_size: maker.ranks, file: "/scratch/out.dat", marks: 1 };
    maker.add(rank, 4, 3, ends, { structure, stack }, more);
  }
}

export function fake_run(ranks = 64, iterations = 60, seed = 1): FakeRun {
  const next = random(seed);
  const maker = new Maker(ranks);
  const [slow, late] = [Math.min(17, ranks - 1), Math.min(3, ranks - 1)];
  for (let rank = 0; rank < ranks; ++rank) {
    maker.add(rank, 5, 6, [2 * kMs, 2 * kMs], {});
  }
  for (let n = 0; n < iterations; ++n) {
    for (let rank = 0; rank < ranks; ++rank) maker.compute(rank, Math.round((30 + 4 * next()) * kMs));
    exchange(maker, n % 5 === 2 ? late : -1, next);
    reduce(maker);
    if (n % 10 === 9) write(maker, slow, next);
  }
  const span = Math.max(...maker.clocks.observed);
  return { ranks, span, ops: maker.ops, slow, late };
}
