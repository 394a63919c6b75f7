// Light or dark: as the system says, or as was chosen in this browser.

import { effect, type Signal } from "@preact/signals";
import type { Store, ThemeChoice } from "../state/store";
import type { Picture } from "./picture";

const kKept = "plumbline-theme";

// A page of a file, or of a private window, may have no storage.
function kept(): ThemeChoice {
  try {
    const choice = localStorage.getItem(kKept);
    return choice === "light" || choice === "dark" ? choice : "auto";
  } catch {
    return "auto";
  }
}

function keep(choice: ThemeChoice): void {
  try {
    localStorage.setItem(kKept, choice);
  } catch {
    return; // it holds for this page only
  }
}

export function follow_theme(store: Store, picture: Picture, dark: Signal<boolean>): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const paper = matchMedia("print");
  const follow = () => (dark.value = system.matches && !paper.matches);
  system.addEventListener("change", follow);
  paper.addEventListener("change", follow);
  follow();
  store.theme.value = kept();
  effect(() => {
    keep(store.theme.value);
    document.documentElement.dataset.theme = picture.theme.value.name;
  });
}
