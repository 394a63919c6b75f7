// The chain of what the selected operation waited for, and the critical path.

import { duration, signed_duration } from "../draw/format";
import { go_to, tried } from "../state/actions";
import { use_page } from "./page";

export function Blame() {
  const { store, asked } = use_page();
  if (!store.view.value.blame) return null;
  const { data, error, loading } = asked.causes.value;
  return (
    <div class="blame">
      <h3>Caused by</h3>
      {loading && <p class="soft">Walking back …</p>}
      {error && <p class="bad">{error}</p>}
      {data && (
        <>
          <p>{data.sentence}</p>
          <ol>
            {data.steps.map((step, n) => (
              <li key={n}>
                <button type="button" onClick={() => tried(store, go_to(store, step))}>
                  rank {step.rank} {step.call}
                </button>{" "}
                <small>
                  {step.why}, own {signed_duration(step.own_ps)}
                  {step.compute_ps > 0 && `, compute ${duration(step.compute_ps)}`}
                  {step.site && `, ${step.site}`}
                </small>
              </li>
            ))}
          </ol>
          <p class="soft">
            explains {duration(data.explained_ps)} of {duration(data.inherited_ps)} inherited
          </p>
        </>
      )}
    </div>
  );
}

export function CriticalPathFacts() {
  const { store, asked } = use_page();
  const { path } = store.view.value;
  if (path === "off") return null;
  const { data, error } = asked.path.value;
  return (
    <section class="path" aria-labelledby="path-title">
      <h2 id="path-title">Critical path, {path === "obs" ? "observed" : "expected"}</h2>
      {error && <p class="bad">{error}</p>}
      <dl class="facts">
        {(data?.by_call ?? []).slice(0, 8).map(({ call, ps }) => (
          <div key={call}>
            <dt>{call}</dt>
            <dd>{duration(ps)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
