// Wheel, drag and click on the lanes. A press that moves less than 5 pixels is a click.

import { snapped, time_of } from "../draw/scale";
import { wide_boxes } from "../draw/painter";
import { pan, select, sentence_of, tried, zoom } from "../state/actions";
import { around } from "../draw/scale";
import type { Operation } from "../data/api_types";
import type { Picture } from "./picture";

const kLeastDrag = 5; // pixels
const kSnap = 8; // pixels

type Drag = { x: number; y: number; begin: number; end: number; shift: number; kind: "pan" | "ruler" | "shift"; moved: boolean };

function place(event: PointerEvent | WheelEvent, element: HTMLElement): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

// Begins and ends of the bars in view.
export function edges_in(picture: Picture): number[] {
  const scene = picture.scene();
  return scene ? wide_boxes(scene).flatMap((box) => [box.begin, box.begin + box.observed]) : [];
}

export function snap(picture: Picture, time: number): number {
  const scale = picture.scale.peek();
  return Math.round(snapped(time, edges_in(picture), (kSnap * (scale.end - scale.begin)) / scale.width));
}

function on_wheel(picture: Picture, element: HTMLElement, event: WheelEvent): void {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  const { width } = picture.size.peek();
  const along = event.shiftKey ? event.deltaY || event.deltaX : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
  if (along !== 0) pan(picture.store, (along * unit) / Math.max(1, width));
  else zoom(picture.store, 2 ** ((event.deltaY * unit) / 240), time_of(picture.scale.peek(), place(event, element).x));
}

async function on_click(picture: Picture, x: number, y: number, twice: boolean): Promise<void> {
  const { store } = picture;
  const hit = await picture.hit(x, y);
  select(store, hit?.id ?? null);
  if (!hit?.id) return;
  const op = await store.activity.during(store.source.get<Operation>(`operation/${hit.id.rank}/${hit.id.operation}`));
  store.say(sentence_of(op));
  if (twice) store.set_range(around(op.begin_ps, op.observed_ps, store.span.peek()));
}

function moved(picture: Picture, drag: Drag, x: number): void {
  const { store } = picture;
  const { begin, end } = drag;
  const width = picture.size.peek().width;
  const by = ((x - drag.x) / width) * (end - begin);
  if (drag.kind === "pan") store.set_range({ begin: begin - by, end: end - by }, `drag ${drag.x}`);
  if (drag.kind === "shift") store.set({ shift: Math.round(drag.shift + by) });
  if (drag.kind === "ruler") {
    const [from, to] = [drag.x, x].map((each) => snap(picture, time_of(picture.scale.peek(), each))).sort((a, b) => a - b);
    store.set({ ruler: from! < to! ? { begin: from!, end: to! } : null });
  }
}

function kind_of(picture: Picture, event: PointerEvent): Drag["kind"] {
  if (event.shiftKey) return "ruler";
  return event.altKey && picture.store.view.peek().mode === "shift" ? "shift" : "pan";
}

// `ruler`: every drag measures, as on the axis. Returns what takes the listeners away.
export function listen(picture: Picture, element: HTMLElement, ruler = false): () => void {
  let drag: Drag | null = null;
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { begin, end } = picture.store.range.peek();
    const kind = ruler ? "ruler" : kind_of(picture, event);
    drag = { ...place(event, element), begin, end, shift: picture.store.view.peek().shift, kind, moved: false };
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const { x } = place(event, element);
    picture.pointer.value = x;
    if (!drag) return;
    drag.moved ||= Math.abs(x - drag.x) >= kLeastDrag;
    if (drag.moved) moved(picture, drag, x);
  };
  const up = (event: PointerEvent) => {
    if (drag && !drag.moved && !ruler) {
      const { x, y } = place(event, element);
      tried(picture.store, on_click(picture, x, y, event.detail > 1));
    } else if (drag && !drag.moved) picture.store.set({ ruler: null });
    drag = null;
  };
  const twice = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    if (!ruler) tried(picture.store, on_click(picture, event.clientX - box.left, event.clientY - box.top, true));
  };
  const leave = () => (picture.pointer.value = null);
  const wheel = (event: WheelEvent) => on_wheel(picture, element, event);
  const listeners: [string, (event: any) => void][] = [
    ["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointerleave", leave], ["wheel", wheel], ["dblclick", twice],
  ];
  for (const [name, handler] of listeners) element.addEventListener(name, handler, { passive: false });
  return () => listeners.forEach(([name, handler]) => element.removeEventListener(name, handler));
}
