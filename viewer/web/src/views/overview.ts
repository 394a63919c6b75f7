// The whole run in one row: the worst of all lanes, column by column, for the minimap and for the scale of excess.

import { computed, type ReadonlySignal } from "@preact/signals";
import type { StripKey } from "../data/strip_cache";
import { steps_of } from "../data/strips";
import type { Store } from "../state/store";

const kLevel = 1;
const kMostLanes = 1024;

export type Worst = { own: Int8Array; busy: Uint8Array }; // columns of level 1, both strips

export class Overview {
  readonly worst: ReadonlySignal<Worst>;
  readonly largest: ReadonlySignal<number>;

  constructor(private store: Store) {
    this.worst = computed(() => this.compute());
    this.largest = computed(() => this.compute_largest());
  }

  private lanes(): number[] {
    const lanes = this.store.lanes.value.data?.lanes ?? [];
    return lanes.filter((lane) => lane.kind !== "component").slice(0, kMostLanes).map((lane) => lane.lane);
  }

  wanted(): StripKey[] {
    return this.lanes().flatMap((lane) => [0, 1].map((x) => ({ source: "obs", level: kLevel, x, lane })));
  }

  private compute(): Worst {
    this.store.strips_version.value;
    const columns = 2 ** (this.store.meta.value?.columns_log2 ?? 9);
    const own = new Int8Array(2 * columns);
    const busy = new Uint8Array(2 * columns);
    for (const key of this.wanted()) {
      const strip = this.store.loader.cache.get(key);
      if (!strip) continue;
      for (let n = 0; n < columns; ++n) {
        const [at, value] = [key.x * columns + n, strip.planes.own[n]!];
        if (Math.abs(value) > Math.abs(own[at]!)) own[at] = value;
        busy[at] = Math.max(busy[at]!, strip.planes.busy[n]!);
      }
    }
    return { own, busy };
  }

  // Of the report where it has instances, so that the scale is that of the run from the first picture on.
  private compute_largest(): number {
    const report = this.store.report.value;
    const all = [...(report?.rows ?? []), ...(report?.findings ?? [])].flatMap((each) => each.instances ?? []);
    if (all.length > 0) return Math.max(1, ...all.map((each) => Math.abs(steps_of(each.own_ps))));
    return this.worst.value.own.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  }
}

