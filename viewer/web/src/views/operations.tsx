// The operations in view as a table: what the canvas shows, to be read aloud.

import { signal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Operation, OperationsPage } from "../data/api_types";
import { resource } from "../data/resource";
import { bytes, count, duration, duration_range, signed_duration } from "../draw/format";
import { select, sentence_of, show } from "../state/actions";
import { and, part_filter } from "../state/parts";
import { read_operations, type Sort } from "../state/questions";
import { use_page } from "./page";

const kColumns: { name: string; sort?: Sort; number?: boolean; of(op: Operation): string }[] = [
  { name: "rank", number: true, of: (op) => String(op.rank) },
  { name: "call", of: (op) => op.call },
  { name: "site", of: (op) => op.site },
  { name: "bytes", sort: "bytes", number: true, of: (op) => (op.bytes > 0 ? bytes(op.bytes) : "") },
  { name: "begin", sort: "begin", number: true, of: (op) => duration(op.begin_ps) },
  { name: "observed", sort: "observed", number: true, of: (op) => duration(op.observed_ps) },
  { name: "expected", number: true, of: (op) => (op.judged ? duration_range(op.lower_ps, op.upper_ps) : op.reason || "not judged") },
  { name: "own", sort: "own", number: true, of: (op) => (op.judged ? signed_duration(op.own_ps) : "") },
  { name: "inherited", sort: "inherited", number: true, of: (op) => (op.judged ? signed_duration(op.inherited_ps) : "") },
];

function Head({ sort }: { sort: Signal<Sort> }) {
  return (
    <thead>
      <tr>
        {kColumns.map((column) => (
          <th
            key={column.name}
            scope="col"
            class={column.number ? "number" : ""}
            aria-sort={column.sort === sort.value ? (sort.value === "begin" ? "ascending" : "descending") : undefined}
          >
            {column.sort ? (
              <button type="button" onClick={() => (sort.value = column.sort!)}>
                {column.name} <span aria-hidden="true">{column.sort === sort.value ? (sort.value === "begin" ? "▲" : "▼") : ""}</span>
              </button>
            ) : (
              column.name
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Rows({ operations }: { operations: readonly Operation[] }) {
  const { store } = use_page();
  const selected = store.view.value.selected;
  const choose = (op: Operation) => {
    select(store, op);
    show(store, op);
    store.say(sentence_of(op));
  };
  return (
    <tbody>
      {operations.map((op) => {
        const current = selected?.rank === op.rank && selected.operation === op.operation;
        return (
          <tr key={`${op.rank}.${op.operation}`} aria-current={current ? "true" : undefined} onClick={() => choose(op)}>
            {kColumns.map((column) => (
              <td key={column.name} class={column.number ? "number" : ""}>
                {column.name === "call" ? (
                  <button type="button" class="link" onClick={(event) => (event.stopPropagation(), choose(op))}>
                    {op.call}
                  </button>
                ) : (
                  column.of(op)
                )}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

function Pages({ data, page }: { data: OperationsPage; page: Signal<number> }) {
  if (data.pages <= 1) return null;
  return (
    <p class="pages">
      <button type="button" disabled={data.page === 0} onClick={() => (page.value = data.page - 1)}>
        Previous page
      </button>{" "}
      page {count(data.page + 1)} of {count(data.pages)}{" "}
      <button type="button" disabled={data.page + 1 >= data.pages} onClick={() => (page.value = data.page + 1)}>
        Next page
      </button>
    </p>
  );
}

function use_table(filter: () => string, whole: boolean) {
  const { store } = use_page();
  return useMemo(() => {
    const sort = signal<Sort>("own");
    const page = signal(0);
    const question = () =>
      store.meta.value && {
        sort: sort.value, page: page.value, filter: filter(),
        range: whole ? { begin: 0, end: store.span.value } : store.range.value,
      };
    const answer = resource(
      store.activity,
      question,
      ({ range, ...query }) =>
        whole
          ? store.source.get<OperationsPage>("operations", { t0: range.begin, t1: range.end, ...query })
          : read_operations(store, query),
      { delay: 150 },
    );
    return { sort, page, answer };
  }, []);
}

function Table({ filter, caption, whole = false }: { filter: () => string; caption: string; whole?: boolean }) {
  const { sort, page, answer } = use_table(filter, whole);
  const { data, error } = answer.value;
  if (error) return <p class="bad">{error}</p>;
  if (!data) return <p class="soft">Loading …</p>;
  return (
    <>
      <table class="operations">
        <caption>
          {count(data.total)} {caption}
        </caption>
        <Head sort={sort} />
        <Rows operations={data.operations} />
      </table>
      <Pages data={data} page={page} />
    </>
  );
}

export function Operations() {
  const { store } = use_page();
  const { part, lanes } = store.view.value;
  const filter = () => and(store.view.value.lanes, part_filter(store.view.value.part) ?? "");
  const of = part ? ` with ${part.replace(/_/g, " ")} (Esc shows all)` : lanes ? ` where ${lanes}` : "";
  const known = store.source.is_live ? "" : ", of those that this file knows one by one";
  return <Table filter={filter} caption={`operations in view${of}${known}`} />;
}

export function Unmatched() {
  return <Table filter={() => "unmatched"} caption="sends and receives whose other end is not in the recording, in the whole run" whole />;
}
