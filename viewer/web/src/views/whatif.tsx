// What the run would take with another setting, algorithm, link or disk.

import { useMemo, useRef } from "preact/hooks";
import type { WhatifChoice, WhatifRun } from "../data/api_types";
import { resource } from "../data/resource";
import { duration, percent } from "../draw/format";
import { tried } from "../state/actions";
import { cancel_whatif, number_of, start_whatif, with_number } from "../state/whatif";
import { use_page } from "./page";
import { WhatifWaterfall } from "./waterfall";

function use_choices(): WhatifChoice[] {
  const { store } = use_page();
  const choices = useMemo(
    () =>
      resource(
        store.activity,
        () => (store.meta.value?.whatif && store.source.is_live ? "choices" : null),
        () => store.source.get<{ choices: WhatifChoice[] }>("whatif/choices"),
      ),
    [],
  );
  return choices.value.data?.choices ?? [];
}

function Start({ choice }: { choice: WhatifChoice }) {
  const { store } = use_page();
  const input = useRef<HTMLInputElement>(null);
  const number = number_of(choice);
  const start = () => {
    const chosen = input.current?.value;
    tried(store, start_whatif(store, chosen && chosen !== number ? with_number(choice, chosen) : choice));
  };
  return (
    <p class="whatif-start">
      <button type="button" onClick={start}>
        What if: {choice.title}
      </button>
      {number !== null && <input ref={input} type="number" step="any" defaultValue={number} aria-label={`Number of ${choice.title}`} />}
    </p>
  );
}

export function WhatifButtons({ finding }: { finding: number }) {
  const choices = use_choices().filter((choice) => choice.from_finding === finding);
  return (
    <>
      {choices.map((choice) => (
        <Start key={choice.id} choice={choice} />
      ))}
    </>
  );
}

function Run({ run }: { run: WhatifRun }) {
  const { store } = use_page();
  const shown = store.view.value.whatif === run.run;
  const span = store.span.value;
  return (
    <li class="whatif-run">
      <strong>{run.title}</strong>
      {run.state === "running" && <progress max={1} value={run.progress} aria-label={`Progress of ${run.title}`} />}
      {run.state === "running" && (
        <button type="button" onClick={() => tried(store, cancel_whatif(store, run))}>
          Cancel
        </button>
      )}
      {run.state === "done" && (
        <>
          <span class="whatif-result">
            {duration(run.span_ps)} instead of {duration(run.span_ps + run.saved_ps)}, saves {duration(run.saved_ps)} ({percent(run.saved_ps / Math.max(1, span))})
          </span>
          <span class="part-track" aria-hidden="true">
            <span class="part-bar expected" style={{ left: "0", width: `${(100 * run.span_ps) / Math.max(span, run.span_ps)}%` }} />
          </span>
          <button type="button" aria-pressed={shown} onClick={() => store.set({ whatif: shown ? 0 : run.run })}>
            {shown ? "Hide its lane" : "Show its lane"}
          </button>
        </>
      )}
      {run.state === "failed" && <span class="bad">{run.error}</span>}
      {run.state === "cancelled" && <span class="soft">cancelled</span>}
    </li>
  );
}

export function Whatif() {
  const { store } = use_page();
  const choices = use_choices();
  const runs = store.whatif_runs.value;
  if (choices.length === 0 && runs.length === 0) return null;
  return (
    <section class="whatif" aria-labelledby="whatif-title">
      <h2 id="whatif-title">What if</h2>
      {runs.length > 0 && (
        <ul>
          {runs.map((run) => (
            <Run key={run.run} run={run} />
          ))}
        </ul>
      )}
      <WhatifWaterfall />
      <details>
        <summary>Try a setting</summary>
        {choices.map((choice) => (
          <Start key={choice.id} choice={choice} />
        ))}
      </details>
    </section>
  );
}
