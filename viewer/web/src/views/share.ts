import { encode } from "../state/view_state";
import type { Page } from "./page";

// The link holds the token of the server: it opens for whoever can reach the server.
export function share({ store }: Page): void {
  const link = store.source.link(encode(store.view.peek()));
  if (!link) return;
  const done = () => store.say("The link to this view is copied");
  navigator.clipboard?.writeText(link).then(done, () => (store.trouble.value = `Copy this link: ${link}`)) ??
    (store.trouble.value = `Copy this link: ${link}`);
}
