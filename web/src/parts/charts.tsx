// SPDX-License-Identifier: Apache-2.0
// charts.tsx - plots by Observable Plot: SVG in the colours of the page, so that they print and
// follow the dark style.
import * as Plot from '@observablehq/plot';
import { useEffect, useRef } from 'preact/hooks';
import type { DistributionColumn, Trial } from '../engine/types.ts';
import { count, decimal } from './bits.tsx';

const before = 'var(--before)',
  after = 'var(--after)';

/** Plots are drawn one at a time, with the page free in between. */
const queue: (() => void)[] = [];
let isDrawing = false;
function drawLater(draw: () => void): void {
  queue.push(draw);
  if (isDrawing) return;
  isDrawing = true;
  const next = () => {
    queue.shift()?.();
    if (queue.length > 0) setTimeout(next, 10);
    else isDrawing = false;
  };
  setTimeout(next, 0);
}

function Chart({
  label,
  options,
  deps,
  drawn,
}: {
  label: string;
  options: () => Plot.PlotOptions;
  deps: unknown[];
  drawn?: (plot: Element) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    drawLater(() => {
      if (!box.current?.isConnected) return;
      const plot = Plot.plot({
        style: { background: 'transparent', color: 'inherit', overflow: 'visible' },
        ...options(),
      });
      plot.setAttribute('aria-hidden', 'true'); // the table or the label beside it says the same
      box.current.replaceChildren(plot);
      drawn?.(plot);
    });
  }, deps);
  return <div class="chart" role="img" aria-label={label} ref={box} />;
}

const nameOf = (b: { from: string; to: string }): string =>
  b.from === b.to ? b.from : `${b.from} to ${b.to}`;

export function Distribution({ column }: { column: DistributionColumn }) {
  const rows = column.bars.flatMap((b, i) => [
    { i, bar: nameOf(b), what: 'before', rows: b.before },
    { i, bar: nameOf(b), what: 'after', rows: b.after },
  ]);
  const short = (s: string) => (s.length > 14 ? s.slice(0, 13) + '…' : s);
  return (
    <figure>
      <figcaption>{column.name}</figcaption>
      <Chart
        deps={[column]}
        label={
          `${column.name} before and after: ` +
          column.bars
            .map((b) => `${nameOf(b)} ${count(b.before)} and ${count(Math.round(b.after))}`)
            .join('; ')
        }
        options={() => ({
          width: 330,
          height: 170,
          marginBottom: 62,
          marginLeft: 46,
          x: { axis: null },
          fx: {
            domain: [...new Set(rows.map((r) => r.bar))],
            label: null,
            tickRotate: -40,
            tickFormat: short,
            padding: 0.15,
            axis: 'bottom',
          },
          y: { label: null, ticks: 4, tickFormat: 's' },
          color: { domain: ['before', 'after'], range: [before, after] },
          marks: [
            Plot.barY(rows, { x: 'what', fx: 'bar', y: 'rows', fill: 'what', sort: { x: null } }),
            Plot.ruleY([0]),
          ],
        })}
      />
    </figure>
  );
}

export interface SizeBin {
  from: number;
  to: number;
  classes: number;
  records: number;
}
export function GroupSizes({ bins, original }: { bins: SizeBin[]; original: SizeBin[] }) {
  const name = (b: SizeBin) =>
    b.to === b.from ? String(b.from) : b.to ? `${b.from}–${b.to}` : `${b.from}+`;
  const rows = bins.flatMap((b, i) => [
    { size: name(b), what: 'before', rows: original[i]?.records ?? 0 },
    { size: name(b), what: 'after', rows: b.records },
  ]);
  return (
    <Chart
      deps={[bins]}
      label={
        'Rows by the size of their group: ' +
        bins
          .map(
            (b, i) =>
              `${name(b)}: ${count(original[i]?.records ?? 0)} before, ` +
              `${count(b.records)} after`,
          )
          .join('; ')
      }
      options={() => ({
        width: 560,
        height: 200,
        marginBottom: 40,
        marginLeft: 56,
        x: { axis: null },
        fx: { domain: bins.map(name), label: 'rows of the group', axis: 'bottom', padding: 0.15 },
        y: { label: 'rows', ticks: 4, tickFormat: 's' },
        color: { domain: ['before', 'after'], range: [before, after] },
        marks: [
          Plot.barY(rows, { x: 'what', fx: 'size', y: 'rows', fill: 'what', sort: { x: null } }),
          Plot.ruleY([0]),
        ],
      })}
    />
  );
}

/** A click on a point chooses its k; by keyboard the buttons of the table beside it do. */
export function FrontierCurve({
  trials,
  knee,
  choose,
}: {
  trials: Trial[];
  knee: number | null;
  choose: (k: number) => void;
}) {
  const rows = trials.map((t, i) => ({
    k: t.k,
    gcp: t.numbers.gcp,
    bound: t.numbers.lower_bound,
    knee: i === knee,
  }));
  const bounds = rows.filter((r) => r.bound !== undefined);
  return (
    <Chart
      deps={[trials, knee]}
      label={
        'Loss over k: ' +
        rows
          .map(
            (r) =>
              `k ${r.k}: ${decimal(r.gcp)}` +
              (r.bound === undefined ? '' : `, at least ${decimal(r.bound)}`),
          )
          .join('; ')
      }
      options={() => ({
        width: 560,
        height: 260,
        marginLeft: 56,
        x: {
          type: 'log',
          label: 'k, on a logarithmic scale',
          ticks: rows.map((r) => r.k),
          tickFormat: 'd',
        },
        y: { label: 'loss (gcp)', zero: true, grid: true },
        marks: [
          Plot.lineY(bounds, {
            x: 'k',
            y: 'bound',
            stroke: 'currentColor',
            strokeDasharray: '5 4',
          }), // a line without dots: those choose a k
          Plot.text(bounds.slice(-1), {
            x: 'k',
            y: 'bound',
            text: () => 'lower bound',
            textAnchor: 'end',
            dy: 12,
          }),
          Plot.lineY(rows, { x: 'k', y: 'gcp', stroke: after }),
          Plot.dot(rows, {
            x: 'k',
            y: 'gcp',
            fill: (r: { knee: boolean }) => (r.knee ? before : after),
            r: 5,
            title: (r: { k: number }) => `choose k ${r.k}`,
          }),
        ],
      })}
      drawn={(plot) =>
        plot.querySelectorAll<SVGCircleElement>('circle').forEach((dot, i) => {
          dot.classList.add('point');
          dot.addEventListener('click', () => choose(rows[i].k));
        })
      }
    />
  );
}
