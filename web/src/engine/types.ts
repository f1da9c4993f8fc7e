// SPDX-License-Identifier: Apache-2.0
// types.ts - what the engine takes and answers; the keys are those of the library's reports and
// plans.

export interface EngineProblem {
  status: string;
  message: string;
  fix: string;
  file: string;
  column: string;
  row: number;
  line: number;
}

export interface PlanColumn {
  name: string;
  role?: string;
  type?: string;
  format?: string;
  hierarchy?: string;
  'sensitive-range'?: string;
  priority?: string;
  weights?: string;
  'max-level'?: string;
}
export interface PlanModel {
  name: string;
  value: string;
  column?: string;
}
/** A plan with the keys of a plan file. */
export interface Plan {
  input?: {
    delimiter?: string;
    encoding?: string;
    header?: string;
    nulls?: string[];
    missing?: string;
  };
  columns?: PlanColumn[];
  rest?: string;
  'on-missing'?: string;
  k?: number;
  algorithm?: string;
  params?: { name: string; value: string }[];
  seed?: number;
  models?: PlanModel[];
  population?: string;
  'suppression-limit'?: number;
  'time-limit'?: number;
  recoding?: string;
  [key: string]: unknown;
}

export interface Opened {
  rows: number;
  bytes: number;
  delimiter: string;
  odd_names: number;
  columns: string[];
}
export interface ColumnProfile {
  name: string;
  type: string;
  distinct: number;
  once: number;
  missing: number;
  looks_like: string | null;
  role: string;
  reason: string | null;
  builder: string | null;
}
export interface Bar {
  from: string;
  to: string;
  rows: number;
}
export interface Bars {
  bars: Bar[];
  other: number;
  numbers: boolean;
}
export interface Columns {
  profile: { rows: number; columns: ColumnProfile[] };
  plan: Plan;
  bars: Bars[];
}
export interface Rows {
  first: number;
  total: number;
  columns: string[];
  rows: string[][];
}
export interface Coverage {
  values: number;
  uncovered: number;
  uncovered_rows: number;
  holes: string[];
}
export interface Hierarchy {
  levels: string;
  leaves: number;
  nodes: number;
  height: number;
  tree: [string, number][] | null;
  coverage: Coverage;
}
export interface Term {
  names: string;
  title: string | null;
  text: string | null;
  formula: string | null;
  reading: string | null;
  source: string | null;
}
export interface ModelRow {
  name: string;
  variant: string;
  values: string;
  summary: string;
  letter: string | null;
  traits: string[];
  citation: string | null;
}
export interface MethodRow {
  name: string;
  summary: string;
  traits: string[];
  citation: string | null;
}
export interface MeasureRow {
  name: string;
  help: string;
  unit: string | null;
  more_is_better: boolean;
  in_frontier: boolean;
  traits: string[];
}
export interface Description {
  version: string;
  registry: { models: ModelRow[]; measures: MeasureRow[]; methods: MethodRow[] };
  terms: Term[];
  params: Record<
    string,
    { name: string; values: string | null; fallback: string | null; help: string | null }[]
  >;
}
// deno-lint-ignore no-explicit-any
export type Report = Record<string, any>;
export interface Made {
  id: number;
  report: Report;
  stopped: boolean;
  two_tables: boolean;
}
export interface DistributionColumn {
  name: string;
  numbers: boolean;
  other: number;
  bars: { from: string; to: string; before: number; after: number }[];
}
export interface Trial {
  k: number;
  numbers: Record<string, number>;
}
