import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type { accountRoute } from '../../contract/routes/account.ts';
import type { createKeyRoute, listKeysRoute, revokeKeyRoute } from '../../contract/routes/keys.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { neverInherited, type Scope } from '../../contract/scopes.ts';
import { TransportError } from '../../http/response.ts';
import { text } from '../../language/text.ts';
import { now } from '../../platform/clock.ts';
import { listOf, pageIn, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

/** The longest life that the REST API allows, less a minute: its clock may be behind. */
const lifeMilliseconds = 90 * 86_400_000 - 60_000;

const creation = strictFields({
  name: anything,
  permission: z.enum(['full_access', 'sending_access']).default('full_access'),
});

/** What the key of the call may give, all of it, or the sending of emails alone. */
async function scopesFor(
  call: ClientCall,
  permission: z.output<typeof creation>['permission'],
): Promise<readonly Scope[]> {
  if (permission === 'sending_access') return ['emails:send'];
  const { scopes } = await call.rest<typeof accountRoute>('GET', '/api/v1/me');
  return scopes.filter((scope) => !neverInherited.includes(scope));
}

async function create(
  call: ClientCall,
  { name, permission }: z.output<typeof creation>,
): Promise<ClientAnswer<Resend['apiKeys']['create']>> {
  const expires_at = new Date(now().getTime() + lifeMilliseconds).toISOString();
  const { id, key } = await call.rest<typeof createKeyRoute>('POST', '/api/v1/keys', {
    body: { name, scopes: await scopesFor(call, permission), expires_at },
    fieldNames: { scopes: 'permission' },
  });
  return { id, token: key };
}

type RestKey = Output<typeof listKeysRoute>['data'][number];

/** The keys that work: the client has no word for others. A workspace has few of them, so that all are read. */
async function living(call: ClientCall): Promise<RestKey[]> {
  const at = now();
  const found: RestKey[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const page = await call.rest<typeof listKeysRoute>('GET', '/api/v1/keys', { query });
    const isLiving = ({ revoked_at, expires_at }: RestKey) =>
      revoked_at === null && (expires_at === null || new Date(expires_at) > at);
    found.push(...page.data.filter(isLiving));
    cursor = page.next_cursor;
  }
  return found;
}

async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['apiKeys']['list']>> {
  const { entries, hasMore } = pageIn(await living(call), page, ({ id }) => id);
  const data = entries.map(({ id, name, created_at, last_used_at }) => ({ id, name, created_at, last_used_at }));
  return listOf(data, hasMore);
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['apiKeys']['remove']>> {
  const path = `/api/v1/keys/${inPath(call.parameter('id'))}` as const;
  const { id } = await call.rest<typeof revokeKeyRoute>('DELETE', path);
  return { object: 'api_key', id, deleted: true };
}

const unchangeable = text({
  en: 'A key never changes: create another one, and remove this one.',
  fr: 'Une clé ne change jamais : créez-en une autre, et retirez celle-ci.',
});

export const apiKeyTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/api-keys', body: creation, answer: (call, { body }) => create(call, body) }),
  translation({ method: 'GET', path: '/api-keys', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'DELETE', path: '/api-keys/{id}', answer: remove }),
  {
    method: 'PATCH',
    path: '/api-keys/{id}',
    answer: async () => {
      throw new TransportError(405, unchangeable, { Allow: 'DELETE' });
    },
  },
];
