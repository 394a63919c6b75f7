// What the endpoints answer (docs/reference/viewer-api.md). Times are picoseconds from the begin of the observed run.

import type { OperationId } from "../state/view_state";

export type Node = { name: string; ranks: number[] };

export type Meta = {
  version: number;
  key: string;
  observed: string;
  reference: string | null;
  against: "expected" | "observed" | null;
  platform: string;
  program: string;
  library: string;
  headline: string;
  word: "findings" | "as expected" | "too noisy to tell" | "incomplete" | null;
  span_ps: number;
  ranks: number;
  operations: number;
  judged_share: number;
  band_share: number;
  base_ps: number;
  columns_log2: number;
  most_level: number;
  nodes: Node[];
  kinds: string[];
  calls: string[];
  sites: string[];
  banners: string[];
  notes: string[];
  sources: string[];
  unmatched: number;
  is_validation: boolean;
  whatif: boolean;
};

export type Lane = {
  lane: number;
  kind: "rank" | "fold" | "component";
  name: string;
  node?: string;
  ranks?: number;
  members?: string;
  own_ps?: number;
  inherited_ps?: number;
  note?: string;
  worst_rank?: number;
  class?: string;
  busy_share?: number;
};

export type Operation = {
  rank: number;
  operation: number;
  call: string;
  kind: number;
  site: string;
  bytes: number;
  peer: number | null;
  tag: number | null;
  comm_size: number | null;
  file: string | null;
  begin_ps: number;
  observed_ps: number;
  judged: boolean;
  free_begin_ps: number;
  free_ps: number;
  lower_ps: number;
  upper_ps: number;
  band_ps: number;
  own_ps: number;
  inherited_ps: number;
  structure_ps: number;
  stack_ps: number;
  gained_ps: number;
  marks: number;
  reason: string;
};

export type Inside = {
  kind: string;
  begin_ps: number;
  end_ps: number;
  bytes: number;
  offset: number | null;
  file: string | null;
  peer: number | null;
};

export type ServedBy = { lane: number; name: string; class: string; begin_ps: number; end_ps: number; busy_ps: number };

export type OperationDetail = Operation & {
  node: string;
  row: number | null;
  inner: { messages: number; posix: number; bytes: number; needed: number };
  inside: Inside[];
  served_by?: ServedBy[]; // times of the expected run
  partner: OperationId | null;
  findings: number[];
  in_its_kind: { bounds_ps: number[]; counts: number[]; percentile: number } | null;
};

export type At = {
  count: number;
  busy_ps: number;
  operations: Operation[];
  worst_own_ps: number;
  worst_inherited_ps: number;
  worst_own_operation: OperationId | null;
  worst_inherited_operation: OperationId | null;
};

export type OperationsPage = { total: number; page: number; pages: number; operations: Operation[] };

export type CauseStep = {
  rank: number;
  operation: number;
  call: string;
  site: string;
  begin_ps: number;
  end_ps: number;
  own_ps: number;
  inherited_ps: number;
  compute_ps: number;
  why: string;
};
export type Causes = { steps: CauseStep[]; inherited_ps: number; explained_ps: number; sentence: string };

export type PathPiece = { rank: number; begin_ps: number; end_ps: number; operation: number | null };
export type CriticalPath = { pieces: PathPiece[]; by_call: { call: string; ps: number }[] };

export type Message = {
  from: OperationId;
  to: OperationId;
  sent_ps: number;
  received_ps: number;
  bytes: number;
  tag: number;
};
export type Messages = { aggregated: boolean; messages: Message[]; total: number };

export type TimeMap = { observed_ps: number[]; free_ps: number[] };

export type WaterfallPart = { id: string; name: string; ps: number };
export type Waterfall = { parts: WaterfallPart[]; total_ps: number };

export type ProfileRow = {
  call: string;
  site: string;
  kind: number;
  count: number;
  observed_ps: number;
  expected_ps: number;
  own_ps: number;
  inherited_ps: number;
  bytes: number;
};
export type Matrix = { names: string[]; cells: [number, number, number][] };
export type Histogram = { bounds_ps: number[]; observed: number[]; expected: number[] };
export type Instances = { instances: number; ranks: number[]; own_log: string; first: number };
export type Efficiency = { bins: number[]; load_balance: number[]; serialisation: number[]; transfer: number[] };

export type SearchAnswer = { count: number; hit: Operation | null; ticks: number[] };

export type Instance = { rank: number; operation: number; begin_ps: number; own_ps: number; inherited_ps: number };

export type Finding = {
  reference: string;
  component: string;
  title: string;
  cost_s: number;
  cost_ps: number;
  cost_is_of: string;
  cost_is_bound: boolean;
  share: number;
  confidence: string;
  basis: string;
  evidence: { name: string; value: number; unit: string }[];
  call: string;
  site: string;
  operations: number;
  ranks: number[];
  advice: string[];
  withheld: string;
  instances?: Instance[];
};

export type ReportRow = { call: string; site: string; operations: number; instances?: Instance[] };

export type Report = { findings: Finding[]; withheld: Finding[]; rows: ReportRow[] };

export type WhatifChoice = { id: string; title: string; from_finding: number | null; options: string[]; takes_number?: boolean };
export type WhatifRun = {
  run: number;
  title: string;
  state: "running" | "done" | "failed" | "cancelled";
  progress: number;
  span_ps: number;
  saved_ps: number;
  error: string;
};
