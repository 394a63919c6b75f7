// Names of lanes, with what folds, opens and pins them.

import { kComponents, type GroupRow, type LaneRow, type Row } from "../draw/lane_layout";
import { count } from "../draw/format";
import { toggled } from "../state/actions";
import type { Store } from "../state/store";
import { use_page } from "./page";

const kOfExpected = ": how busy they are in the expected run, stretched to the observed one between common synchronisations";
const kLeastText = 11; // pixels

function Group({ row, top }: { row: GroupRow; top: number }) {
  const { store } = use_page();
  const of = row.name === kComponents ? "components" : "lanes";
  return (
    <div class="group-label" style={{ top: `${row.y - top}px`, height: `${row.height}px` }} role="listitem">
      <button
        type="button"
        aria-expanded={!row.closed}
        title={`${row.closed ? "Show" : "Hide"} ${row.lanes} ${of}${row.name === kComponents ? kOfExpected : ""}`}
        onClick={() => store.set({ closed: toggled(store.view.value.closed, row.name) })}
      >
        <span aria-hidden="true">{row.closed ? "▸" : "▾"}</span> {row.name} <small>{count(row.lanes)}</small>
      </button>
    </div>
  );
}

// What the current finding says is at fault: one component, or one of several.
function blamed(store: Store): string[] {
  const component = store.report.value?.findings[store.view.value.finding]?.component ?? "";
  return [component, ...component.split(/, | or /)];
}

// "+1.2 s" of "+1.2 s own in MPI_Send"; all of it is the lane's title.
function how_much(note: string): string {
  return note.split(" ").slice(0, 2).join(" ");
}

function Label({ row, top }: { row: LaneRow; top: number }) {
  const { store } = use_page();
  const { lane, pinned } = row;
  const small = row.height < kLeastText;
  const place = { top: `${row.y - top}px`, height: `${row.height}px` };
  const is_open = store.view.value.opened.includes(lane.lane);
  const lit = lane.kind === "component" && blamed(store).includes(lane.name);
  const selected = lane.kind === "rank" && store.view.value.selected?.rank === lane.lane;
  return (
    <div class={`lane-label ${small ? "small" : ""} ${selected ? "selected" : ""} ${lit ? "lit" : ""}`} style={place} role="listitem" title={lane.note || lane.name}>
      {lane.kind === "fold" ? (
        <button
          type="button"
          class="fold"
          aria-expanded={is_open}
          aria-label={`Ranks ${lane.name} behave alike`}
          onClick={() => store.set({ opened: toggled(store.view.value.opened, lane.lane) })}
        >
          <span aria-hidden="true">{is_open ? "▾" : "▸"}</span> {lane.name.split(" ×")[0]}
        </button>
      ) : (
        <span class="name">
          {lane.name}
          {lane.class && <small> {lane.class}</small>}
        </span>
      )}
      {lane.kind === "fold" && <small class="times">×{count(lane.ranks ?? 0)}</small>}
      {lane.note && <small class={lane.note.startsWith("+") ? "note more" : "note"}>{how_much(lane.note)}</small>}
      <button
        type="button"
        class="pin"
        aria-pressed={pinned}
        aria-label={`Pin lane ${lane.name}`}
        onClick={() => store.set({ pinned: toggled(store.view.value.pinned, lane.lane) })}
      >
        <span aria-hidden="true">{pinned ? "★" : "☆"}</span>
      </button>
    </div>
  );
}

export function LaneLabels({ rows, top }: { rows: readonly Row[]; top: number }) {
  const kept = rows.filter((row) => row.type === "group" || row.height >= kLeastText);
  return (
    <div class="labels" role="list" aria-label="Lanes">
      {kept.map((row) =>
        row.type === "group" ? (
          <Group key={`group ${row.name}`} row={row} top={top} />
        ) : (
          <Label key={`${row.lane.lane} ${row.pinned}`} row={row} top={top} />
        ),
      )}
    </div>
  );
}
