// The whole page.

import { useEffect } from "preact/hooks";
import { Bottom } from "./bottom";
import { CriticalPathFacts } from "./blame";
import { CommandPalette, KeysDialog } from "./command_palette";
import { Detail } from "./detail";
import { EfficiencyStrip } from "./efficiency";
import { Findings } from "./findings";
import { Banners, Header } from "./header";
import { InstancesChart } from "./instances_chart";
import { listen_to_keys } from "./keyboard";
import { Legend } from "./legend";
import { Minimap } from "./minimap";
import { Notes } from "./notes";
import { PageContext, use_page, type Page } from "./page";
import { Timeline } from "./timeline";
import { Toolbar } from "./toolbar";
import { Validation } from "./validation";
import { Waterfall } from "./waterfall";
import { Whatif } from "./whatif";

function Fatal({ text }: { text: string }) {
  return (
    <main class="fatal">
      <h1>plumbline</h1>
      <p role="alert">{text}</p>
    </main>
  );
}

function Lanes() {
  const { store } = use_page();
  return store.view.value.mode === "step" ? <InstancesChart tall /> : <Timeline />;
}

function Panels() {
  const { store } = use_page();
  const compared = !!store.meta.value?.against;
  return (
    <div class={compared ? "panels" : "panels alone"}>
      <div class="left">
        <Waterfall />
        <Findings />
        <Validation />
        <Whatif />
        <Notes />
      </div>
      <main>
        <Toolbar />
        <Minimap />
        <EfficiencyStrip />
        <Lanes />
        <Legend />
        <Bottom />
      </main>
      <aside aria-label="Selected operation">
        <Detail />
        <CriticalPathFacts />
      </aside>
    </div>
  );
}

function Content() {
  const { store } = use_page();
  if (store.fatal.value) return <Fatal text={store.fatal.value} />;
  if (!store.meta.value) return <main class="fatal"><p role="status">Opening …</p></main>;
  return (
    <>
      <Header />
      <Banners />
      <Panels />
      <CommandPalette />
      <KeysDialog />
      <div class="spoken" aria-live="polite" role="status">{store.spoken.value}</div>
    </>
  );
}

export function App({ page }: { page: Page }) {
  useEffect(() => listen_to_keys(page), []);
  return (
    <PageContext.Provider value={page}>
      <Content />
    </PageContext.Provider>
  );
}
