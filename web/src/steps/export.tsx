// SPDX-License-Identifier: Apache-2.0
// export.tsx - step 5: the release and everything that makes it again.
import { download, evidenceOf } from '../actions.ts';
import { Problem } from '../parts/bits.tsx';
import { commandLine } from '../plan-text.ts';
import { draft, engine, release, table, textOf, work } from '../state.ts';

export function ExportStep() {
  const t = table.value,
    r = release.value;
  if (!t) return <p>Open a table first.</p>;
  const d = r?.draft ?? draft.value,
    text = textOf(d);
  const releaseName = t.name.replace(/(\.csv|\.txt|\.tsv)?(\.gz|\.zst)?$/i, '') + '-release.csv';
  const command = commandLine(t.name, releaseName, t.encoding);
  const used = (d.plan.columns ?? [])
    .map((c) => c.hierarchy)
    .filter((h): h is string => h !== undefined && d.files[h] !== undefined);
  const take = async (part: number, name: string) => {
    const blob = await work('Preparing the file', false, () => engine.releaseText(r!.id, part));
    if (blob) download(name, blob);
  };
  const paper = async (which: 'internal' | 'external' | 'manifest') => {
    const made = await work('Writing the report', false, () => evidenceOf(r!, t.name, releaseName));
    if (made)
      download(
        which === 'manifest' ? 'manifest.json' : `report-${which}.html`,
        new Blob([made[which]], { type: which === 'manifest' ? 'application/json' : 'text/html' }),
      );
  };
  return (
    <section aria-labelledby="take-title">
      <h2 id="take-title">Export</h2>
      <Problem at="Export" />
      {!r && <p>There is no release yet. The plan can be exported already.</p>}
      <div class="card takes">
        <p>
          <button
            type="button"
            class="primary"
            disabled={!r}
            onClick={() => void take(0, releaseName)}
          >
            Download release
          </button>{' '}
          {r ? r.label : ''}
        </p>
        {r?.two_tables && (
          <p>
            <button
              type="button"
              onClick={() => void take(1, releaseName.replace('.csv', '-sensitive.csv'))}
            >
              Download second table
            </button>{' '}
            sensitive values by group
          </p>
        )}
        <p>
          <button type="button" onClick={() => download('plan.yaml', text)}>
            Download plan
          </button>{' '}
          for <code>shoal anonymize --plan</code> on the full table, or on Spark
        </p>
        {used.map((path) => (
          <p>
            <button type="button" onClick={() => download(path.split('/').pop()!, d.files[path])}>
              Download {path}
            </button>{' '}
            into that folder next to the plan
          </p>
        ))}
        <p>
          <button type="button" disabled={!r} onClick={() => void paper('internal')}>
            Download report
          </button>{' '}
          internal edition: contains counts and values of the original
        </p>
        <p>
          <button type="button" disabled={!r} onClick={() => void paper('external')}>
            Report for recipients
          </button>{' '}
          external edition: shows nothing that the release does not show
        </p>
        <p>
          <button type="button" disabled={!r} onClick={() => void paper('manifest')}>
            Download manifest
          </button>{' '}
          for <code>shoal verify</code>; keep it with the original
        </p>
        <p>
          <button
            type="button"
            disabled={!r}
            onClick={() => download('report.json', JSON.stringify(r!.report, null, 2) + '\n')}
          >
            Report as JSON
          </button>{' '}
          as written by <code>--report</code> of the command
        </p>
      </div>
      <h3>Equivalent command</h3>
      <pre tabIndex={0} aria-label="Command">
        {command}
      </pre>
      {r?.stopped && (
        <p class="warning">
          The search was stopped; the plan does not record this: the command runs to the end and may
          give a better release.
        </p>
      )}
      <h3>The plan</h3>
      <pre tabIndex={0} aria-label="Plan">
        {text}
      </pre>
    </section>
  );
}
