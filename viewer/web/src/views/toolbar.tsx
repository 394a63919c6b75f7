// How the lanes are drawn, and the search.

import { useEffect, useRef } from "preact/hooks";
import { count, percent, plural } from "../draw/format";
import { step_search, tried } from "../state/actions";
import { kColours, kDensities, kModes, kOrders, type ViewState } from "../state/view_state";
import { use_page } from "./page";

const kModeNames: Record<string, string> = {
  place: "In place", absolute: "Absolute", shift: "Shifted", phase: "By phase", matched: "Matched", step: "By step",
};
const kColourNames: Record<string, string> = {
  excess: "Excess", kind: "Kind", bytes: "Bytes", peer: "Peer", tag: "Tag", call: "Call", file: "File",
};
const kOfRecording = kColours.filter((colour) => colour !== "excess"); // which nothing is held against
const kShares = ["0", "0.01", "0.05", "0.1"];

function Choice<K extends "mode" | "colour" | "density" | "order">(props: {
  name: K;
  label: string;
  values: readonly ViewState[K][];
  names?: Record<string, string>;
}) {
  const { store } = use_page();
  return (
    <label class="choice">
      <span>{props.label}</span>
      <select
        value={props.values.includes(store.view.value[props.name]) ? store.view.value[props.name] : props.values[0]}
        onChange={(event) => store.set({ [props.name]: event.currentTarget.value } as Partial<ViewState>)}
      >
        {props.values.map((value) => (
          <option key={value} value={value}>
            {props.names?.[value] ?? value}
          </option>
        ))}
      </select>
    </label>
  );
}

function Toggle(props: { label: string; title: string; on: boolean; change(): void }) {
  return (
    <button type="button" aria-pressed={props.on} title={props.title} onClick={props.change}>
      {props.label}
    </button>
  );
}

function Search() {
  const { store, asked } = use_page();
  const input = useRef<HTMLInputElement>(null);
  const { search } = store.view.value;
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = search;
  }, [search]);
  const { data, error } = asked.search.value;
  const on_key = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      store.set({ search: "" });
      input.current!.value = "";
      input.current!.blur();
    }
    if (event.key === "Enter") {
      store.set({ search: input.current!.value });
      tried(store, step_search(store, event.shiftKey ? "previous" : "next"));
    }
  };
  return (
    <div class="search" role="search">
      <label class="choice">
        <span>Find</span>
        <input
          id="search"
          ref={input}
          type="search"
          placeholder="call == MPI_Send & bytes > 1MiB"
          aria-describedby="search-count"
          aria-invalid={error !== ""}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => store.set({ search: event.currentTarget.value })}
          onKeyDown={on_key}
        />
      </label>
      <span id="search-count" role="status" class={error ? "bad" : ""}>
        {error || (data && search ? plural(data.count, "hit") : "")}
      </span>
    </div>
  );
}

function LaneFilter() {
  const { store } = use_page();
  const { lanes } = store.view.value;
  return (
    <label class="choice">
      <span>Lanes</span>
      <input
        id="lane-filter"
        type="search"
        value={lanes}
        placeholder="rank in 0-3,7"
        spellcheck={false}
        aria-invalid={store.lanes.value.error !== ""}
        title={store.lanes.value.error || "Lanes with an operation that matches"}
        onChange={(event) => store.set({ lanes: event.currentTarget.value })}
        onKeyDown={(event) => event.stopPropagation()}
      />
    </label>
  );
}

export function Toolbar() {
  const { store } = use_page();
  const { view, meta } = store;
  const { fold, messages, leastShare } = view.value;
  const live = store.source.is_live;
  return (
    <div class="toolbar" role="group" aria-label="View">
      {meta.value?.against && <Choice name="mode" label="Align" values={kModes} names={kModeNames} />}
      <Choice name="colour" label="Colour" values={meta.value?.against ? kColours : kOfRecording} names={kColourNames} />
      {live && <Choice name="order" label="Sort" values={kOrders} />}
      <Choice name="density" label="Lanes" values={kDensities} />
      {meta.value?.against && (
        <label class="choice">
          <span>Findings</span>
          <select value={String(leastShare)} onChange={(event) => store.set({ leastShare: Number(event.currentTarget.value) })}>
            {kShares.map((share) => (
              <option key={share} value={share}>
                {share === "0" ? "all" : `≥ ${percent(Number(share))}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {live && <Toggle label="Fold" title="Joins ranks that behave alike (f)" on={fold} change={() => store.set({ fold: !fold })} />}
      {live && <Toggle label="Messages" title="Arrows from send to receive (m)" on={messages} change={() => store.set({ messages: !messages })} />}
      {live && <LaneFilter />}
      {live && <Search />}
      {(meta.value?.unmatched ?? 0) > 0 && (
        <button type="button" title="Operations without a partner" onClick={() => store.set({ tab: "unmatched" })}>
          {count(meta.value!.unmatched)} unmatched
        </button>
      )}
      <span class="ranks">{meta.value && `${count(meta.value.ranks)} ranks, ${count(meta.value.operations)} operations`}</span>
    </div>
  );
}
