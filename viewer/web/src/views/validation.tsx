// What a validation found of the machine, where its directory is looked at.

import { useMemo } from "preact/hooks";
import { resource } from "../data/resource";
import { count, duration, percent } from "../draw/format";
import { use_page } from "./page";

type Diagnosis = {
  id: string;
  title: string;
  component: string;
  places: string[];
  cost_s: number;
  cost_share: number;
  cost_is_bound: boolean;
  confidence: string;
  suppressed_by?: string;
};
type ValidationFile = { verdict: { sentence: string }; diagnoses: Diagnosis[]; observations: { text: string; explained: boolean }[] };

function Found({ diagnosis }: { diagnosis: Diagnosis }) {
  return (
    <li>
      <strong>{diagnosis.title}</strong>
      {diagnosis.places.length > 0 && ` (${diagnosis.places.join(", ")})`}{" "}
      <small>
        {diagnosis.cost_is_bound ? "≤ " : ""}
        {duration(diagnosis.cost_s * 1e12)}, {percent(diagnosis.cost_share)} of the suite, {diagnosis.confidence}; plumbline explain {diagnosis.id}
      </small>
    </li>
  );
}

export function Validation() {
  const { store } = use_page();
  const answer = useMemo(
    () =>
      resource(
        store.activity,
        () => (store.meta.value?.is_validation ? "validation" : null),
        (path) => store.source.get<ValidationFile>(path),
      ),
    [],
  );
  const { data } = answer.value;
  if (!data) return null;
  const findings = data.diagnoses.filter((each) => !each.suppressed_by);
  const open = data.observations.filter((each) => !each.explained);
  return (
    <section class="validation" aria-labelledby="validation-title">
      <h2 id="validation-title">The machine</h2>
      <p>{data.verdict.sentence}</p>
      <ul>
        {findings.map((diagnosis, n) => (
          <Found key={n} diagnosis={diagnosis} />
        ))}
      </ul>
      {open.length > 0 && (
        <details>
          <summary>Observations without a cost ({count(open.length)})</summary>
          <ul>
            {open.map((each, n) => (
              <li key={n}>{each.text}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
