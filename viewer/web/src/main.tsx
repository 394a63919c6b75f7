// Picks the source of the data, and mounts the page.

import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { InlinedSource, kElement, read_inlined } from "./data/inlined";
import { ServerSource, take_token, type Source } from "./data/source";
import { hooks } from "./hooks";
import { questions, RankMaps } from "./state/questions";
import { follow_address, Store } from "./state/store";
import { find_whatif } from "./state/whatif";
import { App } from "./views/app";
import { command_table } from "./views/command_table";
import type { Page } from "./views/page";
import { Picture } from "./views/picture";
import { follow_theme } from "./views/theme";

function replace(fragment: string): void {
  history.replaceState(null, "", `#${fragment}`);
}

function source_of_page(): Source {
  const inlined = document.getElementById(kElement)?.textContent;
  if (inlined) return new InlinedSource(read_inlined(inlined));
  return new ServerSource(take_token(location, sessionStorage, replace), location.origin);
}

function page_of(store: Store): Page {
  const asked = questions(store);
  const dark = signal(false);
  const picture = new Picture(store, asked, new RankMaps(store), dark);
  follow_theme(store, picture, dark);
  const page: Page = { store, asked, picture, commands: [], dialog: signal("none") };
  return { ...page, commands: command_table(() => page) };
}

function mount(): void {
  const store = new Store(source_of_page(), location.hash);
  const page = page_of(store);
  Object.assign(window, { plumbline: hooks(page) });
  window.addEventListener("hashchange", () => {
    if (store.source.is_live) take_token(location, sessionStorage, replace);
    store.open_address(location.hash);
  });
  effect(() => {
    const meta = store.meta.value;
    if (meta) document.title = `${meta.observed}: ${meta.headline}`;
  });
  const target = document.getElementById("page")!;
  target.replaceChildren();
  render(<App page={page} />, target);
  follow_address(store, location, replace);
  void store.open().then(() => find_whatif(store));
}

// At once; or, in a report that is about more than this timeline, when the reader asks for it.
function start(): void {
  const later = document.getElementById(kElement)?.dataset.later;
  if (later === undefined) return mount();
  const button = document.createElement("button");
  button.type = "button";
  button.id = "show-timeline";
  button.textContent = later;
  button.title = "In the place of this text, which comes back when the page is loaded again";
  button.addEventListener("click", mount);
  document.getElementById("page")!.prepend(button);
}

start();
