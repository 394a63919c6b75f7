// The picture of the lanes: what it is made of, when it is drawn, and what lies at a pixel.

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { At, Operation, OperationDetail } from "../data/api_types";
import type { Box } from "../data/strips";
import type { StripKey } from "../data/strip_cache";
import type { Context } from "../draw/context";
import { free_range } from "../draw/free_row";
import type { ServedLane } from "../draw/io_arrows";
import { layout, row_at, row_of_rank, visible, type LaneRow, type Layout } from "../draw/lane_layout";
import { paint_overlay, type Overlay, type Pin } from "../draw/overlay";
import { paint_lanes } from "../draw/painter";
import { kThemes, type Theme } from "../draw/palette";
import { level_of, strips_of, time_at_pixel, time_of, x_of, type Scale } from "../draw/scale";
import { grid_of, lane_of_bars, type Scene } from "../draw/scene";
import { kSameTime, observed_of } from "../draw/time_map";
import { time_map_of, type Questions, type RankMaps } from "../state/questions";
import type { Store } from "../state/store";
import { key_of, type OperationId } from "../state/view_state";
import { findings_of, instances_of } from "../state/actions";
import { ExactTimes } from "./exact_times";
import { Images } from "./images";
import { Overview } from "./overview";

export type Hit = { row: LaneRow; time: number; id: OperationId | null; box: Box | null };

export class Picture {
  readonly size: Signal<{ width: number; height: number }> = signal({ width: 0, height: 0 });
  readonly top = signal(0);
  readonly pointer: Signal<number | null> = signal(null);
  readonly layout: ReadonlySignal<Layout>;
  readonly theme: ReadonlySignal<Theme>;
  readonly scale: ReadonlySignal<Scale>;
  readonly overview: Overview;
  private images = new Images();
  private exact: ExactTimes;

  constructor(
    readonly store: Store,
    readonly asked: Questions,
    private maps: RankMaps,
    dark: ReadonlySignal<boolean>,
  ) {
    this.layout = computed(() => layout(asked.shown_lanes.value, store.view.value, !!store.meta.value?.against));
    this.theme = computed(() => {
      const choice = store.theme.value;
      return kThemes[choice === "auto" ? (dark.value ? "dark" : "light") : choice];
    });
    this.scale = computed(() => ({ ...store.range.value, width: Math.max(1, this.size.value.width) }));
    this.overview = new Overview(store);
    this.exact = new ExactTimes(store);
  }

  scene(): Scene | null {
    const { store } = this;
    const meta = store.meta.value;
    if (!meta || this.size.value.width === 0) return null;
    const cache = store.loader.cache;
    return {
      scale: this.scale.value,
      grid: grid_of(meta),
      span: store.span.value,
      layout: this.layout.value,
      top: this.top.value,
      height: this.size.value.height,
      state: store.view.value,
      theme: this.theme.value,
      meta,
      largest: this.overview.largest.value,
      strip: (key) => cache.closest(key),
      image: (strip, style) => this.images.of(strip, style),
      exact: (rank, operation) => store.exact.get(key_of(rank, operation)),
      time_map: (lane) => time_map_of(store, this.asked, this.maps, lane),
    };
  }

  overlay(): Overlay | null {
    const scene = this.scene();
    if (!scene) return null;
    const { asked, store } = this;
    const view = store.view.value;
    const op = asked.detail.value.data;
    const is_selected = op && view.selected?.rank === op.rank && view.selected.operation === op.operation;
    return {
      scale: scene.scale,
      layout: scene.layout,
      top: scene.top,
      height: scene.height,
      theme: scene.theme,
      selected: is_selected
        ? { rank: op.rank, begin: op.begin_ps, end: op.begin_ps + op.observed_ps, inside: op.inside, served: this.served(scene, op) }
        : null,
      pins: this.pins(),
      messages: view.mode === "matched" ? [] : (asked.messages.value.data?.messages ?? []),
      chain: asked.causes.value.data?.steps ?? [],
      path: asked.path.value.data?.pieces ?? [],
      ruler: view.ruler,
      ticks: asked.search.value.data?.ticks ?? [],
      pointer: this.pointer.value,
    };
  }

  // Components that worked for files while the operation was expected to run, where their lanes have that time.
  private served(scene: Scene, op: OperationDetail): ServedLane[] {
    return (op.served_by ?? []).flatMap((each) => {
      const row = scene.layout.rows.find((row) => row.type === "lane" && row.lane.lane === each.lane);
      if (row?.type !== "lane") return [];
      const map = scene.time_map(row.lane);
      return [{ ...each, begin: observed_of(map, each.begin_ps), end: observed_of(map, each.end_ps) }];
    });
  }

  // Of all findings their worst instances; of the current finding the one that is looked at.
  pins(): Pin[] {
    const { finding, instance } = this.store.view.value;
    return findings_of(this.store).flatMap((each, n) => {
      const all = instances_of(each);
      const one = n === finding ? (all[instance] ?? all[0]) : all[0];
      if (!one) return [];
      return [{ rank: one.rank, begin: one.begin_ps, end: one.begin_ps + Math.max(0, one.own_ps), number: n + 1, current: n === finding }];
    });
  }

