// All that a picture of the lanes depends on, as a value.

import type { Lane, Meta, Operation, TimeMap } from "../data/api_types";
import type { StripKey } from "../data/strip_cache";
import type { Box, Strip } from "../data/strips";
import type { ViewState } from "../state/view_state";
import type { Layout } from "./lane_layout";
import type { Theme } from "./palette";
import type { Grid, Scale } from "./scale";
import type { StripStyle } from "./strip_image";

export type Scene = {
  scale: Scale;
  grid: Grid;
  span: number;
  layout: Layout;
  top: number; // first pixel of the layout that is visible
  height: number;
  state: ViewState;
  theme: Theme;
  meta: Pick<Meta, "kinds" | "calls" | "against">;
  largest: number; // steps of the largest excess of the run
  strip(key: StripKey): { strip: Strip; level: number } | undefined;
  image(strip: Strip, style: StripStyle): unknown;
  exact(rank: number, operation: number): Operation | undefined;
  time_map(lane: Lane): TimeMap;
};

export type DrawnBox = { lane: number; box: Box; x: number; width: number };

export function grid_of(meta: Pick<Meta, "base_ps" | "columns_log2" | "most_level">): Grid {
  return { base: meta.base_ps, columns_log2: meta.columns_log2, most_level: meta.most_level };
}

// The lane whose bars a lane shows: of a fold, whose strips have columns only, its worst rank.
export function lane_of_bars(lane: Lane): number {
  return lane.kind === "fold" ? (lane.worst_rank ?? lane.lane) : lane.lane;
}
