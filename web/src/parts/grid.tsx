// SPDX-License-Identifier: Apache-2.0
// grid.tsx - rows of a table that may have a million of them: only the visible ones are fetched and
// drawn.
import { useEffect, useRef, useState } from 'preact/hooks';
import { engine } from '../state.ts';
import { count } from './bits.tsx';
import type { Rows } from '../engine/types.ts';

const ROW = 29,
  BLOCK = 60,
  VISIBLE = 14;
// browsers draw no box higher than some ten million pixels: beyond, a step of the bar is several
// rows
const HIGHEST = 8_000_000;

interface Source {
  label: string;
  id?: number;
}
/**
 * Several sources stand side by side; cells of the second that differ from the first are marked.
 */
export function Grid({
  sources,
  total,
  version,
}: {
  sources: Source[];
  total: number;
  version: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [blocks, setBlocks] = useState<Map<string, Rows>>(new Map());
  const visible = VISIBLE,
    steps = Math.max(0, total - visible),
    height = Math.min(steps * ROW, HIGHEST),
    perPixel = steps / Math.max(1, height);
  useEffect(() => {
    setBlocks(new Map());
    setFirst(0);
    if (box.current) box.current.scrollTop = 0;
  }, [version]);
  useEffect(() => {
    for (const [s, source] of sources.entries())
      for (
        let block = Math.floor(first / BLOCK);
        block * BLOCK < Math.min(total, first + visible);
        block++
      ) {
        const key = `${s}/${block}`;
        if (blocks.has(key)) continue;
        blocks.set(key, { first: block * BLOCK, total, columns: [], rows: [] });
        engine
          .call<Rows>('rows', {
            first: block * BLOCK,
            count: BLOCK,
            ...(source.id === undefined ? {} : { id: source.id }),
          })
          .then(
            (rows) => setBlocks((b) => new Map(b).set(key, rows)),
            () => blocks.delete(key),
          );
      }
  }, [first, version, total, blocks]);

  const rowOf = (s: number, row: number): string[] | null =>
    blocks.get(`${s}/${Math.floor(row / BLOCK)}`)?.rows[row % BLOCK] ?? null;
  const columnsOf = (s: number): string[] =>
    [...blocks.entries()].find(([k, b]) => k.startsWith(s + '/') && b.columns.length > 0)?.[1]
      .columns ?? [];
  const columns = arrange(sources.map((_, s) => columnsOf(s)));
  const rows = Array.from(
    { length: Math.max(0, Math.min(visible, total - first)) },
    (_, i) => first + i,
  );
  const cell = (c: Shown, row: number): string | undefined => rowOf(c.source, row)?.[c.index];
  const isChanged = (c: Shown, row: number): boolean =>
    c.pair !== undefined && cell(c, row) !== rowOf(0, row)?.[c.pair];
  return (
    <div
      class="grid"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={`${sources.map((s) => s.label).join(' and ')}, ${count(total)} rows`}
      onScroll={() => setFirst(Math.min(steps, Math.ceil(box.current!.scrollTop * perPixel)))}
    >
      <div style={{ height: height ? `calc(100% + ${height}px)` : 'auto' }}>
        <table class="sticky">
          <thead>
            <tr>
              <th scope="col">row</th>
              {columns.map((c) => (
                <th scope="col">
                  {c.name}
                  {c.pair !== undefined ? `, ${sources[c.source].label.toLowerCase()}` : ''}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">{count(row + 1)}</th>
                {columns.map((c) => (
                  <td
                    class={
                      (isChanged(c, row) ? 'changed ' : '') + (c.pair !== undefined ? 'pair' : '')
                    }
                  >
                    {cell(c, row) ?? '…'}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface Shown {
  source: number;
  index: number;
  name: string;
  pair?: number;
}
/** Columns of the first source in their order, each followed by its like in the others. */
function arrange(names: string[][]): Shown[] {
  return names[0].flatMap((name, index) => [
    { source: 0, index, name },
    ...names
      .slice(1)
      .flatMap((others, s) =>
        others.includes(name)
          ? [{ source: s + 1, index: others.indexOf(name), name, pair: index }]
          : [],
      ),
  ]);
}
