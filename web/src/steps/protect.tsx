// SPDX-License-Identifier: Apache-2.0
// protect.tsx - step 3: k, models, attackers, weights and limits. Names, values and sentences of
// models are the registry's.
import { goTo } from '../actions.ts';
import { Field, FileButton, Problem, share } from '../parts/bits.tsx';
import { changeColumn, changePlan, draft, engine, table, work } from '../state.ts';
import type { ModelRow, PlanModel } from '../engine/types.ts';

const termOf = (name: string) =>
  engine.description.terms.find((t) => t.names.split('|').includes(name));
const upTo = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function Protect() {
  const t = table.value,
    plan = draft.value.plan;
  if (!t) return <p>Open a table first.</p>;
  const quasi = (plan.columns ?? []).filter((c) => c.role === 'quasi');
  const k = plan.k ?? 0;
  return (
    <section aria-labelledby="protect-title">
      <h2 id="protect-title">Protect</h2>
      <Problem at="Protect" />
      <div class="card">
        <h3>k: minimum group size</h3>
        <Field label="k">
          <input
            type="number"
            min={2}
            step={1}
            value={plan.k ?? ''}
            onInput={(e) =>
              changePlan({
                k:
                  e.currentTarget.valueAsNumber > 0
                    ? Math.floor(e.currentTarget.valueAsNumber)
                    : undefined,
              })
            }
          />
        </Field>
        <p>
          {k >= 2
            ? `An attacker who knows the quasi-identifiers of a person finds at least ${k} rows ` +
              'that look the same, and picks the right one with a probability of at most ' +
              `${share(1 / k)}. Sensitive columns of these rows are not protected by k, but by ` +
              'the models below.'
            : 'k is required: 5 to 25 is common, more for public data.'}
        </p>
        <Attackers k={k} />
      </div>
      <Models />
      <div class="card">
        <h3>Weights and level limits</h3>
        <p>
          The weight of a column, from 0 to 1, multiplies its loss; a level limit forbids more
          general values.
        </p>
        <div class="scroll" tabIndex={0} role="region" aria-label="Weights and largest levels">
          <table>
            <thead>
              <tr>
                <th scope="col">Quasi-identifier</th>
                <th scope="col">Weight</th>
                <th scope="col">Level limit</th>
              </tr>
            </thead>
            <tbody>
              {quasi.map((c) => (
                <tr>
                  <th scope="row">{c.name}</th>
                  <td>
                    <input
                      type="number"
                      aria-label={`Weight of ${c.name}`}
                      min={0}
                      max={1}
                      step={0.1}
                      placeholder="1"
                      value={c.priority ?? ''}
                      onChange={(e) => changeColumn(c.name, { priority: e.currentTarget.value })}
                    />
                  </td>
                  <td>
                    <input
                      type="number"
                      aria-label={`Level limit of ${c.name}`}
                      min={0}
                      step={1}
                      placeholder="none"
                      value={c['max-level'] ?? ''}
                      onChange={(e) => changeColumn(c.name, { 'max-level': e.currentTarget.value })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {quasi.length === 0 && (
          <p class="warning">
            No column is a quasi-identifier. Go back to Columns and choose those that an attacker
            may know.
          </p>
        )}
      </div>
      <Method />
      <p class="row end">
        <button type="button" class="primary" onClick={() => goTo('Release')}>
          Next: Release
        </button>
      </p>
    </section>
  );
}

/** What each attacker can reach at this k. */
function Attackers({ k }: { k: number }) {
  if (k < 2) return null;
  return (
    <dl class="terms">
      <dt>Prosecutor</dt>
      <dd>knows that the person is in the table: at most {share(1 / k)} for each person.</dd>
      <dt>Journalist</dt>
      <dd>
        looks for any person to recognise: at most {share(1 / k)}, less where the table is a sample
        of more people.
      </dd>
      <dt>Marketer</dt>
      <dd>tries all persons: at most {share(1 / k)} of the tries are right on average.</dd>
    </dl>
  );
}

function Models() {
  const plan = draft.value.plan,
    models = plan.models ?? [];
  const sensitive = (plan.columns ?? []).filter((c) => c.role === 'sensitive').map((c) => c.name);
  const rows = engine.description.registry.models;
  const names = [...new Set(rows.map((r) => r.name))];
  const set: SetModel = (name, edit) => {
    // from what the plan says now, not from what was drawn
    const now = draft.value.plan.models ?? [],
      next = edit(now.find((m) => m.name === name) ?? { name, value: '' });
    changePlan({ models: [...now.filter((m) => m.name !== name), ...(next ? [next] : [])] });
  };
  const needsPopulation = models.some((m) =>
    rows.find((r) => r.name === m.name)?.traits.includes('needs-population'),
  );
  return (
    <div class="card">
      <h3>Models for sensitive columns</h3>
      {sensitive.length === 0 && (
        <p class="quiet">No column is sensitive, so models for sensitive columns do not apply.</p>
      )}
      {names.map((name) => (
        <Model
          key={name}
          name={name}
          variants={rows.filter((r) => r.name === name)}
          model={models.find((m) => m.name === name)}
          sensitive={sensitive}
          set={set}
        />
      ))}
      {needsPopulation && (
        <p class="row">
          <FileButton
            name="Population table"
            onFile={(file) =>
              void work('Reading the population', false, () => engine.population(file)).then(() =>
                changePlan({ population: 'population.csv' }),
              )
            }
          />
          <span class="quiet">
            {plan.population ? 'Population table loaded.' : 'This model needs a population table.'}
          </span>
        </p>
      )}
    </div>
  );
}

type SetModel = (name: string, edit: (model: PlanModel) => PlanModel | null) => void;
interface ModelProps {
  name: string;
  variants: ModelRow[];
  model?: PlanModel;
  sensitive: string[];
  set: SetModel;
}
function Model({ name, variants, model, sensitive, set }: ModelProps) {
  const variant =
    variants.find((v) => v.variant !== '' && model?.value.startsWith(v.variant + ':')) ??
    variants[0];
  const numberOf = (value: string) => value.slice(value.indexOf(':') + 1);
  const number = model ? numberOf(model.value) : '';
  const valueOf = (v: ModelRow, n: string) => (v.variant ? `${v.variant}:${n}` : n);
  const term = termOf(name),
    hasColumn = variants[0].traits.includes('has-column');
  return (
    <div class="model">
      <label class="check">
        <input
          type="checkbox"
          checked={model !== undefined}
          onChange={(e) => {
            const on = e.currentTarget.checked;
            set(name, () => (on ? { name, value: valueOf(variant, '') } : null));
          }}
        />{' '}
        <strong>{name}</strong>
      </label>
      <span class="quiet">{upTo(variant.summary)}.</span>
      {model && (
        <div class="fields">
          {variants.length > 1 && (
            <Field label={`Form of ${name}`}>
              <select
                value={variant.variant}
                onChange={(e) => {
                  const form = variants.find((v) => v.variant === e.currentTarget.value)!;
                  set(name, (m) => ({ ...m, value: valueOf(form, numberOf(m.value)) }));
                }}
              >
                {variants.map((v) => (
                  <option value={v.variant}>{v.variant}</option>
                ))}
              </select>
            </Field>
          )}
          <Field label={`${variant.values} of ${name}`}>
            <input
              type="text"
              size={8}
              value={number}
              onInput={(e) => {
                const text = e.currentTarget.value;
                set(name, (m) => ({ ...m, value: valueOf(variant, text) }));
              }}
            />
          </Field>
          {hasColumn && (
            <Field label={`Column of ${name}`}>
              <select
                value={model.column ?? ''}
                onChange={(e) => {
                  const column = e.currentTarget.value;
                  set(name, (m) => ({ name, value: m.value, ...(column ? { column } : {}) }));
                }}
              >
                <option value="">every sensitive column</option>
                {sensitive.map((c) => (
                  <option value={c}>{c}</option>
                ))}
              </select>
            </Field>
          )}
        </div>
      )}
      {model && term?.text && (
        <details>
          <summary>What {name} promises</summary>
          <p>{term.text}</p>
          {term.reading && <p>{term.reading}</p>}
          {term.source && <p class="quiet">{term.source}</p>}
        </details>
      )}
    </div>
  );
}

function Method() {
  const plan = draft.value.plan,
    { methods } = engine.description.registry;
  const name = plan.algorithm ?? methods[0].name,
    params = engine.description.params[name] ?? [];
  const setParam = (key: string, value: string) =>
    changePlan({
      params: [
        ...(plan.params ?? []).filter((p) => p.name !== key),
        ...(value === '' ? [] : [{ name: key, value }]),
      ],
    });
  return (
    <details class="card">
      <summary>Method, missing values, suppression</summary>
      <div class="fields">
        <Field label="Method" help={methods.find((m) => m.name === name)?.summary}>
          <select
            value={name}
            onChange={(e) =>
              changePlan({
                algorithm:
                  e.currentTarget.value === methods[0].name ? undefined : e.currentTarget.value,
                params: undefined,
              })
            }
          >
            {methods.map((m) => (
              <option value={m.name}>{m.name}</option>
            ))}
          </select>
        </Field>
        {params.map((p) => (
          <Field
            label={`Parameter ${p.name}`}
            help={`${p.help ?? ''} (${p.values ?? ''}; ${p.fallback ?? ''})`}
          >
            <input
              type="text"
              size={8}
              value={plan.params?.find((q) => q.name === p.name)?.value ?? ''}
              onChange={(e) => setParam(p.name, e.currentTarget.value)}
            />
          </Field>
        ))}
        <Field label="Missing values count as">
          <select
            value={plan.input?.missing ?? ''}
            onChange={(e) =>
              changePlan({ input: { ...plan.input, missing: e.currentTarget.value || undefined } })
            }
          >
            <option value="">a value of its own (own-category)</option>
            <option value="wildcard">any value (wildcard)</option>
            <option value="conservative">unknown (conservative)</option>
          </select>
        </Field>
        <Field label="Values that a hierarchy lacks">
          <select
            value={plan['on-missing'] ?? ''}
            onChange={(e) => changePlan({ 'on-missing': e.currentTarget.value || undefined })}
          >
            <option value="">are an error</option>
            <option value="top">become *</option>
            <option value="own-leaf">are placed below the root</option>
          </select>
        </Field>
        <Field
          label="Rows that may be suppressed"
          help="share of the rows, 0 to 1, used if models need it"
        >
          <input
            type="number"
            min={0}
            max={1}
            step={0.01}
            value={plan['suppression-limit'] ?? ''}
            onChange={(e) =>
              changePlan({
                'suppression-limit':
                  e.currentTarget.value === '' ? undefined : e.currentTarget.valueAsNumber,
              })
            }
          />
        </Field>
        <Field label="Seed">
          <input
            type="number"
            min={0}
            step={1}
            value={plan.seed ?? ''}
            onChange={(e) =>
              changePlan({
                seed:
                  e.currentTarget.value === ''
                    ? undefined
                    : Math.floor(e.currentTarget.valueAsNumber),
              })
            }
          />
        </Field>
      </div>
    </details>
  );
}
