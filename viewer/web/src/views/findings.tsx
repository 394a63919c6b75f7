// What is slower than it should be, dearest first.

import type { Finding } from "../data/api_types";
import { circled, count, duration, percent, plural, quantity } from "../draw/format";
import { choose_finding, go_to_instance, instances_of, tried } from "../state/actions";
import { use_page } from "./page";
import { WhatifButtons } from "./whatif";

function Evidence({ finding }: { finding: Finding }) {
  const { store } = use_page();
  const { instance } = store.view.value;
  const instances = instances_of(finding);
  return (
    <div class="evidence">
      {finding.basis && <p>{finding.basis}</p>}
      {finding.evidence.length > 0 && (
        <dl>
          {finding.evidence.map((each) => (
            <div key={each.name}>
              <dt>{each.name.replace(/_/g, " ")}</dt>
              <dd>{quantity(each.value, each.unit)}</dd>
            </div>
          ))}
        </dl>
      )}
      {finding.component && <p>component <code>{finding.component}</code></p>}
      {finding.call && <p>{finding.call} {finding.site && `at ${finding.site}`}, {plural(finding.operations, "operation")} of {plural(finding.ranks.length, "rank")}</p>}
      {finding.advice.map((advice) => (
        <p key={advice} class="advice">{advice}</p>
      ))}
      {instances.length > 0 && (
        <p class="instances">
          <button type="button" onClick={() => tried(store, go_to_instance(store, instance - 1))} aria-label="Previous instance" title=",">‹</button>{" "}
          worst operation {count(Math.min(instance, instances.length - 1) + 1)} of {count(instances.length)}{" "}
          <button type="button" onClick={() => tried(store, go_to_instance(store, instance + 1))} aria-label="Next instance" title=".">›</button>
        </p>
      )}
    </div>
  );
}

function Item({ finding, index }: { finding: Finding; index: number }) {
  const { store } = use_page();
  const current = store.view.value.finding === index;
  const go = () => {
    if (!current) choose_finding(store, index);
    tried(store, go_to_instance(store, current ? store.view.peek().instance : 0));
  };
  return (
    <li class={current ? "finding current" : "finding"} aria-current={current ? "true" : undefined}>
      <button type="button" class="finding-title" id={`finding-${index + 1}`} onClick={go} title="Goes to its worst operation (Enter)">
        <span class="sign" aria-hidden="true">{circled(index + 1)}</span>
        <span class="title">{finding.title}</span>
        <span class="cost">
          {finding.cost_is_bound ? "≤ " : ""}
          {duration(finding.cost_ps)}, {percent(finding.share)} <small>{finding.confidence}, by {finding.reference}</small>
        </span>
      </button>
      {current && <Evidence finding={finding} />}
      {current && <WhatifButtons finding={index} />}
    </li>
  );
}

function More({ title, findings }: { title: string; findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({count(findings.length)})
      </summary>
      <ul>
        {findings.map((finding, n) => (
          <li key={n}>
            {finding.title}, {duration(finding.cost_ps)}
            {finding.withheld && <small>: {finding.withheld}</small>}
          </li>
        ))}
      </ul>
    </details>
  );
}

const kNone: Record<string, string> = {
  "as expected": "Nothing is slower than it should be, as far as it is judged.",
  "too noisy to tell": "There is none that the noise would not explain as well.",
  incomplete: "There is none in what was recorded; the recording is incomplete.",
};

export function Findings() {
  const { store } = use_page();
  const report = store.report.value;
  if (!report) return null;
  const { leastShare, finding: current } = store.view.value;
  const numbered = report.findings.map((finding, index) => ({ finding, index }));
  const shown = numbered.filter(({ finding, index }) => finding.share >= leastShare || index === current);
  const small = numbered.filter((each) => !shown.includes(each)).map(({ finding }) => finding);
  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {report.findings.length === 0 && <p>{kNone[store.meta.value?.word ?? ""] ?? "There is no finding."}</p>}
      <ol>
        {shown.map(({ finding, index }) => (
          <Item key={index} finding={finding} index={index} />
        ))}
      </ol>
      <More title="Smaller" findings={small} />
      <More title="Withheld" findings={report.withheld} />
    </section>
  );
}
