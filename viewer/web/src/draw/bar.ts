// One operation as a bar of its parts: free | inherited (hatched) | structure | stack. The parts are not in the order of
// time: where within its duration an operation lost time is not known.

import type { Operation } from "../data/api_types";
import { kMark, ps_of, type Box } from "../data/strips";
import { dots, hatch, lines, type Context } from "./context";
import type { Theme } from "./palette";

// In ps; they add up to observed, where gained is subtracted. `bracket`: of the expectation, where it is known.
export type Parts = {
  free: number;
  inherited: number;
  structure: number;
  stack: number;
  gained: number;
  bracket: { lower: number; upper: number } | null;
};

export type Bar = {
  x: number;
  y: number;
  width: number;
  height: number;
  observed: number;
  parts: Parts | null; // null: not judged, or a recording alone
  marks: number;
};

export type BarColours = { free: string; structure: string; stack: string };

// Of what a strip says: steps for colour, exact to 12 %; structure and stack cannot be told apart.
export function parts_of_box(box: Box): Parts | null {
  if (box.marks & kMark.notJudged) return null;
  const own = ps_of(box.own);
  const inherited = Math.min(ps_of(box.inherited), box.observed - Math.max(0, own));
  const free = box.observed - inherited - own;
  return { free, inherited, structure: 0, stack: Math.max(0, own), gained: Math.max(0, -own), bracket: null };
}

export function parts_of_operation(operation: Operation): Parts | null {
  if (!operation.judged) return null;
  return {
    free: operation.free_ps,
    inherited: operation.inherited_ps,
    structure: operation.structure_ps,
    stack: operation.stack_ps,
    gained: operation.gained_ps,
    bracket: { lower: operation.lower_ps, upper: operation.upper_ps },
  };
}

export type Piece = { part: "free" | "inherited" | "structure" | "stack"; begin: number; end: number };

// Shares of the bar, 0 .. 1. What was inherited may be negative, and what was gained is not there: both shorten what
// comes before them.
export function pieces_of(parts: Parts, observed: number): Piece[] {
  if (observed <= 0) return [];
  const base = Math.max(0, parts.free + Math.min(0, parts.inherited));
  const lengths = [
    ["free", base],
    ["inherited", Math.max(0, parts.inherited)],
    ["structure", parts.structure],
    ["stack", parts.stack],
  ] as const;
  const pieces: Piece[] = [];
  let at = 0;
  for (const [part, length] of lengths) {
    const end = Math.min(1, at + length / observed);
    if (end > at) pieces.push({ part, begin: at, end });
    at = end;
  }
  return pieces;
}

function paint_pieces(context: Context, bar: Bar, parts: Parts, colours: BarColours, theme: Theme): void {
  for (const { part, begin, end } of pieces_of(parts, bar.observed)) {
    const x = bar.x + begin * bar.width;
    const width = (end - begin) * bar.width;
    context.fillStyle = part === "structure" ? colours.structure : part === "stack" ? colours.stack : colours.free;
    context.fillRect(x, bar.y, width, bar.height);
    if (part === "inherited" && width >= 2) hatch(context, theme.ink, x, bar.y, width, bar.height);
    if (part === "structure" && width >= 4) lines(context, theme.ink, 1, [[x, bar.y + bar.height - 1, x + width, bar.y + bar.height - 1]]);
  }
}

const kMostBeyond = 16; // pixels of a bracket behind its bar: another operation is there

// A thin I from the lower to the upper end of the bracket; open where it goes far beyond the bar.
function paint_bracket(context: Context, bar: Bar, lower: number, upper: number, theme: Theme): void {
  const most = bar.x + bar.width + kMostBeyond;
  const low = Math.min(most, bar.x + (lower / bar.observed) * bar.width);
  const end = bar.x + (upper / bar.observed) * bar.width;
  const high = Math.min(most, end);
  const middle = bar.y + bar.height / 2;
  const cap = Math.min(4, bar.height / 2 - 1);
  lines(context, theme.bracket, 1, [
    [low, middle, high, middle],
    [low, middle - cap, low, middle + cap],
    ...(end > most ? [] : [[high, middle - cap, high, middle + cap]]),
  ]);
}

// Teeth of the background on the right edge: the operation did not end.
function paint_torn(context: Context, bar: Bar, theme: Theme): void {
  const right = bar.x + bar.width;
  const tooth = bar.height / 4;
  context.fillStyle = theme.paper;
  for (let n = 0; n < 4; ++n) {
    context.beginPath();
    context.moveTo(right, bar.y + n * tooth);
    context.lineTo(right - Math.min(4, bar.width / 2), bar.y + (n + 0.5) * tooth);
    context.lineTo(right, bar.y + (n + 1) * tooth);
    context.closePath();
    context.fill();
  }
}

function paint_gained(context: Context, bar: Bar, parts: Parts, theme: Theme): void {
  if (parts.gained <= 0) return;
  const missing = (parts.gained / bar.observed) * bar.width;
  context.strokeStyle = theme.ramp[0]!;
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  context.strokeRect(bar.x + bar.width + 0.5, bar.y + 0.5, Math.max(1, missing - 1), bar.height - 1);
  context.setLineDash([]);
}

export const kLeastPartsWidth = 6; // pixels; narrower bars have one colour

export function paint_bar(context: Context, bar: Bar, colours: BarColours, plain: string, theme: Theme): void {
  const parts = bar.width >= kLeastPartsWidth ? bar.parts : null;
  if (parts) paint_pieces(context, bar, parts, colours, theme);
  else {
    context.fillStyle = plain;
    context.fillRect(bar.x, bar.y, Math.max(1, bar.width), bar.height);
  }
  if (bar.width < kLeastPartsWidth) return;
  if (parts) paint_gained(context, bar, parts, theme);
  if (parts?.bracket && bar.height >= 7) paint_bracket(context, bar, parts.bracket.lower, parts.bracket.upper, theme);
  if (bar.marks & kMark.notJudged) dots(context, theme.ink, bar.x, bar.y, bar.width, bar.height);
  if (bar.marks & kMark.unfinished) paint_torn(context, bar, theme);
}
