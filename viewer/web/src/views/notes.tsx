// What a reader should know about the run and the model.

import { use_page } from "./page";

export function Notes() {
  const meta = use_page().store.meta.value;
  if (!meta) return null;
  const facts: [string, string][] = [["program", meta.program], ["library", meta.library], ["platform", meta.platform]];
  return (
    <section class="notes" aria-labelledby="notes-title">
      <h2 id="notes-title">The run</h2>
      <dl class="facts">
        {facts.filter(([, value]) => value).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {meta.notes.map((note) => (
        <p key={note} class="soft">{note}</p>
      ))}
    </section>
  );
}
