// Parts of the waterfall: their colours, and the expression of the operations that they are made of.

const kStorage = '(kind == "MPI-IO" | kind == POSIX)';

// Null: the part is no time within operations, so there is nothing to filter.
const kFilters: Record<string, string | null> = {
  compute: null,
  off_cpu: null,
  outside: null,
  polling: null,
  expected: "judged",
  inherited: "inherited > 0",
  structure: "structure > 0",
  network_stack: `stack > 0 & !${kStorage}`,
  storage_stack: `stack > 0 & ${kStorage}`,
  gained: "gained > 0",
  not_judged: "!judged",
  set_up: "kind == communicators",
};

export function part_filter(id: string): string | null {
  return kFilters[id] ?? null;
}

// Names of custom properties of the style sheet.
export function part_colour(id: string): string {
  return `var(--part-${id.replace(/_/g, "-")}, var(--soft))`;
}

export function and(...expressions: readonly string[]): string {
  const parts = expressions.filter((each) => each.trim() !== "");
  return parts.length < 2 ? (parts[0] ?? "") : parts.map((each) => `(${each})`).join(" & ");
}
