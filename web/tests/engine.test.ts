// SPDX-License-Identifier: Apache-2.0
// engine.test.ts - the engine gives the bytes, reports and messages of the command.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Engine, EngineError } from '../src/engine/engine.ts';
import type {
  Columns,
  Description,
  DistributionColumn,
  Hierarchy,
  Made,
  Plan,
  Rows,
  Trial,
} from '../src/engine/types.ts';
import { adultFolder, openBytes, shoal, startEngine } from './engine-in-node.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-web-'));
const at = (name: string) => join(folder, name);
const ROWS = 1200;
let engine: Engine;
let persons: Buffer;
let stopAfter = Infinity,
  asked = 0;
let losses: number[] = []; // told while a release is improved

/**
 * Release the open table in the engine and `table` with the command, by the same plan; both texts.
 */
async function both(table: string, plan: Plan): Promise<[Buffer, Buffer, Made]> {
  const text = JSON.stringify(plan);
  writeFileSync(at('plan.yaml'), text);
  shoal(
    'anonymize',
    table,
    '-o',
    at('release.csv'),
    '--plan',
    at('plan.yaml'),
    '--force',
    '--quiet',
    '--no-bound',
    '--threads',
    '2',
  );
  const made = await engine.call<Made>('make-release', { text });
  const place = await engine.call<{ at: number; size: number }>('release-text', { id: made.id });
  return [Buffer.from(engine.bytes(place.at, place.size)), readFileSync(at('release.csv')), made];
}

const planOf = async (extra: Plan): Promise<Plan> => ({
  ...(await engine.call<Columns>('columns')).plan,
  ...extra,
});

