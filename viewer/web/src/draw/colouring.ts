// The colour of a bar, by kind, by excess or by an attribute.

import type { Operation } from "../data/api_types";
import { kMark, type Box } from "../data/strips";
import type { BarColours } from "./bar";
import { category_colour, excess_class, excess_colour, kind_colour, size_colour } from "./palette";
import type { Scene } from "./scene";

// Same texts have the same colour everywhere (FNV-1a).
export function text_number(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}

// Undefined: the operation has no such attribute, or it is not known yet.
function attribute_colour(scene: Scene, box: Box, exact: Operation | undefined): string | undefined {
  const colour = scene.state.colour;
  if (colour === "call") return category_colour(box.call);
  if (!exact) return undefined;
  if (colour === "bytes") return exact.bytes > 0 ? size_colour(exact.bytes) : undefined;
  if (colour === "peer") return exact.peer === null ? undefined : category_colour(exact.peer);
  if (colour === "tag") return exact.tag === null ? undefined : category_colour(exact.tag);
  return exact.file === null ? undefined : category_colour(text_number(exact.file));
}

function is_by_excess(scene: Scene): boolean {
  return scene.state.colour === "excess" && scene.meta.against !== null;
}

function base_colour(scene: Scene, box: Box, exact: Operation | undefined): string {
  const { theme, meta, state } = scene;
  if (is_by_excess(scene)) return theme.ramp[4]!;
  if (state.colour === "kind" || state.colour === "excess") return kind_colour(meta.kinds[box.kind] ?? "other", theme);
  return attribute_colour(scene, box, exact) ?? theme.compute;
}

// Of a bar that is too narrow for its parts.
export function bar_colour(scene: Scene, box: Box, exact: Operation | undefined): string {
  const judged = !(box.marks & kMark.notJudged);
  if (is_by_excess(scene) && judged) return excess_colour(box.own, scene.largest, scene.theme);
  return base_colour(scene, box, exact);
}

export function part_colours(scene: Scene, box: Box, exact: Operation | undefined): BarColours {
  const { theme, largest } = scene;
  const free = base_colour(scene, box, exact);
  if (!is_by_excess(scene)) return { free, structure: theme.losses[0], stack: theme.losses[1] };
  const level = Math.max(2, excess_class(box.own, largest));
  return { free, structure: theme.ramp[4 + level - 1]!, stack: theme.ramp[4 + level]! };
}
