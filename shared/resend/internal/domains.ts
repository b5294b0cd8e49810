import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type {
  createDomainRoute,
  deleteDomainRoute,
  getDomainRoute,
  listDomainsRoute,
  verifyDomainRoute,
} from '../../contract/routes/domains.ts';
import { optional, strictFields } from '../../contract/schemas/fields.ts';
import { config } from '../../platform/config.ts';
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

type RestDomain = Output<typeof getDomainRoute>;
type RestRecord = RestDomain['records'][number];
type ClientDomain = ClientAnswer<Resend['domains']['get']>;
type ClientRecord = ClientDomain['records'][number];

/** The REST API does not show when a domain was added. */
type WithoutTime<Client> = Omit<Client, 'created_at'>;

const common = ({ id, name, verified }: Pick<RestDomain, 'id' | 'name' | 'verified'>) => ({
  id,
  name,
  status: verified ? ('verified' as const) : ('pending' as const),
  // The client's type names the regions of Resend only.
  region: config('AWS_REGION') as ClientDomain['region'],
  capabilities: { sending: 'enabled' as const, receiving: 'disabled' as const },
});

/** A domain that SES has given up on is `failed`. */
const shown = (domain: RestDomain) => ({
  ...common(domain),
  ...(!domain.verified && domain.records.some(({ status }) => status === 'failed') && { status: 'failed' as const }),
  records: domain.records.flatMap(recordOf),
});

/**
 * The client knows no record that proves to whom a domain belongs: it is among those of `SPF`, so that it is shown. DMARC is
 * left out, since it is never checked and the domain would seem incomplete for ever.
 */
function recordOf({ purpose, type, name, value, status }: RestRecord): ClientRecord[] {
  if (purpose === 'dmarc' || status === 'unchecked') return [];
  const shared = { name, ttl: 'Auto', status };
  if (purpose === 'dkim') return [{ ...shared, record: 'DKIM', type: type === 'TXT' ? 'TXT' : 'CNAME', value }];
  const [priority, ...host] = value.split(' ');
  if (type !== 'MX') return [{ ...shared, record: 'SPF', type, value }];
  return [{ ...shared, record: 'SPF', type, value: host.join(' '), priority: Number(priority) }];
}

const pathOf = (call: ClientCall) => `/api/v1/domains/${inPath(call.parameter('id'))}` as const;

/** `custom_return_path` is the subdomain alone, and `send` unless it is given; ours is the whole name. */
async function create(
  call: ClientCall,
  { name, custom_return_path }: { readonly name?: unknown; readonly custom_return_path?: string | undefined },
): Promise<WithoutTime<ClientAnswer<Resend['domains']['create']>>> {
  const mailFrom = custom_return_path !== undefined && { mail_from: `${custom_return_path}.${String(name).trim()}` };
  const domain = await call.rest<typeof createDomainRoute>('POST', '/api/v1/domains', {
    body: { name, ...mailFrom },
    headers: ['idempotency-key'],
    fieldNames: { mail_from: 'custom_return_path' },
  });
  return shown(domain);
}

/** A workspace has fewer domains than a page entries. */
async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<
  Omit<ClientAnswer<Resend['domains']['list']>, 'data'> & {
    data: WithoutTime<ClientAnswer<Resend['domains']['list']>['data'][number]>[];
  }
> {
  const { data } = await call.rest<typeof listDomainsRoute>('GET', '/api/v1/domains', { query: { limit: 100 } });
  const { entries, hasMore } = pageIn(data, page, ({ id }) => id);
  return listOf(entries.map(common), hasMore);
}

async function get(call: ClientCall): Promise<WithoutTime<ClientDomain>> {
  return { object: 'domain', ...shown(await call.rest<typeof getDomainRoute>('GET', pathOf(call))) };
}

async function verify(call: ClientCall): Promise<ClientAnswer<Resend['domains']['verify']>> {
  const { id } = await call.rest<typeof verifyDomainRoute>('POST', `${pathOf(call)}/verify`);
  return { object: 'domain', id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['domains']['remove']>> {
  const { id } = await call.rest<typeof deleteDomainRoute>('DELETE', pathOf(call));
  return { object: 'domain', id, deleted: true };
}

export const domainTranslations: readonly Translation[] = [
  translation({
    method: 'POST',
    path: '/domains',
    body: strictFields({ name: anything, custom_return_path: optional(z.string().min(1).max(253)) }),
    answer: (call, { body }) => create(call, body),
  }),
  translation({ method: 'GET', path: '/domains', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/domains/{id}', answer: get }),
  translation({ method: 'POST', path: '/domains/{id}/verify', answer: verify }),
  translation({ method: 'DELETE', path: '/domains/{id}', answer: remove }),
];
