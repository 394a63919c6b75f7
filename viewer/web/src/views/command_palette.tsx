// All commands by name: a combobox with a list (ARIA authoring practices, "list autocomplete").

import uFuzzy from "@leeoniya/ufuzzy";
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Command } from "../state/commands";
import { use_page } from "./page";

const kFuzzy = new uFuzzy({ intraMode: 1 });

export function matching(commands: readonly Command[], needle: string): Command[] {
  if (needle.trim() === "") return [...commands];
  const titles = commands.map((command) => command.title);
  const [found, info, order] = kFuzzy.search(titles, needle);
  if (!found) return [];
  return order && info ? order.map((n) => commands[info.idx[n]!]!) : found.map((n) => commands[n]!);
}

function use_dialog(open: boolean, closed: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
    element.addEventListener("close", closed);
    return () => element.removeEventListener("close", closed);
  }, [open]);
  return dialog;
}

function Options({ found, at, run }: { found: readonly Command[]; at: number; run(command: Command): void }) {
  return (
    <ul role="listbox" id="palette-list" aria-label="Commands">
      {found.map((command, n) => (
        <li key={command.id} id={`command-${command.id}`} role="option" aria-selected={n === at} onClick={() => run(command)}>
          {command.title} <small>{command.group}</small>
          <span class="keys">{command.keys.slice(0, 2).map((key) => <kbd key={key}>{key}</kbd>)}</span>
        </li>
      ))}
    </ul>
  );
}

export function CommandPalette() {
  const { commands, dialog } = use_page();
  const { needle, at } = useMemo(() => ({ needle: signal(""), at: signal(0) }), []);
  const open = dialog.value === "palette";
  const element = use_dialog(open, () => dialog.peek() === "palette" && (dialog.value = "none"));
  const found = open ? matching(commands, needle.value) : [];
  const run = (command: Command | undefined) => {
    dialog.value = "none";
    needle.value = "";
    at.value = 0;
    if (command) setTimeout(command.run, 0); // after the dialog has given the focus back
  };
  const on_key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0 && found.length > 0) {
      event.preventDefault();
      at.value = (at.value + by + found.length) % found.length;
      document.getElementById(`command-${found[at.value]!.id}`)?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter") {
      event.preventDefault();
      run(found[at.value]);
    }
  };
  return (
    <dialog class="palette" ref={element} aria-label="Commands">
      {open && (
        <>
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-autocomplete="list"
            aria-activedescendant={found[at.value] ? `command-${found[at.value]!.id}` : undefined}
            aria-label="Command"
            placeholder="Type what to do"
            autofocus
            value={needle.value}
            onInput={(event) => {
              needle.value = event.currentTarget.value;
              at.value = 0;
            }}
            onKeyDown={on_key}
          />
          <Options found={found} at={at.value} run={run} />
        </>
      )}
    </dialog>
  );
}

const kGroups = ["Move", "Find", "Explain", "Show", "Export", "Help"] as const;

export function KeysDialog() {
  const { commands, dialog } = use_page();
  const open = dialog.value === "keys";
  const element = use_dialog(open, () => dialog.peek() === "keys" && (dialog.value = "none"));
  return (
    <dialog class="keys-dialog" ref={element} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <div class="key-groups">
        {kGroups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {commands.filter((command) => command.group === group && command.keys.length > 0).map((command) => (
                <div key={command.id}>
                  <dt>{command.keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                  <dd>{command.title}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>In the timeline: arrow keys select operations and lanes, the wheel zooms at the pointer, Shift and wheel moves, a drag moves, Shift and drag measures, a double click goes to a bar. In alignment by shift, Alt and drag moves the expected lanes.</p>
      <button type="button" onClick={() => (dialog.value = "none")}>Close</button>
    </dialog>
  );
}
