// SPDX-License-Identifier: Apache-2.0
// columns.tsx - step 2: what each column is; roles, types, hierarchies.
import { useState } from 'preact/hooks';
import { goTo, importPlan } from '../actions.ts';
import { count, FileButton, Notice, Problem, SmallBars } from '../parts/bits.tsx';
import { HierarchyDialog } from '../parts/hierarchy-dialog.tsx';
import { changeColumn, draft, table } from '../state.ts';
import type { PlanColumn } from '../engine/types.ts';

export const roles: [string, string, string][] = [
  [
    'quasi',
    'quasi-identifier',
    'attackers may know it: generalised until at least k rows are equal',
  ],
  ['sensitive', 'sensitive', 'must not be disclosed: published unchanged, protected by models'],
  ['class', 'class', 'published unchanged; class-aware methods use it'],
  ['identifier', 'identifier', 'identifies a person: left out'],
  ['entity', 'person', 'identifies a person across several rows: left out'],
  ['other', 'keep', 'published unchanged'],
  ['drop', 'drop', 'left out'],
  ['undecided', 'undecided', 'no role inferred; choose one before making a release'],
  ['count', 'count', 'number of rows that a line represents'],
];
const types: [string, string][] = [
  ['', 'detected'],
  ['numeric', 'numeric'],
  ['categorical', 'categorical'],
  ['date', 'date'],
];

const hierarchyText = (c: PlanColumn): string =>
  !c.hierarchy
    ? 'none'
    : /^(build|known):/.test(c.hierarchy)
      ? c.hierarchy.replace(/^build:/, '')
      : 'file ' + c.hierarchy.split('/').pop();

export function ColumnsStep() {
  const t = table.value;
  const [edited, setEdited] = useState<string | null>(null);
  if (!t) return <p>Open a table first.</p>;
  const columns = draft.value.plan.columns ?? [];
  const of = (name: string): PlanColumn => columns.find((c) => c.name === name) ?? { name };
  return (
    <section aria-labelledby="columns-title">
      <h2 id="columns-title">Columns</h2>
      <p>
        Roles are proposed from column names and values. Confirm each of them. For codes such as 1
        to 9 that mean categories choose the type categorical.
      </p>
      <Problem at="Columns" />
      <Notice />
      <div class="scroll" tabIndex={0} role="region" aria-label="Columns of the table">
        <table class="columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Role</th>
              <th scope="col">Type</th>
              <th scope="col">Values</th>
              <th scope="col">Hierarchy</th>
            </tr>
          </thead>
          <tbody>
            {t.columns.profile.columns.map((p, i) => {
              const c = of(p.name),
                hasTree = c.role === 'quasi' || c.role === 'sensitive';
              return (
                <tr>
                  <th scope="row">{p.name}</th>
                  <td>
                    <select
                      aria-label={`Role of ${p.name}`}
                      value={c.role ?? 'other'}
                      onChange={(e) => changeColumn(p.name, { role: e.currentTarget.value })}
                    >
                      {roles.map(([value, name, help]) => (
                        <option value={value} title={help}>
                          {name}
                        </option>
                      ))}
                    </select>
                    <small>
                      {c.role === p.role
                        ? `proposed: ${p.reason ?? ''}`
                        : `changed; proposed: ${roles.find((r) => r[0] === p.role)?.[1] ?? p.role}`}
                    </small>
                  </td>
                  <td>
                    <select
                      aria-label={`Type of ${p.name}`}
                      value={c.type ?? ''}
                      onChange={(e) =>
                        changeColumn(p.name, {
                          type: e.currentTarget.value || undefined,
                          format: undefined,
                        })
                      }
                    >
                      {types.map(([value, name]) => (
                        <option value={value}>{value === '' ? `${name} (${p.type})` : name}</option>
                      ))}
                    </select>
                  </td>
                  <td class="values">
                    <SmallBars bars={t.columns.bars[i]} name={p.name} />
                    <small>
                      {count(p.distinct)} distinct, {count(p.missing)} missing
                      {p.looks_like ? `; looks like ${p.looks_like}` : ''}
                    </small>
                  </td>
                  <td>
                    {hasTree ? (
                      <button
                        type="button"
                        aria-label={`Hierarchy of ${p.name}: ${hierarchyText(c)}`}
                        onClick={() => setEdited(p.name)}
                      >
                        {hierarchyText(c)}
                      </button>
                    ) : (
                      <span class="quiet">–</span>
                    )}
                    {hasTree && !c.hierarchy && p.builder && (
                      <small>suggested hierarchy: {p.builder}</small>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <details>
        <summary>What the roles mean</summary>
        <dl class="terms">
          {roles.map(([, name, help]) => (
            <>
              <dt>{name}</dt>
              <dd>{help}</dd>
            </>
          ))}
        </dl>
      </details>
      <p class="row end">
        <FileButton
          name="Import plan"
          accept=".yaml,.yml,.json"
          onFile={(file) => void importPlan(file)}
        />
        <button type="button" class="primary" onClick={() => goTo('Protect')}>
          Next: Protect
        </button>
      </p>
      {edited !== null && <HierarchyDialog column={edited} onClose={() => setEdited(null)} />}
    </section>
  );
}
