// Numbers for people.

const kTimes = [
  [1e12, "s"],
  [1e9, "ms"],
  [1e6, "µs"],
  [1e3, "ns"],
  [1, "ps"],
] as const;

function digits(value: number, most = 3): string {
  const size = Math.abs(value);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toFixed(Math.min(decimals, most)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

// Digits in threes, with a narrow space at which no line ends.
function grouped(text: string): string {
  const [whole, part] = text.split(".");
  return whole!.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f") + (part ? `.${part}` : "");
}

// "1.42 s", "−87 µs"
export function duration(ps: number): string {
  if (Math.round(ps) === 0) return "0 s";
  const size = Math.abs(ps);
  const [unit, name] = kTimes.find(([each]) => size >= each * 0.9995) ?? kTimes[kTimes.length - 1]!;
  return `${ps < 0 ? "−" : ""}${grouped(digits(size / unit))} ${name}`;
}

// "+1.2 s", "−3 ms", "0 s"
export function signed_duration(ps: number): string {
  return Math.round(ps) > 0 ? `+${duration(ps)}` : duration(ps);
}

// "0.21–0.3 s" in the unit of the larger.
export function duration_range(lower: number, upper: number): string {
  const [low, high] = [duration(lower), duration(upper)];
  if (low === high) return high;
  const [number, unit] = low.split(" ");
  return unit === high.split(" ")[1] && low.split(" ").length === 2 ? `${number}–${high}` : `${low}–${high}`;
}

// A point of time on an axis whose steps are `step` long: all digits that tell ticks apart.
export function axis_time(ps: number, step: number): string {
  const size = Math.max(Math.abs(ps), step);
  const [unit, name] = kTimes.find(([each]) => size >= each) ?? kTimes[kTimes.length - 1]!;
  const decimals = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  return `${grouped((ps / unit).toFixed(decimals))} ${name}`;
}

const kSizes = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit + 1 < kSizes.length) {
    value /= 1024;
    ++unit;
  }
  return `${digits(value)} ${kSizes[unit]}`;
}

export function percent(share: number): string {
  const size = Math.abs(100 * share);
  const text = size < 0.05 ? "0" : size < 0.95 ? size.toFixed(1) : String(Math.round(size));
  return `${share < 0 && text !== "0" ? "−" : ""}${text} %`;
}

export function count(value: number): string {
  return grouped(String(Math.round(value)));
}

// "1 operation", "3 operations"
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

// ①②③ up to 20, then (21)
export function circled(number: number): string {
  return number >= 1 && number <= 20 ? String.fromCodePoint(0x245f + number) : `(${number})`;
}

export function quantity(value: number, unit: string): string {
  if (unit === "s") return duration(value * 1e12);
  if (unit === "B") return bytes(value);
  if (unit === "B/s") return `${bytes(value)}/s`;
  return grouped(digits(value));
}
