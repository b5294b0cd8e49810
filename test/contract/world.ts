import { randomUUID } from 'node:crypto';
import type { Route } from '../../shared/contract/route.ts';
import { type Scope, scopeNames } from '../../shared/contract/scopes.ts';
import { createApiKey } from '../../shared/domain/token/apiKey.ts';
import { call } from '../acceptance/client.ts';
import type { TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { operatorContext } from '../shared/services/context.ts';

/** A workspace that has one of everything, and where it is. */
export interface World extends TestWorkspace {
  /** Values for the placeholders of a path. */
  readonly parametersOf: (route: Route) => Record<string, string>;
}

/** What no workspace has; well formed, so that only the look-up can refuse it. */
const nobody: Record<string, string> = {
  id: 'email_01k9zq3v5c8r2m4n6p7s9t0wxy',
  deliveryId: 'whd_01k9zq3v5c8r2m4n6p7s9t0wxy',
  email: 'nobody@example.net',
};

/** Its domain is that of the contract's examples, so that what is made of them goes all the way to the provider. */
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
  await ask('POST', '/suppression', { email: 'grace@example.net' });
  const template = await ask('POST', '/templates', { name: 'Hello', subject: 'Hello', text: 'Hello' });
  const campaign = await ask('POST', '/campaigns', { name: 'News', subject: 'News', from, text: 'Hello' });
  const webhook = await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.delivered'] });
  const delivery = await ask('POST', `/webhooks/${webhook.id}/test`);
  // Both worlds have example.com; this one is nobody else's.
  const ownDomain = `${randomUUID().slice(0, 8)}.example`;
  const { addDomain } = await import('../../shared/services/domains/add.ts');
  await addDomain(operatorContext(workspace.workspaceId), { name: ownDomain });
  const byResource: Record<string, Record<string, string>> = {
    emails: { id: email.id },
    subscribers: { email: subscriber.email },
    campaigns: { id: campaign.id },
    templates: { id: template.id },
    domains: { id: ownDomain },
    webhooks: { id: webhook.id, deliveryId: delivery.delivery_id },
  };
  return { ...workspace, parametersOf: (route) => byResource[resourceOf(route)] ?? noFixture(route) };
}

function noFixture(route: Route): never {
  throw new Error(`Give createWorld one of what ${route.path} names, so that its isolation is tested.`);
}

const resourceOf = (route: Route): string => route.path.split('/')[3] ?? '';

/** The path of a route; without values, one that leads to nothing. */
export function pathOf(route: Route, values: Record<string, string> = nobody): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? `no-${name}`));
}

export interface Keys {
  readonly unknown: string;
  readonly revoked: string;
  /** Every scope but the one that is named. */
  readonly without: (scope: Scope) => string;
}

/** Keys of a workspace that are refused, each for its own reason. */
export async function createKeys(service: TestService, workspaceId: string): Promise<Keys> {
  Object.assign(process.env, service.environment);
  const { createKey } = await import('../../shared/services/keys/create.ts');
  const { revokeKey } = await import('../../shared/services/keys/revoke.ts');
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
