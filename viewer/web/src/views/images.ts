// Pictures of strips, the least recently used dropped first.

import type { Strip } from "../data/strips";
import { strip_pixels, style_key, type StripStyle } from "../draw/strip_image";

const kMostStyles = 6; // of one strip: themes, colours and the difference
const kMostStrips = 2500;

export class Images {
  private images = new Map<Strip, Map<string, HTMLCanvasElement>>();

  of(strip: Strip, style: StripStyle): HTMLCanvasElement {
    const key = style_key(style);
    const styles = this.images.get(strip) ?? new Map<string, HTMLCanvasElement>();
    this.images.delete(strip);
    this.images.set(strip, styles);
    if (this.images.size > kMostStrips) this.images.delete(this.images.keys().next().value!);
    let image = styles.get(key);
    if (!image) {
      if (styles.size >= kMostStyles) styles.clear();
      styles.set(key, (image = drawn(strip, style)));
    }
    return image;
  }
}

function drawn(strip: Strip, style: StripStyle): HTMLCanvasElement {
  const { width, height, data } = strip_pixels(strip, style);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  return canvas;
}
