import { export_png, export_svg } from "./export_picture";
import { use_page } from "./page";

export function ExportMenu() {
  const page = use_page();
  const run = (event: Event & { currentTarget: HTMLSelectElement }) => {
    const { value } = event.currentTarget;
    event.currentTarget.value = "";
    if (value === "png") export_png(page);
    if (value === "svg") export_svg(page);
    if (value === "print") window.print();
  };
  return (
    <select aria-label="Export" onChange={run} value="">
      <option value="">Export</option>
      <option value="png">PNG of the lanes</option>
      <option value="svg">SVG of the lanes</option>
      <option value="print">Print, PDF</option>
    </select>
  );
}
