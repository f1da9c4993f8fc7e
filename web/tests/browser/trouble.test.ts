// SPDX-License-Identifier: Apache-2.0
// trouble.test.ts - what people meet: broken files, hierarchies with holes, k too large, Stop,
// browsers that cannot interrupt.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shoal } from '../engine-in-node.ts';
import {
  downloaded,
  idle,
  launch,
  openBench,
  openTable,
  pagePath,
  release,
  setK,
  shoot,
  step,
  violations,
  type Bench,
} from './bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-web-'));
const at = (name: string) => join(folder, name);
const alert = (page: Page) => page.locator('.problem');
let browser: Browser, bench: Bench;

beforeAll(async () => {
  browser = await launch();
  bench = await openBench(browser);
  shoal('generate', 'census', '--rows', '2000', '--seed', '7', '-o', at('persons.csv'));
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

describe('broken files', () => {
  const cases: Record<string, [Buffer | string, RegExp]> = {
    ragged: ['a,b\n1,2\n3\n', /row 2/i],
    empty: ['', /empty|nothing/i],
    'names twice': ['a,a\n1,2\n', /both named/],
    'unclosed quote': ['a,b\n1,"2\n', /quote/],
    'cut off': [
      gzipSync(Buffer.from('a,b\n1,2\n'.repeat(1000))).subarray(0, 30),
      /truncated compressed data/,
    ],
  };
  for (const [name, [content, words]] of Object.entries(cases))
    it(`say what and what to do: ${name}`, async () => {
      writeFileSync(at('broken.csv'), content);
      await openTable(bench.page, at('broken.csv'));
      await alert(bench.page).filter({ hasText: words }).waitFor();
      expect(await alert(bench.page).textContent()).toContain('Fix:');
      await bench.page.getByRole('button', { name: 'Close this message' }).click();
    });
  it('look right', async () => {
    await openTable(bench.page, at('broken.csv'));
    await alert(bench.page).waitFor();
    await shoot(bench.page, 'broken-window');
    expect(await violations(bench.page)).toEqual([]);
  });
});

describe('other files', () => {
  it('in another encoding and with another separator are read, and can be corrected', async () => {
    const { page } = bench;
    writeFileSync(
      at('latin.csv'),
      Buffer.from('Straße;Alter\nMüllerstraße;33\nGässli;44\n', 'latin1'),
    );
    await openTable(page, at('latin.csv'));
    await page.getByRole('cell', { name: 'Müllerstraße' }).waitFor();
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252');
    expect(await page.getByLabel('Separator').inputValue()).toBe(';');
    writeFileSync(at('wide.csv'), Buffer.from('\ufeffOrt,Alter\nZürich,33\n', 'utf16le'));
    await openTable(page, at('wide.csv'));
    await page.getByRole('cell', { name: 'Zürich' }).waitFor();
    await page.getByLabel('Separator').selectOption(';');
    await page.getByRole('cell', { name: 'Zürich,33' }).waitFor();
    await page.getByLabel('First line has names').uncheck();
    await page.getByRole('cell', { name: 'Ort,Alter' }).waitFor();
  });
  it('packed with gzip are read', async () => {
    writeFileSync(at('packed.csv.gz'), gzipSync(Buffer.from('age,sex\n33,f\n34,m\n')));
    await openTable(bench.page, at('packed.csv.gz'));
    await bench.page.getByText('2 rows, 2 columns').waitFor();
  });
});

describe('plans that cannot be', () => {
  beforeAll(async () => {
    await openTable(bench.page, at('persons.csv'));
    await bench.page.getByText('2,000 rows').waitFor();
  });
  it('k too large', async () => {
    await setK(bench.page, 5000);
    await release(bench.page);
    expect(await alert(bench.page).textContent()).toMatch(/2,?000 rows|fewer/);
    await shoot(bench.page, 'k-too-large-window');
  });
  it('a hierarchy with holes is seen at once, and repaired', async () => {
    const { page } = bench;
    await setK(page, 5);
    await step(page, 'Columns');
    writeFileSync(at('sex.csv'), 'Female;person;*\n');
    await page.getByRole('button', { name: /^Hierarchy of sex/ }).click();
    await page.getByLabel('Import hierarchy').setInputFiles(at('sex.csv'));
    await page.getByText('1 of 2 values are not covered').waitFor();
    await shoot(page, 'holes-window');
    await page.getByRole('button', { name: 'Use this hierarchy' }).click();
    await release(page);
    expect(await alert(page).textContent()).toContain('sex');
    await step(page, 'Columns');
    await page.getByRole('button', { name: /^Hierarchy of sex/ }).click();
    await page.getByRole('button', { name: 'Add them below the root' }).click();
    await page.getByText('All 2 values are covered').waitFor();
    await page.getByRole('button', { name: 'Use this hierarchy' }).click();
    await step(page, 'Protect');
    await page.getByText('Method, missing values, suppression').click();
    await page.getByLabel('Method', { exact: true }).selectOption('mondrian');
    await release(page);
    await page.getByText('every group has at least 5 rows').waitFor();
  });
  it('a plan file with a mistake gives its line', async () => {
    const { page } = bench;
    await step(page, 'Columns');
    writeFileSync(at('wrong.yaml'), 'k: 5\ncolums: []\n');
    await page.getByLabel('Import plan').setInputFiles(at('wrong.yaml'));
    await alert(page).filter({ hasText: 'line 2' }).waitFor();
    shoal('init', at('persons.csv'), '-o', at('right.yaml'));
    await page.getByLabel('Import plan').setInputFiles(at('right.yaml'));
    await page.getByText('Plan imported').waitFor();
  });
});

/** Begin a release that takes long, press Stop, and check what was kept with the command. */
async function stopInTheMiddle(b: Bench): Promise<void> {
  const { page } = b;
  shoal('generate', 'census', '--rows', '20000', '--seed', '3', '-o', at('many.csv'), '--force');
  await openTable(page, at('many.csv'));
  await page.getByText('20,000 rows').waitFor();
  await setK(page, 5);
  await step(page, 'Release');
  await page.getByRole('button', { name: 'Make release' }).click();
  await page.getByText(/improving|searching/).waitFor({ timeout: 120000 });
  await page.waitForTimeout(4000);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page
    .getByText('every group has at least')
    .or(alert(page))
    .first()
    .waitFor({ timeout: 200000 });
  await idle(page);
  if (await alert(page).count()) throw new Error((await alert(page).textContent())!);
  await step(page, 'Export');
  writeFileSync(at('stopped.csv'), await downloaded(page, 'Download release'));
  writeFileSync(at('stopped.yaml'), await downloaded(page, 'Download plan'));
  shoal('check', at('stopped.csv'), '--plan', at('stopped.yaml'), '-k', '5');
}

describe('Stop', () => {
  it('keeps the best release so far, which the command accepts', async () => {
    await stopInTheMiddle(bench);
    expect(bench.requests).toEqual([]);
  });
  it('begins again with a limit where the browser cannot interrupt the engine', async () => {
    const mark = 'id="worker-source">',
      page = readFileSync(pagePath, 'utf8');
    writeFileSync(at('old.html'), page.replace(mark, mark + 'delete WebAssembly.Suspending;'));
    const b = await openBench(browser, undefined, { url: 'file://' + at('old.html') });
    await stopInTheMiddle(b);
    await step(b.page, 'Release');
    expect(await b.page.getByText('it restarted with a time limit').count()).toBe(1);
    await b.context.close();
  });
});

describe('leaving', () => {
  it('is warned about while a table is open', async () => {
    const fresh = await openBench(browser);
    const asked: string[] = [];
    fresh.page.on('dialog', (d) => asked.push(d.type()));
    await openTable(fresh.page, at('persons.csv'));
    await fresh.page.getByText('2,000 rows').waitFor();
    await fresh.page.reload();
    expect(asked).toEqual(['beforeunload']);
    expect(
      await fresh.page.evaluate(() => localStorage.length + sessionStorage.length).catch(() => 0),
    ).toBe(0);
    await fresh.context.close();
  });
});
