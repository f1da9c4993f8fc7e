// SPDX-License-Identifier: Apache-2.0
// release.tsx - step 4: make a release, stop it, view the result.
import { useEffect, useState } from 'preact/hooks';
import { goTo, makeRelease, MOST_RELEASES, removeRelease, stop } from '../actions.ts';
import { count, decimal, Problem, share } from '../parts/bits.tsx';
import { Distribution, GroupSizes, type SizeBin } from '../parts/charts.tsx';
import { Frontier } from '../parts/frontier.tsx';
import { Grid } from '../parts/grid.tsx';
import {
  busy,
  draft,
  engine,
  release,
  releases,
  shown,
  table,
  textOf,
  type Release,
} from '../state.ts';
import type { DistributionColumn, Report } from '../engine/types.ts';

export function ReleaseStep() {
  const t = table.value,
    running = busy.value !== null,
    r = release.value;
  if (!t) return <p>Open a table first.</p>;
  return (
    <section aria-labelledby="release-title">
      <h2 id="release-title">Release</h2>
      <p class="row">
        <button type="button" class="primary" disabled={running} onClick={() => void makeRelease()}>
          Make release
        </button>
        <button type="button" disabled={!busy.value?.canStop} onClick={stop}>
          Stop
        </button>
        <span class="quiet">Stop keeps the best release so far; it is checked as usual.</span>
      </p>
      <Problem at="Release" />
      {releases.value.length > 0 && <Kept />}
      {r && <Summary r={r} />}
      {r && !r.two_tables && <After key={r.id} r={r} />}
      <Frontier />
      {r && (
        <p class="row end">
          <button type="button" class="primary" onClick={() => goTo('Export')}>
            Next: Export
          </button>
        </p>
      )}
    </section>
  );
}

const numbers: [string, (r: Report) => string, string][] = [
  ['k reached', (r) => count(r.min_group ?? 0), 'rows of the smallest group'],
  ['loss', (r) => decimal(r.gcp), 'gcp: 0 unchanged, 1 everything lost'],
  [
    'lower bound',
    (r) =>
      decimal(r.lower_bound) +
      (r.bound_for && r.bound_for !== 'k' ? ` (for ${r.bound_for})` : ''),
    'no release with this k has a lower loss; beside models, the bound is for k alone',
  ],
  [
    'gap',
    (r) => (r.gap ? decimal(r.gap, 2) : '–'),
    'loss divided by the lower bound: 1 is optimal',
  ],
  ['groups', (r) => count(r.groups ?? 0), ''],
  ['suppressed rows', (r) => count(r.suppressed_rows ?? 0), ''],
  ['cells changed', (r) => share(r.modification_rate), ''],
  ['seconds', (r) => decimal(r.seconds?.total, 1), ''],
];

