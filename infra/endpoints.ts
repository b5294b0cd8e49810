import { mcpEndpoint } from '../shared/contract/mcp.ts';
import { pages } from '../shared/contract/pages.ts';
import { fallbackRoute } from '../shared/contract/routes/fallback.ts';
import { routes } from '../shared/contract/routes.ts';
import { consoleEndpoints } from './consoleEndpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { queues, rules } from './resources.ts';

/** Every method of every path; each gets a function and a role of its own, also where two share an entry file. */
export const endpoints: readonly Endpoint[] = [
  ...routes.map((route) => ({
    ...route,
    kind: 'route' as const,
    budget: route.access === 'public' ? ('pages' as const) : ('routes' as const),
  })),
  { ...mcpEndpoint, kind: 'route', budget: 'routes' },
  ...pages.map((page) => ({ ...page, kind: 'page' as const, budget: 'pages' as const })),
];

/** Takes what no endpoint takes. */
export const fallback: Endpoint = { ...fallbackRoute, kind: 'route', budget: 'others' };

/** Groups of endpoints that are too small for a stack of their own. */
const joined: Readonly<Record<string, string>> = {
  api: 'account',
  reference: 'account',
  mcp: 'account',
  fallback: 'account',
};

/** The group of an endpoint, whose stack holds its function: the first word of its id (`emails.send`: emails). */
export function groupOf({ id }: Pick<Endpoint, 'id'>): string {
  const [group = id] = id.split('.');
  return joined[group] ?? group;
}

export const workerEntry = (worker: string): string => `functions/workers/${worker}.ts`;

const workers = [...Object.values(queues), ...Object.values(rules)].map(({ worker }) => workerEntry(worker));

/** The file of every function that Lambda starts. */
export const entries: readonly string[] = [
  ...new Set([...endpoints, ...consoleEndpoints, fallback].map((endpoint) => endpoint.function.entry).concat(workers)),
];
