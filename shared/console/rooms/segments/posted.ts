import { type Condition, type Group, joins, type Node, newCondition, newGroup, rootPath, subjects } from './tree.ts';

/** More than the contract takes, so that it is the contract that says no. */
const deepest = 12;
const mostNodes = 300;

/** The tree that a form was sent with: `kind.0.1` says what stands at a place, whatever is missing in between. */
export function treeIn(form: URLSearchParams): Group {
  const childrenOf = new Map<string, number[]>();
  for (const name of [...form.keys()].slice(0, mostNodes * 6)) {
    const [, parent, index] = /^kind\.(0(?:\.\d{1,4}){0,11})\.(\d{1,4})$/.exec(name) ?? [];
    if (parent === undefined || index === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(index)]);
  }
  const read = (path: string, depth: number): Node => {
    if (path !== rootPath && form.get(`kind.${path}`) !== 'group') return conditionIn(form, path);
    const indices = depth < deepest ? (childrenOf.get(path) ?? []).sort((a, b) => a - b) : [];
    const children = [...new Set(indices)].map((index) => read(`${path}.${index}`, depth + 1));
    const join = joins.find((one) => one === form.get(`join.${path}`)) ?? 'all';
    return { kind: 'group', path, join, children };
  };
  return read(rootPath, 1) as Group;
}

function conditionIn(form: URLSearchParams, path: string): Condition {
  const value = (name: string) => (form.get(`${name}.${path}`) ?? '').trim();
  return {
    kind: 'condition',
    path,
    subject: subjects.find((one) => one === value('subject')) ?? 'tag',
    field: value('field'),
    test: value('test') || 'equals',
    value: value('value'),
  };
}

/** What a button of the form does to the tree; the path of what is new, if anything is. */
export function changed(root: Group, deed: string): { readonly root: Group; readonly added: string | null } {
  const [verb = '', path = ''] = deed.split(':');
  if (verb === 'remove') return { root: without(root, path) as Group, added: null };
  const parent = find(root, path);
  if (parent?.kind !== 'group') return { root, added: null };
  const last = Number(parent.children.at(-1)?.path.split('.').at(-1) ?? -1);
  const added = `${path}.${last + 1}`;
  const child = verb === 'group' ? newGroup(added) : newCondition(added);
  return { root: withChild(root, path, child) as Group, added };
}

function find(node: Node, path: string): Node | null {
  if (node.path === path) return node;
  if (node.kind === 'condition') return null;
  return node.children.map((child) => find(child, path)).find((found) => found !== null) ?? null;
}

function withChild(node: Node, path: string, child: Node): Node {
  if (node.kind === 'condition') return node;
  const children = node.children.map((one) => withChild(one, path, child));
  return { ...node, children: node.path === path ? [...children, child] : children };
}

function without(node: Node, path: string): Node {
  if (node.kind === 'condition') return node;
  return { ...node, children: node.children.filter((one) => one.path !== path).map((one) => without(one, path)) };
}
