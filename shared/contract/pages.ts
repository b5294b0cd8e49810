import type { FunctionDefinition, Needs } from './route.ts';

/** One method of a page that a person sees; wired as a route is, and without a key: the link's token is the authority. */
export interface Page {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly needs: Needs;
  readonly function: FunctionDefinition;
}

/** Where the console lies below the service's address, and where a provider sends browsers back to. */
export const consolePaths = { root: '/console', returning: '/console/session/return' } as const;

const confirm = { path: '/confirm/{token}', function: { entry: 'functions/pages/confirm.ts' } };
const unsubscribe = { path: '/unsubscribe/{token}', function: { entry: 'functions/pages/unsubscribe.ts' } };
const preferences = { path: '/preferences/{token}', function: { entry: 'functions/pages/preferences.ts' } };
const join = { path: '/join/{public_id}', function: { entry: 'functions/pages/join.ts' } };

/**
 * Every page that exists. Showing one and acting through it are functions of their own, so that what a mail scanner
 * opens holds no permission to write.
 */
export const pages: readonly Page[] = [
  { id: 'pages.start', method: 'GET', path: '/', needs: {}, function: { entry: 'functions/pages/start.ts' } },
  {
    id: 'pages.reference',
    method: 'GET',
    path: '/reference/{language}',
    needs: {},
    function: { entry: 'functions/pages/reference.ts' },
  },
  {
    id: 'pages.health',
    method: 'GET',
    path: '/health',
    needs: { table: 'read', tablePartitions: ['HEALTH'] },
    function: { entry: 'functions/pages/health.ts', timeoutSeconds: 10 },
  },
  { id: 'pages.icon', method: 'GET', path: '/favicon.ico', needs: {}, function: { entry: 'functions/pages/icon.ts' } },
  { id: 'pages.confirm.show', method: 'GET', needs: { table: 'read', secret: true }, ...confirm },
  { id: 'pages.confirm.submit', method: 'POST', needs: { table: 'readWrite', secret: true }, ...confirm },
  { id: 'pages.unsubscribe.show', method: 'GET', needs: { table: 'read', secret: true }, ...unsubscribe },
  {
    id: 'pages.unsubscribe.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery'] },
    ...unsubscribe,
  },
  { id: 'pages.preferences.show', method: 'GET', needs: { table: 'read', secret: true }, ...preferences },
  {
    id: 'pages.preferences.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery', 'confirmation'] },
    ...preferences,
  },
  { id: 'pages.join.show', method: 'GET', needs: { table: 'read' }, ...join },
  { id: 'pages.join.submit', method: 'POST', needs: { table: 'readWrite', queues: ['confirmation'] }, ...join },
];
