// What all views are given.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Signal } from "@preact/signals";
import type { Command } from "../state/commands";
import type { Questions } from "../state/questions";
import type { Store } from "../state/store";
import type { Picture } from "./picture";

export type Dialog = "none" | "keys" | "palette";

export type Page = {
  store: Store;
  asked: Questions;
  picture: Picture;
  commands: readonly Command[];
  dialog: Signal<Dialog>;
};

export const PageContext = createContext<Page>(null as unknown as Page);

export function use_page(): Page {
  return useContext(PageContext);
}
