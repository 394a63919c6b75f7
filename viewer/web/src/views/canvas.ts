// A canvas as large as its box, sharp on screens of any density.

import type { Context } from "../draw/context";

export function fitted(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

export function cleared(canvas: HTMLCanvasElement, width: number, height: number): Context {
  const context = fitted(canvas, width, height);
  context.clearRect(0, 0, width, height);
  return context;
}

// Calls `resized` now and whenever the size of the element has changed.
export function follow_size(element: Element, resized: () => void): () => void {
  const observer = new ResizeObserver(resized);
  observer.observe(element);
  resized();
  return () => observer.disconnect();
}
