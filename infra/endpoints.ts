import { consolePaths, fallbackRoute, mcpEndpoint, pages, resendEndpoint } from '../shared/contract/endpoints.ts';
import type { FunctionDefinition, Needs, Throttle } from '../shared/contract/route.ts';
import { routes } from '../shared/contract/routes.ts';
import { queues, rules } from './resources.ts';
import type { Settings } from './settings.ts';

/** What API Gateway and Lambda need to know about a route or a page. */
export interface Endpoint {
  /** A route first looks up the key and counts the call; a page does neither. */
  readonly kind: 'route' | 'page';
  readonly throttle: Throttle;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needs: Needs;
  readonly function: FunctionDefinition;
  /** The endpoint whose function answers it, if it has no function of its own. */
  readonly servedBy?: string;
}

/** The routes and pages of the contract. Each has a function and a role of its own, also where two share an entry file. */
export const endpoints: readonly Endpoint[] = [
  ...routes.map((route) => ({ ...route, kind: 'route' as const })),
  { ...mcpEndpoint, kind: 'route' },
  { ...resendEndpoint, kind: 'route' },
  ...pages.map((page) => ({ throttle: 'pages' as const, ...page, kind: 'page' as const })),
];

/** Answers every method and path that no endpoint answers. */
export const fallback: Endpoint = { ...fallbackRoute, kind: 'route' };

/** The audit logs of the deployment and of its workspaces. */
const auditPartitions = ['AUDIT', 'WS#*#AUDIT'];

/**
 * GET pages of the console: they read everything, dead letters included, and write only the audit log and, once, the
 * salt that hides names in it.
 */
const showing: Needs = {
  table: 'read',
  writtenPartitions: [...auditPartitions, 'SALT'],
  email: ['account', 'identity'],
  files: ['readImport', 'readExport', 'readArchive'],
  secret: true,
  consoleSecret: true,
  watchedQueues: Object.keys(queues),
  inspectedQueues: Object.keys(queues),
};

/** Signing in at the provider: only this function may read the client secret. */
const signingIn: Needs = {
  table: 'read',
  writtenPartitions: [...auditPartitions, 'CONSOLE', 'SESSION#*'],
  consoleSecret: true,
  providerSecret: true,
};

/** POST pages of the console: the needs of all routes with the same verbs. */
const acting: Needs = {
  table: 'readWrite',
  // `raw`: for test messages of campaigns. `account` and `writeBody`: for those that wait for SES's rate.
  email: ['raw', 'account', 'identity', 'domains', 'domainRemoval', 'suppressed'],
  files: ['writeImport', 'readImport', 'writeBody', 'deleteBody', 'readArchive'],
  queues: [
    'confirmation',
    'webhook-delivery',
    'webhook-delivery-bulk',
    'campaign',
    'campaign-start',
    'job',
    'automation',
  ],
  // Dead letters are inspected before a redrive.
  inspectedQueues: Object.keys(queues),
  redrivenQueues: Object.keys(queues),
  scheduler: true,
  secret: true,
  consoleSecret: true,
  users: true,
};

const consolePage = {
  kind: 'page',
  throttle: 'console',
  method: 'GET',
  // More processor than usual: a person waits for the page, which reads many items in parallel.
  function: { entry: 'functions/console/console.ts', memoryMegabytes: 1024 },
} as const;

/**
 * The console: one entry file with three functions, for GET, POST and signing in, so that opening a page cannot change
 * anything, and only the sign-in knows the provider's secret.
 */
export const consoleEndpoints: readonly Endpoint[] = [
  { ...consolePage, id: 'console.show', path: `${consolePaths.root}/{page+}`, needs: showing },
  { ...consolePage, id: 'console.start', path: consolePaths.root, needs: showing, servedBy: 'console.show' },
  { ...consolePage, id: 'console.signIn', path: `${consolePaths.root}/session/{step+}`, needs: signingIn },
  { ...consolePage, id: 'console.act', method: 'POST', path: `${consolePaths.root}/{page+}`, needs: acting },
];

/** Groups of endpoints that are too small for a stack of their own. */
const groupsInAccount: ReadonlySet<string> = new Set(['api', 'reference', 'mcp', 'resend', 'fallback']);

/** The group of an endpoint, whose stack holds its function: the first word of its id (`emails.send`: emails). */
export function groupOf({ id }: Pick<Endpoint, 'id'>): string {
  const [group = id] = id.split('.');
  return groupsInAccount.has(group) ? 'account' : group;
}

export const workerEntry = (worker: string): string => `functions/workers/${worker}.ts`;

const workers = [...Object.values(queues), ...Object.values(rules)].map(({ worker }) => workerEntry(worker));

/** The entry files of all functions. */
export const entries: readonly string[] = [
  ...new Set([...endpoints, ...consoleEndpoints, fallback].map((endpoint) => endpoint.function.entry).concat(workers)),
];

/** A third of a processor; docs/design/cost.md has the cost of other sizes. */
const usualMegabytes = 512;

/** The functions by their names in the settings: endpoints by their id, workers by their queue or rule. */
const functionNames: ReadonlySet<string> = new Set([
  ...[...endpoints, ...consoleEndpoints, fallback].filter(({ servedBy }) => !servedBy).map(({ id }) => id),
  ...Object.keys(queues),
  ...Object.keys(rules),
]);

/** The memory of a function in megabytes: from the settings, else its own, else the default. */
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
  throw new Error(
    `memoryMegabytes names functions that do not exist: ${unknown.join(', ')}. The functions are ${known}.`,
  );
}
