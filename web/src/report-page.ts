// SPDX-License-Identifier: Apache-2.0
// report-page.ts - the report as a page of its own. The one place where the report of the library's own making is to be put in.
import type { Report } from './engine/types.ts';

const escape = (text: unknown): string => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

function rows(value: unknown, path = ''): [string, string][] {
  if (value === null || typeof value !== 'object') return [[path, value === null ? '–' : String(value)]];
  return Object.entries(value).flatMap(([key, v]) => {
    const name = (v as { name?: string })?.name;
    return rows(v, [path, Array.isArray(value) ? (name ?? String(Number(key) + 1)) : key].filter(Boolean).join(' › '));
  });
}

/** What the engine reported, number by number, with the plan behind it; no value of the table. */
export function reportPage(report: Report, plan: string, command: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Release report</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td{padding:.15rem .8rem .15rem 0;vertical-align:top;border-bottom:1px solid #ccc}pre{background:#f3f3f3;padding:.8rem;overflow:auto;white-space:pre-wrap}</style></head>
<body><h1>Release report</h1>
<p>Made and checked by Shoal ${escape(report.version)}. Every group has at least ${escape(report.min_group ?? '–')} rows; the loss (gcp) is ${escape(report.gcp ?? '–')}, the lower bound ${escape(report.lower_bound ?? 'not sought')}.</p>
<h2>Numbers</h2><table>${rows(report).map(([k, v]) => `<tr><td>${escape(k)}</td><td>${escape(v)}</td></tr>`).join('')}</table>
<h2>Plan</h2><pre>${escape(plan)}</pre>
<h2>The same with the command</h2><pre>${escape(command)}</pre>
</body></html>
`;
}
