// What is drawn over the lanes: selection, pins, arrows, path, ruler, hits of a search.

import type { CauseStep, Message, PathPiece } from "../data/api_types";
import type { TimeRange } from "../state/view_state";
import { lines, type Context } from "./context";
import { circled, duration } from "./format";
import { io_arrows, type IoCall, type ServedLane } from "./io_arrows";
import { row_of_rank, type Layout, type LaneRow } from "./lane_layout";
import type { Theme } from "./palette";
import { x_of, type Scale } from "./scale";

export type Pin = { rank: number; begin: number; end: number; number: number; current: boolean };

// `inside`: the messages and POSIX calls that the library made within the call.
export type Selected = {
  rank: number;
  begin: number;
  end: number;
  inside: readonly IoCall[];
  served: readonly ServedLane[];
};

export type Overlay = {
  scale: Scale;
  layout: Layout;
  top: number;
  height: number;
  theme: Theme;
  selected: Selected | null;
  pins: readonly Pin[];
  messages: readonly Message[];
  chain: readonly CauseStep[];
  path: readonly PathPiece[];
  ruler: TimeRange | null;
  ticks: readonly number[];
  pointer: number | null; // x
};

function row_y(overlay: Overlay, row: LaneRow): { top: number; middle: number; height: number } {
  const top = row.y - overlay.top;
  return { top, middle: top + row.heights.main / 2, height: row.heights.main };
}

function label(context: Context, theme: Theme, text: string, x: number, y: number, colour: string): void {
  context.font = "bold 12px system-ui, 'DejaVu Sans', sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.paper;
  context.fillRect(x - 8, y - 8, 16, 16);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Ticks along the lower edge of the bar, which may overlap: a pixel at least.
function paint_inside(context: Context, overlay: Overlay, { inside }: Selected, bottom: number): void {
  context.fillStyle = overlay.theme.accent;
  for (const { begin_ps, end_ps } of inside) {
    const x = x_of(overlay.scale, begin_ps);
    const width = x_of(overlay.scale, end_ps) - x;
    if (x < overlay.scale.width && x + width > 0) context.fillRect(x, bottom - 4, Math.max(1, width), 4);
  }
}

function paint_io(context: Context, overlay: Overlay, selected: Selected, bottom: number): void {
  const { scale, layout, theme } = overlay;
  const place = { x: (time: number) => x_of(scale, time), y: (row: LaneRow) => row_y(overlay, row).middle };
  const arrows = io_arrows({ ...selected, bottom }, selected.inside, selected.served, layout, place);
  lines(context, theme.accent, 1, arrows);
  for (const [x1, , x2, y2] of arrows) arrow_head(context, theme.accent, x2!, y2!, x1! <= x2!);
}

function paint_selected(context: Context, overlay: Overlay): void {
  const selected = overlay.selected;
  const row = selected && row_of_rank(overlay.layout, selected.rank);
  if (!selected || !row) return;
  const { top, height } = row_y(overlay, row);
  const x = x_of(overlay.scale, selected.begin);
  const width = Math.max(3, x_of(overlay.scale, selected.end) - x);
  if (width > 30) paint_inside(context, overlay, selected, top + height);
  paint_io(context, overlay, selected, top + height);
  context.setLineDash([]);
  context.strokeStyle = overlay.theme.paper;
  context.lineWidth = 4;
  context.strokeRect(x - 1, top - 1, width + 2, height + 2);
  context.strokeStyle = overlay.theme.accent;
  context.lineWidth = 2;
  context.strokeRect(x - 1, top - 1, width + 2, height + 2);
}

function paint_pins(context: Context, overlay: Overlay): void {
  for (const pin of [...overlay.pins].sort((a, b) => Number(a.current) - Number(b.current))) {
    const row = row_of_rank(overlay.layout, pin.rank);
    if (!row) continue;
    const x = x_of(overlay.scale, pin.begin);
    const width = Math.max(3, x_of(overlay.scale, pin.end) - x);
    if (x + width < 0 || x > overlay.scale.width) continue;
    const { top, middle, height } = row_y(overlay, row);
    context.fillStyle = overlay.theme.ink;
    context.fillRect(x, top + height - 2, width, 2);
    const colour = pin.current ? overlay.theme.accent : overlay.theme.ink;
    label(context, overlay.theme, circled(pin.number), Math.max(9, x + Math.min(9, width / 2)), middle, colour);
  }
}

// The triangle at the end of an arrow that comes from the left or from the right.
function arrow_head(context: Context, colour: string, x: number, y: number, from_left: boolean): void {
  const back = from_left ? -6 : 6;
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + back, y - 3);
  context.lineTo(x + back, y + 3);
  context.closePath();
  context.fill();
}

