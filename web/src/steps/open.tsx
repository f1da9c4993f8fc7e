// SPDX-License-Identifier: Apache-2.0
// open.tsx - step 1: a table from a file, or invented persons; how it is read; its rows.
import { useState } from 'preact/hooks';
import { goTo, openFile, openPersons, reopen } from '../actions.ts';
import { count, Field, FileButton, Problem } from '../parts/bits.tsx';
import { Grid } from '../parts/grid.tsx';
import { encodings, type Encoding } from '../engine/encoding.ts';
import { table } from '../state.ts';

const separators: [string, string][] = [
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
];

export function Open() {
  const [over, setOver] = useState(false);
  const t = table.value;
  return (
    <section aria-labelledby="open-title">
      <h2 id="open-title">Open a table</h2>
      <div
        class={over ? 'drop over' : 'drop'}
        onDragOver={(e) => {
          e.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(e) => {
          e.preventDefault();
          setOver(false);
          const file = e.dataTransfer?.files[0];
          if (file) void openFile(file);
        }}
      >
        <p>Drop a CSV file here: plain, .gz or .zst. It is read on this computer only.</p>
        <p class="row">
          <FileButton name="Open table" primary onFile={(file) => void openFile(file)} />
          <button type="button" onClick={() => void openPersons(5000)}>
            Try 5,000 generated persons
          </button>
        </p>
      </div>
      <Problem at="Open" />
      {t && (
        <>
          <h3>{t.name}</h3>
          <p>
            {count(t.opened.rows)} rows, {count(t.opened.columns.length)} columns,{' '}
            {count(Math.ceil(t.opened.bytes / 1024))} KB.
          </p>
          {t.opened.odd_names * 2 > t.opened.columns.length && (
            <p class="warning">
              The first line looks like data, not column names. Change the separator, or choose that
              there is no header line.
            </p>
          )}
          <div class="fields">
            <Field label="Separator">
              <select
                value={t.opened.delimiter}
                onChange={(e) => void reopen({ delimiter: e.currentTarget.value })}
              >
                {separators.map(([value, name]) => (
                  <option value={value}>{name}</option>
                ))}
                {!separators.some(([v]) => v === t.opened.delimiter) && (
                  <option value={t.opened.delimiter}>{t.opened.delimiter}</option>
                )}
              </select>
            </Field>
            <Field label="Encoding">
              <select
                value={t.encoding}
                onChange={(e) => void reopen({ encoding: e.currentTarget.value as Encoding })}
              >
                {encodings.map((name) => (
                  <option value={name}>{name}</option>
                ))}
              </select>
            </Field>
            <Field
              label="Missing values are written as"
              help="separate several by spaces; empty cells are always missing"
            >
              <input
                type="text"
                value={(t.options.nulls ?? ['']).filter((n) => n !== '').join(' ')}
                placeholder="NA ?"
                onChange={(e) =>
                  void reopen({
                    nulls: ['', ...e.currentTarget.value.split(/\s+/).filter(Boolean)],
                  })
                }
              />
            </Field>
            <label class="check">
              <input
                type="checkbox"
                checked={t.options.header !== false}
                onChange={(e) => void reopen({ header: e.currentTarget.checked })}
              />{' '}
              First line has names
            </label>
          </div>
          <Grid
            sources={[{ label: 'Rows of the table' }]}
            total={t.opened.rows}
            version={`table ${t.serial}`}
          />
          <p class="row end">
            <button type="button" class="primary" onClick={() => goTo('Columns')}>
              Next: Columns
            </button>
          </p>
        </>
      )}
    </section>
  );
}
