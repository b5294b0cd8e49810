import type { Import } from './importGraph.ts';
import { type Layer, layers } from './layers.ts';

/** Every import that the table does not allow, as a sentence. */
export function wrongImports(imports: readonly Import[]): string[] {
  return imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} must not import ${to}`);
}

function isAllowed({ from, to }: Import): boolean {
  const home = layerOf(from);
  if (!home) return false;
  const { project, packages } = layers[home] as Layer;
  const target = layerOf(to);
  if (target === undefined) return !isHidden(to) && packages.some((pattern) => matches(pattern, to));
  return target === home || project.some((pattern) => matches(pattern, target) || pattern === to);
}

/** A path into the folder of a package, or out of the project, goes around what a package offers. */
const isHidden = (to: string): boolean => to.startsWith('node_modules/') || to.startsWith('..');

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** The deepest folder of the table that a file lies in. */
function layerOf(path: string): string | undefined {
  return Object.keys(layers)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** Groups of files each of which reaches itself again through the others (Tarjan 1972). */
export function circles(imports: readonly Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const { to } of next.get(file) ?? []) {
      const reached = order.has(to) ? (open.includes(to) ? (order.get(to) as number) : own) : visit(to);
      lowest.set(file, Math.min(lowest.get(file) as number, reached));
    }
    if (lowest.get(file) === own) close(file);
    return lowest.get(file) as number;
  };
  const close = (file: string): void => {
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || next.get(file)?.some(({ to }) => to === file)) found.push(circle.sort());
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return found;
}
