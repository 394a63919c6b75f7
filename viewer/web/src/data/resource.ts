// An answer that follows its question: asked again when the question changes, the last question wins.

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Activity } from "./activity";

export type Loaded<T> = { data: T | null; error: string; loading: boolean };

type Options = { delay?: number; keep?: boolean };

// `question` reads signals; null: nothing to ask. delay: ms that a question has to stand before it is asked. keep: the
// last answer stays until the next one is there.
export function resource<Q, T>(
  activity: Activity,
  question: () => Q | null,
  ask: (question: Q) => Promise<T>,
  { delay = 0, keep = true }: Options = {},
): ReadonlySignal<Loaded<T>> {
  const result = signal<Loaded<T>>({ data: null, error: "", loading: false });
  let asked = "null";
  let turn = 0;
  effect(() => {
    const next = question();
    const text = JSON.stringify(next);
    if (text === asked) return;
    asked = text;
    const mine = ++turn;
    const before = result.peek();
    if (next === null) {
      if (before.data !== null || before.loading || before.error) result.value = { data: null, error: "", loading: false };
      return;
    }
    result.value = { data: keep ? before.data : null, error: "", loading: true };
    void activity.during(answer(next, mine));
  });

  async function answer(next: Q, mine: number): Promise<void> {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (mine !== turn) return;
    try {
      const data = await ask(next);
      if (mine === turn) result.value = { data, error: "", loading: false };
    } catch (error) {
      if (mine === turn) result.value = { data: null, error: (error as Error).message, loading: false };
    }
  }
  return result;
}