beforeAll(async () => {
  engine = await startEngine((phase, _fraction, loss) => {
    if (phase === 'refine') losses.push(loss);
    if (phase === 'again') stopAfter = Infinity; // as the Worker does
    return ++asked > stopAfter ? 1 : 0;
  });
  shoal(
    'generate',
    'census',
    '--rows',
    String(ROWS),
    '--seed',
    '4',
    '-o',
    at('persons.csv'),
    '--hierarchies-out',
    at('hierarchies'),
  );
  persons = readFileSync(at('persons.csv'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('opening', () => {
  it('reads plain, gzip and Zstandard tables alike', async () => {
    execFileSync('zstd', ['-q', '-f', at('persons.csv'), '-o', at('persons.zst')]);
    for (const bytes of [persons, gzipSync(persons), readFileSync(at('persons.zst'))]) {
      await openBytes(engine, bytes);
      const rows = await engine.call<Rows>('rows', { first: ROWS - 1, count: 5 });
      expect(rows.total).toBe(ROWS);
      expect(rows.rows).toHaveLength(1);
      expect(rows.rows[0].join(',')).toBe(persons.toString().trim().split('\n')[ROWS]);
    }
  });
  it('invents the persons of the command', async () => {
    const text = await engine.call<{ at: number; size: number }>('generate', {
      rows: ROWS,
      seed: 4,
    });
    expect(Buffer.from(engine.bytes(text.at, text.size)).equals(persons)).toBe(true);
  });
  it('proposes what shoal init proposes', async () => {
    await openBytes(engine, persons);
    const { profile, bars } = await engine.call<Columns>('columns');
    expect(profile).toEqual(JSON.parse(shoal('init', at('persons.csv'), '--json').toString()));
    for (const [i, column] of profile.columns.entries()) {
      const sum = bars[i].bars.reduce((n, b) => n + b.rows, 0);
      expect(sum + bars[i].other + column.missing).toBe(ROWS);
    }
  });
  it('refuses broken tables with the words of the library', async () => {
    const problem = async (text: string | Buffer) =>
      openBytes(engine, Buffer.from(text)).then(
        () => null,
        (e: EngineError) => e.problem,
      );
    expect(await problem('')).toMatchObject({ status: 'SHOAL_EDATA' });
    expect(await problem('a,b\n1,2\n3\n')).toMatchObject({ status: 'SHOAL_EDATA', row: 2 });
    expect((await problem('a,a\n1,2\n'))?.message).toContain('both named');
    expect((await problem(gzipSync(persons).subarray(0, 3000)))?.message).toContain(
      'truncated compressed data',
    );
    expect((await problem('a,b\n1,"2\n'))?.fix).not.toBe('');
  });
});

describe('releases', () => {
  beforeAll(() => openBytes(engine, persons));
  const extras: Record<string, Plan> = {
    'the default method': { k: 5 },
    models: { k: 4, models: [{ name: 'l-diversity', value: 'distinct:2', column: 'disease' }] },
    mondrian: { k: 10, algorithm: 'mondrian' },
    datafly: { k: 5, algorithm: 'datafly' },
    'k-means': { k: 7, algorithm: 'kmeans', seed: 9 },
    'full-domain': { k: 3, algorithm: 'optimal' },
    recoding: { k: 5, recoding: 'set' },
  };
  for (const [name, extra] of Object.entries(extras))
    it('has the bytes of the command: ' + name, async () => {
      const plan = await planOf(extra);
      if (extra.models)
        plan.columns = plan.columns!.map((c) =>
          c.name === 'disease' ? { ...c, role: 'sensitive' } : c,
        );
      const [mine, theirs, made] = await both(at('persons.csv'), plan);
      expect(mine.equals(theirs)).toBe(true);
      await engine.call('drop-release', { id: made.id });
    });

  it('reads hierarchies beside the plan, as the command does', async () => {
    const known = await engine.call<Record<string, string>>('known-hierarchies');
    const plan = await planOf({ k: 5 });
    mkdirSync(at('hierarchies'), { recursive: true });
    plan.columns = plan.columns!.map((c) =>
      c.role === 'quasi' && known[c.name] ? { ...c, hierarchy: `hierarchies/${c.name}.csv` } : c,
    );
    for (const [name, text] of Object.entries(known)) {
      engine.files.files.set(`plan/hierarchies/${name}.csv`, Buffer.from(text));
      expect(readFileSync(at(`hierarchies/${name}.csv`), 'utf8')).toBe(text);
    }
    const [mine, theirs, made] = await both(at('persons.csv'), plan);
    expect(mine.equals(theirs)).toBe(true);
    const risk = await engine.call<{ min_class: number; original: { min_class: number } }>('risk', {
      id: made.id,
    });
    expect(risk.min_class).toBeGreaterThanOrEqual(5);
    expect(risk.original.min_class).toBe(1);
    for (const column of await engine.call<DistributionColumn[]>('distribution', { id: made.id })) {
      const total = (key: 'before' | 'after') => column.bars.reduce((n, b) => n + b[key], 0);
      expect(total('after')).toBeGreaterThan(0);
      // leaves that no row has get a share too
      if (column.other === 0) expect(total('after')).toBeLessThanOrEqual(total('before') + 1e-6);
    }
    const queries = await engine.call<{ average?: number; are?: number }>('query-error', {
      id: made.id,
      queries: 200,
    });
    expect(JSON.stringify(queries)).toContain('median');
    const bound = await engine.call<Made>('find-bound', { id: made.id });
    const command = JSON.parse(
      shoal(
        'anonymize',
        at('persons.csv'),
        '-o',
        at('r2.csv'),
        '--plan',
        at('plan.yaml'),
        '--force',
        '--json',
      ).toString(),
    );
    for (const part of [bound.report, command]) {
      delete part.seconds;
      delete part.peak_bytes;
      delete part.threads;
      delete part.peak_rss_bytes;
    }
    expect(bound.report).toEqual(command);
    await engine.call('drop-release', { id: made.id });
  });

  it('tells the loss so far while it improves a release', async () => {
    losses = [];
    const made = await engine.call<Made>('make-release', {
      text: JSON.stringify(await planOf({ k: 5 })),
    });
    await engine.call('drop-release', { id: made.id });
    expect(losses.length).toBeGreaterThan(0);
    expect(Math.min(...losses)).toBeGreaterThan(0);
    expect([...losses].sort((a, b) => b - a)).toEqual(losses);
  });

  it.each([10, 60, 200])(
    'keeps a valid release when it is stopped (after %i looks)',
    async (looks) => {
      const plan = await planOf({ k: 5 });
      asked = 0;
      stopAfter = looks;
      const made = await engine.call<Made>('make-release', { text: JSON.stringify(plan) });
      stopAfter = Infinity;
      const place = await engine.call<{ at: number; size: number }>('release-text', {
        id: made.id,
      });
      writeFileSync(at('stopped.csv'), engine.bytes(place.at, place.size));
      writeFileSync(at('plan.yaml'), JSON.stringify(plan));
      shoal('check', at('stopped.csv'), '-k', '5', '--plan', at('plan.yaml'));
      await engine.call('drop-release', { id: made.id });
    },
  );

  it('explains a k that is too large', async () => {
    const text = JSON.stringify(await planOf({ k: 5000 }));
    await expect(engine.call('make-release', { text })).rejects.toMatchObject({
      problem: { status: 'SHOAL_EUNSAT' },
    });
  });

  it('tries one k after the other', async () => {
    const text = JSON.stringify(await planOf({ k: 2, algorithm: 'mondrian' }));
    const losses = [];
    for (const k of [2, 20, 200])
      losses.push((await engine.call<Trial>('trial', { text, k })).numbers.gcp);
    expect(losses[0]).toBeLessThan(losses[2]);
  });

  it('keeps the bound of a smaller k for a larger one', async () => {
    const text = JSON.stringify(await planOf({ k: 2, algorithm: 'mondrian' }));
    let last = 0;
    for (const k of [3, 5, 6, 7, 8, 20, 60]) {
      const bound = (await engine.call<Trial>('trial', { text, k })).numbers.lower_bound;
      expect(bound).toBeGreaterThanOrEqual(last);
      last = bound;
    }
  });
});

describe('hierarchies', () => {
  beforeAll(() => openBytes(engine, persons));
  it('builds over the values of a column', async () => {
    const h = await engine.call<Hierarchy>('build-hierarchy', {
      column: 'age',
      spec: 'intervals:5,10',
    });
    expect(h.coverage.uncovered).toBe(0);
    expect(h.tree!.at(-1)![0]).toBe('*');
    const again = await engine.call<Hierarchy>('read-hierarchy', { column: 'age', text: h.levels });
    expect(again.levels).toBe(h.levels);
  });
  it('finds holes', async () => {
    const h = await engine.call<Hierarchy>('read-hierarchy', { column: 'sex', text: 'Female;*\n' });
    expect(h.coverage).toMatchObject({ values: 2, uncovered: 1, holes: ['Male'] });
    engine.files.files.set('plan/hierarchies/sex.csv', Buffer.from('Female;*\n'));
    const plan = await planOf({ k: 5 });
    plan.columns = plan.columns!.map((c) =>
      c.name === 'sex' ? { ...c, role: 'quasi', hierarchy: 'hierarchies/sex.csv' } : c,
    );
    await expect(engine.call('make-release', { text: JSON.stringify(plan) })).rejects.toMatchObject(
      { problem: { status: 'SHOAL_EDATA', column: 'sex' } },
    );
  });
  it('says what a wrong builder should be', async () => {
    await expect(
      engine.call('build-hierarchy', { column: 'sex', spec: 'intervals:5' }),
    ).rejects.toBeInstanceOf(EngineError);
  });
});

describe('words', () => {
  it('come from the registries', async () => {
    const d = await engine.call<Description>('describe');
    expect(d.registry.models.map((m) => m.name)).toContain('l-diversity');
    expect(d.terms.length).toBeGreaterThan(20);
    expect(shoal('--version').toString()).toContain(d.version);
  });
  it('of a plan give the line of a mistake', async () => {
    await expect(engine.call('read-plan', { text: 'k: 5\nrecodin: set\n' })).rejects.toMatchObject({
      problem: { line: 2 },
    });
  });
});

describe.skipIf(adultFolder === null)('Adult', () => {
  it('is released with the bytes of the command', async () => {
    const table = join(adultFolder!, 'adult.csv');
    await openBytes(engine, readFileSync(table));
    const [mine, theirs] = await both(table, await planOf({ k: 10, algorithm: 'mondrian' }));
    expect(mine.equals(theirs)).toBe(true);
  });
});
