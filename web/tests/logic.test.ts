// SPDX-License-Identifier: Apache-2.0
// logic.test.ts - what logic the page has of its own: trees while they are edited, YAML, encodings.
import { describe, expect, it } from 'vitest';
import { findEncoding, toUtf8 } from '../src/engine/encoding.ts';
import type { Plan } from '../src/engine/types.ts';
import { commandLine, planYaml, shellWord } from '../src/plan-text.ts';
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
} from '../src/tree.ts';
import { startEngine } from './engine-in-node.ts';

const at = (tree: Tree, label: string) => tree.nodes.findIndex((n) => n.label === label);
const below = (tree: Tree, label: string) =>
  tree.nodes[at(tree, label)].children.map((c) => tree.nodes[c].label).sort();

describe('trees', () => {
  const flat = flatTree(['a', 'b', 'c', 'd']);
  const grouped = group(flat, [at(flat, 'a'), at(flat, 'b')], 'G');
  it('group, rename, dissolve', () => {
    expect(below(grouped, '*')).toEqual(['G', 'c', 'd']);
    expect(below(grouped, 'G')).toEqual(['a', 'b']);
    expect(below(rename(grouped, at(grouped, 'G'), 'H'), 'H')).toEqual(['a', 'b']);
    expect(below(ungroup(grouped, at(grouped, 'G')), '*')).toEqual(['a', 'b', 'c', 'd']);
  });
  it('move into a group; a group that is empty goes, a value never', () => {
    const moved = move(grouped, [at(grouped, 'c')], at(grouped, 'G'));
    expect(below(moved, 'G')).toEqual(['a', 'b', 'c']);
    const out = move(grouped, [at(grouped, 'a'), at(grouped, 'b')], grouped.root);
    expect(at(out, 'G')).toBe(-1);
    expect(
      out.nodes
        .filter((_, i) => isLeaf(out, i))
        .map((n) => n.label)
        .sort(),
    ).toEqual(['a', 'b', 'c', 'd']);
  });
  it('nothing moves below itself', () => {
    expect(below(move(grouped, [at(grouped, 'G')], at(grouped, 'G')), '*')).toEqual([
      'G',
      'c',
      'd',
    ]);
  });
  it('values that are missing are added below the top', () =>
    expect(below(add(grouped, ['x']), '*')).toEqual(['G', 'c', 'd', 'x']));
  it('are written as children and parents', () => {
    expect(
      childParentText(
        treeOf([
          ['a"b', 1],
          ['*', 1],
        ]),
      ),
    ).toBe('child,parent\n"a""b","*"\n');
  });
});

describe('plans', () => {
  const plan: Plan = {
    input: { delimiter: ';', nulls: ['', 'NA'] },
    columns: [
      { name: 'a: "b"', role: 'quasi', hierarchy: 'hierarchies/a.csv' },
      { name: 'no', role: 'other' },
      { name: '1', role: 'drop', type: 'categorical' },
    ],
    k: 5,
    seed: 0,
    models: [{ name: 'l-diversity', value: 'distinct:2', column: 'no' }],
    params: [],
  };
  it('are YAML that the library reads to the same plan', async () => {
    const engine = await startEngine();
    const read = await engine.call<Plan>('read-plan', { text: planYaml(plan, ['a comment']) });
    const columns = plan.columns!.map((c) =>
      c.hierarchy ? { ...c, hierarchy: '/plan/' + c.hierarchy } : c,
    );
    const { params, ...rest } = plan;
    expect(params).toEqual([]);
    expect(read).toEqual({ ...rest, columns });
  });
  it('have a command line', () => {
    expect(shellWord("it's")).toBe("'it'\\''s'");
    expect(commandLine('my table.csv', 'r.csv', 'utf-8')).toBe(
      "shoal anonymize 'my table.csv' -o r.csv --plan plan.yaml",
    );
    expect(commandLine('t.csv', 'r.csv', 'windows-1252')).toContain('iconv');
  });
});

describe('encodings', () => {
  it('are told by mark and by content', () => {
    expect(findEncoding(Buffer.from('Zürich'))).toBe('utf-8');
    expect(findEncoding(Buffer.from('Zürich', 'latin1'))).toBe('windows-1252');
    expect(findEncoding(Buffer.from('\ufeffa', 'utf16le'))).toBe('utf-16le');
  });
  it('are turned into UTF-8 across pieces', () => {
    const text = 'ä'.repeat(3_000_000);
    expect(Buffer.from(toUtf8(Buffer.from(text, 'utf16le'), 'utf-16le')).toString() === text).toBe(
      true,
    );
  });
});
