// uPlot within Preact: made again when data, colours or width change.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

type Props = { label: string; height: number; options(width: number): Omit<uPlot.Options, "width" | "height">; data: uPlot.AlignedData; key_of: string };

export function Series({ label, height, options, data, key_of }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    let plot: uPlot | null = null;
    const make = () => {
      plot?.destroy();
      const width = element.clientWidth;
      plot = width > 0 ? new uPlot({ ...options(width), width, height }, data, element) : null;
    };
    const observer = new ResizeObserver(() => {
      if (plot && plot.width !== element.clientWidth) make();
    });
    make();
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot?.destroy();
    };
  }, [data, key_of]);
  return <div class="series" ref={box} role="img" aria-label={label} />;
}
