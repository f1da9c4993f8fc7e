// SPDX-License-Identifier: Apache-2.0
// plan-text.ts - a plan as YAML text, and the command that runs it. What a plan means is the
// library's; this only writes it down.
import type { Plan } from './engine/types.ts';

/**
 * A scalar in double quotes, as JSON writes it (JSON strings are YAML strings); plain where it
 * cannot be misread.
 */
function scalar(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value);
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(text) &&
    !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function flow(object: Record<string, unknown>): string {
  const parts = Object.entries(object)
    .filter(([, v]) => v !== undefined && v !== '')
    .map(
      ([key, v]) =>
        `${key}: ${Array.isArray(v) ? '[' + v.map(scalar).join(', ') + ']' : scalar(v)}`,
    );
  return `{${parts.join(', ')}}`;
}

/** One line for each entry; lists of entries as `- {...}`. */
export function planYaml(plan: Plan, comments: string[] = []): string {
  const lines = comments.map((c) => '# ' + c);
  for (const [key, value] of Object.entries(plan)) {
    if (value === undefined || value === null || value === '') continue;
    if (Array.isArray(value)) {
      if (value.length === 0) continue;
      lines.push(
        `${key}:`,
        ...value.map(
          (v) =>
            '  - ' +
            (v !== null && typeof v === 'object' ? flow(v as Record<string, unknown>) : scalar(v)),
        ),
      );
    } else if (typeof value === 'object') {
      if (Object.keys(value).length > 0)
        lines.push(`${key}: ${flow(value as Record<string, unknown>)}`);
    } else lines.push(`${key}: ${scalar(value)}`);
  }
  return lines.join('\n') + '\n';
}

/** A word for a shell. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

export function commandLine(table: string, release: string, encoding: string): string {
  const command = `shoal anonymize ${shellWord(table)} -o ${shellWord(release)} --plan plan.yaml`;
  return encoding === 'utf-8'
    ? command
    : `iconv -f ${encoding} -t utf-8 ${shellWord(table)} >utf8.csv\n` +
        `shoal anonymize utf8.csv -o ${shellWord(release)} --plan plan.yaml`;
}
