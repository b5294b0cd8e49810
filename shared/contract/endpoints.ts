import { text } from '../language/text.ts';
import type { FunctionDefinition, Needs, Route, Throttle } from './route.ts';
import { anyMethod } from './routing.ts';

/** One method of a page for people. It is deployed like a route but needs no key: the token in the link is the authority. */
export interface PageEndpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Default: `pages`. */
  readonly throttle?: Throttle;
  readonly needs: Needs;
  readonly function: FunctionDefinition;
  /** The page whose function answers it, if it has none of its own. */
  readonly servedBy?: string;
}

/** The path of the console, and the one to which an identity provider redirects browsers after sign-in. */
export const consolePaths = { root: '/console', returning: '/console/session/return' } as const;

/** Where browsers report what the policy of a page stopped. */
export const policyReportPath = '/policy-reports';

const confirm = { path: '/confirm/{token}', function: { entry: 'functions/pages/confirm.ts' } };
const unsubscribe = { path: '/unsubscribe/{token}', function: { entry: 'functions/pages/unsubscribe.ts' } };
const notMe = { path: '/not-me/{token}', function: { entry: 'functions/pages/notMe.ts' } };
const preferences = { path: '/preferences/{token}', function: { entry: 'functions/pages/preferences.ts' } };
const join = { path: '/join/{public_id}', function: { entry: 'functions/pages/join.ts' } };

/**
 * Every page. GET and POST are separate functions: the one that a mail scanner calls has no permission to write.
 */
export const pages: readonly PageEndpoint[] = [
  {
    id: 'pages.start',
    method: 'GET',
    path: '/',
    throttle: 'others',
    needs: {},
    function: { entry: 'functions/pages/start.ts' },
  },
  {
    id: 'pages.reference',
    method: 'GET',
    path: '/reference/{language}',
    throttle: 'documents',
    needs: {},
    function: { entry: 'functions/pages/reference.ts' },
  },
  {
    id: 'pages.reference.chapter',
    method: 'GET',
    path: '/reference/{language}/{chapter}',
    throttle: 'documents',
    needs: {},
    function: { entry: 'functions/pages/reference.ts' },
    servedBy: 'pages.reference',
  },
  {
    id: 'pages.health',
    method: 'GET',
    path: '/health',
    throttle: 'others',
    needs: { table: 'read', tablePartitions: ['HEALTH'] },
    function: { entry: 'functions/pages/health.ts', timeoutSeconds: 10 },
  },
  {
    id: 'pages.icon',
    method: 'GET',
    path: '/favicon.ico',
    throttle: 'others',
    needs: {},
    function: { entry: 'functions/pages/icon.ts' },
  },
  {
    id: 'pages.llms',
    method: 'GET',
    path: '/llms.txt',
    throttle: 'documents',
    needs: {},
    function: { entry: 'functions/pages/llms.ts' },
  },
  {
    id: 'pages.policyReport',
    method: 'POST',
    path: policyReportPath,
    throttle: 'others',
    needs: {},
    function: { entry: 'functions/pages/policyReport.ts' },
  },
  { id: 'pages.confirm.show', method: 'GET', needs: { table: 'read', secret: true }, ...confirm },
  {
    id: 'pages.confirm.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery', 'automation'] },
    ...confirm,
  },
  { id: 'pages.notMe.show', method: 'GET', needs: { table: 'read', secret: true }, ...notMe },
  {
    id: 'pages.notMe.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery', 'confirmation', 'automation'] },
    ...notMe,
  },
  { id: 'pages.unsubscribe.show', method: 'GET', needs: { table: 'read', secret: true }, ...unsubscribe },
  {
    id: 'pages.unsubscribe.submit',
    method: 'POST',
    throttle: 'leaving',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery', 'automation'] },
    ...unsubscribe,
  },
  { id: 'pages.preferences.show', method: 'GET', needs: { table: 'read', secret: true }, ...preferences },
  {
    id: 'pages.preferences.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['webhook-delivery', 'confirmation', 'automation'] },
    ...preferences,
  },
  { id: 'pages.join.show', method: 'GET', needs: { table: 'read', secret: true }, ...join },
  {
    id: 'pages.join.submit',
    method: 'POST',
    needs: { table: 'readWrite', secret: true, queues: ['confirmation'] },
    ...join,
  },
];

/**
 * The MCP server. It is not part of the reference. Its tools call the REST API over the network with the caller's key, so
 * that the function itself needs no permissions.
 */
export const mcpEndpoint = {
  id: 'mcp.server',
  method: 'POST',
  path: '/api/mcp',
  /** Any key: the route of each tool checks the scope. */
  access: 'key',
  throttle: 'lookups',
  crossOrigin: true,
  needs: {} satisfies Needs,
  // Lambda's processor grows with the memory: this halves the cold start, which agents wait for.
  function: {
    entry: 'functions/mcp/server.ts',
    memoryMegabytes: 1024,
    timeoutSeconds: 29,
  } satisfies FunctionDefinition,
} as const;

/**
 * The calls of the `resend` client, in its own shapes. They are not part of the reference. Each is answered by calls of the
 * REST API over the network with the caller's key, so that the function itself needs no permissions.
 */
export const resendEndpoint = {
  id: 'resend.answer',
  method: anyMethod,
  path: '/api/resend/{proxy+}',
  /** Any key: the routes behind a call check the scope. */
  access: 'key',
  // Emails are sent through it.
  throttle: 'routes',
  needs: {} satisfies Needs,
  function: { entry: 'functions/resend/answer.ts', timeoutSeconds: 29 } satisfies FunctionDefinition,
} as const;

/** Paths that take no method, and why. A 404 would read as if the address were not on the list. */
export const closedPaths = [
  {
    path: '/api/v1/suppression/{email}',
    text: text({
      en: 'No call removes an address from the suppression list. GET /api/v1/suppression?email=… shows it.',
      fr: 'Aucun appel ne retire une adresse de la liste d’exclusion. GET /api/v1/suppression?email=… l’affiche.',
    }),
  },
] as const;

/** Answers what no route takes, so that 404 and 405 have the usual error shape and are rate-limited. */
export const fallbackRoute = {
  id: 'fallback',
  method: 'GET',
  path: '/{proxy+}',
  group: 'account',
  summary: text({ en: 'Everything else', fr: 'Tout le reste' }),
  description: text({ en: '404 or 405.', fr: '404 ou 405.' }),
  access: 'public',
  throttle: 'others',
  request: {},
  responses: [],
  errors: ['not_found', 'validation_error'],
  needs: {},
  function: { entry: 'functions/api/fallback.ts' },
} as const satisfies Route;
