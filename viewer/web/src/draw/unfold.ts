// Ranks of a fold as lanes of their own: all of a fold that was opened, and single ones that something points at. The
// worst rank of a fold is what its lane shows already.

import type { Lane } from "../data/api_types";
import { holds, ranks_of } from "./lane_layout";

function lane_of(rank: number, fold: Lane): Lane {
  return { lane: rank, kind: "rank", name: String(rank), node: fold.node ?? "", ranks: 1, note: "" };
}

export function unfolded(lanes: readonly Lane[], opened: readonly number[], ranks: readonly number[]): Lane[] {
  const there = new Set(lanes.filter((lane) => lane.kind === "rank").map((lane) => lane.lane));
  return lanes.flatMap((lane) => {
    if (lane.kind !== "fold") return [lane];
    if (opened.includes(lane.lane)) return [lane, ...ranks_of(lane.members ?? "").map((rank) => lane_of(rank, lane))];
    const wanted = [...new Set(ranks)].filter((rank) => rank !== lane.worst_rank && !there.has(rank) && holds(lane.members ?? "", rank));
    return [lane, ...wanted.sort((a, b) => a - b).map((rank) => lane_of(rank, lane))];
  });
}
