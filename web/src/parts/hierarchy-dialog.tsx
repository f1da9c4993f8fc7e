// SPDX-License-Identifier: Apache-2.0
// hierarchy-dialog.tsx - the hierarchy of a column: built, imported, or edited as a tree; what it
// does not cover is seen at once.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../engine/client.ts';
import {
  add,
  childParentText,
  flatTree,
  group,
  isLeaf,
  move,
  rename,
  treeOf,
  ungroup,
  type Tree,
} from '../tree.ts';
import { changeColumn, draft, engine, table } from '../state.ts';
import type { Coverage, Hierarchy } from '../engine/types.ts';
import { count, Field, FileButton } from './bits.tsx';

const kinds: [string, string, string][] = [
  ['intervals', 'intervals of numbers', '5,10,20'],
  ['quantiles', 'quantiles', '8'],
  ['prefix', 'first characters', '3,2,1'],
  ['mask', 'hide characters', ''],
  ['dates', 'month, year, decade', 'month,year,decade'],
  ['rare', 'merge rare values', '100'],
  ['known', 'known classification', 'icd10'],
];
const MOST_SHOWN = 300;

export function HierarchyDialog({ column, onClose }: { column: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // the builder that the tree comes from; null: edited or imported
  const [spec, setSpec] = useState<string | null>(null);
  const [tree, setTree] = useState<Tree | null>(null);
  const [coverage, setCoverage] = useState<Coverage | null>(null);
  const [levels, setLevels] = useState('');
  const [trouble, setTrouble] = useState('');
  const [kind, setKind] = useState('intervals');
  const [numbers, setNumbers] = useState('5,10,20');
  const [chosen, setChosen] = useState<number[]>([]);
  const [label, setLabel] = useState('');
  const path = `hierarchies/${column.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.csv`;

  const say = (e: unknown) =>
    setTrouble(
      e instanceof Refused
        ? `${e.problem.message}. ${e.problem.fix ? 'Fix: ' + e.problem.fix + '.' : ''}`
        : String(e),
    );
  const show = (h: Hierarchy, from: string | null) => {
    setTree(h.tree ? treeOf(h.tree) : null);
    setCoverage(h.coverage);
    setLevels(h.levels);
    setSpec(from);
    setChosen([]);
    setTrouble(h.tree ? '' : 'The tree is too large to be drawn, but can be used.');
  };
  const read = (text: string, name: string) =>
    engine
      .call<Hierarchy>('read-hierarchy', { column, text, name })
      .then((h) => show(h, null), say);
  const build = (from: string) =>
    engine
      .call<Hierarchy>('build-hierarchy', { column, spec: from })
      .then((h) => show(h, from), say);
  const edit = (next: Tree) => {
    setTree(next);
    void read(childParentText(next), 'the tree');
  };

  useEffect(() => {
    dialog.current?.showModal();
    const now = draft.value.plan.columns?.find((c) => c.name === column)?.hierarchy;
    const proposed = table.value?.columns.profile.columns.find((p) => p.name === column)?.builder;
    if (now && /^(build|known):/.test(now)) void build(now.replace(/^build:/, ''));
    else if (now && draft.value.files[now] !== undefined) void read(draft.value.files[now], now);
    else if (proposed) {
      const [k, ...rest] = proposed.split(':');
      setKind(k);
      setNumbers(rest.join(':'));
    }
  }, []);

  const startFlat = () =>
    engine.call<Hierarchy>('build-hierarchy', { column, spec: 'rare:1' }).then((h) => {
      if (h.tree) edit(flatTree(h.tree.filter((_, i) => i < h.leaves).map((n) => n[0])));
    }, say);
  const use = () => {
    if (spec !== null) changeColumn(column, { hierarchy: 'build:' + spec });
    else changeColumn(column, { hierarchy: path }, { [path]: levels });
    onClose();
  };
  const toggle = (node: number) =>
    setChosen((c) => (c.includes(node) ? c.filter((n) => n !== node) : [...c, node]));
  const onlyGroup = tree && chosen.length === 1 && !isLeaf(tree, chosen[0]) ? chosen[0] : null;

  return (
    <dialog ref={dialog} aria-labelledby="hierarchy-title" onClose={onClose}>
      <h2 id="hierarchy-title">Hierarchy of {column}</h2>
      <div class="fields">
        <Field label="Kind">
          <select
            value={kind}
            onChange={(e) => {
              setKind(e.currentTarget.value);
              setNumbers(kinds.find((k) => k[0] === e.currentTarget.value)![2]);
            }}
          >
            {kinds.map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Steps">
          <input type="text" value={numbers} onInput={(e) => setNumbers(e.currentTarget.value)} />
        </Field>
        <button type="button" onClick={() => void build(numbers ? `${kind}:${numbers}` : kind)}>
          Build
        </button>
        <FileButton
          name="Import hierarchy"
          accept=".csv,.txt"
          onFile={(f) => void f.text().then((text) => read(text, f.name))}
        />
        <button type="button" onClick={() => void startFlat()}>
          Start from single values
        </button>
      </div>
      <div role="alert">{trouble && <p class="warning">{trouble}</p>}</div>
      {coverage && (
        <p class={coverage.uncovered > 0 ? 'warning' : 'quiet'} role="status">
          {coverage.uncovered === 0
            ? `All ${count(coverage.values)} values are covered.`
            : `${count(coverage.uncovered)} of ${count(coverage.values)} values are not covered ` +
              `(${count(coverage.uncovered_rows)} rows): ${coverage.holes.slice(0, 8).join(', ')}` +
              (coverage.uncovered > 8 ? ', ….' : '.')}
          {coverage.uncovered > 0 && tree && (
            <>
              {' '}
              <button type="button" onClick={() => edit(add(tree, coverage.holes))}>
                Add them below the root
              </button>
            </>
          )}
        </p>
      )}
      {tree && (
        <>
          <div class="fields">
            <Field label="Name of the group">
              <input type="text" value={label} onInput={(e) => setLabel(e.currentTarget.value)} />
            </Field>
            <button
              type="button"
              disabled={chosen.length === 0 || label === ''}
              onClick={() => {
                edit(group(tree, chosen, label));
                setLabel('');
              }}
            >
              Group chosen values
            </button>
            <button
              type="button"
              disabled={onlyGroup === null || label === ''}
              onClick={() => {
                edit(rename(tree, onlyGroup!, label));
                setLabel('');
              }}
            >
              Rename group
            </button>
            <button
              type="button"
              disabled={onlyGroup === null}
              onClick={() => edit(ungroup(tree, onlyGroup!))}
            >
              Dissolve group
            </button>
            <button
              type="button"
              disabled={chosen.length < 2 || isLeaf(tree, chosen.at(-1)!)}
              onClick={() => edit(move(tree, chosen.slice(0, -1), chosen.at(-1)!))}
            >
              Move into the group chosen last
            </button>
          </div>
          <div class="tree" role="group" aria-label={`Tree of ${column}`}>
            <Branch
              tree={tree}
              node={tree.root}
              chosen={chosen}
              toggle={toggle}
              edit={edit}
              budget={{ left: MOST_SHOWN }}
            />
          </div>
        </>
      )}
      <p class="row end">
        <button
          type="button"
          onClick={() => {
            changeColumn(column, { hierarchy: undefined });
            onClose();
          }}
        >
          Use no hierarchy
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={levels === ''} onClick={use}>
          Use this hierarchy
        </button>
      </p>
    </dialog>
  );
}

interface BranchProps {
  tree: Tree;
  node: number;
  chosen: number[];
  toggle: (node: number) => void;
  edit: (tree: Tree) => void;
  budget: { left: number };
}
/** A node and what is below it; drag a value onto a group to put it there. */
function Branch(props: BranchProps) {
  const { tree, node, chosen, toggle, edit, budget } = props,
    { label, children } = tree.nodes[node];
  const [isOpen, setOpen] = useState(node === tree.root || children.length < 30);
  if (budget.left-- <= 0) return null;
  const row = (
    <span
      class={chosen.includes(node) ? 'node chosen' : 'node'}
      draggable={node !== tree.root}
      onDragStart={(e) => e.dataTransfer?.setData('text/plain', String(node))}
      onDragOver={(e) => {
        if (children.length > 0) e.preventDefault();
      }}
      onDrop={(e) => {
        e.preventDefault();
        e.stopPropagation();
        edit(move(tree, [Number(e.dataTransfer?.getData('text/plain'))], node));
      }}
    >
      {node === tree.root ? (
        <strong>{label}</strong>
      ) : (
        <label>
          <input type="checkbox" checked={chosen.includes(node)} onChange={() => toggle(node)} />
          {' ' + (label === '' ? '(empty)' : label)}
        </label>
      )}
      {children.length > 0 && <small> {count(children.length)}</small>}
    </span>
  );
  if (children.length === 0) return row;
  return (
    <>
      <button
        type="button"
        class="fold"
        aria-expanded={isOpen}
        aria-label={`Values of ${label}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      {row}
      {isOpen && (
        <ul>
          {children
            .filter(() => budget.left > 0)
            .map((child) => (
              <li>
                <Branch {...props} node={child} />
              </li>
            ))}
          {budget.left <= 0 && <li class="quiet">more values, not drawn</li>}
        </ul>
      )}
    </>
  );
}
