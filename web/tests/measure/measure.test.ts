// SPDX-License-Identifier: Apache-2.0
// measure.test.ts - time and memory of the workbench beside the command: the figures of
// docs/performance.md.
//
// In web/, after `make workbench`:
//     node node_modules/vitest/vitest.mjs run --config vitest.measure.ts
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { shoal, shoalPath } from '../engine-in-node.ts';
import {
  downloaded,
  idle,
  launch,
  openBench,
  openTable,
  setK,
  sha256,
  step,
} from '../browser/bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-measure-'));
afterAll(() => rmSync(folder, { recursive: true }));
const method = process.env.METHOD ?? 'mondrian';
const sizes = (process.env.ROWS ?? '30000,100000,300000').split(',').map(Number);

/** Wall clock and greatest memory of the command with one thread. */
function native(table: string, plan: string, out: string): { seconds: number; megabytes: number } {
  const report = JSON.parse(
    execFileSync(
      shoalPath,
      [
        'anonymize',
        table,
        '-o',
        out,
        '--plan',
        plan,
        '--no-bound',
        '--threads',
        '1',
        '--json',
        '--force',
      ],
      { maxBuffer: 1 << 28 },
    ).toString(),
  );
  return { seconds: report.seconds.total, megabytes: report.peak_rss_bytes / 1048576 };
}

it.each(sizes)('%i rows', { timeout: 1800000 }, async (rows) => {
  const table = join(folder, 'persons.csv'),
    plan = join(folder, 'plan.yaml'),
    out = join(folder, 'release.csv');
  shoal('generate', 'census', '--rows', String(rows), '--seed', '1', '-o', table, '--force');
  const browser = await launch(),
    { page } = await openBench(browser);
  page.setDefaultTimeout(600000);
  const began = performance.now();
  await openTable(page, table);
  await page.getByText(`${rows.toLocaleString('en')} rows`).waitFor({ timeout: 600000 });
  const opened = (performance.now() - began) / 1000;
  await setK(page, 10);
  await page.getByText('Method, missing values, suppression').click();
  await page.getByLabel('Method', { exact: true }).selectOption(method);
  await step(page, 'Release');
  const pressed = performance.now();
  await page.getByRole('button', { name: 'Make release' }).click();
  await page.getByText('every group has at least').waitFor({ timeout: 1500000 });
  const released = (performance.now() - pressed) / 1000;
  const stop = page.getByRole('button', { name: 'Stop' });
  if (await stop.isEnabled()) await stop.click();
  await idle(page);
  const memory = (await page.getByText(/engine memory/).textContent())!.match(
    /engine memory (\d+) MB/,
  )![1];
  await step(page, 'Export');
  writeFileSync(plan, await downloaded(page, 'Download plan'));
  const bytes = await downloaded(page, 'Download release');
  await browser.close();
  const command = native(table, plan, out);
  expect(sha256(bytes)).toBe(sha256(readFileSync(out)));
  console.log(
    `| ${rows.toLocaleString('en')} | ${method} | ${opened.toFixed(1)} s | ` +
      `${released.toFixed(1)} s | ${memory} MB | ${command.seconds.toFixed(1)} s | ` +
      `${Math.round(command.megabytes)} MB |`,
  );
});
