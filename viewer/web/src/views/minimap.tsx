// The whole run: worst excess over all lanes, pins of findings, hits of the search, and the part in view.

import { useEffect, useRef } from "preact/hooks";
import { circled } from "../draw/format";
import { excess_class } from "../draw/palette";
import { x_of } from "../draw/scale";
import { choose_finding, go_to_instance, tried } from "../state/actions";
import type { Context } from "../draw/context";
import { cleared } from "./canvas";
import { use_page, type Page } from "./page";

const kHeight = 46;

function paint_worst({ picture, store }: Page, context: Context, width: number): void {
  const meta = store.meta.value;
  if (!meta) return;
  const { own, busy } = picture.overview.worst.value;
  const theme = picture.theme.value;
  const column = (meta.base_ps / own.length / store.span.value) * width;
  const middle = kHeight / 2;
  for (let n = 0; n < own.length && n * column < width; ++n) {
    if (!meta.against) {
      const height = (busy[n]! / 255) * (kHeight - 4);
      context.fillStyle = theme.busy;
      context.fillRect(n * column, kHeight - height, Math.max(1, column), height);
      continue;
    }
    const level = excess_class(own[n]!, picture.overview.largest.value);
    context.fillStyle = theme.ramp[4 + level]!;
    if (level === 0 && busy[n]! > 0) context.fillRect(n * column, middle - 1, Math.max(1, column), 2);
    const height = (Math.abs(level) / 4) * (middle - 4);
    if (level > 0) context.fillRect(n * column, middle - height, Math.max(1, column), height + 1);
    if (level < 0) context.fillRect(n * column, middle, Math.max(1, column), height);
  }
}

function paint({ picture, store, asked }: Page, context: Context, width: number): void {
  const theme = picture.theme.value;
  const whole = { begin: 0, end: store.span.value, width };
  paint_worst({ picture, store, asked } as Page, context, width);
  context.fillStyle = theme.accent;
  for (const time of asked.search.value.data?.ticks ?? []) context.fillRect(x_of(whole, time) - 1, kHeight - 5, 3, 5);
  const { begin, end } = store.range.value;
  const [left, right] = [x_of(whole, begin), x_of(whole, end)];
  context.globalAlpha = 0.16;
  context.fillStyle = theme.accent;
  context.fillRect(left, 0, Math.max(3, right - left), kHeight);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, Math.max(3, right - left - 1.5), kHeight - 1.5);
}

// A drag moves the view so that its middle is below the pointer.
function follow_pointer({ store }: Page, element: HTMLElement): () => void {
  const move = (event: PointerEvent) => {
    if (!(event.buttons & 1)) return;
    const box = element.getBoundingClientRect();
    const middle = ((event.clientX - box.left) / box.width) * store.span.peek();
    const { begin, end } = store.range.peek();
    const half = (end - begin) / 2;
    store.set_range({ begin: middle - half, end: middle + half }, "minimap");
  };
  element.addEventListener("pointerdown", move);
  element.addEventListener("pointermove", move);
  return () => {
    element.removeEventListener("pointerdown", move);
    element.removeEventListener("pointermove", move);
  };
}

export function Minimap() {
  const page = use_page();
  const { picture, store } = page;
  const [box, canvas] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null)];
  useEffect(() => follow_pointer(page, box.current!), []);
  const width = picture.size.value.width;
  const whole = { begin: 0, end: store.span.value, width };
  picture.overview.worst.value; // drawn again when strips arrive
  useEffect(() => {
    if (canvas.current && width > 0) paint(page, cleared(canvas.current, width, kHeight), width);
  });
  void [store.range.value, page.asked.search.value, picture.theme.value, picture.overview.largest.value];
  return (
    <div class="minimap">
      <div class="axis-label">{store.meta.value?.against ? "worst excess" : "most in calls"}</div>
      <div class="minimap-box" ref={box} style={{ height: `${kHeight}px` }}>
        <canvas ref={canvas} aria-hidden="true" />
        {picture.pins().map((pin) => (
          <button
            key={pin.number}
            type="button"
            class={`map-pin ${pin.current ? "current" : ""}`}
            style={{ left: `${(100 * Math.min(width - 9, Math.max(9, x_of(whole, pin.begin)))) / width}%` }}
            aria-label={`Go to finding ${pin.number}`}
            onClick={() => {
              choose_finding(store, pin.number - 1);
              tried(store, go_to_instance(store, 0));
            }}
          >
            {circled(pin.number)}
          </button>
        ))}
      </div>
    </div>
  );
}
