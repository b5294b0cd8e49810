import { randomUUID } from 'node:crypto';
import type { Route } from '../../shared/contract/route.ts';
import { type Scope, scopeNames } from '../../shared/contract/scopes.ts';
import { createApiKey } from '../../shared/domain/token.ts';
import { call } from '../acceptance/client.ts';
import type { TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { operatorContext } from '../shared/services/context.ts';

/** A workspace with one resource of every kind. */
export interface World extends TestWorkspace {
  /** Values for the placeholders of a path. */
  readonly parametersOf: (route: Route) => Record<string, string>;
}

/** Well-formed identifiers that no workspace has, so that only the look-up can refuse them. */
const nobody: Record<string, string> = {
  id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  deliveryId: 'whd_01k9zq3v5c8r2m4n6p7s9t0wxy',
  email: 'nobody@example.net',
};

/** Creates one. Its domain is that of the contract's examples, so that they reach the provider. */
export async function createWorld(service: TestService): Promise<World> {
  const workspace = await newWorkspace(service, { domain: 'example.com' });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const from = `hello@${workspace.domain}`;
  const email = await ask('POST', '/emails', { from, to: 'ada@example.net', subject: 'Hello', text: 'Hello' });
  const subscriber = await ask('POST', '/subscribers', { email: 'ada@example.net', double_opt_in: false });
  await ask('POST', '/events', { name: 'visit', email: subscriber.email });
  await ask('POST', '/suppression', { email: 'grace@example.net' });
  const template = await ask('POST', '/templates', { name: 'Hello', subject: 'Hello', text: 'Hello' });
  const segment = await ask('POST', '/segments', { name: 'Everybody', rule: { not: { tag: 'none' } } });
  const topic = await ask('POST', '/topics', { name: 'News' });
  const campaign = await ask('POST', '/campaigns', { name: 'News', subject: 'News', from, text: 'Hello' });
  const automation = await ask('POST', '/automations', {
    name: 'Hello',
    steps: [
      { key: 'start', type: 'trigger', config: { source: 'subscribed' } },
      { key: 'end', type: 'exit' },
    ],
    connections: [{ from: 'start', to: 'end' }],
  });
  await ask('PATCH', `/automations/${automation.id}`, { status: 'enabled' });
  const run = await ask('POST', `/automations/${automation.id}/runs`, { email: 'ada@example.net' });
  const webhook = await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.delivered'] });
  const delivery = await ask('POST', `/webhooks/${webhook.id}/test`);
  // Both workspaces have example.com; this domain belongs to one only.
  const ownDomain = `${randomUUID().slice(0, 8)}.example`;
  const { addSender } = await import('../../shared/services/senders.ts');
  const { addDomain } = await import('../../shared/services/changeDomains.ts');
  await addDomain(operatorContext(workspace.workspaceId), { name: ownDomain });
  const ownSender = `news@${workspace.domain}`;
  await addSender(operatorContext(workspace.workspaceId), { mailbox: ownSender, makeDefault: false });
  const child = await ask('POST', '/keys', {
    name: 'Child',
    scopes: ['emails:send'],
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const announced = async () => {
    const csv = 'Email\nada@example.net\n';
    const job = await ask('POST', '/imports', {
      ...{ filename: 'people.csv', size: csv.length, kind: 'subscribers', consent_given: true },
      columns: [{ header: 'Email', as: 'email' }],
    });
    await fetch(job.upload.url, { method: 'PUT', headers: job.upload.headers, body: csv });
    return job;
  };
  const [toImport, job] = [await announced(), await announced()];
  // More than the calls of a stranger begin for themselves.
  for (const status of ['pending', 'subscribed', 'bounced']) await ask('POST', '/exports', { format: 'csv', status });
  const byResource: Record<string, Record<string, string>> = {
    emails: { id: email.id },
    subscribers: { email: subscriber.email },
    imports: { id: toImport.id },
    jobs: { id: job.id },
    segments: { id: segment.id },
    topics: { id: topic.id },
    campaigns: { id: campaign.id },
    automations: { id: automation.id, runId: run.id },
    templates: { id: template.id },
    domains: { id: ownDomain },
    senders: { email: ownSender },
    keys: { id: child.id },
    webhooks: { id: webhook.id, deliveryId: delivery.delivery_id },
  };
  return { ...workspace, parametersOf: (route) => byResource[resourceOf(route)] ?? noFixture(route) };
}

function noFixture(route: Route): never {
  throw new Error(`Give createWorld one of what ${route.path} names, so that its isolation is tested.`);
}

const resourceOf = (route: Route): string => route.path.split('/')[3] ?? '';

/** Parameters without which a route refuses each call. */
const neededQueries: Record<string, string> = { 'events.list': '?email=ada%40example.net' };

/** The path of a route; without values, one of unknown resources. */
export function pathOf(route: Route, values: Record<string, string> = nobody): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? `no-${name}`));
  return path + (neededQueries[route.id] ?? '');
}

/** A path with more of a query. */
export const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

export interface Keys {
  readonly unknown: string;
  readonly revoked: string;
  /** A key with every scope except one. */
  readonly without: (scope: Scope) => string;
}

/** Invalid keys of a workspace. */
export async function createKeys(service: TestService, workspaceId: string): Promise<Keys> {
  Object.assign(process.env, service.environment);
  const { createKey } = await import('../../shared/services/keys.ts');
  const { revokeKey } = await import('../../shared/services/keys.ts');
  const operator = operatorContext(workspaceId);
  const revoked = await createKey(operator, { name: 'Revoked', scopes: scopeNames });
  await revokeKey(operator, revoked);
  const lacking = new Map<Scope, string>();
  for (const scope of scopeNames) {
    const scopes = scopeNames.filter((name) => name !== scope);
    lacking.set(scope, (await createKey(operator, { name: `Without ${scope}`, scopes })).key);
  }
  return { unknown: createApiKey(), revoked: revoked.key, without: (scope) => lacking.get(scope) ?? '' };
}