  private wanted(scene: Scene): StripKey[] {
    const level = level_of(scene.scale, scene.grid);
    const [first, last] = strips_of(scene.scale, level, scene.grid, 1);
    const keys: StripKey[] = [];
    for (const row of visible(scene.layout, scene.top - 100, scene.height + 200)) {
      if (row.type !== "lane") continue;
      const lane = row.lane.lane;
      const component = row.lane.kind === "component";
      const lanes = component ? [] : new Set([lane, lane_of_bars(row.lane)]);
      for (const each of lanes) for (let x = first; x <= last; ++x) keys.push({ source: "obs", level, x, lane: each });
      if (component || row.heights.free > 0) this.want_free(scene, keys, "free", row);
      if (row.heights.whatif > 0) this.want_free(scene, keys, `whatif-${scene.state.whatif}`, row);
    }
    return keys;
  }

  private want_free(scene: Scene, keys: StripKey[], source: string, row: LaneRow): void {
    const map = source === "free" ? scene.time_map(row.lane) : kSameTime;
    const level = level_of(scene.scale, scene.grid);
    const range = free_range(map, scene.scale.begin, scene.scale.end);
    const [first, last] = strips_of(range, level, scene.grid, 1);
    for (const lane of new Set([row.lane.lane, lane_of_bars(row.lane)])) {
      for (let x = first; x <= last; ++x) keys.push({ source, level, x, lane });
    }
  }

  // Draws again in the next frame whenever something that is drawn has changed.
  follow(contexts: () => { lanes: Context; overlay: Context; clear(): void } | null): () => void {
    let waiting = false;
    const draw = () => {
      waiting = false;
      const scene = this.scene();
      const targets = contexts();
      const overlay = this.overlay();
      if (scene && targets && overlay) {
        targets.clear();
        paint_lanes(targets.lanes, scene);
        paint_overlay(targets.overlay, overlay);
        this.store.loader.want([...this.overview.wanted(), ...this.wanted(scene)]);
        this.exact.want(scene);
      }
      this.store.activity.end();
    };
    return effect(() => {
      this.store.strips_version.value;
      this.store.exact_version.value;
      if (!this.scene()) return;
      this.overlay();
      if (waiting) return;
      waiting = true;
      this.store.activity.begin();
      requestAnimationFrame(draw);
    });
  }

  private box_at(scene: Scene, row: LaneRow, time: number): Box | null {
    const level = level_of(scene.scale, scene.grid);
    const [x] = strips_of({ begin: time, end: time + 1 }, level, scene.grid);
    const found = scene.strip({ source: "obs", level, x, lane: lane_of_bars(row.lane) });
    if (found?.level !== level) return null;
    const least = 3 * ((scene.scale.end - scene.scale.begin) / scene.scale.width);
    const under = (box: Box) => box.begin <= time && time < box.begin + box.observed && box.observed >= least;
    return found.strip.boxes?.filter(under).sort((a, b) => b.own - a.own)[0] ?? null;
  }

  row_at(y: number): LaneRow | null {
    const row = row_at(this.layout.value, y + this.top.value);
    return row?.type === "lane" ? row : null;
  }

  // What was drawn at a pixel of the canvas: of a column that stands for many operations, its worst.
  async hit(x: number, y: number): Promise<Hit | null> {
    const scene = this.scene();
    const row = this.row_at(y);
    if (!scene || !row) return null;
    const time = time_of(scene.scale, x);
    if (row.lane.kind === "component") return { row, time, id: null, box: null };
    const box = this.box_at(scene, row, time);
    if (box) return { row, time, id: box, box };
    const range = time_at_pixel(scene.scale, x, scene.grid);
    const query = { lane: row.lane.lane, t0: range.begin, t1: range.end };
    const at = await this.store.activity.during(this.store.source.get<At>("at", query));
    return { row, time, id: at.worst_own_operation ?? at.operations[0] ?? null, box: null };
  }

  // Of an operation on the canvas; null where its lane is not shown.
  pixels_of(op: Operation): { x: number; y: number; width: number; height: number } | null {
    const row = row_of_rank(this.layout.value, op.rank);
    if (!row) return null;
    const x = x_of(this.scale.value, op.begin_ps);
    const width = x_of(this.scale.value, op.begin_ps + op.observed_ps) - x;
    return { x, y: row.y - this.top.value, width, height: row.heights.main };
  }

  // The same of the expected operation, where the alignment places it.
  free_pixels_of(op: Operation): { x: number; y: number; width: number; height: number } | null {
    const row = row_of_rank(this.layout.value, op.rank);
    const scene = this.scene();
    if (!row || !scene) return null;
    const place = (free: number) => x_of(scene.scale, observed_of(scene.time_map(row.lane), free));
    const x = place(op.free_begin_ps);
    const width = place(op.free_begin_ps + op.free_ps) - x;
    return { x, y: row.y - this.top.value + row.heights.main, width, height: row.heights.free };
  }
}
