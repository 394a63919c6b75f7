// What is loaded for the view as it is now.

import { computed, type ReadonlySignal } from "@preact/signals";
import type {
  Causes, CriticalPath, Lane, Messages, OperationDetail, OperationsPage, SearchAnswer, TimeMap, Waterfall, WhatifRun,
} from "../data/api_types";
import { resource, type Loaded } from "../data/resource";
import { ranges_text } from "../data/strip_cache";
import { kSameTime, shift_map } from "../draw/time_map";
import { unfolded } from "../draw/unfold";
import type { Store } from "./store";
import type { Mode } from "./view_state";

export type Sort = "own" | "inherited" | "begin" | "observed" | "bytes";

export type Questions = {
  detail: ReadonlySignal<Loaded<OperationDetail>>;
  causes: ReadonlySignal<Loaded<Causes>>;
  path: ReadonlySignal<Loaded<CriticalPath>>;
  messages: ReadonlySignal<Loaded<Messages>>;
  search: ReadonlySignal<Loaded<SearchAnswer>>;
  waterfall: ReadonlySignal<Loaded<Waterfall>>;
  whatif_waterfall: ReadonlySignal<Loaded<Waterfall>>; // of the what-if run that is shown
  phases: ReadonlySignal<Loaded<{ phases: TimeMap[] }>>;
  shown_lanes: ReadonlySignal<Lane[]>;
};

// Alignments that stretch the expected run between common synchronisations, at least for components, which exist in
// that run only.
const kPhased: Mode[] = ["place", "phase", "matched"];

const kSettled = { delay: 150 }; // ms, of what follows the range in view

export function questions(store: Store): Questions {
  const { activity, source, view } = store;
  const ready = () => store.meta.value !== null;
  const selected = () => (ready() ? view.value.selected : null);
  const range = () => ({ t0: store.range.value.begin, t1: store.range.value.end });

  const detail = resource(activity, selected, ({ rank, operation }) =>
    source.get<OperationDetail>(`operation/${rank}/${operation}`),
  );
  const causes = resource(
    activity,
    () => (view.value.blame ? selected() : null),
    ({ rank, operation }) => source.get<Causes>(`causes/${rank}/${operation}`),
    { keep: false },
  );
  const path = resource(
    activity,
    () => (ready() && view.value.path !== "off" ? view.value.path : null),
    (s) => source.get<CriticalPath>("path", { s }),
    { keep: false },
  );
  const shown_lanes = computed(() => {
    const pointed = [view.value.selected?.rank, ...(causes.value.data?.steps ?? []).map((step) => step.rank)];
    const ranks = pointed.filter((rank): rank is number => rank !== undefined);
    return unfolded(store.lanes.value.data?.lanes ?? [], view.value.opened, ranks);
  });
  const messages = resource(
    activity,
    () => (ready() && view.value.messages && view.value.mode !== "matched" ? range() : null),
    (query) => source.get<Messages>("messages", { ...query, lanes: rank_lanes(shown_lanes.peek()) }),
    kSettled,
  );
  const search = resource(
    activity,
    () => (ready() && view.value.search ? view.value.search : null),
    (q) => source.get<SearchAnswer>("search", { q, dir: "next" }),
    { ...kSettled, keep: false },
  );
  const waterfall = resource(
    activity,
    () => (ready() ? range() : null),
    (query) => source.get<Waterfall>("aggregate/waterfall", query),
    kSettled,
  );
  // Where the whole run is in view, all of the what-if run, which may be longer.
  const whatif_waterfall = resource(
    activity,
    () => (ready() && whatif_shown(store) ? { ...(view.value.range ? range() : {}), s: `whatif-${view.value.whatif}` } : null),
    (query) => source.get<Waterfall>("aggregate/waterfall", query),
    kSettled,
  );
  const phases = resource(
    activity,
    () => (ready() && store.meta.value!.against && kPhased.includes(view.value.mode) ? "all" : null),
    (by) => source.get<{ phases: TimeMap[] }>("phases", { by }),
  );
  return { detail, causes, path, messages, search, waterfall, whatif_waterfall, phases, shown_lanes };
}

// The run whose lanes are drawn; it has times as soon as it is done.
export function whatif_shown(store: Store): WhatifRun | null {
  const run = store.whatif_runs.value.find((each) => each.run === store.view.value.whatif);
  return run?.state === "done" ? run : null;
}

export function rank_lanes(lanes: readonly Lane[]): string {
  const ranks = lanes.filter((lane) => lane.kind !== "component").map((lane) => lane.lane);
  return ranges_text([...new Set(ranks)].sort((a, b) => a - b));
}

// Maps of single ranks, for the alignment by matched operations; asked for as their lanes come into view.
export class RankMaps {
  private maps = new Map<number, TimeMap | null>();

  constructor(private store: Store) {}

  of(rank: number): TimeMap {
    const map = this.maps.get(rank);
    if (map === undefined) {
      this.maps.set(rank, null);
      void this.store.activity.during(this.load(rank));
    }
    return map ?? kSameTime;
  }

  private async load(rank: number): Promise<void> {
    try {
      const { phases } = await this.store.source.get<{ phases: TimeMap[] }>(`phases/${rank}`);
      this.maps.set(rank, phases[0] ?? kSameTime);
      this.store.strips_version.value = this.store.strips_version.peek() + 1;
    } catch (error) {
      this.store.trouble.value = (error as Error).message;
    }
  }
}

export function time_map_of(store: Store, asked: Questions, maps: RankMaps, lane: Lane): TimeMap {
  const { mode, shift } = store.view.value;
  if (mode === "shift") return shift_map(shift);
  if (mode === "phase" || (lane.kind === "component" && kPhased.includes(mode))) return asked.phases.value.data?.phases[0] ?? kSameTime;
  if (mode === "matched") return maps.of(lane.worst_rank ?? lane.lane);
  return kSameTime;
}

export type OperationsQuery = { sort: Sort; page: number; filter: string };

// The table below the timeline: the range in view, filtered by what the waterfall selects.
export async function read_operations(store: Store, query: OperationsQuery): Promise<OperationsPage> {
  const { begin, end } = store.range.peek();
  return store.source.get<OperationsPage>("operations", { t0: begin, t1: end, ...query });
}

