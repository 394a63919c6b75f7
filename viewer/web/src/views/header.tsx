// What was looked at, and the answer in one line.

import { percent } from "../draw/format";
import { use_page } from "./page";
import { ExportMenu } from "./export_menu";
import { share } from "./share";

const kThemes = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] } as const;
const kNextTheme = { auto: "light", light: "dark", dark: "auto" } as const;

function Headline() {
  const { store } = use_page();
  const meta = store.meta.value;
  if (!meta?.headline) return null;
  const bad = meta.word === "findings" || meta.word === "incomplete";
  const form = meta.word === null ? "plain" : bad ? "bad" : meta.word === "as expected" ? "good" : "warn";
  return (
    <p class={`headline ${form}`}>
      <span aria-hidden="true">{bad ? "▲" : form === "good" ? "✓" : form === "warn" ? "?" : ""}</span> {meta.headline}
    </p>
  );
}

function Badges() {
  const meta = use_page().store.meta.value;
  if (!meta?.against) return null;
  return (
    <p class="badges">
      <span title="Within it a difference means nothing">band {percent(meta.band_share)}</span>
      <span title="Share of time that the model does not judge">{percent(1 - meta.judged_share)} not judged</span>
    </p>
  );
}

export function Header() {
  const page = use_page();
  const { store, dialog } = page;
  const meta = store.meta.value;
  const [sign, name] = kThemes[store.theme.value];
  return (
    <header>
      <h1>
        <span class="brand">plumbline</span> {meta && <span class="runs">{meta.observed}{meta.reference && ` ↔ ${meta.against === "expected" ? meta.platform || meta.reference : meta.reference}`}</span>}
      </h1>
      <Headline />
      <Badges />
      <div class="tools">
        <button type="button" onClick={() => (dialog.value = "palette")} title="All commands (Ctrl+k)">
          Commands
        </button>
        <button type="button" onClick={() => (dialog.value = "keys")} aria-label="Keys" title="Keys (?)">
          ?
        </button>
        <button
          type="button"
          aria-label={`Colours: ${name}`}
          title={`Colours: ${name}`}
          onClick={() => (store.theme.value = kNextTheme[store.theme.value])}
        >
          {sign}
        </button>
        <ExportMenu />
        {store.source.is_live && (
          <button type="button" onClick={() => share(page)} title="Copies a link to this view">
            Share
          </button>
        )}
      </div>
    </header>
  );
}

export function Banners() {
  const { store } = use_page();
  const banners = [...(store.meta.value?.banners ?? [])];
  if (store.newer.value) banners.push("The address was written by a later version of the viewer; what this one does not know was left out.");
  return (
    <>
      {banners.map((text) => (
        <p key={text} class="banner" role="status">
          {text}
        </p>
      ))}
      {store.trouble.value && (
        <p class="banner trouble" role="alert">
          {store.trouble.value}{" "}
          <button type="button" onClick={() => (store.trouble.value = "")}>
            Dismiss
          </button>
        </p>
      )}
    </>
  );
}
