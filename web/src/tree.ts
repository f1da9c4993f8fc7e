// SPDX-License-Identifier: Apache-2.0
// tree.ts - a hierarchy while it is edited: moving values and groups about. What may be a
// hierarchy, the engine says.

export interface Node {
  label: string;
  parent: number;
  children: number[];
}
export interface Tree {
  nodes: Node[];
  root: number;
}

/** From the engine's list of [label, parent], the root last. */
export function treeOf(list: [string, number][]): Tree {
  const nodes: Node[] = list.map(([label, parent]) => ({ label, parent, children: [] }));
  const root = nodes.length - 1;
  nodes.forEach((node, i) => {
    if (i !== root) nodes[node.parent].children.push(i);
  });
  return { nodes, root };
}

/** All values below the root. */
export function flatTree(values: string[]): Tree {
  return treeOf([
    ...values.map((v) => [v, values.length] as [string, number]),
    ['*', values.length],
  ]);
}

const copy = (tree: Tree): Tree => ({
  root: tree.root,
  nodes: tree.nodes.map((n) => ({ ...n, children: [...n.children] })),
});
const isBelow = (tree: Tree, node: number, top: number): boolean => {
  for (let at = node; ; at = tree.nodes[at].parent) {
    if (at === top) return true;
    if (at === tree.root) return false;
  }
};
export const isLeaf = (tree: Tree, node: number): boolean => tree.nodes[node].children.length === 0;

function detach(tree: Tree, node: number): void {
  const siblings = tree.nodes[tree.nodes[node].parent].children;
  siblings.splice(siblings.indexOf(node), 1);
}

/** Groups that lost their last child go too; nodes are renumbered. */
function compact(tree: Tree, groups: Set<number>): Tree {
  const list: [string, number][] = [],
    number = new Map<number, number>();
  const kept = (at: number): boolean => !groups.has(at) || tree.nodes[at].children.some(kept);
  const walk = (at: number): void => {
    for (const child of tree.nodes[at].children) if (kept(child)) walk(child);
    number.set(at, list.length);
    list.push([tree.nodes[at].label, at === tree.root ? -1 : tree.nodes[at].parent]);
  };
  walk(tree.root);
  return treeOf(
    list.map(([label, parent], i) => [label, i === list.length - 1 ? i : number.get(parent)!]),
  );
}
const groupsOf = (tree: Tree): Set<number> =>
  new Set(tree.nodes.map((_, i) => i).filter((i) => i !== tree.root && !isLeaf(tree, i)));

/** Move nodes below another one; what would move below itself stays. */
export function move(tree: Tree, moved: number[], to: number): Tree {
  const groups = groupsOf(tree),
    next = copy(tree);
  for (const node of moved) {
    if (node === next.root || isBelow(next, to, node)) continue;
    detach(next, node);
    next.nodes[node].parent = to;
    next.nodes[to].children.push(node);
  }
  return compact(next, groups);
}

/** A new group with these nodes, where the first of them was. */
export function group(tree: Tree, members: number[], label: string): Tree {
  if (members.length === 0 || members.includes(tree.root)) return tree;
  const groups = groupsOf(tree),
    next = copy(tree),
    parent = next.nodes[members[0]].parent,
    made = next.nodes.length;
  if (members.some((m) => isBelow(next, parent, m))) return tree;
  next.nodes.push({ label, parent, children: [] });
  next.nodes[parent].children.push(made);
  for (const node of members) {
    detach(next, node);
    next.nodes[node].parent = made;
    next.nodes[made].children.push(node);
  }
  return compact(next, groups);
}

export function rename(tree: Tree, node: number, label: string): Tree {
  const next = copy(tree);
  next.nodes[node].label = label;
  return next;
}

/** The members of a group go one up, the group goes. */
export function ungroup(tree: Tree, node: number): Tree {
  if (node === tree.root || isLeaf(tree, node)) return tree;
  const groups = groupsOf(tree),
    next = copy(tree),
    parent = next.nodes[node].parent;
  const at = next.nodes[parent].children.indexOf(node);
  next.nodes[parent].children.splice(at, 1, ...next.nodes[node].children);
  for (const child of next.nodes[node].children) next.nodes[child].parent = parent;
  next.nodes[node].children = [];
  return compact(next, groups);
}

/** Values that the tree lacks, directly below the root. */
export function add(tree: Tree, values: string[]): Tree {
  const next = copy(tree);
  for (const label of values) {
    next.nodes[next.root].children.push(next.nodes.length);
    next.nodes.push({ label, parent: next.root, children: [] });
  }
  return compact(next, groupsOf(tree));
}

const field = (text: string): string => '"' + text.replaceAll('"', '""') + '"';

/** A table of children and parents, as the library reads it. */
export function childParentText(tree: Tree): string {
  const lines = ['child,parent'];
  tree.nodes.forEach((node, i) => {
    if (i !== tree.root) lines.push(field(node.label) + ',' + field(tree.nodes[node.parent].label));
  });
  return lines.join('\n') + '\n';
}