/** The releases of this table, side by side. */
function Kept() {
  const all = releases.value;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Releases side by side">
      <table class="compare">
        <caption>Releases of this table, at most {MOST_RELEASES}</caption>
        <thead>
          <tr>
            <td></td>
            {all.map((r) => (
              <th scope="col">
                <button
                  type="button"
                  aria-pressed={r.id === shown.value}
                  onClick={() => (shown.value = r.id)}
                >
                  {r.label}
                </button>
                <button
                  type="button"
                  class="small"
                  aria-label={`Remove release ${r.label}`}
                  onClick={() => void removeRelease(r.id)}
                >
                  ×
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbers.map(([name, of, help]) => (
            <tr>
              <th scope="row" title={help}>
                {name}
              </th>
              {all.map((r) => (
                <td>
                  {name === 'lower bound' && r.bound === 'seeking' ? 'computing …' : of(r.report)}
                </td>
              ))}
            </tr>
          ))}
          {all.length > 1 &&
            (all[0].report.qids ?? []).map((q: { name: string }) => (
              <tr>
                <th scope="row">loss of {q.name}</th>
                {all.map((r) => (
                  <td>
                    {decimal(r.report.qids?.find((x: { name: string }) => x.name === q.name)?.loss)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Summary({ r }: { r: Release }) {
  const isOld = textOf(r.draft) !== textOf(draft.value);
  return (
    <div class="card">
      <h3>{r.label}</h3>
      <p>
        {r.report.verified ? 'Checked: ' : ''}
        {r.two_tables
          ? 'the release is in two tables, each of which was checked.'
          : `every group has at least ${count(r.report.min_group)} rows, and every published ` +
            'value covers the one it replaces.'}
        {r.stopped && ' The search was stopped: this is the best release found.'}
        {r.restarted &&
          ' This browser cannot interrupt the engine, so it restarted with a time limit.'}
        {isOld && ' The plan has changed since.'}
      </p>
      {(r.report.models ?? []).length > 0 && (
        <ul>
          {r.report.models.map(
            (m: {
              model: string;
              name?: string;
              column?: string;
              achieved?: number;
              failing_groups?: number;
            }) => (
              <li>
                {[m.model ?? m.name, m.column].filter(Boolean).join(' of ')}: holds
                {m.achieved != null ? `, reached ${decimal(m.achieved, 3)}` : ''}
              </li>
            ),
          )}
        </ul>
      )}
    </div>
  );
}

// deno-lint-ignore no-explicit-any
type Json = any;
function After({ r }: { r: Release }) {
  const [risk, setRisk] = useState<Json>(null);
  const [columns, setColumns] = useState<DistributionColumn[]>([]);
  const [queries, setQueries] = useState<Json>(null);
  useEffect(() => {
    const id = r.id;
    engine.call<Json>('risk', { id }).then(setRisk, () => null);
    engine.call<DistributionColumn[]>('distribution', { id }).then(setColumns, () => null);
    engine
      .call<Json>('query-error', { id })
      .then(setQueries, () => null);
  }, [r.id]);
  const sameRows =
    r.report.row_order !== 'shuffled' &&
    r.report.rows === table.value!.opened.rows &&
    !r.draft.plan['drop-suppressed'];
  return (
    <>
      <h3>Loss per column</h3>
      <div class="losses">
        {(r.report.qids ?? []).map((q: { name: string; loss: number }) => (
          <p>
            <span>{q.name}</span>
            <meter min={0} max={1} value={q.loss} aria-label={`Loss of ${q.name}`} />
            <span>{decimal(q.loss, 3)}</span>
          </p>
        ))}
      </div>
      {columns.length > 0 && (
        <>
          <h3>Original and release</h3>
          <p class="legend">
            <span class="before">original</span> <span class="after">release</span>: rows per value;
            a generalised value is spread evenly over the values it covers.
          </p>
          <div class="figures">
            {columns.map((c) => (
              <Distribution column={c} />
            ))}
          </div>
        </>
      )}
      {risk && <Risk risk={risk} />}
      {queries && (
        <p>
          Query error: {count(queries.queries)} random COUNT queries with conditions on two
          quasi-identifiers (and on ten values of a sensitive column, if there is one), seed{' '}
          {queries.seed}, have a mean relative error of {share(queries.are)} (a.r.e.), median{' '}
          {share(queries.median)}.
        </p>
      )}
      <h3>Rows side by side</h3>
      {sameRows ? (
        <Grid
          sources={[{ label: 'Table' }, { label: 'Release', id: r.id }]}
          total={r.report.rows}
          version={`release ${r.id} ${table.value!.serial}`}
        />
      ) : (
        <Grid
          sources={[{ label: 'Release', id: r.id }]}
          total={r.report.rows}
          version={`release ${r.id} ${table.value!.serial}`}
        />
      )}
    </>
  );
}

function Risk({ risk }: { risk: Json }) {
  const rows: [string, Json, Json][] = [
    ['Prosecutor, highest', risk.original?.prosecutor?.highest, risk.prosecutor?.highest],
    ['Prosecutor, mean', risk.original?.prosecutor?.mean, risk.prosecutor?.mean],
    ['Journalist, highest', risk.original?.journalist?.highest, risk.journalist?.highest],
    ['Marketer, mean', risk.original?.marketer?.mean, risk.marketer?.mean],
  ];
  return (
    <>
      <h3>Risk</h3>
      <table>
        <caption>Probability of re-identification by the quasi-identifiers</caption>
        <thead>
          <tr>
            <th scope="col">Attacker</th>
            <th scope="col">Original</th>
            <th scope="col">Release</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, a, b]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{share(a)}</td>
              <td>{share(b)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Unique rows</th>
            <td>{count(risk.original?.sample_uniques ?? 0)}</td>
            <td>{count(risk.sample_uniques ?? 0)}</td>
          </tr>
        </tbody>
      </table>
      <h3>Group sizes</h3>
      <GroupSizes
        bins={risk.class_sizes as SizeBin[]}
        original={(risk.original?.class_sizes ?? []) as SizeBin[]}
      />
    </>
  );
}
