// The axis of time. A drag along it measures, and snaps to the edges of bars.

import { useEffect, useRef } from "preact/hooks";
import { axis_time, duration } from "../draw/format";
import { ticks, x_of } from "../draw/scale";
import { use_page } from "./page";
import { listen } from "./timeline_input";

export function Axis() {
  const { picture, store } = use_page();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => listen(picture, box.current!, true), []);
  const scale = picture.scale.value;
  const times = ticks(scale, 110);
  const step = times.length > 1 ? times[1]! - times[0]! : scale.end - scale.begin;
  const ruler = store.view.value.ruler;
  const place = (x: number) => `${(100 * x) / scale.width}%`; // also where the page is printed
  return (
    <div class="axis">
      <div class="axis-label">{duration(scale.end - scale.begin)} in view</div>
      <div class="axis-box" ref={box} title="Drag to measure; v shows what was measured">
        {times.map((time) => (
          <span key={time} class="tick" style={{ left: place(x_of(scale, time)) }}>
            {axis_time(time, step)}
          </span>
        ))}
        {ruler && (
          <span class="measured" style={{ left: place(x_of(scale, ruler.begin)), width: place(x_of(scale, ruler.end) - x_of(scale, ruler.begin)) }} />
        )}
      </div>
    </div>
  );
}
