// The n-th instance of one call on each rank: x is the instance, y the rank, the colour its own excess. Beside the
// tables, and as the alignment by step.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Instances } from "../data/api_types";
import { resource } from "../data/resource";
import { count, signed_duration } from "../draw/format";
import { excess_class, rgb, type Theme } from "../draw/palette";
import { ps_of } from "../data/strips";
import { CallChoice, chosen_call } from "./chosen_call";
import { use_page } from "./page";

export function decoded(own_log: string): Int8Array {
  const text = atob(own_log);
  return Int8Array.from(text, (letter) => (letter.charCodeAt(0) << 24) >> 24);
}

function paint(canvas: HTMLCanvasElement, data: Instances, own: Int8Array, largest: number, theme: Theme): void {
  const ranks = data.ranks.length;
  const columns = Math.max(1, Math.floor(own.length / Math.max(1, ranks)));
  canvas.width = columns;
  canvas.height = Math.max(1, ranks);
  const pixels = new ImageData(columns, Math.max(1, ranks));
  const ramp = theme.ramp.map(rgb);
  own.forEach((value, n) => {
    const [x, y] = [Math.floor(n / ranks), n % ranks];
    const colour = ramp[4 + excess_class(value, largest)]!;
    pixels.data.set([...colour, 255], 4 * (y * columns + x));
  });
  canvas.getContext("2d")!.putImageData(pixels, 0, 0);
}

function worst_of(data: Instances, own: Int8Array): string {
  let at = 0;
  own.forEach((value, n) => {
    if (value > own[at]!) at = n;
  });
  const ranks = Math.max(1, data.ranks.length);
  return `worst: instance ${count(data.first + Math.floor(at / ranks) + 1)} on rank ${data.ranks[at % ranks]}, about ${signed_duration(ps_of(own[at] ?? 0))}`;
}

export function InstancesChart({ tall = false }: { tall?: boolean }) {
  const page = use_page();
  const { store, picture } = page;
  const answer = useMemo(
    () =>
      resource(
        store.activity,
        () => (store.meta.value && chosen_call(page) ? { call: chosen_call(page) } : null),
        (query) => store.source.get<Instances>("aggregate/instances", query),
      ),
    [],
  );
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data, error } = answer.value;
  const own = useMemo(() => (data ? decoded(data.own_log) : new Int8Array()), [data]);
  const theme = picture.theme.value;
  const largest = picture.overview.largest.value;
  useEffect(() => {
    if (canvas.current && data) paint(canvas.current, data, own, largest, theme);
  }, [data, own, largest, theme]);
  return (
    <div class={tall ? "chart steps tall" : "chart steps"}>
      <p>
        <CallChoice /> {data && `${count(data.instances)} instances (across) on ${count(data.ranks.length)} ranks (down); ${worst_of(data, own)}`}
      </p>
      {error && <p class="bad">{error}</p>}
      <canvas ref={canvas} role="img" aria-label={`Own excess of ${chosen_call(page)} by instance and rank`} />
    </div>
  );
}
