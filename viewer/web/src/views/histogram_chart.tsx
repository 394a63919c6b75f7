// Durations of one call, observed beside expected.

import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import type { Histogram } from "../data/api_types";
import { resource } from "../data/resource";
import { duration } from "../draw/format";
import { CallChoice, chosen_call } from "./chosen_call";
import { use_page } from "./page";
import { Series } from "./series";

function options(data: Histogram, ink: string, grid: string, observed: string, expected: string): Omit<uPlot.Options, "width" | "height"> {
  const bars = uPlot.paths.bars!({ size: [0.9] });
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  const name = (_: uPlot, values: number[]) => values.map((n) => (Number.isInteger(n) ? duration(data.bounds_ps[n] ?? 0) : ""));
  return {
    scales: { x: { time: false } },
    legend: { show: true, live: false },
    cursor: { show: false },
    axes: [{ ...axis, values: name, space: 70 }, { ...axis, size: 60 }],
    series: [
      { label: "duration" },
      { label: "observed", stroke: observed, fill: `${observed}99`, paths: bars, points: { show: false } },
      { label: "expected", stroke: expected, width: 2, paths: uPlot.paths.stepped!({ align: 1 }), points: { show: false } },
    ],
  };
}

export function HistogramChart() {
  const page = use_page();
  const { store, picture } = page;
  const answer = useMemo(
    () =>
      resource(
        store.activity,
        () => (store.meta.value && chosen_call(page) ? { call: chosen_call(page) } : null),
        (query) => store.source.get<Histogram>("aggregate/histogram", query),
      ),
    [],
  );
  const { data, error } = answer.value;
  const theme = picture.theme.value;
  const plotted = useMemo(
    () => (data ? ([data.observed.map((_, n) => n), data.observed, data.expected] as uPlot.AlignedData) : null),
    [data],
  );
  return (
    <div class="chart">
      <CallChoice />
      {error && <p class="bad">{error}</p>}
      {data && plotted && (
        <Series
          label={`Durations of ${chosen_call(page)}, observed and expected`}
          height={180}
          data={plotted}
          key_of={theme.name}
          options={() => options(data, theme.ink, theme.gridline, theme.ramp[7]!, theme.accent)}
        />
      )}
    </div>
  );
}
