// The timeline as a file.

import { figure_size, paint_figure, type Figure, type Placed } from "../draw/figure";
import { SvgContext } from "../draw/svg_context";
import type { Page } from "./page";

const kSharpness = 2; // pixels of the file for each of the screen

function figure_of({ picture, store }: Page): Figure | null {
  const [scene, overlay, meta] = [picture.scene(), picture.overlay(), store.meta.peek()];
  if (!scene || !overlay || !meta) return null;
  return { scene, overlay, title: meta.reference ? `${meta.observed} ↔ ${meta.reference}: ${meta.headline}` : meta.observed };
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function name_of(page: Page, ending: string): string {
  const run = page.store.meta.peek()?.observed.replace(/[^\w.-]+/g, "_") || "plumbline";
  return `${run}.${ending}`;
}

export function svg_of(page: Page): string | null {
  const figure = figure_of(page);
  if (!figure) return null;
  const context = new SvgContext((image) =>
    image instanceof HTMLCanvasElement ? { href: image.toDataURL(), width: image.width, height: image.height } : null,
  );
  paint_figure(context, figure, (x, y, width, height, paint) => context.place(x, y, width, height, paint));
  const { width, height } = figure_size(figure);
  return context.document(width, height, figure.title);
}

export function export_svg(page: Page): void {
  const text = svg_of(page);
  if (text) save(new Blob([text], { type: "image/svg+xml" }), name_of(page, "svg"));
}

export function export_png(page: Page): void {
  const figure = figure_of(page);
  if (!figure) return;
  const { width, height } = figure_size(figure);
  const canvas = document.createElement("canvas");
  canvas.width = width * kSharpness;
  canvas.height = height * kSharpness;
  const context = canvas.getContext("2d")!;
  context.scale(kSharpness, kSharpness);
  const place: Placed = (x, y, w, h, paint) => {
    context.save();
    context.translate(x, y);
    context.beginPath();
    context.rect(0, 0, w, h);
    context.clip();
    paint();
    context.restore();
  };
  paint_figure(context, figure, place);
  canvas.toBlob((blob) => blob && save(blob, name_of(page, "png")));
}
