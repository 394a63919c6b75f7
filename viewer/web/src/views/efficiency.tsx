// Load balance, serialisation and transfer over the range in view, as users of POP metrics read them.

import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import type { Efficiency } from "../data/api_types";
import { resource } from "../data/resource";
import type { Theme } from "../draw/palette";
import { percent } from "../draw/format";
import { use_page } from "./page";
import { Series } from "./series";

const kNames = ["load balance", "serialisation", "transfer"] as const;
const kDashes = [[], [6, 3], [2, 2]];

function colours(theme: Theme): string[] {
  return theme.name === "light" ? ["#0072b2", "#b2182b", "#1a6f33"] : ["#8cc7ff", "#ffb95e", "#6fd08c"];
}

function options(theme: Theme, range: { begin: number; end: number }): Omit<uPlot.Options, "width" | "height"> {
  const stroke = colours(theme);
  return {
    scales: { x: { time: false, range: () => [range.begin, range.end] }, y: { range: () => [0, 1.02] } },
    legend: { show: false },
    cursor: { show: false },
    padding: [2, 0, 2, 0],
    axes: [{ show: false }, { show: false }],
    series: [{}, ...kNames.map((label, n) => ({ label, stroke: stroke[n]!, width: 1.5, dash: kDashes[n]!, points: { show: false } }))],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export function EfficiencyStrip() {
  const { store, picture } = use_page();
  const answer = useMemo(
    () =>
      resource(
        store.activity,
        () => (store.meta.value && store.source.is_live ? { t0: store.range.value.begin, t1: store.range.value.end, bins: 256 } : null),
        (query) => store.source.get<Efficiency>("aggregate/efficiency", query),
        { delay: 150 },
      ),
    [],
  );
  const { data } = answer.value;
  const theme = picture.theme.value;
  const plotted = useMemo(
    () => (data ? ([data.bins, data.load_balance, data.serialisation, data.transfer] as uPlot.AlignedData) : null),
    [data],
  );
  if (!data || !plotted) return null;
  const means = [data.load_balance, data.serialisation, data.transfer].map(mean);
  return (
    <div class="efficiency">
      <div class="axis-label">
        {kNames.map((name, n) => (
          <span key={name} style={{ color: colours(theme)[n] }}>
            {name} {percent(means[n]!)}
          </span>
        ))}
      </div>
      <Series
        label={`Efficiency over time: ${kNames.map((name, n) => `${name} ${percent(means[n]!)}`).join(", ")}`}
        height={50}
        data={plotted}
        key_of={`${theme.name} ${store.range.value.begin} ${store.range.value.end}`}
        options={() => options(theme, store.range.value)}
      />
    </div>
  );
}
