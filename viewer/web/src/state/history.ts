// Undo and redo. Values are kept as they were, so that undo gives back exactly what was there.

export type History<T> = { past: readonly T[]; present: T; future: readonly T[] };

const kMost = 200;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

// `joins`: continues the last step, such as one gesture of the wheel, and is undone with it.
export function step<T>(history: History<T>, next: T, joins = false): History<T> {
  if (joins && history.past.length > 0) return { ...history, present: next, future: [] };
  return { past: [...history.past, history.present].slice(-kMost), present: next, future: [] };
}

export function undo<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history;
  const present = history.past[history.past.length - 1]!;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

export function redo<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history;
  const [present, ...future] = history.future;
  return { past: [...history.past, history.present], present: present!, future };
}
