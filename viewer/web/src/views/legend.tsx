// What the colours mean; a kind can be hidden here.

import { count, duration, plural, signed_duration } from "../draw/format";
import { class_bound, kind_colour } from "../draw/palette";
import { toggled } from "../state/actions";
import type { Mode } from "../state/view_state";
import { use_page } from "./page";

function Excess() {
  const { picture } = use_page();
  const { ramp } = picture.theme.value;
  const largest = picture.overview.largest.value;
  const bound = (level: number) => (class_bound(level, largest) > 0 ? `≥ ${duration(class_bound(level, largest))}` : "less");
  return (
    <>
      <span class="legend-item">faster</span>
      {ramp.map((colour, n) => (
        <span key={n} class="swatch" style={{ background: colour }} title={n === 4 ? "within the band" : `${n < 4 ? "faster" : "slower"}, ${bound(Math.abs(n - 4))}`} />
      ))}
      <span class="legend-item">slower (strongest {bound(4)})</span>
      <span class="legend-item"><i class="part free" /> expected</span>
      <span class="legend-item"><i class="part inherited" /> inherited</span>
      <span class="legend-item"><i class="part structure" /> algorithm, hints</span>
      <span class="legend-item"><i class="part stack" /> hardware, stack</span>
      <span class="legend-item">Ι bracket</span>
      <span class="legend-item"><i class="part not-judged" /> not judged</span>
      <span class="legend-item soft">parts are not in order of time</span>
    </>
  );
}

function Kinds() {
  const { picture, store } = use_page();
  const { hidden } = store.view.value;
  return (
    <>
      {(store.meta.value?.kinds ?? []).map((kind) => (
        <button
          key={kind}
          type="button"
          class="legend-item"
          aria-pressed={!hidden.includes(kind)}
          title={hidden.includes(kind) ? `Show ${kind}` : `Hide ${kind}`}
          onClick={() => store.set({ hidden: toggled(hidden, kind) })}
        >
          <i class="swatch" style={{ background: kind_colour(kind, picture.theme.value) }} /> {kind}
        </button>
      ))}
    </>
  );
}

const kAttributes: Record<string, string> = {
  bytes: "a colour for each factor of 32 from 1 B, light to dark",
  peer: "eight colours in turn, by the number of the peer",
  tag: "eight colours in turn, by the tag",
  call: "eight colours in turn, by the call",
  file: "eight colours in turn, by the name of the file",
};

function Notes() {
  const { store, asked } = use_page();
  const { mode, shift, messages } = store.view.value;
  const modes: Partial<Record<Mode, string>> = {
    absolute: "below: the expected run at its own times",
    shift: `below: the expected run, moved by ${signed_duration(shift)}`,
    phase: "below: the expected run, stretched between common synchronisations, all ranks alike",
    matched: "below: the expected run, each rank stretched by its matched operations; arrows are off",
    step: "each row a rank, each column an instance of the call",
  };
  const sent = asked.messages.value.data;
  const shown = sent && messages && sent.total > sent.messages.length;
  return (
    <>
      {modes[mode] && <span class="legend-item soft">{modes[mode]}</span>}
      {shown && <span class="legend-item soft">{`${count(sent.messages.length)} of ${plural(sent.total, "message")}: zoom in for all`}</span>}
    </>
  );
}

export function Legend() {
  const { store } = use_page();
  const { colour, mode } = store.view.value;
  const excess = (colour === "excess" || mode === "step") && store.meta.value?.against;
  return (
    <div class="legend" role="group" aria-label="Legend">
      {excess ? <Excess /> : colour === "kind" || colour === "excess" ? <Kinds /> : <span class="legend-item">{kAttributes[colour]}; zoom in until bars are seen</span>}
      <Notes />
    </div>
  );
}
