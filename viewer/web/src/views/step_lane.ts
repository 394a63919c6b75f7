// From the selected operation to what the lane above or below does at that time.

import type { At, Operation } from "../data/api_types";
import { row_of_rank, type LaneRow } from "../draw/lane_layout";
import { select, sentence_of, step_operation } from "../state/actions";
import type { Picture } from "./picture";

function neighbour(picture: Picture, rank: number, by: number): LaneRow | undefined {
  const rows = picture.layout.peek().rows.filter((row): row is LaneRow => row.type === "lane" && row.lane.kind !== "component");
  const own = row_of_rank(picture.layout.peek(), rank);
  return own && rows[rows.indexOf(own) + by];
}

export async function step_lane(picture: Picture, by: number): Promise<void> {
  const { store, asked } = picture;
  const op = asked.detail.peek().data;
  if (!op || !store.view.peek().selected) return step_operation(store, 0);
  const row = neighbour(picture, op.rank, by);
  if (!row) return;
  const middle = Math.round(op.begin_ps + op.observed_ps / 2);
  const ask = (t0: number, t1: number) =>
    store.activity.during(store.source.get<At>("at", { lane: row.lane.lane, t0: Math.max(0, Math.floor(t0)), t1: Math.ceil(t1) }));
  let next: Operation | undefined = (await ask(middle, middle + 1)).operations[0];
  next ??= (await ask(op.begin_ps - op.observed_ps, op.begin_ps + 2 * op.observed_ps)).operations[0];
  if (!next) return store.say(`Lane ${row.lane.name} has no operation at this time`);
  select(store, next);
  store.say(sentence_of(next));
}
