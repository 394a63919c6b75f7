// What the bar under the pointer is.

import { computePosition, flip, offset, shift } from "@floating-ui/dom";
import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Operation } from "../data/api_types";
import { bytes, duration, duration_range, percent, signed_duration } from "../draw/format";
import { key_of } from "../state/view_state";
import { use_page, type Page } from "./page";

const kDelay = 120; // ms

type Shown = { x: number; y: number; lines: string[] };

function lines_of(op: Operation): string[] {
  const lines = [`${op.call}  rank ${op.rank} #${op.operation}`, `observed ${duration(op.observed_ps)}`];
  if (op.judged) {
    lines.push(`expected ${duration_range(op.lower_ps, op.upper_ps)}`);
    lines.push(`own ${signed_duration(op.own_ps)}, inherited ${signed_duration(op.inherited_ps)}`);
  } else if (op.reason) lines.push(`not judged: ${op.reason}`);
  if (op.bytes > 0) lines.push(bytes(op.bytes));
  return op.site ? [...lines, op.site] : lines;
}

async function shown_at({ picture, store }: Page, x: number, y: number): Promise<string[] | null> {
  const hit = await picture.hit(x, y);
  if (!hit) return null;
  const lane = hit.row.lane;
  if (lane.kind === "component") return [`${lane.class ?? "component"} ${lane.name}`, `busy ${percent(lane.busy_share ?? 0)} of the run`];
  if (!hit.id) return null;
  const known = store.exact.get(key_of(hit.id.rank, hit.id.operation));
  return lines_of(known ?? (await store.source.get<Operation>(`operation/${hit.id.rank}/${hit.id.operation}`)));
}

// Follows the pointer over `element`; what has been asked for a place that the pointer has left is dropped.
function follow(page: Page, element: HTMLElement, show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  const hide = () => {
    clearTimeout(timer);
    ++turn;
    show(null);
  };
  const move = (event: PointerEvent) => {
    hide();
    if (event.buttons !== 0) return;
    const mine = turn;
    const box = element.getBoundingClientRect();
    timer = setTimeout(async () => {
      const lines = await shown_at(page, event.clientX - box.left, event.clientY - box.top).catch(() => null);
      if (mine === turn && lines) show({ x: event.clientX, y: event.clientY, lines });
    }, kDelay);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("wheel", hide, { passive: true });
  return () => {
    hide();
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerleave", hide);
    element.removeEventListener("wheel", hide);
  };
}

export function Tooltip({ target }: { target: RefObject<HTMLElement | null> }) {
  const page = use_page();
  const shown = useMemo(() => signal<Shown | null>(null), []);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => follow(page, target.current!, (next) => (shown.value = next)), []);
  const at = shown.value;
  useEffect(() => {
    if (!at || !tip.current) return;
    const element = tip.current;
    const pointer = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };
    const options = { strategy: "fixed" as const, placement: "bottom-start" as const, middleware: [offset(14), flip(), shift({ padding: 6 })] };
    void computePosition(pointer, element, options).then(({ x, y }) => {
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
    });
  }, [at]);
  if (!at) return null;
  return (
    <div class="tooltip" role="tooltip" ref={tip}>
      {at.lines.map((line, n) => (n === 0 ? <strong key={n}>{line}</strong> : <div key={n}>{line}</div>))}
    </div>
  );
}
