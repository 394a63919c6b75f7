// A context that writes SVG, so that pictures for papers come from the same painters.

import type { Context } from "./context";

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

const short = (value: number) => String(Math.round(value * 100) / 100);

// What an image of a strip is as a data address; null: it cannot be had.
export type Embed = (image: unknown) => { href: string; width: number; height: number } | null;

export class SvgContext implements Context {
  fillStyle: unknown = "#000000";
  strokeStyle: unknown = "#000000";
  lineWidth = 1;
  font = "12px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  globalAlpha = 1;
  imageSmoothingEnabled = false;
  private path = "";
  private dash = "";
  private clips = 0;
  private parts: string[] = [];

  constructor(private embed: Embed) {}

  fillRect(x: number, y: number, width: number, height: number): void {
    this.put("rect", this.box(x, y, width, height), `fill="${this.fillStyle}"`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.put("rect", this.box(x, y, width, height), this.stroked());
  }

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.path += `C${[x1, y1, x2, y2, x, y].map(short).join(" ")}`;
  }

  closePath(): void {
    this.path += "Z";
  }

  fill(): void {
    this.put("path", `d="${this.path}"`, `fill="${this.fillStyle}"`);
  }

  stroke(): void {
    this.put("path", `d="${this.path}"`, this.stroked());
  }

  setLineDash(dash: number[]): void {
    this.dash = dash.join(" ");
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { left: "start", start: "start", center: "middle", right: "end", end: "end" }[this.textAlign];
    const baseline = this.textBaseline === "middle" ? ' dominant-baseline="central"' : "";
    const style = `style="font:${escaped(this.font.replace(/"/g, "'"))}"`;
    this.parts.push(`<text x="${short(x)}" y="${short(y)}" text-anchor="${anchor}"${baseline} fill="${this.fillStyle}" ${style}>${escaped(text)}</text>`);
  }

  // The part of the image is cut out by a window of its own.
  drawImage(image: unknown, from_x: number, from_y: number, from_width: number, from_height: number, x: number, y: number, width: number, height: number): void {
    const picture = this.embed(image);
    if (!picture || from_width <= 0 || from_height <= 0) return;
    const name = `c${++this.clips}`;
    const [along, down] = [width / from_width, height / from_height];
    const whole = this.box(x - from_x * along, y - from_y * down, picture.width * along, picture.height * down);
    this.parts.push(`<clipPath id="${name}"><rect ${this.box(x, y, width, height)}/></clipPath>`);
    this.parts.push(`<image ${whole} preserveAspectRatio="none" style="image-rendering:pixelated" clip-path="url(#${name})" href="${picture.href}"/>`);
  }

  // Painters draw over the edges; what lies outside of a place is cut off there.
  place(x: number, y: number, width: number, height: number, paint: () => void): void {
    const name = `c${++this.clips}`;
    this.parts.push(`<clipPath id="${name}"><rect width="${width}" height="${height}"/></clipPath>`);
    this.parts.push(`<g transform="translate(${x} ${y})"><g clip-path="url(#${name})">`);
    paint();
    this.parts.push("</g></g>");
  }

  document(width: number, height: number, title: string): string {
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"><title>${escaped(title)}</title>${this.parts.join("\n")}</svg>\n`;
  }

  private box(x: number, y: number, width: number, height: number): string {
    return `x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}"`;
  }

  private stroked(): string {
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${this.dash ? ` stroke-dasharray="${this.dash}"` : ""}`;
  }

  private put(name: string, ...attributes: string[]): void {
    const alpha = this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`;
    this.parts.push(`<${name} ${attributes.join(" ")}${alpha}/>`);
  }
}
