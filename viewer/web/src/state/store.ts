// Everything that the views read. The view state is the only thing that a user changes; the rest is loaded for it.

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { Activity } from "../data/activity";
import type { Lane, Meta, Operation, Report, WhatifRun } from "../data/api_types";
import { resource, type Loaded } from "../data/resource";
import type { Source } from "../data/source";
import { StripCache } from "../data/strip_cache";
import { StripLoader } from "../data/strip_loader";
import type { ThemeName } from "../draw/palette";
import { clamped } from "../draw/scale";
import { begin, redo, step, undo, type History } from "./history";
import { decode, encode, kDefault, type TimeRange, type ViewState } from "./view_state";

export type ThemeChoice = ThemeName | "auto";

export class Store {
  readonly view: Signal<ViewState>;
  readonly meta: Signal<Meta | null> = signal(null);
  readonly report: Signal<Report | null> = signal(null);
  readonly fatal: Signal<string> = signal(""); // why nothing can be shown
  readonly trouble: Signal<string> = signal(""); // the last request that failed
  readonly spoken: Signal<string> = signal(""); // what a screen reader says next
  readonly theme: Signal<ThemeChoice> = signal("auto");
  readonly newer: Signal<boolean> = signal(false); // the address is of a later version
  readonly whatif_runs: Signal<WhatifRun[]> = signal([]);
  readonly strips_version = signal(0); // counts arrivals
  readonly exact_version = signal(0);
  readonly exact = new Map<number, Operation>(); // exact times by key_of(rank, operation)
  readonly activity = new Activity();
  readonly loader: StripLoader;
  readonly lanes: ReadonlySignal<Loaded<{ lanes: Lane[] }>>;
  readonly range: ReadonlySignal<TimeRange>;
  readonly span: ReadonlySignal<number>;

  private ranges: History<TimeRange | null>;
  private last_gesture = { name: "", time: 0 };

  constructor(
    readonly source: Source,
    fragment: string,
  ) {
    const { state, newer } = decode(fragment);
    this.view = signal(state);
    this.newer.value = newer;
    this.ranges = begin(state.range);
    this.span = computed(() => Math.max(1000, this.meta.value?.span_ps ?? 1000));
    this.range = computed(() => clamped(this.view.value.range ?? { begin: 0, end: this.span.value }, this.span.value));
    this.loader = new StripLoader(
      source,
      this.activity,
      new StripCache(),
      () => this.meta.peek()?.key ?? "",
      () => (this.strips_version.value = this.strips_version.peek() + 1),
      (error) => (this.trouble.value = error.message),
    );
    this.lanes = resource(
      this.activity,
      () => {
        const { fold, order, lanes } = this.view.value;
        return this.meta.value && { fold, order, filter: lanes };
      },
      (query) => this.source.get<{ lanes: Lane[] }>("lanes", query),
    );
  }

  async open(): Promise<void> {
    try {
      const meta = await this.activity.during(this.source.get<Meta>("meta"));
      this.report.value = meta.against === null ? null : await this.activity.during(this.read_report());
      this.meta.value = meta;
    } catch (error) {
      this.fatal.value = (error as Error).message;
    }
  }

  private async read_report(): Promise<Report | null> {
    return this.source.get<Report | null>("report").catch((error: Error) => {
      this.trouble.value = error.message;
      return null;
    });
  }

  set(change: Partial<ViewState>): void {
    this.view.value = { ...this.view.peek(), ...change };
  }

  // Changes of one gesture (equal names within half a second) are undone together.
  set_range(range: TimeRange | null, gesture = ""): void {
    const span = this.span.peek();
    const next = range && clamped(range, span);
    const whole = next && next.begin === 0 && next.end === span ? null : next;
    const now = Date.now();
    const joins = gesture !== "" && gesture === this.last_gesture.name && now - this.last_gesture.time < 500;
    this.last_gesture = { name: gesture, time: now };
    this.ranges = step(this.ranges, whole, joins);
    this.set({ range: whole });
  }

  undo(): void {
    this.ranges = undo(this.ranges);
    this.last_gesture.name = "";
    this.set({ range: this.ranges.present });
  }

  redo(): void {
    this.ranges = redo(this.ranges);
    this.last_gesture.name = "";
    this.set({ range: this.ranges.present });
  }

  // An address that was pasted while the page is open.
  open_address(fragment: string): void {
    const { state, newer } = decode(fragment);
    this.newer.value = newer;
    this.ranges = step(this.ranges, state.range);
    this.view.value = state;
  }

  say(text: string): void {
    this.spoken.value = text;
  }
}

// Keeps the address up to date; at most every 200 ms, as browsers want it.
export function follow_address(store: Store, address: Location, replace: (fragment: string) => void): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    const fragment = encode(store.view.value);
    if (fragment === address.hash.slice(1) || timer !== null) return;
    if (fragment === encode(kDefault) && address.hash === "") return;
    store.activity.begin();
    timer = setTimeout(() => {
      timer = null;
      replace(encode(store.view.peek()));
      store.activity.end();
    }, 200);
  });
}
