// The table of commands: the keys, the command palette and the page of keys are made from it.

export type Command = {
  id: string;
  title: string;
  group: "Move" | "Find" | "Explain" | "Show" | "Export" | "Help";
  keys: readonly string[]; // as key_name() writes them
  run(): void;
};

const kNames: Record<string, string> = { " ": "Space", Escape: "Esc" };

type KeyEvent = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

// "a", "A" (with shift), "Ctrl+k", "Esc"; as the layout of the keyboard says, so that "/" and "?" are where they are
// printed.
export function key_name(event: KeyEvent): string {
  const key = kNames[event.key] ?? event.key;
  const with_control = event.ctrlKey || event.metaKey;
  return `${with_control ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${key}`;
}

export function command_of(commands: readonly Command[], key: string): Command | undefined {
  return commands.find((command) => command.keys.includes(key));
}

// Throws where two commands have an id or a key in common.
export function checked(commands: readonly Command[]): readonly Command[] {
  const seen = new Map<string, string>();
  for (const { id, keys } of commands) {
    for (const name of [`id ${id}`, ...keys.map((key) => `key ${key}`)]) {
      const other = seen.get(name);
      if (other !== undefined) throw new Error(`commands ${other} and ${id} have the ${name} in common`);
      seen.set(name, id);
    }
  }
  return commands;
}
