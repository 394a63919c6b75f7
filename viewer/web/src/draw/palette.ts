// Colours. Kinds are those of Okabe and Ito: their smallest distance under simulated protanopia, deuteranopia and
// tritanopia is 10.9 (CIEDE2000). The ramps of excess are alike in grey where their signs differ: the sign is shown by
// position too.

import { kNothing, steps_of } from "../data/strips";

export type ThemeName = "light" | "dark";

export type Theme = {
  name: ThemeName;
  paper: string;
  ink: string;
  soft: string;
  line: string;
  gridline: string;
  group: string;
  accent: string;
  ramp: readonly string[]; // from much faster (0) over as expected (4) to much slower (8)
  losses: readonly [string, string]; // algorithm and hints; hardware and stack: beside the colours of kinds
  compute: string;
  busy: string;
  bracket: string;
};

export const kThemes: Record<ThemeName, Theme> = {
  light: {
    name: "light",
    paper: "#ffffff",
    ink: "#1b1f24",
    soft: "#57606a",
    line: "#d0d7de",
    gridline: "#eceff2",
    group: "#f2f4f7",
    accent: "#0b57d0",
    ramp: ["#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#d9d9d9", "#fddbc7", "#f4a582", "#d6604d", "#b2182b"],
    losses: ["#f4a582", "#b2182b"],
    compute: "#e5e7eb",
    busy: "#7d8794",
    bracket: "#1b1f24",
  },
  dark: {
    name: "dark",
    paper: "#16181d",
    ink: "#e6e8eb",
    soft: "#a3abb5",
    line: "#3a3f47",
    gridline: "#23272e",
    group: "#1f2329",
    accent: "#8ab4ff",
    ramp: ["#8cc7ff", "#4a9be8", "#2a6cb3", "#204468", "#3a3f47", "#6b4220", "#a8641f", "#e08a2b", "#ffb95e"],
    losses: ["#a64d5d", "#ff6b81"],
    compute: "#2b3038",
    busy: "#8791a0",
    bracket: "#ffffff",
  },
};

const kKinds: Record<string, string> = {
  "point to point": "#56b4e9",
  wait: "#f0e442",
  collective: "#0072b2",
  "MPI-IO": "#e69f00",
  POSIX: "#d55e00",
  "one-sided": "#009e73",
  communicators: "#cc79a7",
  other: "#999999",
};

export function kind_colour(kind: string, theme: Theme): string {
  return kind === "compute" ? theme.compute : (kKinds[kind] ?? kKinds.other!);
}

// Classes of an excess, a factor of 4 (6 steps) wide each, down from the largest of the run: -4 .. 4.
const kClassSteps = 6;

export function excess_class(steps: number, largest: number): number {
  if (steps === 0) return 0;
  const down = Math.floor(Math.max(0, largest - Math.abs(steps)) / kClassSteps);
  return Math.sign(steps) * Math.max(1, 4 - down);
}

export function excess_colour(steps: number, largest: number, theme: Theme): string {
  return theme.ramp[4 + excess_class(steps, largest)]!;
}

// The least excess of class 1 .. 4 that the legend names, in ps.
export function class_bound(level: number, largest: number): number {
  const steps = largest - kClassSteps * (4 - level) - (kClassSteps - 1);
  return level <= 1 || steps <= 0 ? 0 : (2 ** (steps / 3) - 1) * 1000;
}

// Values without an order, such as peers: colours repeat after eight.
const kCategories = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];
const kSequence = ["#fde725", "#90d743", "#35b779", "#21918c", "#31688e", "#443983", "#440154"];

export function category_colour(value: number): string {
  return kCategories[((value % kCategories.length) + kCategories.length) % kCategories.length]!;
}

// Sizes, logarithmic: a colour for each factor of 32 from 1 B.
export function size_colour(bytes: number): string {
  return kSequence[Math.min(kSequence.length - 1, Math.floor(Math.log2(1 + bytes) / 5))]!;
}

export function rgb(colour: string): [number, number, number] {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function largest_steps(ps: number): number {
  return Math.max(1, Math.abs(steps_of(ps)));
}

export { kNothing };
