// What-if runs: started, followed until they end, cancelled.

import type { WhatifChoice, WhatifRun } from "../data/api_types";
import { duration } from "../draw/format";
import type { Store } from "./store";

const kPollMs = 500;

function keep(store: Store, run: WhatifRun): void {
  const others = store.whatif_runs.peek().filter((each) => each.run !== run.run);
  store.whatif_runs.value = [...others, run].sort((a, b) => a.run - b.run);
}

// The number behind the last "=" of a choice that takes one, such as a rate.
const kNumber = /=(-?[\d.]+)([^=\d]*)$/;

export function number_of(choice: WhatifChoice): string | null {
  return choice.takes_number ? (kNumber.exec(choice.options[choice.options.length - 1] ?? "")?.[1] ?? null) : null;
}

export function with_number(choice: WhatifChoice, number: string): WhatifChoice {
  const options = [...choice.options];
  const last = options.pop() ?? "";
  return { ...choice, title: `${choice.title}: ${number}`, options: [...options, last.replace(kNumber, `=${number}$2`)] };
}

export async function start_whatif(store: Store, choice: WhatifChoice): Promise<void> {
  const { run } = await store.activity.during(store.source.send<{ run: number }>("POST", "whatif", { options: choice.options }));
  keep(store, { run, title: choice.title, state: "running", progress: 0, span_ps: 0, saved_ps: 0, error: "" });
  store.say(`What if ${choice.title}: started`);
  follow(store, run);
}

function follow(store: Store, run: number): void {
  setTimeout(async () => {
    try {
      const now = await store.activity.during(store.source.get<WhatifRun>(`whatif/${run}`));
      const before = store.whatif_runs.peek().find((each) => each.run === run);
      if (before?.state === "cancelled") return;
      keep(store, now);
      if (now.state === "running") follow(store, run);
      else finish(store, now);
    } catch (error) {
      store.trouble.value = (error as Error).message;
    }
  }, kPollMs);
}

function finish(store: Store, run: WhatifRun): void {
  if (run.state === "done") {
    store.set({ whatif: run.run });
    store.say(`What if ${run.title}: saves ${duration(run.saved_ps)}`);
  } else store.say(`What if ${run.title}: ${run.state} ${run.error}`);
}

export async function cancel_whatif(store: Store, run: WhatifRun): Promise<void> {
  await store.activity.during(store.source.send("DELETE", `whatif/${run.run}`));
  keep(store, { ...run, state: "cancelled" });
  if (store.view.peek().whatif === run.run) store.set({ whatif: 0 });
}

// Runs that an address speaks of may be of a server that has ended since.
export async function find_whatif(store: Store): Promise<void> {
  const { whatif } = store.view.peek();
  if (whatif === 0) return;
  try {
    const run = await store.activity.during(store.source.get<WhatifRun>(`whatif/${whatif}`));
    keep(store, run);
    if (run.state === "running") follow(store, whatif);
  } catch {
    store.set({ whatif: 0 });
  }
}
