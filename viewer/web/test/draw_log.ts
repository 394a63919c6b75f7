// A context that writes down what is drawn.

import type { Context } from "../src/draw/context";

export type Call = { name: string; fill: unknown; stroke: unknown; dash: readonly number[]; args: readonly unknown[] };
export type DrawLog = Context & { calls: Call[] };

const kDrawing = ["fillRect", "strokeRect", "beginPath", "moveTo", "lineTo", "bezierCurveTo", "closePath", "fill", "stroke", "fillText", "drawImage"] as const;

export function draw_log(): DrawLog {
  const calls: Call[] = [];
  let dash: readonly number[] = [];
  const log: Record<string, unknown> = {
    calls, fillStyle: "", strokeStyle: "", lineWidth: 1, font: "", textAlign: "left", textBaseline: "top", globalAlpha: 1,
    imageSmoothingEnabled: true,
    setLineDash: (next: readonly number[]) => (dash = next),
  };
  for (const name of kDrawing) {
    log[name] = (...args: unknown[]) => calls.push({ name, fill: log.fillStyle, stroke: log.strokeStyle, dash, args });
  }
  return log as unknown as DrawLog;
}

export function of(log: DrawLog, name: string): Call[] {
  return log.calls.filter((call) => call.name === name);
}
