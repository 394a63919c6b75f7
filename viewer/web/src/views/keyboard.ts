// Keys of the whole page.

import { command_of, key_name } from "../state/commands";
import type { Page } from "./page";

function takes_text(element: Element | null): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

// A button has Enter and Space for itself, a list of tabs its arrows.
function is_own_key(element: Element | null, key: string): boolean {
  if (key !== "Enter" && key !== "Space") return false;
  return !!element?.closest("button, summary, a[href], [role=option]");
}

export function listen_to_keys(page: Page): () => void {
  const on_key = (event: KeyboardEvent) => {
    if (event.defaultPrevented || page.dialog.peek() !== "none") return;
    const [element, key] = [document.activeElement, key_name(event)];
    if (takes_text(element) && !key.startsWith("Ctrl+k")) return;
    if (is_own_key(element, key)) return;
    const command = command_of(page.commands, key);
    if (!command) return;
    event.preventDefault();
    command.run();
  };
  document.addEventListener("keydown", on_key);
  return () => document.removeEventListener("keydown", on_key);
}
