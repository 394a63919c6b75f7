// What commands and clicks do.

import type { Finding, Instance, Operation } from "../data/api_types";
import { duration, duration_range } from "../draw/format";
import { around, panned, zoomed } from "../draw/scale";
import type { Store } from "./store";
import type { Mode, OperationId } from "./view_state";
import { kModes } from "./view_state";

export function zoom(store: Store, factor: number, at?: number): void {
  const range = store.range.peek();
  const middle = at ?? (range.begin + range.end) / 2;
  store.set_range(zoomed(range, middle, factor, store.span.peek()), `zoom ${factor > 1}`);
}

export function pan(store: Store, share: number): void {
  store.set_range(panned(store.range.peek(), share, store.span.peek()), "pan");
}

export function home(store: Store): void {
  store.set_range(null);
}

// "MPI_Send, rank 3, observed 1.2 s, expected 0.2–0.3 s"
export function sentence_of(op: Operation): string {
  const expected = op.judged ? `expected ${duration_range(op.lower_ps, op.upper_ps)}` : `not judged${op.reason ? `: ${op.reason}` : ""}`;
  return `${op.call}, rank ${op.rank}, observed ${duration(op.observed_ps)}, ${expected}`;
}

export function select(store: Store, id: OperationId | null): void {
  store.set({ selected: id && { rank: id.rank, operation: id.operation }, ...(id ? {} : { blame: false }) });
}

// Asks for the operation first: reports of earlier versions and addresses by hand do not say when it was.
export async function go_to(store: Store, id: OperationId): Promise<void> {
  const op = await store.activity.during(store.source.get<Operation>(`operation/${id.rank}/${id.operation}`));
  select(store, id);
  store.say(sentence_of(op));
  store.set_range(around(op.begin_ps, op.observed_ps, store.span.peek()));
}

export function tried(store: Store, work: Promise<unknown>): void {
  work.catch((error: Error) => {
    store.trouble.value = error.message;
    store.say(error.message);
  });
}

export function findings_of(store: Store): Finding[] {
  return store.report.value?.findings ?? [];
}

export function instances_of(finding: Finding | undefined): Instance[] {
  return finding?.instances ?? [];
}

export function choose_finding(store: Store, index: number): void {
  const all = findings_of(store);
  if (all.length === 0) return;
  const finding = (index + all.length) % all.length;
  store.set({ finding, instance: 0 });
  store.say(`Finding ${finding + 1} of ${all.length}: ${all[finding]!.title}`);
}

export async function go_to_instance(store: Store, index: number): Promise<void> {
  const finding = findings_of(store)[store.view.peek().finding];
  const all = instances_of(finding);
  if (all.length === 0) {
    store.say(finding ? "This finding has no single operations" : "There is no finding");
    return;
  }
  const instance = (index + all.length) % all.length;
  store.set({ instance });
  await go_to(store, all[instance]!);
}

// The next hit of the search, or the one before, from the selected operation on.
export async function step_search(store: Store, dir: "next" | "previous"): Promise<void> {
  const { search, selected } = store.view.peek();
  if (!search) return;
  const from = selected ? { from_rank: selected.rank, from_operation: selected.operation } : {};
  const ask = (query: object) => store.source.get<{ hit: Operation | null; count: number }>("search", { q: search, dir, ...query });
  let answer = await store.activity.during(ask(from));
  if (!answer.hit && answer.count > 0) answer = await store.activity.during(ask({})); // from the other end
  if (!answer.hit) {
    store.say("No operation matches");
    return;
  }
  select(store, answer.hit);
  store.say(sentence_of(answer.hit));
  show(store, answer.hit);
}

// Moves the view so that the operation is in it; its zoom stays where that is possible.
export function show(store: Store, op: Operation): void {
  const range = store.range.peek();
  const length = range.end - range.begin;
  const end = op.begin_ps + op.observed_ps;
  if (op.begin_ps >= range.begin && end <= range.end) return;
  if (op.observed_ps > length) store.set_range(around(op.begin_ps, op.observed_ps, store.span.peek()));
  else {
    const begin = (op.begin_ps + end - length) / 2;
    store.set_range({ begin, end: begin + length }, "show");
  }
}

// To the operation `by` further on the same rank.
export async function step_operation(store: Store, by: number): Promise<void> {
  const selected = store.view.peek().selected;
  if (!selected) return select_first(store);
  if (selected.operation + by < 0) return;
  const { rank } = selected;
  const op = await store.activity.during(store.source.get<Operation>(`operation/${rank}/${selected.operation + by}`));
  select(store, op);
  store.say(sentence_of(op));
  show(store, op);
}

async function select_first(store: Store): Promise<void> {
  const { begin, end } = store.range.peek();
  const { operations } = await store.activity.during(
    store.source.get<{ operations: Operation[] }>("operations", { t0: begin, t1: end, sort: "own", page: 0 }),
  );
  if (!operations[0]) return store.say("There is no operation in view");
  select(store, operations[0]);
  store.say(sentence_of(operations[0]));
}

export function set_mode(store: Store, mode: Mode): void {
  store.set({ mode });
}

export function next_mode(store: Store): void {
  const at = kModes.indexOf(store.view.peek().mode);
  const mode = kModes[(at + 1) % kModes.length]!;
  set_mode(store, mode);
  store.say(`Alignment: ${mode}`);
}

// In alignment by shift: the expected operation is moved below the observed one.
export async function pin_shift(store: Store): Promise<void> {
  const id = store.view.peek().selected;
  if (!id) return store.say("Select an operation first");
  const op = await store.activity.during(store.source.get<Operation>(`operation/${id.rank}/${id.operation}`));
  store.set({ mode: "shift", shift: op.begin_ps - op.free_begin_ps });
}

export function toggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}
