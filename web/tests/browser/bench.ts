// SPDX-License-Identifier: Apache-2.0
// bench.ts - the workbench in a real browser, opened from a file, with every request that the page
// tries noted.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Download,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../engine-in-node.ts';

export const pagePath = process.env.SHOAL_WORKBENCH ?? root + 'build/shoal-workbench.html';
export const shotFolder = root + 'build/workbench-shots/';
const chromiumPath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = (more: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] });

export interface Bench {
  page: Page;
  context: BrowserContext;
  requests: string[];
  errors: string[];
}

export async function openBench(
  browser: Browser,
  size = { width: 1280, height: 800 },
  options: { dark?: boolean; url?: string } = {},
): Promise<Bench> {
  const context = await browser.newContext({
    viewport: size,
    acceptDownloads: true,
    colorScheme: options.dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  const url = options.url ?? 'file://' + pagePath,
    requests: string[] = [],
    errors: string[] = [];
  page.on('request', (r) => {
    if (r.url() !== url && !/^(blob|data):/.test(r.url())) requests.push(r.url());
  });
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('console', (m) => {
    if (m.type() === 'error') errors.push(m.text());
  });
  page.on('dialog', (d) => void d.accept());
  page.setDefaultTimeout(120000); // a busy machine is no failure
  await page.goto(url);
  await page.getByRole('heading', { name: 'Open a table' }).waitFor();
  return { page, context, requests, errors };
}

export const step = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('button', { name }).click();
export const openTable = async (page: Page, path: string) => {
  await step(page, 'Open');
  await page.getByLabel('Open table').setInputFiles(path);
};
export const setK = async (page: Page, k: number) => {
  await step(page, 'Protect');
  await page.getByLabel('k', { exact: true }).fill(String(k));
};

/** Make a release and wait until nothing runs any more. */
export async function release(page: Page): Promise<void> {
  await step(page, 'Release');
  await page.getByRole('button', { name: 'Make release' }).click();
  await page
    .getByRole('table', { name: /Releases of this table/ })
    .or(page.locator('.problem'))
    .first()
    .waitFor({ timeout: 280000 });
  await idle(page);
}
export const idle = (page: Page) =>
  page.locator('.busy progress').waitFor({ state: 'detached', timeout: 280000 });

/** What the page says while nothing comes: for the message of a failure. */
async function stateOf(page: Page): Promise<string> {
  const text = async (at: string) => (await page.locator(at).allInnerTexts()).join(' ').trim();
  return `busy: "${await text('.busy')}", problem: "${await text('.problem')}"`;
}

/**
 * Click and take what is downloaded. Once Chromium handed over nothing for two minutes, and did not
 * in 360 clicks since; a person would click again, so does this, once, and says so. A page that
 * refuses, or that offers nothing at the second click either, fails with what it shows.
 */
export async function downloaded(page: Page, button: string, tries = 2): Promise<Buffer> {
  const coming = page.waitForEvent('download', { timeout: 45000 }).catch(() => null);
  await page.getByRole('button', { name: button, exact: true }).click();
  const download: Download | null = await coming;
  if (download) return readFileSync(await download.path());
  const state = await stateOf(page);
  if (tries < 2 || (await page.locator('.problem').count()) > 0)
    throw new Error(`"${button}" downloads nothing; ${state}`);
  console.warn(`"${button}" downloaded nothing within 45 s and is clicked again; ${state}`);
  return downloaded(page, button, tries - 1);
}
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A screenshot, kept as an artefact. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(shotFolder, { recursive: true });
  await page.screenshot({ path: shotFolder + name + '.png', fullPage: !name.endsWith('-window') });
  expect(statSync(shotFolder + name + '.png').size).toBeGreaterThan(2000);
}

/**
 * Serious and critical violations that axe-core finds. Its script is put in by the browser's own
 * protocol, past the page's policy.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(
    readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  );
  return page.evaluate(async () => {
    const axe = (
      globalThis as unknown as {
        axe: {
          run: () => Promise<{
            violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
          }>;
        };
      }
    ).axe;
    const found = await axe.run();
    return found.violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map(
        (v) =>
          `${v.id}: ${v.nodes
            .map((n) => n.target.join(' '))
            .slice(0, 3)
            .join(' | ')}`,
      );
  });
}
