// Exact times of the operations whose bars are wide enough to show their parts.

import { wide_boxes } from "../draw/painter";
import type { Scene } from "../draw/scene";
import { ranges_text } from "../data/strip_cache";
import type { OperationsPage } from "../data/api_types";
import type { Store } from "../state/store";
import { key_of } from "../state/view_state";

const kMostPages = 4;
const kMostKept = 50_000;
const kDelay = 120; // ms that the view has to stand still

export class ExactTimes {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private asked = "";

  constructor(private store: Store) {}

  // Looks at the scene when no other has come for a while.
  want(scene: Scene): void {
    if (!scene.meta.against && !["bytes", "peer", "tag", "file"].includes(scene.state.colour)) return;
    if (this.timer !== null) clearTimeout(this.timer);
    else this.store.activity.begin();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.ask(scene);
      this.store.activity.end();
    }, kDelay);
  }

  private ask(scene: Scene): void {
    const missing = wide_boxes(scene).filter((box) => !scene.exact(box.rank, box.operation));
    if (missing.length === 0) return;
    const lanes = ranges_text([...new Set(missing.map((box) => box.rank))].sort((a, b) => a - b));
    const query = { t0: Math.floor(scene.scale.begin), t1: Math.ceil(scene.scale.end), lanes, sort: "observed" };
    const name = JSON.stringify(query);
    if (name === this.asked) return; // the longest are there; the others stay approximate
    this.asked = name;
    void this.store.activity.during(this.load(query, missing.length));
  }

  private async load(query: Record<string, string | number>, count: number): Promise<void> {
    const { exact, source } = this.store;
    if (exact.size > kMostKept) exact.clear();
    try {
      for (let page = 0; page < kMostPages; ++page) {
        const answer = await source.get<OperationsPage>("operations", { ...query, page });
        for (const op of answer.operations) exact.set(key_of(op.rank, op.operation), op);
        if (page + 1 >= answer.pages || 200 * (page + 1) >= 2 * count) break;
      }
    } catch (error) {
      this.store.trouble.value = (error as Error).message;
    }
    this.store.exact_version.value = this.store.exact_version.peek() + 1;
  }
}
