import { consoleEndpoints } from './consoleEndpoints.ts';
import { endpoints, fallback } from './endpoints.ts';
import { queues, rules } from './resources.ts';
import type { Settings } from './settings.ts';

/** Half a gigabyte of memory is about a third of a processor: see docs/decisions/0011-cost.md for what sizes cost. */
const usualMegabytes = 512;

/** The functions of a deployment as the settings name them: endpoints by their id, workers by their queue or rule. */
const functionNames: ReadonlySet<string> = new Set([
  ...[...endpoints, ...consoleEndpoints.filter(({ servedBy }) => !servedBy), fallback].map(({ id }) => id),
  ...Object.keys(queues),
  ...Object.keys(rules),
]);

/** What the settings give a function, else what it says of itself, else the usual. */
export const memoryOf = (
  { memoryMegabytes }: Pick<Settings, 'memoryMegabytes'>,
  name: string,
  own: number | undefined,
): number => memoryMegabytes[name] ?? own ?? usualMegabytes;

/** Throws one error with every name in the settings that no function has. */
export function checkMemory({ memoryMegabytes }: Pick<Settings, 'memoryMegabytes'>): void {
  const unknown = Object.keys(memoryMegabytes).filter((name) => !functionNames.has(name));
  if (unknown.length === 0) return;
  const known = [...functionNames].sort().join(', ');
  throw new Error(`memoryMegabytes names functions that there are not: ${unknown.join(', ')}. There are ${known}.`);
}
