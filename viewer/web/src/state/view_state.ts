// What the page shows, as a value, and its form in the fragment of the address.

import { upgraded } from "./upgrade";

export const kVersion = 1;

export const kModes = ["place", "absolute", "shift", "phase", "matched", "step"] as const;
export type Mode = (typeof kModes)[number];

export const kColours = ["excess", "kind", "bytes", "peer", "tag", "call", "file"] as const;
export type Colour = (typeof kColours)[number];

export const kDensities = ["large", "normal", "small", "thin"] as const;
export type Density = (typeof kDensities)[number];

export const kOrders = ["node", "rank", "own", "inherited"] as const;
export type Order = (typeof kOrders)[number];

export const kTabs = ["operations", "calls", "instances", "matrix", "histogram", "unmatched"] as const;
export type Tab = (typeof kTabs)[number];

export type Path = "off" | "obs" | "free";
export type OperationId = { rank: number; operation: number };

// One number for each operation, exact up to 2^21 ranks: the key of tables.
export function key_of(rank: number, operation: number): number {
  return rank * 2 ** 32 + operation;
}

// Picoseconds from the begin of the observed run.
export type TimeRange = { begin: number; end: number };

export type ViewState = {
  range: TimeRange | null; // null: the whole run
  mode: Mode;
  colour: Colour;
  density: Density;
  order: Order;
  fold: boolean;
  lanes: string; // expression that selects lanes; empty: all
  search: string; // expression that selects operations
  selected: OperationId | null;
  finding: number; // from 0; -1: none
  instance: number; // of the finding, from 0
  leastShare: number; // findings below this share of the run are folded away
  tab: Tab;
  part: string; // id of the waterfall's part that filters; empty: none
  pinned: number[]; // lanes drawn first
  closed: string[]; // groups of lanes that are folded away
  opened: number[]; // folds whose ranks are shown
  hidden: string[]; // kinds that are not drawn
  shift: number; // ps that the expected lanes are moved by, in mode "shift"
  messages: boolean;
  blame: boolean;
  path: Path;
  whatif: number; // number of the what-if run drawn as a third lane; 0: none
  ruler: TimeRange | null;
};

export const kDefault: ViewState = Object.freeze({
  range: null,
  mode: "place",
  colour: "excess",
  density: "normal",
  order: "node",
  fold: true,
  lanes: "",
  search: "",
  selected: null,
  finding: 0,
  instance: 0,
  leastShare: 0.01,
  tab: "operations",
  part: "",
  pinned: [],
  closed: [],
  opened: [],
  hidden: [],
  shift: 0,
  messages: false,
  blame: false,
  path: "off",
  whatif: 0,
  ruler: null,
}) as ViewState;

type Codec<T> = { write(value: T): string; read(text: string): T | undefined };

// Undefined, which keeps the default, where the text is no number of this range.
function number(least: number, most: number, whole = true): Codec<number> {
  return {
    write: String,
    read(text) {
      const value = /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined;
    },
  };
}

function word<T extends string>(words: readonly T[]): Codec<T> {
  return { write: (value) => value, read: (text) => words.find((each) => each === text) };
}

const kText: Codec<string> = { write: (value) => value, read: (text) => text };
const kFlag: Codec<boolean> = {
  write: (value) => (value ? "1" : "0"),
  read: (text) => (text === "1" ? true : text === "0" ? false : undefined),
};

// Names may hold any character: each is escaped once more, so that the comma separates only.
const kNames: Codec<string[]> = {
  write: (value) => value.map(encodeURIComponent).join(","),
  read(text) {
    try {
      return text.split(",").filter(Boolean).map(decodeURIComponent);
    } catch {
      return undefined;
    }
  },
};

const kLane = number(0, 0xffffffff);
const kNumbers: Codec<number[]> = {
  write: (value) => value.join(","),
  read(text) {
    const values = text.split(",").filter(Boolean).map(kLane.read);
    return values.every((value) => value !== undefined) ? (values as number[]) : undefined;
  },
};

const kMostTime = Number.MAX_SAFE_INTEGER;
const kTime = number(-kMostTime, kMostTime);

const kRange: Codec<TimeRange | null> = {
  write: (value) => (value ? `${value.begin}~${value.end}` : ""),
  read(text) {
    const [begin, end] = text.split("~").map(kTime.read);
    return begin !== undefined && end !== undefined && begin < end ? { begin, end } : undefined;
  },
};

const kOperation: Codec<OperationId | null> = {
  write: (value) => (value ? `${value.rank}.${value.operation}` : ""),
  read(text) {
    const [rank, operation] = text.split(".").map(kLane.read);
    return rank !== undefined && operation !== undefined ? { rank, operation } : undefined;
  },
};

const kCodecs: { [K in keyof ViewState]: Codec<ViewState[K]> } = {
  range: kRange,
  mode: word(kModes),
  colour: word(kColours),
  density: word(kDensities),
  order: word(kOrders),
  fold: kFlag,
  lanes: kText,
  search: kText,
  selected: kOperation,
  finding: number(-1, 1e6),
  instance: number(0, 1e6),
  leastShare: number(0, 1, false),
  tab: word(kTabs),
  part: kText,
  pinned: kNumbers,
  closed: kNames,
  opened: kNumbers,
  hidden: kNames,
  shift: kTime,
  messages: kFlag,
  blame: kFlag,
  path: word(["off", "obs", "free"] as const),
  whatif: number(0, 1e6),
  ruler: kRange,
};

// Only what differs from the default is written, so that addresses stay short.
export function encode(state: ViewState): string {
  const fields = new URLSearchParams({ v: String(kVersion) });
  for (const key of Object.keys(kCodecs) as (keyof ViewState)[]) {
    const codec = kCodecs[key] as Codec<unknown>;
    const text = codec.write(state[key]);
    if (text !== codec.write(kDefault[key])) fields.set(key, text);
  }
  return fields.toString();
}

export type Decoded = { state: ViewState; newer: boolean };

// A field that is unknown or cannot be read keeps its default. `newer`: a later version wrote the address.
export function decode(fragment: string): Decoded {
  const { fields, newer } = upgraded(new URLSearchParams(fragment.replace(/^#/, "")), kVersion);
  const state: Record<string, unknown> = { ...kDefault };
  for (const key of Object.keys(kCodecs) as (keyof ViewState)[]) {
    const text = fields.get(key);
    const value = text === null ? undefined : (kCodecs[key] as Codec<unknown>).read(text);
    if (value !== undefined) state[key] = value;
  }
  return { state: state as ViewState, newer };
}
