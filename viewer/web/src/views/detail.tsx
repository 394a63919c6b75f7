// The selected operation: how long, how long it should have taken, why, and what is inside.

import type { OperationDetail } from "../data/api_types";
import { bytes, count, duration, duration_range, plural, signed_duration } from "../draw/format";
import { choose_finding, go_to, pin_shift, tried } from "../state/actions";
import { pieces_of, parts_of_operation } from "../draw/bar";
import { Blame } from "./blame";
import { MiniHistogram } from "./mini_histogram";
import { use_page } from "./page";

function Facts({ op }: { op: OperationDetail }) {
  const facts: [string, string][] = [
    ["observed", duration(op.observed_ps)],
    ["begin", duration(op.begin_ps)],
  ];
  if (op.judged) {
    facts.splice(1, 0, ["expected", duration_range(op.lower_ps, op.upper_ps)]);
    facts.push(["own", signed_duration(op.own_ps)], ["inherited", signed_duration(op.inherited_ps)]);
    if (op.structure_ps) facts.push(["algorithm, hints", signed_duration(op.structure_ps)]);
    if (op.stack_ps) facts.push(["hardware, stack", signed_duration(op.stack_ps)]);
    if (op.gained_ps) facts.push(["gained", duration(op.gained_ps)]);
  } else if (op.reason) facts.push(["not judged", op.reason]);
  if (op.bytes > 0) facts.push(["bytes", bytes(op.bytes)]);
  if (op.peer !== null) facts.push(["peer", String(op.peer)]);
  if (op.tag !== null) facts.push(["tag", String(op.tag)]);
  if (op.comm_size !== null) facts.push(["communicator", plural(op.comm_size, "rank")]);
  if (op.file !== null) facts.push(["file", op.file]);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PartsBar({ op }: { op: OperationDetail }) {
  const parts = parts_of_operation(op);
  if (!parts || op.observed_ps <= 0) return null;
  const end = Math.max(op.observed_ps, op.upper_ps);
  const place = (share: number) => `${(100 * share * op.observed_ps) / end}%`;
  return (
    <div class="parts-bar" aria-hidden="true">
      {pieces_of(parts, op.observed_ps).map(({ part, begin, end: until }) => (
        <span key={part} class={`part ${part}`} style={{ left: place(begin), width: place(until - begin) }} title={part} />
      ))}
      <span class="bracket" style={{ left: place(op.lower_ps / op.observed_ps), width: place((op.upper_ps - op.lower_ps) / op.observed_ps) }} />
    </div>
  );
}

function Inside({ op }: { op: OperationDetail }) {
  const { inner, inside } = op;
  if (inner.messages + inner.posix === 0) return null;
  const made = [inner.messages && plural(inner.messages, "message"), inner.posix && plural(inner.posix, "POSIX call")].filter(Boolean);
  return (
    <details>
      <summary>
        Inside: {made.join(", ")} of {bytes(inner.bytes)}{inner.needed > 0 && inner.needed < inner.posix ? `, the best form needs ${count(inner.needed)}` : ""}
      </summary>
      <table>
        <thead><tr><th scope="col">what</th><th scope="col">after</th><th scope="col">took</th><th scope="col">bytes</th><th scope="col">where</th></tr></thead>
        <tbody>
          {inside.slice(0, 100).map((each, n) => (
            <tr key={n}>
              <td>{each.kind}</td>
              <td class="number">{duration(each.begin_ps - op.begin_ps)}</td>
              <td class="number">{duration(each.end_ps - each.begin_ps)}</td>
              <td class="number">{bytes(each.bytes)}</td>
              <td>{each.peer !== null ? `rank ${each.peer}` : each.offset !== null ? `at ${count(each.offset)}` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function ServedBy({ op }: { op: OperationDetail }) {
  const served = op.served_by ?? [];
  if (served.length === 0) return null;
  return (
    <p class="served-by">
      Served by, in the expected run: {served.map((each) => `${each.name} (busy ${duration(each.busy_ps)})`).join(", ")}
    </p>
  );
}

function Links({ op }: { op: OperationDetail }) {
  const { store } = use_page();
  const report = store.report.value;
  return (
    <p class="links">
      {op.partner && (
        <button type="button" onClick={() => tried(store, go_to(store, op.partner!))}>
          Partner on rank {op.partner.rank}
        </button>
      )}
      {op.findings.map((finding) => (
        <button key={finding} type="button" onClick={() => choose_finding(store, finding)}>
          Finding {finding + 1}{report?.findings[finding] ? `: ${report.findings[finding]!.title}` : ""}
        </button>
      ))}
      <button type="button" onClick={() => store.set({ blame: !store.view.value.blame })} aria-pressed={store.view.value.blame}>
        Caused by (b)
      </button>
      {store.view.value.mode === "shift" && (
        <button type="button" onClick={() => tried(store, pin_shift(store))}>
          Align here
        </button>
      )}
    </p>
  );
}

export function Detail() {
  const { store, asked } = use_page();
  const { data: op, error } = asked.detail.value;
  return (
    <section class="detail" aria-labelledby="detail-title">
      {op && store.view.value.selected ? (
        <>
          <h2 id="detail-title" tabIndex={-1}>
            {op.call} #{op.operation}
          </h2>
          <p>
            rank {op.rank}
            {op.node && `, ${op.node}`}
            {op.site && `, ${op.site}`}
          </p>
          <PartsBar op={op} />
          <Facts op={op} />
          <Links op={op} />
          <Blame />
          <Inside op={op} />
          <ServedBy op={op} />
          {op.in_its_kind && (
            <>
              <h3>In its kind: longer than {op.in_its_kind.percentile.toFixed(1)} %</h3>
              <MiniHistogram bounds={op.in_its_kind.bounds_ps} counts={op.in_its_kind.counts} mark={op.observed_ps} />
            </>
          )}
        </>
      ) : (
        <>
          <h2 id="detail-title">No operation is selected</h2>
          <p class={error ? "bad" : "soft"}>{error || "Click a bar, press Enter for the worst of the finding, or move with the arrow keys in the timeline."}</p>
        </>
      )}
    </section>
  );
}
