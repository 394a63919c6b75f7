// Profile of the range in view, by call and site.

import { useMemo } from "preact/hooks";
import type { ProfileRow } from "../data/api_types";
import { resource } from "../data/resource";
import { bytes, count, duration, signed_duration } from "../draw/format";
import { use_page } from "./page";

const kNumbers: [string, (row: ProfileRow) => string][] = [
  ["count", (row) => count(row.count)],
  ["observed", (row) => duration(row.observed_ps)],
  ["expected", (row) => duration(row.expected_ps)],
  ["own", (row) => signed_duration(row.own_ps)],
  ["inherited", (row) => signed_duration(row.inherited_ps)],
  ["bytes", (row) => bytes(row.bytes)],
];

export function Calls() {
  const { store } = use_page();
  const answer = useMemo(
    () =>
      resource(
        store.activity,
        () => store.meta.value && { t0: store.range.value.begin, t1: store.range.value.end },
        (range) => store.source.get<{ rows: ProfileRow[] }>("aggregate/profile", range),
        { delay: 150 },
      ),
    [],
  );
  const { data, error } = answer.value;
  if (error) return <p class="bad">{error}</p>;
  const find = (row: ProfileRow) => store.set({ search: `call == ${row.call} & site ~ "${row.site.replace(/"/g, "")}"` });
  return (
    <table>
      <caption>Calls in view, dearest first</caption>
      <thead>
        <tr>
          <th scope="col">call</th>
          <th scope="col">site</th>
          {kNumbers.map(([name]) => (
            <th key={name} scope="col" class="number">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(data?.rows ?? []).map((row) => (
          <tr key={`${row.call} ${row.site}`}>
            <td>
              <button type="button" class="link" title="Finds these operations" onClick={() => find(row)}>
                {row.call}
              </button>
            </td>
            <td>{row.site}</td>
            {kNumbers.map(([name, text]) => (
              <td key={name} class="number">{text(row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
