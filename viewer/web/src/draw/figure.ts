// The visible lanes with their names, the axis and a title: the picture that is exported.

import type { Context } from "./context";
import { axis_time } from "./format";
import { visible } from "./lane_layout";
import { paint_overlay, type Overlay } from "./overlay";
import { paint_lanes } from "./painter";
import { ticks, x_of } from "./scale";
import type { Scene } from "./scene";

export const kLabels = 150; // pixels
export const kHead = 52;

export type Figure = { scene: Scene; overlay: Overlay; title: string };

// Paints with the origin at (x, y), nothing outside of the rectangle.
export type Placed = (x: number, y: number, width: number, height: number, paint: () => void) => void;

export function figure_size(figure: Figure): { width: number; height: number } {
  const { scene } = figure;
  const height = Math.min(scene.height, Math.max(0, scene.layout.height - scene.top));
  return { width: kLabels + scene.scale.width, height: kHead + height };
}

function paint_names(context: Context, { scene }: Figure): void {
  context.textBaseline = "middle";
  for (const row of visible(scene.layout, scene.top, scene.height)) {
    const is_group = row.type === "group";
    if (!is_group && row.height < 9) continue;
    const middle = row.y - scene.top + row.height / 2;
    context.font = is_group ? "bold 11px sans-serif" : "11px sans-serif";
    context.textAlign = is_group ? "left" : "right";
    context.fillStyle = is_group ? scene.theme.soft : scene.theme.ink;
    context.fillText(is_group ? row.name : row.lane.name, is_group ? 6 : kLabels - 8, middle);
  }
}

function paint_head(context: Context, { scene, title }: Figure): void {
  context.fillStyle = scene.theme.ink;
  context.font = "bold 13px sans-serif";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(title, 6, 14);
  const times = ticks(scene.scale, 110);
  const step = times.length > 1 ? times[1]! - times[0]! : scene.scale.end - scene.scale.begin;
  context.font = "11px sans-serif";
  context.fillStyle = scene.theme.soft;
  for (const time of times) context.fillText(axis_time(time, step), kLabels + x_of(scene.scale, time) + 3, kHead - 10);
}

export function paint_figure(context: Context, figure: Figure, place: Placed): void {
  const { scene } = figure;
  const { width, height } = figure_size(figure);
  context.fillStyle = scene.theme.paper;
  context.fillRect(0, 0, width, height);
  paint_head(context, figure);
  place(0, kHead, kLabels, height - kHead, () => paint_names(context, figure));
  place(kLabels, kHead, scene.scale.width, height - kHead, () => {
    paint_lanes(context, scene);
    paint_overlay(context, { ...figure.overlay, pointer: null });
  });
}
