import { dirname } from 'node:path';
import { parseSync } from '@swc/core';
import { computed, type Import } from './importGraph.ts';
import { type Layer, layers } from './layers.ts';

/** Every import that the table does not allow, as a sentence. */
export function wrongImports(imports: readonly Import[]): string[] {
  return imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} must not import ${to}`);
}

function isAllowed({ from, to }: Import): boolean {
  const home = layerOf(from);
  if (!home) return false;
  const { project, packages } = layers[home] as Layer;
  if (to.includes(computed) && !mayCompute({ from, to })) return false;
  const target = layerOf(to);
  if (target === undefined) return !isHidden(to) && packages.some((pattern) => matches(pattern, to));
  return target === home || project.some((pattern) => matches(pattern, target) || pattern === to);
}

/** A path into the folder of a package, or out of the project, and code in a URL go around what a package offers. */
const isHidden = (to: string): boolean => /^(?:node_modules\/|\.\.|\/|\w+:)/.test(to) && !to.startsWith('node:');

/** A name that is only known when it runs is no rule's: data by the language, and what the laptop runs as a function. */
const mayCompute = ({ from, to }: Import): boolean =>
  from.startsWith('test/') || to.startsWith('openapi/') || from === 'infra/local/service.ts';

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** The deepest folder of the table that a file lies in. */
function layerOf(path: string): string | undefined {
  return Object.keys(layers)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Every import of a file below a folder named `internal` from outside the folder that holds it, as a sentence: the rule
 * of Go's internal packages. Tests may look inside.
 */
export function brokenInternals(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => !from.startsWith('test/') && holdersOf(to).some((holder) => !from.startsWith(holder)))
    .map(({ from, to }) => `${from} must not import ${to}, which is internal`);
}

/** The folders, `/` at their end, whose internal folders a file lies in. */
const holdersOf = (path: string): string[] =>
  [...path.matchAll(/\/internal\//g)].map(({ index }) => path.slice(0, index + 1));

/** Every name of an internal file that a file of the face exports again, as a sentence. */
export function openedInternals(path: string, source: string): string[] {
  if (path.includes('/internal/') || path.startsWith('test/')) return [];
  const isInternal = (specifier: string) => /^\.\/internal\//.test(specifier);
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  const imported = new Set<string>();
  const opened: string[] = [];
  for (const item of body) {
    if (item.type === 'ImportDeclaration' && isInternal(item.source.value))
      for (const { local } of item.specifiers) imported.add(local.value);
  }
  for (const item of body) {
    if (item.type === 'ExportAllDeclaration' && isInternal(item.source.value)) opened.push('*');
    if (item.type !== 'ExportNamedDeclaration') continue;
    const isWhole = item.source !== null && isInternal(item.source?.value ?? '');
    for (const specifier of item.specifiers) {
      const name = specifier.type === 'ExportSpecifier' ? specifier.orig.value : '*';
      if (isWhole || (!item.source && imported.has(name))) opened.push(name);
    }
  }
  return opened.map((name) => `${path} must not export ${name}, which is internal`);
}

/**
 * Files of a subject that no file outside of it imports, and that belong to its `internal` folder therefore, as
 * sentences. So a reader of the folder sees what others use, and nothing else.
 */
export function hiddenInFace(subjects: readonly string[], imports: readonly Import[]): string[] {
  const files = new Set(imports.flatMap(({ from, to }) => [from, to]));
  const used = new Set(imports.filter(({ from, to }) => subjectOf(from) !== subjectOf(to)).map(({ to }) => to));
  return [...files]
    .filter((path) => subjects.includes(dirname(dirname(path))) && path.endsWith('.ts') && !used.has(path))
    .map((path) => `${path} is used by its own subject alone and belongs to ${dirname(path)}/internal`)
    .sort();

  /** The subject that a file belongs to; tests are no users. */
  function subjectOf(path: string): string | undefined {
    const [parent] = subjects.filter((folder) => path.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length);
    if (parent === undefined) return path.startsWith('test/') ? undefined : path;
    return path.slice(0, path.indexOf('/', parent.length + 1));
  }
}

/** Groups of files each of which reaches itself again through the others. */
export const circles = (imports: readonly Import[]): string[][] =>
  groupsInCircle(imports.map(({ from, to }): readonly [string, string] => [from, to]));

/**
 * Groups of neighbours in one folder, files and folders, that reach each other in a circle and hold a folder: `shared/a`
 * and `shared/b` when a file of `a` imports one of `b` and the other way round.
 */
export function folderCircles(imports: readonly Import[]): string[][] {
  const arrows = new Map<string, (readonly [string, string])[]>();
  for (const { from, to } of imports) {
    const [source, target] = [from.split('/'), to.split('/')];
    const depth = source.findIndex((name, index) => name !== target[index]);
    if (depth < 1 || target.length <= depth) continue;
    const parent = source.slice(0, depth).join('/');
    const arrow = [source.slice(0, depth + 1).join('/'), target.slice(0, depth + 1).join('/')] as const;
    arrows.set(parent, [...(arrows.get(parent) ?? []), arrow]);
  }
  return [...arrows.values()].flatMap(groupsInCircle).filter((group) => group.some((name) => !/\.\w+$/.test(name)));
}

/** Tarjan 1972: the strongly connected components of a graph that hold a circle. */
function groupsInCircle(arrows: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = Map.groupBy(arrows, ([from]) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (name: string): number => {
    const own = order.size;
    order.set(name, own);
    lowest.set(name, own);
    open.push(name);
    for (const [, to] of next.get(name) ?? []) {
      const reached = order.has(to) ? (open.includes(to) ? (order.get(to) as number) : own) : visit(to);
      lowest.set(name, Math.min(lowest.get(name) as number, reached));
    }
    if (lowest.get(name) === own) close(name);
    return lowest.get(name) as number;
  };
  const close = (name: string): void => {
    const circle = open.splice(open.indexOf(name));
    if (circle.length > 1 || next.get(name)?.some(([, to]) => to === name)) found.push(circle.sort());
  };
  for (const name of next.keys()) if (!order.has(name)) visit(name);
  return found;
}
