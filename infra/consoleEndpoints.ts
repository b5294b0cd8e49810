import { consolePaths } from '../shared/contract/pages.ts';
import type { Needs } from '../shared/contract/route.ts';
import type { Endpoint } from './endpoint.ts';
import { queues } from './resources.ts';

/** A page reads from many places at once and is written out in one go: more processor, since somebody waits for it. */
const megabytes = 1024;

const door = { function: { entry: 'functions/console/door.ts', memoryMegabytes: megabytes } };

/** What is noted of a deed, and of who read people's data. */
const auditPartitions = ['AUDIT', 'WS#*#AUDIT'];

/** Looking: reads everything, what was given up included, and writes who looked; the salt that hides people's names in the log is made by whoever is first. */
const reading: Needs = {
  table: 'read',
  writtenPartitions: [...auditPartitions, 'SALT'],
  email: ['account', 'identity'],
  files: ['readImport', 'readExport'],
  secret: true,
  watchedQueues: Object.keys(queues),
  inspectedQueues: Object.keys(queues),
};

/** Signing in at the provider: the one function that may read the client's secret. It notes who came. */
const signingIn: Needs = {
  table: 'read',
  writtenPartitions: [...auditPartitions, 'CONSOLE'],
  secret: true,
  providerSecret: true,
};

/** Acting: what the routes of the same verbs need, together. */
const acting: Needs = {
  table: 'readWrite',
  // `raw`: the test of a campaign.
  email: ['raw', 'identity', 'domains', 'suppressed'],
  files: ['writeImport', 'readImport', 'deleteBody'],
  queues: ['confirmation', 'webhook-delivery', 'campaign', 'campaign-start', 'job'],
  redrivenQueues: Object.keys(queues),
  scheduler: true,
  secret: true,
  users: true,
};

const shown = { kind: 'page', budget: 'console', method: 'GET', ...door } as const;

/**
 * The console: one file, and a function each for looking, acting and signing in, so that what opens a page can change
 * nothing, and nothing but the sign-in knows the provider's secret.
 */
export const consoleEndpoints: readonly Endpoint[] = [
  { ...shown, id: 'console.show', path: `${consolePaths.root}/{page+}`, needs: reading },
  { ...shown, id: 'console.start', path: consolePaths.root, needs: reading, servedBy: 'console.show' },
  { ...shown, id: 'console.signIn', path: `${consolePaths.root}/session/{step+}`, needs: signingIn },
  { ...shown, id: 'console.act', method: 'POST', path: `${consolePaths.root}/{page+}`, needs: acting },
];
