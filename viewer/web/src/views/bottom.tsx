// Tables and charts of the range in view, as tabs.

import type { JSX } from "preact";
import { count } from "../draw/format";
import { kTabs, type Tab } from "../state/view_state";
import { Calls } from "./calls";
import { HistogramChart } from "./histogram_chart";
import { InstancesChart } from "./instances_chart";
import { MatrixChart } from "./matrix_chart";
import { Operations, Unmatched } from "./operations";
import { use_page } from "./page";

const kPanels: Record<Tab, () => JSX.Element> = {
  operations: () => <Operations />,
  calls: () => <Calls />,
  instances: () => <InstancesChart />,
  matrix: () => <MatrixChart />,
  histogram: () => <HistogramChart />,
  unmatched: () => <Unmatched />,
};

function name_of(tab: Tab, unmatched: number): string {
  const names: Record<Tab, string> = {
    operations: "Operations in view", calls: "Calls", instances: "Instances", matrix: "Matrix", histogram: "Histogram",
    unmatched: `Unmatched (${count(unmatched)})`,
  };
  return names[tab];
}

export function Bottom() {
  const { store } = use_page();
  const { tab } = store.view.value;
  const live = store.source.is_live;
  const tabs = live ? kTabs : (["operations"] as const);
  const open = (tabs as readonly Tab[]).includes(tab) ? tab : "operations";
  const on_key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(open as never) + by + tabs.length) % tabs.length]!;
    store.set({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <section class="bottom" aria-label="Tables and charts of the range in view">
      <div role="tablist" aria-label="Tables and charts" onKeyDown={on_key}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === open}
            aria-controls="tab-panel"
            tabIndex={each === open ? 0 : -1}
            onClick={() => store.set({ tab: each })}
          >
            {name_of(each, store.meta.value?.unmatched ?? 0)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open}`} tabIndex={0}>
        {kPanels[open]()}
      </div>
    </section>
  );
}
