// The colours of a strip's columns as pixels: a row that is stretched over the lane.

import { kNothing, type Planes, type Strip } from "../data/strips";
import { excess_class, kind_colour, rgb, type Theme } from "./palette";

export type StripStyle =
  | { form: "excess"; largest: number; theme: Theme }
  | { form: "kind"; kinds: readonly string[]; hidden: readonly string[]; theme: Theme }
  | { form: "busy"; theme: Theme; rows: number }
  | { form: "difference"; largest: number; theme: Theme; rows: number }
  | { form: "plain"; theme: Theme };

export type Pixels = { width: number; height: number; data: Uint8ClampedArray };

export function style_key(style: StripStyle): string {
  const { theme, ...rest } = style;
  return JSON.stringify([theme.name, rest]);
}

function put(data: Uint8ClampedArray, at: number, colour: readonly number[], alpha: number): void {
  data[4 * at] = colour[0]!;
  data[4 * at + 1] = colour[1]!;
  data[4 * at + 2] = colour[2]!;
  data[4 * at + 3] = Math.round(255 * alpha);
}

// A column with a little time in calls stays visible.
function share(busy: number): number {
  return 0.3 + 0.7 * (busy / 255);
}

function excess_row(planes: Planes, largest: number, theme: Theme, data: Uint8ClampedArray): void {
  const ramp = theme.ramp.map(rgb);
  planes.own.forEach((own, n) => {
    if (planes.kind[n] === kNothing) return;
    const level = excess_class(own, largest);
    put(data, n, ramp[4 + level]!, level === 0 ? share(planes.busy[n]!) : 1);
  });
}

function kind_row(planes: Planes, style: StripStyle & { form: "kind" }, data: Uint8ClampedArray): void {
  const colours = style.kinds.map((kind) => (style.hidden.includes(kind) ? null : rgb(kind_colour(kind, style.theme))));
  planes.kind.forEach((kind, n) => {
    const colour = kind === kNothing ? null : colours[kind];
    if (colour) put(data, n, colour, style.kinds[kind] === "compute" ? 1 : share(planes.busy[n]!));
  });
}

function plain_row(planes: Planes, theme: Theme, data: Uint8ClampedArray): void {
  const colour = rgb(theme.busy);
  planes.busy.forEach((busy, n) => {
    if (busy > 0) put(data, n, colour, share(busy) * 0.6);
  });
}

// Bars from the bottom, as high as the share of time that is busy.
function busy_bars(planes: Planes, rows: number, theme: Theme, data: Uint8ClampedArray): void {
  const colour = rgb(theme.busy);
  const columns = planes.busy.length;
  planes.busy.forEach((busy, n) => {
    const height = busy === 0 ? 0 : Math.max(1, Math.round((busy / 255) * rows));
    for (let row = rows - height; row < rows; ++row) put(data, row * columns + n, colour, 1);
  });
}

// Lost time up from the middle, gained time down from it.
function difference_bars(planes: Planes, largest: number, rows: number, theme: Theme, data: Uint8ClampedArray): void {
  const ramp = theme.ramp.map(rgb);
  const half = rows / 2;
  const columns = planes.own.length;
  planes.own.forEach((own, n) => {
    const level = excess_class(own, largest);
    const height = Math.ceil((Math.abs(level) / 4) * half);
    for (let row = 0; row < height; ++row) {
      put(data, (level > 0 ? half - 1 - row : half + row) * columns + n, ramp[4 + level]!, 1);
    }
  });
}

export function strip_pixels(strip: Strip, style: StripStyle): Pixels {
  const height = "rows" in style ? style.rows : 1;
  const data = new Uint8ClampedArray(4 * strip.columns * height);
  if (style.form === "excess") excess_row(strip.planes, style.largest, style.theme, data);
  if (style.form === "kind") kind_row(strip.planes, style, data);
  if (style.form === "plain") plain_row(strip.planes, style.theme, data);
  if (style.form === "busy") busy_bars(strip.planes, style.rows, style.theme, data);
  if (style.form === "difference") difference_bars(strip.planes, style.largest, style.rows, style.theme, data);
  return { width: strip.columns, height, data };
}
