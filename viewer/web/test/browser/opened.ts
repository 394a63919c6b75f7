// A page of the viewer in the browser, and what stories ask of it.

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Hooks } from "../../src/hooks";
import { browsing, type Viewing } from "./world";

declare global {
  interface Window {
    plumbline: Hooks;
  }
}

export type Opened = { page: Page; requests: string[]; faults: string[] };

// Faults of the page (errors of scripts, messages of the console) are collected; close() fails where there were any.
export async function open_address(address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await (await browsing()).newContext({ viewport: { width: 1920, height: 1080 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
  const page = await context.newPage();
  const [requests, faults]: [string[], string[]] = [[], []];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  return { page, requests, faults };
}

export async function open(viewing: Viewing, fragment = "", options: BrowserContextOptions = {}): Promise<Opened> {
  const opened = await open_address(viewing.url + (fragment && `&${fragment}`), options);
  await opened.page.waitForSelector(".canvas-box, .step-box, .fatal [role=alert]");
  await idle(opened.page);
  return opened;
}

export async function close({ page, faults }: Opened): Promise<void> {
  await page.context().close();
  assert.deepEqual(faults, []);
}

export const idle = (page: Page) => page.evaluate(() => window.plumbline.idle());
export const state = (page: Page) => page.evaluate(() => window.plumbline.state());

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await idle(page);
  }
}

// Runs what changes the page, and waits until it has settled.
export async function settled<T>(page: Page, work: Promise<T>): Promise<T> {
  const result = await work;
  await idle(page);
  return result;
}

export function pixels_of(page: Page, rank: number, operation: number) {
  return page.evaluate(([r, o]) => window.plumbline.pixelOf(r!, o!), [rank, operation]);
}

export function free_pixels_of(page: Page, rank: number, operation: number) {
  return page.evaluate(([r, o]) => window.plumbline.freePixelOf(r!, o!), [rank, operation]);
}

export function hit(page: Page, x: number, y: number) {
  return page.evaluate(([a, b]) => window.plumbline.hit(a!, b!), [x, y]);
}

export const text = async (page: Page, selector: string) => ((await page.textContent(selector)) ?? "").replace(/\s+/g, " ").trim();

// "29.15 ms" in seconds; NaN where it is no duration
export function seconds_in(words: string): number {
  const units: Record<string, number> = { ps: 1e-12, ns: 1e-9, "µs": 1e-6, us: 1e-6, ms: 1e-3, s: 1, min: 60 };
  const found = /([+−-]?)\s*([\d.,  ]+)\s*(ps|ns|µs|us|ms|s|min)\b/.exec(words);
  if (!found) return NaN;
  const value = Number(found[2]!.replace(/[,  ]/g, "")) * units[found[3]!]!;
  return found[1] && found[1] !== "+" ? -value : value;
}
