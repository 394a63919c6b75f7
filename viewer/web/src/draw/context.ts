// What painters use of a canvas. A canvas, the SVG export and the draw log of the tests implement it.

export interface Context {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  globalAlpha: number;
  imageSmoothingEnabled: boolean;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  closePath(): void;
  fill(): void;
  stroke(): void;
  setLineDash(dash: number[]): void;
  fillText(text: string, x: number, y: number): void;
  drawImage(
    image: any,
    from_x: number,
    from_y: number,
    from_width: number,
    from_height: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
}

// Several lines of one colour, stroked at once.
export function lines(context: Context, colour: string, width: number, segments: readonly number[][]): void {
  if (segments.length === 0) return;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (const [x1, y1, x2, y2] of segments) {
    context.moveTo(x1!, y1!);
    context.lineTo(x2!, y2!);
  }
  context.stroke();
}

// Diagonals within a rectangle, `distance` apart along x.
export function hatch(context: Context, colour: string, x: number, y: number, width: number, height: number): void {
  const distance = 5;
  const segments: number[][] = [];
  const first = Math.ceil((x - height) / distance) * distance; // the same lines wherever a part begins
  for (let from = first; from < x + width; from += distance) {
    const left = Math.max(from, x);
    const right = Math.min(from + height, x + width);
    if (right > left) segments.push([left, y + height - (left - from), right, y + height - (right - from)]);
  }
  lines(context, colour, 1, segments);
}

// Dots in rows, for what is not judged.
export function dots(context: Context, colour: string, x: number, y: number, width: number, height: number): void {
  context.fillStyle = colour;
  for (let row = y + 2; row + 1 <= y + height; row += 4) {
    for (let at = Math.ceil(x / 4) * 4; at + 1 <= x + width; at += 4) context.fillRect(at, row, 1, 1);
  }
}
