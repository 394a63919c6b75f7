// Who sends to whom, as a picture and as the largest numbers.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Matrix } from "../data/api_types";
import { resource } from "../data/resource";
import { bytes, count, duration } from "../draw/format";
import { rgb, type Theme } from "../draw/palette";
import { fitted } from "./canvas";
import { use_page } from "./page";

type What = "bytes" | "count" | "own";

const kSide = 190; // pixels

function text_of(value: number, what: What): string {
  return what === "bytes" ? bytes(value) : what === "own" ? duration(value) : count(value);
}

function paint(canvas: HTMLCanvasElement, { names, cells }: Matrix, theme: Theme): void {
  const context = fitted(canvas, kSide, kSide);
  context.fillStyle = theme.group;
  context.fillRect(0, 0, kSide, kSide);
  const most = Math.max(1, ...cells.map(([, , value]) => value));
  const size = kSide / Math.max(1, names.length);
  const [red, green, blue] = rgb(theme.ramp[8]!);
  for (const [from, to, value] of cells) {
    const share = Math.log2(1 + value) / Math.log2(1 + most);
    context.fillStyle = `rgba(${red},${green},${blue},${0.15 + 0.85 * share})`;
    context.fillRect(to * size, from * size, Math.max(1, size), Math.max(1, size));
  }
}

function Largest({ data, what }: { data: Matrix; what: What }) {
  const largest = [...data.cells].sort((a, b) => b[2] - a[2]).slice(0, 8);
  return (
    <table>
      <caption>Largest</caption>
      <thead><tr><th scope="col">from</th><th scope="col">to</th><th scope="col" class="number">{what}</th></tr></thead>
      <tbody>
        {largest.map(([from, to, value]) => (
          <tr key={`${from} ${to}`}>
            <td>{data.names[from]}</td>
            <td>{data.names[to]}</td>
            <td class="number">{text_of(value, what)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function MatrixChart() {
  const { store, picture } = use_page();
  const { what, by, answer } = useMemo(() => {
    const what = signal<What>("bytes");
    const by = signal<"rank" | "node">("rank");
    const question = () =>
      store.meta.value && { t0: store.range.value.begin, t1: store.range.value.end, by: by.value, what: what.value };
    const ask = (query: NonNullable<ReturnType<typeof question>>) => store.source.get<Matrix>("aggregate/matrix", query);
    return { what, by, answer: resource(store.activity, question, ask, { delay: 150 }) };
  }, []);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { data, error } = answer.value;
  const theme = picture.theme.value;
  useEffect(() => {
    if (canvas.current && data) paint(canvas.current, data, theme);
  }, [data, theme]);
  return (
    <div class="chart matrix">
      <div>
        <label class="choice"><span>Value</span>
          <select value={what.value} onChange={(event) => (what.value = event.currentTarget.value as What)}>
            <option value="bytes">bytes</option><option value="count">messages</option><option value="own">own excess</option>
          </select>
        </label>
        <label class="choice"><span>By</span>
          <select value={by.value} onChange={(event) => (by.value = event.currentTarget.value as "rank" | "node")}>
            <option value="rank">rank</option><option value="node">node</option>
          </select>
        </label>
        <p class="soft">rows send, columns receive</p>
      </div>
      {error && <p class="bad">{error}</p>}
      <canvas ref={canvas} style={{ width: `${kSide}px`, height: `${kSide}px` }} role="img" aria-label={`Communication matrix in view, ${what.value} by ${by.value}`} />
      {data && <Largest data={data} what={what.value} />}
    </div>
  );
}
