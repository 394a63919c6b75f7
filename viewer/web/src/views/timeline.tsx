// The lanes: labels on the left, the canvas, and what the keyboard does within it.

import { useEffect, useRef } from "preact/hooks";
import { visible } from "../draw/lane_layout";
import { step_operation, tried } from "../state/actions";
import { cleared, follow_size } from "./canvas";
import { Axis } from "./axis";
import { LaneLabels } from "./lane_labels";
import { use_page, type Page } from "./page";
import { step_lane } from "./step_lane";
import { listen } from "./timeline_input";
import { Tooltip } from "./tooltip";

function on_key({ store, picture }: Page, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const moves: Record<string, () => Promise<unknown>> = {
    ArrowRight: () => step_operation(store, 1),
    ArrowLeft: () => step_operation(store, -1),
    ArrowDown: () => step_lane(picture, 1),
    ArrowUp: () => step_lane(picture, -1),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  tried(store, move());
}

function use_canvases(page: Page) {
  const [box, lanes, overlay] = [useRef<HTMLDivElement>(null), useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  useEffect(() => {
    const { picture } = page;
    const element = box.current!;
    const scroller = element.closest(".scroller")!;
    const resized = () => (picture.size.value = { width: element.clientWidth, height: scroller.clientHeight });
    const undo = [
      follow_size(scroller, resized),
      listen(picture, element),
      picture.follow(() => {
        if (!lanes.current || !overlay.current) return null;
        const { width, height } = picture.size.peek();
        const [below, above] = [cleared(lanes.current, width, height), cleared(overlay.current, width, height)];
        return { lanes: below, overlay: above, clear() {} };
      }),
    ];
    return () => undo.forEach((each) => each());
  }, []);
  return { box, lanes, overlay };
}

function use_scrolling(page: Page) {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current!;
    const on_scroll = () => (page.picture.top.value = element.scrollTop);
    element.addEventListener("scroll", on_scroll, { passive: true });
    return () => element.removeEventListener("scroll", on_scroll);
  }, []);
  return scroller;
}

export function Timeline() {
  const page = use_page();
  const { picture, store } = page;
  const { box, lanes, overlay } = use_canvases(page);
  const scroller = use_scrolling(page);
  const layout = picture.layout.value;
  const rows = visible(layout, picture.top.value, picture.size.value.height || 400);
  const loading = store.lanes.value.loading && layout.rows.length === 0;
  const nothing = !loading && layout.rows.length === 0;
  return (
    <section class="timeline" aria-label="Timeline">
      <Axis />
      <div class="scroller" ref={scroller}>
        <div class="all-lanes" style={{ height: `${layout.height}px` }}>
          <div class="window" style={{ height: `${picture.size.value.height}px` }}>
            <LaneLabels rows={rows} top={picture.top.value} />
            <div
              class="canvas-box"
              ref={box}
              tabIndex={0}
              role="application"
              aria-roledescription="timeline"
              aria-label="Lanes of ranks over time. Arrow keys select operations, W A S D zoom and pan."
              onKeyDown={(event) => on_key(page, event)}
            >
              <canvas ref={lanes} aria-hidden="true" />
              <canvas ref={overlay} aria-hidden="true" />
              {nothing && <p class="empty">{store.lanes.value.error || "No lane matches the filter of lanes."}</p>}
            </div>
          </div>
        </div>
      </div>
      <Tooltip target={box} />
    </section>
  );
}
