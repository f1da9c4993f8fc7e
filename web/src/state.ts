// SPDX-License-Identifier: Apache-2.0
// state.ts - what the page knows. All of it is in memory; nothing is stored anywhere.
import { computed, signal } from '@preact/signals';
import { EngineClient, Refused } from './engine/client.ts';
import type { Columns, EngineProblem, Made, Opened, Plan, PlanColumn } from './engine/types.ts';
import type { OpenOptions } from './engine/worker.ts';
import type { Encoding } from './engine/encoding.ts';
import { planYaml } from './plan-text.ts';

export const steps = ['Open', 'Columns', 'Protect', 'Release', 'Export'] as const;
export type Step = (typeof steps)[number];

export interface Table {
  name: string;
  opened: Opened;
  columns: Columns;
  encoding: Encoding;
  options: OpenOptions;
  serial: number;
}
/** What can be undone: the plan, and the texts of hierarchies beside it. */
export interface Draft {
  plan: Plan;
  files: Record<string, string>;
}
export interface Release extends Made {
  label: string;
  draft: Draft;
  bound: 'seeking' | 'found' | 'none';
  restarted: boolean;
}
export interface Busy {
  what: string;
  phase: string;
  fraction: number;
  loss: number;
  canStop: boolean;
}

export const engine = new EngineClient();
export const step = signal<Step>('Open');
export const table = signal<Table | null>(null);
export const draft = signal<Draft>({ plan: {}, files: {} });
export const releases = signal<Release[]>([]);
export const shown = signal<number | null>(null); // id of the release that is looked at
export const busy = signal<Busy | null>(null);
export const problem = signal<(EngineProblem & { at: Step }) | null>(null);
export const notice = signal('');
export const ready = signal(false);
const past = signal<Draft[]>([]),
  future = signal<Draft[]>([]);

export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);
export const release = computed(() => releases.value.find((r) => r.id === shown.value) ?? null);
/** The text that is given to the engine, and that is exported. */
export const planText = computed(() => textOf(draft.value));

export function textOf(d: Draft): string {
  return planYaml(d.plan);
}

export function change(edit: (d: Draft) => Draft): void {
  past.value = [...past.value.slice(-99), draft.value];
  future.value = [];
  draft.value = edit(draft.value);
}
export function changePlan(part: Partial<Plan>): void {
  change((d) => ({
    ...d,
    plan: Object.fromEntries(
      Object.entries({ ...d.plan, ...part }).filter(([, v]) => v !== undefined && v !== ''),
    ) as Plan,
  }));
}
export function changeColumn(
  name: string,
  part: Partial<PlanColumn>,
  files: Record<string, string> = {},
): void {
  change((d) => ({
    files: { ...d.files, ...files },
    plan: {
      ...d.plan,
      columns: (d.plan.columns ?? []).map((c) => (c.name === name ? prune({ ...c, ...part }) : c)),
    },
  }));
}
const prune = (c: PlanColumn): PlanColumn =>
  Object.fromEntries(
    Object.entries(c).filter(([, v]) => v !== undefined && v !== ''),
  ) as unknown as PlanColumn;

export function undo(): void {
  const last = past.value.at(-1);
  if (!last) return;
  future.value = [draft.value, ...future.value];
  past.value = past.value.slice(0, -1);
  draft.value = last;
}
export function redo(): void {
  const next = future.value[0];
  if (!next) return;
  past.value = [...past.value, draft.value];
  future.value = future.value.slice(1);
  draft.value = next;
}

/** Run something of the engine: the busy line meanwhile, the problem where it fails. */
export async function work<T>(
  what: string,
  canStop: boolean,
  action: () => Promise<T>,
): Promise<T | null> {
  const at = step.value;
  problem.value = null;
  busy.value = { what, phase: '', fraction: -1, loss: -1, canStop };
  try {
    return await action();
  } catch (error) {
    problem.value = { ...(error instanceof Refused ? error.problem : unexpected(error)), at };
    return null;
  } finally {
    busy.value = null;
  }
}
function unexpected(error: unknown): EngineProblem {
  return {
    status: 'SHOAL_EINTERNAL',
    message: String(error),
    fix: 'open the page again',
    file: '',
    column: '',
    row: 0,
    line: 0,
  };
}

let serial = 0;
/** A table was opened: its proposed plan is the draft, and what came before is forgotten. */
export function take(
  name: string,
  found: { opened: Opened; columns: Columns; encoding: Encoding },
  options: OpenOptions,
): void {
  table.value = { name, ...found, options, serial: ++serial };
  draft.value = { plan: found.columns.plan, files: {} };
  past.value = [];
  future.value = [];
  releases.value = [];
  shown.value = null;
}

engine.onProgress = (phase, fraction, loss) => {
  if (busy.value) busy.value = { ...busy.value, phase, fraction, loss };
};
