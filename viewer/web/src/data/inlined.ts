// Data that stands in the page itself, for a report that is one file: what the server would have answered to a bounded
// set of questions.
//
//   <script type="application/json" id="plumbline-data">
//   {"format": "plumbline-inlined", "version": 1,
//    "answers": {"meta": {..}, "report": {..}, "lanes": {..}, "operation/17/1203": {..}, "causes/17/1203": {..},
//                "aggregate/waterfall": {..}, "phases": {..}, ..},
//    "operations": [OP, ..],
//    "strips": ["base64 of a gzipped batch of strips", ..]}
//
// Answers are named by the path of their endpoint, without a query, and are for the whole run. "lanes" has no folds and
// all lanes, or folds with lanes of all shown ranks. Operations are those that can be found and listed one by one, the
// worst ones first. A batch has one level of one source: 0 observed, 1 free. In the element, "<" is written \u003c;
// its attribute data-later is what a button says that shows the timeline, which without it is there at once.

import type { At, Operation, OperationsPage } from "./api_types";
import { SourceError, type Query, type Source } from "./source";
import type { Request } from "./strip_cache";
import { decode_batch, type Batch, type Strip } from "./strips";

export type Inlined = {
  format: "plumbline-inlined";
  version: number;
  answers: Record<string, unknown>;
  operations: Operation[];
  strips: string[];
};

export const kElement = "plumbline-data";

export async function gunzipped(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export function read_inlined(text: string): Inlined {
  const data = JSON.parse(text) as Inlined;
  if (data.format !== "plumbline-inlined" || data.version !== 1) {
    throw new Error("the data of this page is of another version than its script; make the report again");
  }
  return data;
}

const kSortKeys = { own: "own_ps", inherited: "inherited_ps", begin: "begin_ps", observed: "observed_ps", bytes: "bytes" } as const;
const kPage = 200;

export class InlinedSource implements Source {
  readonly is_live = false;
  private strips_of_run: Promise<Map<string, Strip>> | null = null;
  private levels = 0; // strips are there below this level

  constructor(private data: Inlined) {}

  async get<T>(path: string, query: Query = {}): Promise<T> {
    const answer = this.data.answers[path];
    if (answer !== undefined) return this.bounded(path, answer) as T;
    if (path === "operations") return this.operations(query) as T;
    if (path === "at") return this.at(query) as T;
    const one = /^operation\/(\d+)\/(\d+)$/.exec(path);
    const op = one && this.data.operations.find((each) => each.rank === Number(one[1]) && each.operation === Number(one[2]));
    if (op) return { ...op, node: "", row: null, inner: { messages: 0, posix: 0, bytes: 0, needed: 0 }, inside: [], partner: null, findings: [], in_its_kind: null } as T;
    throw new SourceError(404, "this file holds the worst operations only: plumbline view shows all of them");
  }

  async send<T>(): Promise<T> {
    throw new SourceError(404, "this is a file: plumbline view can try settings");
  }

  async strips(_key: string, request: Request): Promise<Batch> {
    this.strips_of_run ??= this.read_strips();
    const all = await this.strips_of_run;
    const strips: Strip[] = [];
    for (const lane of request.lanes) {
      for (let x = request.first; x <= request.last; ++x) {
        const strip = all.get(`${request.source}/${request.level}/${x}/${lane}`);
        if (strip) strips.push(strip);
      }
    }
    return { level: request.level, source: 0, damaged: false, truncated: false, strips };
  }

  link(): null {
    return null;
  }

  // The finest level of meta is that of the strips that are there.
  private async bounded(path: string, answer: unknown): Promise<unknown> {
    if (path !== "meta") return answer;
    await (this.strips_of_run ??= this.read_strips());
    return { ...(answer as object), most_level: Math.max(0, this.levels - 1), whatif: false };
  }

  private async read_strips(): Promise<Map<string, Strip>> {
    const strips = new Map<string, Strip>();
    for (const text of this.data.strips) {
      const batch = decode_batch(await gunzipped(text));
      const source = batch.source === 0 ? "obs" : "free";
      this.levels = Math.max(this.levels, batch.level + 1);
      for (const strip of batch.strips) strips.set(`${source}/${batch.level}/${strip.x}/${strip.lane}`, strip);
    }
    return strips;
  }

  private overlapping(begin: number, end: number): Operation[] {
    return this.data.operations.filter((op) => op.begin_ps < end && op.begin_ps + op.observed_ps > begin);
  }

  private operations(query: Query): OperationsPage {
    const key = kSortKeys[(query.sort as keyof typeof kSortKeys) ?? "own"] ?? "own_ps";
    const sign = key === "begin_ps" ? 1 : -1;
    const all = this.overlapping(Number(query.t0 ?? 0), Number(query.t1 ?? Infinity)).sort((a, b) => sign * (a[key] - b[key]));
    const page = Number(query.page ?? 0);
    const pages = Math.max(1, Math.ceil(all.length / kPage));
    return { total: all.length, page, pages, operations: all.slice(page * kPage, (page + 1) * kPage) };
  }

  private at(query: Query): At {
    const lane = Number(query.lane);
    const all = this.overlapping(Number(query.t0), Number(query.t1)).filter((op) => op.rank === lane);
    const worst = [...all].sort((a, b) => b.own_ps - a.own_ps);
    const waiting = [...all].sort((a, b) => b.inherited_ps - a.inherited_ps);
    const id = (op: Operation | undefined) => (op ? { rank: op.rank, operation: op.operation } : null);
    return {
      count: all.length, busy_ps: 0, operations: worst.slice(0, 20), worst_own_ps: worst[0]?.own_ps ?? 0,
      worst_inherited_ps: waiting[0]?.inherited_ps ?? 0, worst_own_operation: id(worst[0]),
      worst_inherited_operation: id(waiting[0]),
    };
  }
}
