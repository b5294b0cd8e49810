import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type { getAutomationRunRoute, listAutomationRunsRoute } from '../../contract/routes/automationRuns.ts';
import type {
  createAutomationRoute,
  deleteAutomationRoute,
  duplicateAutomationRoute,
  getAutomationRoute,
  listAutomationsRoute,
  stopAutomationRoute,
  updateAutomationRoute,
} from '../../contract/routes/automations.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { listOf, pageAfter, pageFields } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

type RestAutomation = Output<typeof listAutomationsRoute>['data'][number];
type ClientAutomation = ClientAnswer<Resend['automations']['get']>;

/** The client has two statuses: one that drains starts nobody any more. */
const shown = ({ id, name, status, created_at, updated_at }: RestAutomation) => ({
  ...{ id, name, created_at, updated_at },
  status: status === 'enabled' ? ('enabled' as const) : ('disabled' as const),
});

const pathOf = (call: ClientCall) => `/api/v1/automations/${inPath(call.parameter('id'))}` as const;

async function create(call: ClientCall, body: object): Promise<ClientAnswer<Resend['automations']['create']>> {
  const options = { body, headers: ['idempotency-key'] };
  const { id } = await call.rest<typeof createAutomationRoute>('POST', '/api/v1/automations', options);
  return { object: 'automation', id };
}

const listQuery = strictFields({ ...pageFields, status: z.string().max(20).optional() });

async function list(
  call: ClientCall,
  { status, ...page }: z.output<typeof listQuery>,
): Promise<ClientAnswer<Resend['automations']['list']>> {
  const { entries, hasMore } = await pageAfter(
    page,
    ({ id }) => id,
    (part: { limit: number; cursor?: string }) =>
      call.rest<typeof listAutomationsRoute>('GET', '/api/v1/automations', { query: { ...part, status } }),
  );
  return listOf(entries.map(shown), hasMore);
}

/** Steps are shown in our form, which the client's own form is read as. */
async function get(call: ClientCall): Promise<ClientAutomation> {
  const { steps, connections, ...automation } = await call.rest<typeof getAutomationRoute>('GET', pathOf(call));
  return {
    object: 'automation',
    ...shown(automation),
    steps: steps.map(({ key, type, config }) => ({ key, type, config })) as unknown as ClientAutomation['steps'],
    connections: connections.map((connection) => ({ ...connection })),
  };
}

async function update(call: ClientCall, body: object): Promise<ClientAnswer<Resend['automations']['update']>> {
  const { id } = await call.rest<typeof updateAutomationRoute>('PATCH', pathOf(call), { body });
  return { object: 'automation', id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['automations']['remove']>> {
  const { id } = await call.rest<typeof deleteAutomationRoute>('DELETE', pathOf(call));
  return { object: 'automation', id, deleted: true };
}

async function stop(call: ClientCall): Promise<ClientAnswer<Resend['automations']['stop']>> {
  const { id } = await call.rest<typeof stopAutomationRoute>('POST', `${pathOf(call)}/stop`);
  return { object: 'automation', id, status: 'disabled' };
}

async function duplicate(call: ClientCall): Promise<ClientAnswer<Resend['automations']['duplicate']>> {
  const options = { headers: ['idempotency-key'] };
  const { id } = await call.rest<typeof duplicateAutomationRoute>('POST', `${pathOf(call)}/duplicate`, options);
  return { object: 'automation', id };
}

type RestRun = Output<typeof listAutomationRunsRoute>['data'][number];

const shownRun = ({ id, status, started_at, completed_at, created_at }: RestRun) => ({
  ...{ id, status, started_at, completed_at, created_at },
});

const runsQuery = strictFields({ ...pageFields, status: z.string().max(100).optional() });

async function listRuns(
  call: ClientCall,
  { status, ...page }: z.output<typeof runsQuery>,
): Promise<ClientAnswer<Resend['automations']['runs']['list']>> {
  const { entries, hasMore } = await pageAfter(
    page,
    ({ id }) => id,
    (part: { limit: number; cursor?: string }) =>
      call.rest<typeof listAutomationRunsRoute>('GET', `${pathOf(call)}/runs`, { query: { ...part, status } }),
  );
  return listOf(entries.map(shownRun), hasMore);
}

type ClientRun = ClientAnswer<Resend['automations']['runs']['get']>;

async function getRun(call: ClientCall): Promise<ClientRun> {
  const path = `${pathOf(call)}/runs/${inPath(call.parameter('run_id'))}` as const;
  const { steps, ...run } = await call.rest<typeof getAutomationRunRoute>('GET', path);
  const shownSteps = steps.map(({ reason: _, error, ...step }) => ({
    ...step,
    error: error === null ? null : { message: error },
  }));
  return { object: 'automation_run', ...shownRun(run), steps: shownSteps as unknown as ClientRun['steps'] };
}

const definition = strictFields({ name: anything, status: anything, steps: anything, connections: anything });

export const automationTranslations: readonly Translation[] = [
  translation({
    ...{ method: 'POST', path: '/automations', body: definition },
    answer: (call, { body }) => create(call, body),
  }),
  translation({
    method: 'GET',
    path: '/automations',
    query: listQuery,
    answer: (call, { query }) => list(call, query),
  }),
  translation({ method: 'GET', path: '/automations/{id}', answer: get }),
  translation({
    ...{ method: 'PATCH', path: '/automations/{id}', body: definition },
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/automations/{id}', answer: remove }),
  translation({ method: 'POST', path: '/automations/{id}/stop', answer: stop }),
  translation({ method: 'POST', path: '/automations/{id}/duplicate', answer: duplicate }),
  translation({
    ...{ method: 'GET', path: '/automations/{id}/runs', query: runsQuery },
    answer: (call, { query }) => listRuns(call, query),
  }),
  translation({ method: 'GET', path: '/automations/{id}/runs/{run_id}', answer: getRun }),
];
