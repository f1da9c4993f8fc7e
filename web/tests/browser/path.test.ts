// SPDX-License-Identifier: Apache-2.0
// path.test.ts - the whole path, from a table to what is taken away: on invented persons and on
// Adult.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adultFolder, shoal } from '../engine-in-node.ts';
import {
  downloaded,
  idle,
  launch,
  openBench,
  openTable,
  pagePath,
  release,
  setK,
  sha256,
  shoot,
  step,
  violations,
  type Bench,
} from './bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-web-'));
const at = (name: string) => join(folder, name);
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

describe('invented persons', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(browser);
  });
  afterAll(() => bench.context.close());

  it('open, and show their rows', async () => {
    const { page } = bench;
    await page.getByRole('button', { name: 'Try 5,000 generated persons' }).click();
    await page.getByText('5,000 rows, 14 columns').waitFor();
    await page.getByRole('cell', { name: '…' }).first().waitFor({ state: 'detached' });
    await page.getByRole('region', { name: /Rows of the table/ }).evaluate((e) => {
      e.scrollTop = e.scrollHeight;
    });
    await page.getByRole('rowheader', { name: '5,000' }).waitFor();
    await shoot(page, '1-open');
    expect(await violations(page)).toEqual([]);
  });

  it('have proposed roles, which can be changed, undone and done again', async () => {
    const { page } = bench;
    await step(page, 'Columns');
    const role = page.getByLabel('Role of race', { exact: true });
    expect(await role.inputValue()).toBe('quasi');
    await role.selectOption('drop');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await role.inputValue()).toBe('quasi');
    await page.keyboard.press('Control+y');
    expect(await role.inputValue()).toBe('drop');
    await page.keyboard.press('Control+z');
    await shoot(page, '2-columns');
    expect(await violations(page)).toEqual([]);
  });

  it('have hierarchies that are edited as a tree', async () => {
    const { page } = bench;
    await page.getByRole('button', { name: /^Hierarchy of race/ }).click();
    await page.getByRole('button', { name: 'Start from single values' }).click();
    const tree = page.getByRole('group', { name: 'Tree of race' });
    await tree.locator('.node', { hasText: /^\*\s*5$/ }).waitFor();
    await tree.getByRole('checkbox').first().check();
    await tree.getByRole('checkbox').nth(1).check();
    await page.getByLabel('Name of the group').fill('First two');
    await page.getByRole('button', { name: 'Group chosen values' }).click();
    await tree.getByText('First two').waitFor();
    await page.getByText('All 5 values are covered').waitFor();
    await shoot(page, '2-hierarchy-window');
    expect(await violations(page)).toEqual([]);
    // a value is dragged into the group
    await tree
      .locator('.node', { hasText: 'White' })
      .dragTo(tree.locator('.node', { hasText: 'First two' }));
    await tree.locator('.node', { hasText: /First two\s*3/ }).waitFor();
    await page.getByRole('button', { name: 'Use this hierarchy' }).click();
    await page.getByRole('button', { name: 'Hierarchy of race: file race.csv' }).waitFor();
  });

  it('are protected by k and a model', async () => {
    const { page } = bench;
    await setK(page, 5);
    await page.getByRole('checkbox', { name: 'l-diversity' }).check();
    await page.getByLabel('L of l-diversity').fill('2');
    await page.getByLabel('Column of l-diversity').selectOption('disease');
    await page.getByText('Method, missing values, suppression').click();
    await page.getByLabel('Method', { exact: true }).selectOption('mondrian');
    await shoot(page, '3-protect');
    expect(await violations(page)).toEqual([]);
  });

  it('are released, with everything to look at', async () => {
    const { page } = bench;
    await release(page);
    await page.getByRole('heading', { name: 'Group sizes' }).waitFor();
    await page.getByText('10,000 random COUNT queries').waitFor();
    expect(await page.locator('.grid .changed').count()).toBeGreaterThan(10);
    expect(await page.locator('figure').count()).toBeGreaterThan(4);
    expect(await page.getByText('l-diversity of disease: holds').count()).toBe(1);
    await shoot(page, '4-release');
    await page.getByRole('heading', { name: 'Original and release' }).scrollIntoViewIfNeeded();
    await page
      .getByRole('heading', { name: 'k = 5, mondrian' })
      .evaluate((e) => e.scrollIntoView());
    await shoot(page, '4-release-window');
    expect(await violations(page)).toEqual([]);
  });

  it('are taken away: the command makes the same bytes from the same files', async () => {
    const { page } = bench;
    await step(page, 'Export');
    await shoot(page, '5-export');
    expect(await violations(page)).toEqual([]);
    writeFileSync(at('release.csv'), await downloaded(page, 'Download release'));
    const plan = (await downloaded(page, 'Download plan')).toString();
    mkdirSync(at('hierarchies'), { recursive: true });
    writeFileSync(at('plan.yaml'), plan);
    for (const [path] of plan.matchAll(/hierarchies\/[^"]+/g))
      writeFileSync(at(path), await downloaded(page, `Download ${path}`));
    shoal('generate', 'census', '--rows', '5000', '--seed', '1', '-o', at('persons.csv'));
    shoal(
      'anonymize',
      at('persons.csv'),
      '-o',
      at('command.csv'),
      '--plan',
      at('plan.yaml'),
      '--no-bound',
      '--quiet',
    );
    expect(sha256(readFileSync(at('release.csv')))).toBe(sha256(readFileSync(at('command.csv'))));
    const report = (await downloaded(page, 'Download report')).toString();
    expect(report).toContain('<html');
    writeFileSync(at('report.html'), report);
    expect(report.toLowerCase()).not.toMatch(/\banonymous\b/);
    expect((await downloaded(page, 'Report for recipients')).toString()).toContain('<html');
    writeFileSync(at('persons-release.csv'), readFileSync(at('release.csv')));
    writeFileSync(at('manifest.json'), await downloaded(page, 'Download manifest'));
    shoal('verify', at('manifest.json'), '--original', at('persons.csv'), '--rerun');
    const json = JSON.parse((await downloaded(page, 'Report as JSON')).toString());
    expect(json).toMatchObject({ verified: true, k: 5 });
  });

  it('are compared with another release, chosen on the frontier', async () => {
    const { page } = bench;
    await setK(page, 5);
    await page.getByRole('checkbox', { name: 'l-diversity' }).uncheck();
    await step(page, 'Release');
    await page.getByRole('button', { name: 'Find frontier' }).click();
    await page.getByRole('button', { name: 'Choose k 100' }).waitFor({ timeout: 280000 });
    await idle(page);
    await page.getByRole('button', { name: 'Choose k 25' }).click();
    await page.getByRole('columnheader', { name: /k = 25/ }).waitFor();
    await idle(page);
    await page.locator('.chart circle.point').nth(3).click(); // after 2, 3 and 5
    await page.getByRole('columnheader', { name: /k = 10/ }).waitFor();
    await idle(page);
    await shoot(page, '4-compare');
    expect(await page.getByRole('rowheader', { name: 'loss of age' }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  it('never left the page', () => {
    expect(bench.requests).toEqual([]);
    expect(bench.errors).toEqual([]);
  });
  it('could not leave it: the policy refuses', async () => {
    const failures: string[] = [];
    bench.page.on('requestfailed', (r) => failures.push(r.failure()?.errorText ?? ''));
    const answer = await bench.page.evaluate(() =>
      fetch('https://example.org/').then(
        () => 'sent',
        () => 'refused',
      ),
    );
    expect(answer).toBe('refused');
    const image = await bench.page.evaluate(
      () =>
        new Promise((done) => {
          const i = new Image();
          i.onload = () => done('sent');
          i.onerror = () => done('refused');
          i.src = 'https://example.org/x.png';
        }),
    );
    expect(image).toBe('refused');
    // refused by the policy, not by a missing network
    expect(failures.filter((f) => f !== 'csp')).toEqual([]);
  });
});

describe('other windows', () => {
  it('narrow and dark', async () => {
    const { page, context, errors } = await openBench(
      browser,
      { width: 420, height: 800 },
      { dark: true },
    );
    await page.getByRole('button', { name: 'Try 5,000 generated persons' }).click();
    await page.getByText('5,000 rows').waitFor();
    await shoot(page, 'narrow-1-window');
    await step(page, 'Columns');
    await shoot(page, 'narrow-2-window');
    await setK(page, 10);
    await page.getByText('Method, missing values, suppression').click();
    await page.getByLabel('Method', { exact: true }).selectOption('mondrian');
    expect(await violations(page)).toEqual([]);
    await release(page);
    await page.getByRole('heading', { name: 'Group sizes' }).waitFor();
    await shoot(page, 'narrow-4');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      420,
    );
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
  it('over HTTP, as the folder for a static host', async () => {
    const place = dirname(pagePath) + '/workbench',
      types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
    const server = createServer((request, answer) => {
      const name = request.url === '/' ? 'index.html' : request.url!.slice(1);
      answer.setHeader('Content-Type', types[name.split('.').pop()!] ?? 'text/plain');
      answer.end(existsSync(join(place, name)) ? readFileSync(join(place, name)) : '');
    });
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
    );
    const { page, context, requests, errors } = await openBench(browser, undefined, {
      url: `http://127.0.0.1:${port}/`,
    });
    await page.getByRole('button', { name: 'Try 5,000 generated persons' }).click();
    await page.getByText('5,000 rows').waitFor();
    expect(requests.map((r) => r.split('/').pop()).sort()).toEqual(['style.css', 'workbench.js']);
    expect(errors).toEqual([]);
    await context.close();
    server.close();
  });
  it('on paper', async () => {
    const { page, context } = await openBench(browser);
    await page.getByRole('button', { name: 'Try 5,000 generated persons' }).click();
    await page.getByText('5,000 rows').waitFor();
    await step(page, 'Columns');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Undo' }).isVisible()).toBe(false);
    await shoot(page, 'print');
    await context.close();
  });
  it('by keyboard alone', async () => {
    const { page, context } = await openBench(browser);
    for (
      let i = 0;
      i < 12 &&
      !(await page.evaluate(
        () =>
          document.activeElement?.tagName === 'BUTTON' &&
          document.activeElement.textContent?.includes('Try 5,000'),
      ));
      i++
    )
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('5,000 rows').waitFor();
    await page.getByRole('button', { name: 'Next: Columns' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Role of age', { exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel('Role of age', { exact: true }).inputValue()).toBe('sensitive');
    await context.close();
  });
});

describe.skipIf(adultFolder === null)('Adult (skipped without ../shared/data/adult)', () => {
  it('is released as the command releases it, and shoal verify accepts it', async () => {
    const { page, context, requests, errors } = await openBench(browser);
    const table = join(adultFolder!, 'adult.csv');
    await openTable(page, table);
    await page.getByRole('heading', { name: 'adult.csv' }).waitFor();
    await setK(page, 10);
    await page.getByText('Method, missing values, suppression').click();
    await page.getByLabel('Method', { exact: true }).selectOption('mondrian');
    await release(page);
    await shoot(page, 'adult-window');
    await step(page, 'Export');
    writeFileSync(at('adult-release.csv'), await downloaded(page, 'Download release'));
    writeFileSync(at('adult.yaml'), await downloaded(page, 'Download plan'));
    shoal(
      'anonymize',
      table,
      '-o',
      at('adult-command.csv'),
      '--plan',
      at('adult.yaml'),
      '--no-bound',
      '--quiet',
    );
    expect(sha256(readFileSync(at('adult-release.csv')))).toBe(
      sha256(readFileSync(at('adult-command.csv'))),
    );
    shoal('check', at('adult-release.csv'), '--plan', at('adult.yaml'), '-k', '10');
    writeFileSync(at('manifest.json'), await downloaded(page, 'Download manifest'));
    shoal('verify', at('manifest.json'), '--original', table);
    expect([requests, errors]).toEqual([[], []]);
    await context.close();
  });
});
