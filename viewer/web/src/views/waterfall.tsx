// Where the time of all ranks went in the range in view. A part that is made of operations filters them.

import type { Waterfall as Sums, WaterfallPart } from "../data/api_types";
import { count, duration, percent } from "../draw/format";
import { part_colour, part_filter } from "../state/parts";
import { use_page } from "./page";

type Placed = WaterfallPart & { begin: number; end: number };

// Each part begins where the one before it ends; gained time goes back.
export function placed(parts: readonly WaterfallPart[]): Placed[] {
  let at = 0;
  return parts.map((part) => {
    const next = at + part.ps;
    const result = { ...part, begin: Math.min(at, next), end: Math.max(at, next) };
    at = next;
    return result;
  });
}

function Part({ part, total }: { part: Placed; total: number }) {
  const { store } = use_page();
  const on = store.view.value.part === part.id;
  const filters = store.source.is_live && part_filter(part.id) !== null;
  const bar = (
    <>
      <span class="part-name">{part.name}</span>
      <span class="part-track" aria-hidden="true">
        <span
          class={`part-bar ${part.id}`}
          style={{ left: `${(100 * part.begin) / total}%`, width: `${(100 * (part.end - part.begin)) / total}%`, background: part_colour(part.id) }}
        />
      </span>
      <span class="part-share">{percent(part.ps / total)}</span>
      <span class="part-time">{duration(part.ps)}</span>
    </>
  );
  if (!filters) return <div class="part-row">{bar}</div>;
  return (
    <button
      type="button"
      class="part-row"
      aria-pressed={on}
      title={on ? "Show all operations (Esc)" : `Show only operations with ${part.name}`}
      onClick={() => store.set({ part: on ? "" : part.id, tab: "operations" })}
    >
      {bar}
    </button>
  );
}

function rows(sums: Sums) {
  return placed(sums.parts).filter((part) => part.ps !== 0);
}

export function Waterfall() {
  const { store, asked } = use_page();
  const { data, error } = asked.waterfall.value;
  const { begin, end } = store.source.is_live ? store.range.value : { begin: 0, end: store.span.value };
  const ranks = store.meta.value?.ranks ?? 0;
  const sum = data?.parts.reduce((total, part) => total + part.ps, 0) ?? 0;
  return (
    <section class="waterfall" aria-labelledby="waterfall-title">
      <h2 id="waterfall-title">Where time went</h2>
      <p class="soft">
        {count(ranks)} ranks × {duration(end - begin)} = {duration(ranks * (end - begin))}
      </p>
      {error && <p class="bad">{error}</p>}
      {data && (
        <div class="parts" role="group" aria-label="Parts of the time">
          {rows(data).map((part) => (
            <Part key={part.id} part={part} total={Math.max(1, data.total_ps)} />
          ))}
          <div class="part-row sum">
            <span class="part-name">sum</span>
            <span class="part-track" />
            <span class="part-share">{percent(sum / Math.max(1, data.total_ps))}</span>
            <span class="part-time">{duration(sum)}</span>
          </div>
        </div>
      )}
    </section>
  );
}
