// SPDX-License-Identifier: Apache-2.0
// bits.tsx - small parts: numbers, messages, bars, the button that chooses a file.
import { cloneElement, type VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { notice, problem, type Step } from '../state.ts';
import type { Bars } from '../engine/types.ts';

export const count = (n: number): string => n.toLocaleString('en');
export const share = (x: number | null | undefined, digits = 1): string =>
  x == null ? '–' : (100 * x).toFixed(digits) + ' %';
export const decimal = (x: number | null | undefined, digits = 4): string =>
  x == null ? '–' : x.toFixed(digits);

/** What went wrong on this step, and what to do about it. */
export function Problem({ at }: { at: Step }) {
  const p = problem.value;
  return (
    <div role="alert" class={p?.at === at ? 'problem' : 'none'}>
      {p?.at === at && (
        <>
          <p>
            <strong>
              {p.status === 'SHOAL_ECANCELLED'
                ? 'Stopped before a valid release was found.'
                : sentence(p.message)}
            </strong>
          </p>
          {p.fix && <p>Fix: {p.fix}.</p>}
          {(p.column || p.row > 0 || p.line > 0) && (
            <p class="quiet">
              {[
                p.column && `column ${p.column}`,
                p.row > 0 && `row ${count(p.row)}`,
                p.line > 0 && `line ${count(p.line)}`,
              ]
                .filter(Boolean)
                .join(', ')}
            </p>
          )}
          <button type="button" onClick={() => (problem.value = null)}>
            Close this message
          </button>
        </>
      )}
    </div>
  );
}
const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');

export function Notice() {
  return (
    <div role="status" class={notice.value ? 'notice' : 'none'}>
      {notice.value && (
        <>
          {notice.value}{' '}
          <button type="button" onClick={() => (notice.value = '')}>
            Close
          </button>
        </>
      )}
    </div>
  );
}

/**
 * A button that opens the chooser of files. The input itself carries the name, so tests and screen
 * readers find it.
 */
export function FileButton({
  name,
  accept,
  onFile,
  primary,
}: {
  name: string;
  accept?: string;
  onFile: (file: File) => void;
  primary?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <label class={primary ? 'file primary' : 'file'}>
      <span>{name}</span>
      <input
        ref={input}
        type="file"
        aria-label={name}
        accept={accept}
        onChange={() => {
          const file = input.current?.files?.[0];
          if (file) onFile(file);
          if (input.current) input.current.value = '';
        }}
      />
    </label>
  );
}

/** A histogram of a column, the height of a line of text. */
export function SmallBars({ bars, name }: { bars: Bars; name: string }) {
  const most = Math.max(1, ...bars.bars.map((b) => b.rows)),
    width = 8;
  const described = bars.bars
    .slice(0, 3)
    .map((b) => `${b.from === b.to ? b.from : b.from + ' to ' + b.to}: ${count(b.rows)}`)
    .join('; ');
  return (
    <svg
      class="bars"
      width={bars.bars.length * width || width}
      height={28}
      role="img"
      aria-label={`Values of ${name}. ${described}`}
    >
      {bars.bars.map((b, i) => (
        <rect
          x={i * width}
          width={width - 1}
          y={28 - Math.max(1, (27 * b.rows) / most)}
          height={Math.max(1, (27 * b.rows) / most)}
        >
          <title>
            {(b.from === b.to ? b.from : b.from + ' to ' + b.to) + `: ${count(b.rows)} rows`}
          </title>
        </rect>
      ))}
    </svg>
  );
}

/** A control below its name; the name is the control's accessible name too, without the help. */
export function Field({
  label,
  help,
  children,
}: {
  label: string;
  help?: string;
  children: VNode<{ 'aria-label'?: string }>;
}) {
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        {cloneElement(children, { 'aria-label': label })}
      </label>
      {help && <small>{help}</small>}
    </div>
  );
}
