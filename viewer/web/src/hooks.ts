// window.plumbline: what tests of the page, and people at the console, may ask.

import type { Operation } from "./data/api_types";
import { encode, type OperationId, type ViewState } from "./state/view_state";
import type { Page } from "./views/page";
import { svg_of } from "./views/export_picture";

export type Pixels = { x: number; y: number; width: number; height: number };

export type Hooks = {
  idle(): Promise<void>; // no request, timer or frame is pending
  pixelOf(rank: number, operation: number): Promise<Pixels | null>; // in pixels of the window; null: its lane is not shown
  freePixelOf(rank: number, operation: number): Promise<Pixels | null>; // of the expected operation, as the alignment places it
  hit(x: number, y: number): Promise<(OperationId & { lane: number }) | { lane: number } | null>;
  state(): ViewState;
  link(): string | null;
  svg(): string | null;
};

export function hooks({ store, picture, ...more }: Page): Hooks {
  const box = () => document.querySelector(".canvas-box")!.getBoundingClientRect();
  const in_window = (pixels: Pixels | null) => {
    const { left, top } = box();
    return pixels && { ...pixels, x: pixels.x + left, y: pixels.y + top };
  };
  const read = (rank: number, operation: number) =>
    store.activity.during(store.source.get<Operation>(`operation/${rank}/${operation}`));
  return {
    idle: () => store.activity.idle(),
    pixelOf: async (rank, operation) => in_window(picture.pixels_of(await read(rank, operation))),
    freePixelOf: async (rank, operation) => in_window(picture.free_pixels_of(await read(rank, operation))),
    async hit(x, y) {
      const { left, top } = box();
      const hit = await picture.hit(x - left, y - top);
      if (!hit) return null;
      const lane = hit.row.lane.lane;
      return hit.id ? { lane, rank: hit.id.rank, operation: hit.id.operation } : { lane };
    },
    state: () => store.view.peek(),
    link: () => store.source.link(encode(store.view.peek())),
    svg: () => svg_of({ store, picture, ...more }),
  };
}
