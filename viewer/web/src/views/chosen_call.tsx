// The call that charts of one call show: that of the selected operation, of the finding, or the first; or what the user
// chose.

import { signal } from "@preact/signals";
import { use_page, type Page } from "./page";

const chosen = signal("");

export function chosen_call({ store, asked }: Pick<Page, "store" | "asked">): string {
  const view = store.view.value;
  const finding = store.report.value?.findings[view.finding];
  const of_selected = view.selected ? asked.detail.value.data?.call : undefined;
  return chosen.value || of_selected || finding?.call || store.meta.value?.calls[0] || "";
}

export function CallChoice() {
  const page = use_page();
  return (
    <label class="choice">
      <span>Call</span>
      <select value={chosen_call(page)} onChange={(event) => (chosen.value = event.currentTarget.value)}>
        {(page.store.meta.value?.calls ?? []).map((call) => (
          <option key={call} value={call}>
            {call}
          </option>
        ))}
      </select>
    </label>
  );
}
