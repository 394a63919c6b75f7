// What-if runs of a synthetic run: each question about one moves it on by a quarter.

import type { WhatifRun } from "../src/data/api_types";
import type { Answer } from "./fake_api";
import type { FakeRun } from "./fake_run";

export type Whatif = { runs: WhatifRun[]; answer(method: string, parts: string[], body: string): Answer };

const kChoices = [
  { id: "hint romio_cb_write=enable", title: "Hint romio_cb_write=enable", from_finding: 0, options: ["--hint", "romio_cb_write=enable"] },
  { id: "link n02-s0 twice", title: "Link n02-s0 at twice its rate", from_finding: 1, options: ["--link", "n02-s0=2x"] },
  { id: "algorithm MPI_Allreduce ring", title: "MPI_Allreduce by ring", from_finding: null, options: ["--algorithm", "MPI_Allreduce=ring"] },
];

// Of the length of the run; what is not here is faster.
const kSlower: Record<string, number> = { "MPI_Allreduce by ring": 1.25 };

export function fake_whatif(run: FakeRun): Whatif {
  const runs: WhatifRun[] = [];
  const reply = (value: unknown, status = 200): Answer => ({ status, type: "application/json", body: JSON.stringify(value) });

  function started(body: string): Answer {
    const { options } = JSON.parse(body) as { options: string[] };
    const choice = kChoices.find((each) => each.options.join(" ") === options.join(" "));
    if (!choice) return reply({ error: "whatif: these options are not in the table of choices" }, 400);
    const next = { run: runs.length + 1, title: choice.title, state: "running", progress: 0, span_ps: 0, saved_ps: 0, error: "" };
    runs.push(next as WhatifRun);
    return reply({ run: next.run });
  }

  function moved_on(each: WhatifRun): Answer {
    if (each.state === "running") each.progress += 0.25;
    if (each.state === "running" && each.progress >= 1) {
      const span_ps = Math.round(run.span * (kSlower[each.title] ?? 0.8));
      Object.assign(each, { state: "done", progress: 1, span_ps, saved_ps: run.span - span_ps });
    }
    return reply(each);
  }

  function answer(method: string, parts: string[], body: string): Answer {
    if (parts[1] === "choices") return reply({ choices: kChoices });
    if (method === "POST") return started(body);
    const each = runs.find((candidate) => candidate.run === Number(parts[1]));
    if (!each) return reply({ error: `whatif: there is no run ${parts[1]}` }, 404);
    if (method === "DELETE") {
      each.state = "cancelled";
      return reply(each);
    }
    return moved_on(each);
  }

  return { runs, answer };
}
