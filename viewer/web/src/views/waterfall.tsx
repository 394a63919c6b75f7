// Where the time of all ranks went in the range in view. A part that is made of operations filters them. The
// same of the what-if run that is shown.

import type { Waterfall as Sums, WaterfallPart } from "../data/api_types";
import { count, duration, percent } from "../draw/format";
import { part_colour, part_filter } from "../state/parts";
import { whatif_shown } from "../state/questions";
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

// What a whole bar is, of both pictures: the longer run.
export function scale_of(observed: Sums | null, whatif: Sums | null): number {
  return Math.max(1, observed?.total_ps ?? 0, whatif?.total_ps ?? 0);
}

// Of a what-if run. whole: of the observed run; null where a part of both is in view, which tells nothing of their lengths.
export function length_told(total: number, whole: number | null): string {
  if (whole === null) return duration(total);
  return `${duration(total)}, ${duration(Math.abs(whole - total))} ${total > whole ? "more" : "less"}`;
}

type Scales = { whole: number; scale: number }; // 100 % of the shares; a whole bar

function Part({ part, whole, scale, filterable }: Scales & { part: Placed; filterable: boolean }) {
  const { store } = use_page();
  const on = store.view.value.part === part.id;
  const filters = filterable && store.source.is_live && part_filter(part.id) !== null;
  const bar = (
    <>
      <span class="part-name">{part.name}</span>
      <span class="part-track" aria-hidden="true">
        <span
          class={`part-bar ${part.id}`}
          style={{ left: `${(100 * part.begin) / scale}%`, width: `${(100 * (part.end - part.begin)) / scale}%`, background: part_colour(part.id) }}
        />
      </span>
      <span class="part-share">{percent(part.ps / whole)}</span>
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

// Shares of both pictures are of the observed run.
function Parts({ sums, label, whole, scale, filterable }: Scales & { sums: Sums; label: string; filterable: boolean }) {
  const sum = sums.parts.reduce((total, part) => total + part.ps, 0);
  return (
    <div class="parts" role="group" aria-label={label}>
      {rows(sums).map((part) => (
        <Part key={part.id} part={part} whole={Math.max(1, whole)} scale={scale} filterable={filterable} />
      ))}
      <div class="part-row sum">
        <span class="part-name">sum</span>
        <span class="part-track" />
        <span class="part-share">{percent(sum / Math.max(1, whole))}</span>
        <span class="part-time">{duration(sum)}</span>
      </div>
    </div>
  );
}

// Of the run that is shown, in the range in view, which it may leave early.
export function WhatifWaterfall() {
  const { store, asked } = use_page();
  const run = whatif_shown(store);
  const { data, error, loading } = asked.whatif_waterfall.value;
  const observed = asked.waterfall.value;
  const whole = observed.data?.total_ps ?? 0;
  const both_whole = store.view.value.range === null && !loading && !observed.loading;
  if (run === null || whole === 0) return null;
  return (
    <section class="waterfall whatif-waterfall" aria-labelledby="whatif-waterfall-title">
      <h3 id="whatif-waterfall-title">Where time would go</h3>
      <p class="soft">
        {run.title}
        {data && `: ${length_told(data.total_ps, both_whole ? whole : null)}`}
      </p>
      {error && <p class="bad">{error}</p>}
      {data && (
        <Parts sums={data} label={`Parts of the time of ${run.title}`} whole={whole} scale={scale_of(observed.data, data)} filterable={false} />
      )}
    </section>
  );
}

export function Waterfall() {
  const { store, asked } = use_page();
  const { data, error } = asked.waterfall.value;
  const { begin, end } = store.source.is_live ? store.range.value : { begin: 0, end: store.span.value };
  const ranks = store.meta.value?.ranks ?? 0;
  return (
    <section class="waterfall" aria-labelledby="waterfall-title">
      <h2 id="waterfall-title">Where time went</h2>
      <p class="soft">
        {count(ranks)} ranks × {duration(end - begin)} = {duration(ranks * (end - begin))}
      </p>
      {error && <p class="bad">{error}</p>}
      {data && (
        <Parts sums={data} label="Parts of the time" whole={data.total_ps} scale={scale_of(data, asked.whatif_waterfall.value.data)} filterable={true} />
      )}
    </section>
  );
}
