// SPDX-License-Identifier: Apache-2.0
// actions.ts - what the buttons do: open, release, stop, frontier, downloads.
import {
  busy,
  change,
  draft,
  engine,
  notice,
  problem,
  release,
  releases,
  shown,
  step,
  table,
  take,
  textOf,
  work,
  type Release,
} from './state.ts';
import type { Made, Plan, Trial } from './engine/types.ts';
import type { OpenOptions } from './engine/worker.ts';

export const MOST_RELEASES = 4;
const STOPPED_SECONDS = 5;

export async function openFile(file: File): Promise<void> {
  const found = await work('Reading ' + file.name, false, () => engine.open(file, {}));
  if (found) take(file.name, found, {});
}
export async function openPersons(rows: number): Promise<void> {
  const found = await work('Generating persons', false, () => engine.generate(rows, 1));
  if (!found) return;
  take('persons.csv', found, {});
  const known = await engine.call<Record<string, string>>('known-hierarchies');
  const files: Record<string, string> = {};
  draft.value = {
    files,
    plan: {
      ...draft.value.plan,
      columns: (draft.value.plan.columns ?? []).map((c) => {
        if (c.role !== 'quasi' || !known[c.name] || c.type === 'numeric') return c;
        files[`hierarchies/${c.name}.csv`] = known[c.name];
        return { ...c, hierarchy: `hierarchies/${c.name}.csv` };
      }),
    },
  };
}
export async function reopen(options: OpenOptions): Promise<void> {
  const before = table.value!;
  const all = { ...before.options, ...options };
  const found = await work('Reading again', false, () => engine.reopen(all));
  if (found) take(before.name, found, all);
}

let startedAt = 0,
  ended = false;
export async function makeRelease(plan: Plan = draft.value.plan): Promise<void> {
  const at = { plan, files: draft.value.files };
  if (releases.value.length >= MOST_RELEASES) await removeRelease(releases.value[0].id);
  startedAt = performance.now();
  ended = false;
  let restarted = false;
  const made = await work('Making the release', true, async () => {
    const text = textOf(at);
    const first = engine.call<Made>('make-release', { text }, at.files);
    const answer = await Promise.race([first, untilEnded()]);
    if (answer) return answer;
    restarted = true; // the Worker was ended: releases that it kept are lost
    releases.value = [];
    const seconds = Math.min(STOPPED_SECONDS, Math.max(1, (performance.now() - startedAt) / 1000));
    await engine.restart();
    return engine.call<Made>(
      'make-release',
      { text: textOf({ ...at, plan: { ...plan, 'time-limit': seconds } }) },
      at.files,
    );
  });
  if (!made) return;
  const label =
    `k = ${plan.k ?? '?'}${plan.algorithm ? ', ' + plan.algorithm : ''}` +
    (made.stopped ? ', stopped' : '');
  releases.value = [...releases.value, { ...made, label, draft: at, bound: 'none', restarted }];
  shown.value = made.id;
  if (!made.stopped && !made.two_tables) await findBound(made.id);
}

let endNow: () => void = () => {};
const untilEnded = () =>
  new Promise<null>((done) => {
    endNow = () => done(null);
  });

export function stop(): void {
  if (!busy.value || ended) return;
  if (engine.stop()) return;
  // this browser cannot interrupt the engine: it is ended, and begins again with a limit
  ended = true;
  endNow();
}

const update = (id: number, part: Partial<Release>) => {
  releases.value = releases.value.map((r) => (r.id === id ? { ...r, ...part } : r));
};

async function findBound(id: number): Promise<void> {
  update(id, { bound: 'seeking' });
  const made = await work('Computing the lower bound', engine.description.suspends, () =>
    engine.call<Made>('find-bound', { id }),
  );
  update(
    id,
    made
      ? { report: made.report, bound: made.report.lower_bound != null ? 'found' : 'none' }
      : { bound: 'none' },
  );
}

export async function removeRelease(id: number): Promise<void> {
  await engine.call('drop-release', { id }).catch(() => null);
  releases.value = releases.value.filter((r) => r.id !== id);
  if (shown.value === id) shown.value = releases.value.at(-1)?.id ?? null;
}

/** One trial after the other; the curve grows while it is drawn. */
export async function findFrontier(ks: number[], grown: (trials: Trial[]) => void): Promise<void> {
  const text = textOf(draft.value),
    files = draft.value.files,
    trials: Trial[] = [];
  let halted = false;
  await work('Trying each k', true, async () => {
    for (const k of ks) {
      if (halted) break;
      const trial = await engine.call<Trial>('trial', { text, k }, files).catch((error) => {
        if (trials.length === 0) throw error;
        halted = true; // Stop, or a k that cannot be reached: the curve ends here
        return null;
      });
      if (trial) grown([...(trials.push(trial), trials)]);
    }
  });
}

export interface Evidence {
  manifest: string;
  internal: string;
  external: string;
}
// they take a moment: once for each release and state of its bound
const written = new Map<string, Evidence>();
/** Manifest and reports of a release, as the library writes them. */
export async function evidenceOf(r: Release, input: string, name: string): Promise<Evidence> {
  const key = `${table.value!.serial}/${r.id}/${r.bound}/${r.label}`;
  const found =
    written.get(key) ??
    (await engine.call<Evidence>(
      'evidence',
      { id: r.id, input, release: name, second: name.replace('.csv', '-sensitive.csv') },
      { ...r.draft.files, 'plan.yaml': textOf(r.draft) },
    ));
  written.set(key, found);
  return found;
}

export function download(name: string, content: Blob | string): void {
  const url = URL.createObjectURL(
    typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content,
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export async function importPlan(file: File): Promise<void> {
  const text = await file.text();
  const plan = await work('Reading the plan', false, () =>
    engine.call<Plan>('read-plan', { text }),
  );
  if (!plan) return;
  const local = (path?: string) => path?.replace(/^\/plan\//, '');
  const columns = (plan.columns ?? []).map((c) =>
    c.hierarchy ? { ...c, hierarchy: local(c.hierarchy) } : c,
  );
  change((d) => ({ ...d, plan: { ...plan, columns, population: local(plan.population) } }));
  const lacking = columns
    .filter(
      (c) => c.hierarchy && !/^(build|known):/.test(c.hierarchy) && !draft.value.files[c.hierarchy],
    )
    .map((c) => c.name);
  notice.value = lacking.length
    ? `The plan names hierarchies that are not loaded: ${lacking.join(', ')}. ` +
      'Import them under Columns.'
    : 'Plan imported.';
}

export const goTo = (next: typeof step.value): void => {
  problem.value = null;
  step.value = next;
};
export const shownRelease = release;