function paint_messages(context: Context, overlay: Overlay): void {
  const segments: number[][] = [];
  for (const message of overlay.messages) {
    const from = row_of_rank(overlay.layout, message.from.rank);
    const to = row_of_rank(overlay.layout, message.to.rank);
    if (!from || !to || from === to) continue;
    const [x1, x2] = [x_of(overlay.scale, message.sent_ps), x_of(overlay.scale, message.received_ps)];
    segments.push([x1, row_y(overlay, from).middle, x2, row_y(overlay, to).middle]);
  }
  lines(context, overlay.theme.ink, 1, segments);
  if (segments.length > 500) return;
  for (const [x1, , x2, y2] of segments) arrow_head(context, overlay.theme.ink, x2!, y2!, x1! <= x2!);
}

// Numbered from the operation that waited, 1, back to what was late by itself.
function paint_chain(context: Context, overlay: Overlay): void {
  const { accent } = overlay.theme;
  let before: { x: number; y: number } | null = null;
  overlay.chain.forEach((step, n) => {
    const row = row_of_rank(overlay.layout, step.rank);
    if (!row) return;
    const { top, middle, height } = row_y(overlay, row);
    const [x1, x2] = [x_of(overlay.scale, step.begin_ps), x_of(overlay.scale, step.end_ps)];
    context.strokeStyle = accent;
    context.lineWidth = 2;
    context.strokeRect(x1, top, Math.max(3, x2 - x1), height);
    if (before) {
      lines(context, accent, 2, [[before.x, before.y, x2, middle]]);
      arrow_head(context, accent, before.x, before.y, x2 <= before.x);
    }
    label(context, overlay.theme, String(n + 1), Math.max(9, x1 + 9), middle, accent);
    before = { x: x1, y: middle };
  });
}

function paint_path(context: Context, overlay: Overlay): void {
  let before: number[] | null = null;
  for (const piece of overlay.path) {
    const row = row_of_rank(overlay.layout, piece.rank);
    if (!row) continue;
    const y = row_y(overlay, row).middle;
    const [x1, x2] = [x_of(overlay.scale, piece.begin_ps), x_of(overlay.scale, piece.end_ps)];
    if (before) lines(context, overlay.theme.ink, 1, [[before[0]!, before[1]!, x1, y]]);
    context.fillStyle = piece.operation === null ? overlay.theme.soft : overlay.theme.ink;
    context.fillRect(x1, y - 1.5, Math.max(1, x2 - x1), 3);
    before = [x2, y];
  }
}

function paint_ruler(context: Context, overlay: Overlay): void {
  if (!overlay.ruler) return;
  const { theme, scale, height } = overlay;
  const [x1, x2] = [x_of(scale, overlay.ruler.begin), x_of(scale, overlay.ruler.end)];
  context.globalAlpha = 0.12;
  context.fillStyle = theme.accent;
  context.fillRect(x1, 0, x2 - x1, height);
  context.globalAlpha = 1;
  lines(context, theme.accent, 1, [
    [x1, 0, x1, height],
    [x2, 0, x2, height],
  ]);
  const text = duration(overlay.ruler.end - overlay.ruler.begin);
  context.font = "bold 12px system-ui, 'DejaVu Sans', sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  const middle = Math.min(scale.width - 40, Math.max(40, (x1 + x2) / 2));
  context.fillStyle = theme.paper;
  context.fillRect(middle - text.length * 4 - 4, 2, text.length * 8 + 8, 18);
  context.fillStyle = theme.accent;
  context.fillText(text, middle, 11);
}

// Each hit is at least 3 pixels wide, so that a single one of a microsecond is seen in the whole run.
function paint_ticks(context: Context, overlay: Overlay): void {
  context.fillStyle = overlay.theme.accent;
  for (const time of overlay.ticks) {
    const x = x_of(overlay.scale, time);
    if (x >= -3 && x <= overlay.scale.width) context.fillRect(x - 1, 0, 3, 7);
  }
}

export function paint_overlay(context: Context, overlay: Overlay): void {
  paint_path(context, overlay);
  paint_messages(context, overlay);
  paint_chain(context, overlay);
  paint_pins(context, overlay);
  paint_selected(context, overlay);
  paint_ruler(context, overlay);
  paint_ticks(context, overlay);
  if (overlay.pointer !== null) lines(context, overlay.theme.soft, 1, [[overlay.pointer, 0, overlay.pointer, overlay.height]]);
}
