// The report of a synthetic run.

import type { Finding, Instance, Operation, Report } from "../src/data/api_types";
import type { FakeRun } from "./fake_run";

function worst(run: FakeRun, test: (op: Operation) => boolean): Instance[] {
  return run.ops
    .flat()
    .filter(test)
    .sort((a, b) => b.own_ps - a.own_ps)
    .slice(0, 20)
    .map(({ rank, operation, begin_ps, own_ps, inherited_ps }) => ({ rank, operation, begin_ps, own_ps, inherited_ps }));
}

function finding(more: Partial<Finding> & Pick<Finding, "title" | "cost_s">): Finding {
  return {
    reference: "structure", component: "", cost_ps: more.cost_s * 1e12, cost_is_of: "the busiest rank",
    cost_is_bound: false, share: more.cost_s / 4, confidence: "high", basis: "", evidence: [], call: "", site: "",
    operations: 0, ranks: [], advice: [], withheld: "", instances: [], ...more,
  };
}

export function fake_report(run: FakeRun): Report {
  const findings = [
    finding({
      title: "Hints split collective writes into small pieces", cost_s: 0.48, confidence: "certain", component: "hint romio_cb_write",
      basis: "as configured against the ideal: 2,048 writes of 512 B where 4 of 256 KiB do",
      evidence: [{ name: "writes", value: 2048, unit: "1" }, { name: "needed", value: 4, unit: "1" }, { name: "size of a write", value: 512, unit: "B" }],
      call: "MPI_File_write_at_all", site: "dump (io.c:88)", operations: run.ranks * 6,
      ranks: Array.from({ length: run.ranks }, (_, n) => n), advice: ["set the hint romio_cb_write=enable"],
      instances: worst(run, (op) => op.kind === 3),
    }),
    finding({
      title: `Rank ${run.slow} writes slower than its peers`, cost_s: 0.84, reference: "peers", component: "n02-s0 >",
      basis: "52 of 100 MB/s where 63 like ranks reach 98", evidence: [{ name: "rate", value: 52e6, unit: "B/s" }],
      call: "MPI_File_write_at_all", site: "dump (io.c:88)", operations: 6, ranks: [run.slow],
      advice: ["look at the cable of n02"], instances: worst(run, (op) => op.kind === 3 && op.rank === run.slow),
    }),
    finding({
      title: `Rank ${run.late} sends late`, cost_s: 0.36, reference: "peers", confidence: "good", call: "MPI_Send",
      site: "exchange (solve.c:88)", operations: 12, ranks: [run.late],
      instances: worst(run, (op) => op.call === "MPI_Send" && op.rank === run.late),
    }),
  ];
  const withheld = [finding({ title: "Allreduce by another algorithm", cost_s: 0.004, withheld: "costs less than the band" })];
  const rows = [
    { call: "MPI_File_write_at_all", site: "dump (io.c:88)", operations: run.ranks * 6 },
    { call: "MPI_Send", site: "exchange (solve.c:88)", operations: run.ranks * 60 },
  ];
  return { findings, withheld, rows };
}
