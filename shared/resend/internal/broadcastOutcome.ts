import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type { listLinksRoute, listRecipientsRoute } from '../../contract/routes/campaignOutcome.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { hashBody } from '../../domain/encoding.ts';
import { listOf, pageAfter, pageFields, pageIn, pageQuery } from './lists.ts';
import {
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const types = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
] as const;

/** Only permanent bounces are counted. */
const recipientsQuery = strictFields({
  ...pageFields,
  type: z.enum(types),
  bounce_type: z.literal('permanent').optional(),
});

type RestRecipient = Output<typeof listRecipientsRoute>['data'][number];

/** Opens and clicks count people, and links are not stored for each of them. */
const more: Readonly<Partial<Record<(typeof types)[number], object>>> = {
  opened: { count: 1 },
  clicked: { count: 1, clicked_links: [] },
  bounced: { bounce_type: 'permanent' },
};

const campaignIn = (call: ClientCall) => `/api/v1/campaigns/${inPath(call.parameter('id'))}` as const;

async function recipients(
  call: ClientCall,
  { type, ...page }: z.output<typeof recipientsQuery>,
): Promise<ClientAnswer<Resend['broadcasts']['recipients']>> {
  const outcome = type === 'suppressed' ? 'skipped' : type;
  const { entries, hasMore } = await pageAfter<RestRecipient>(
    page,
    ({ email }) => email,
    (part) =>
      call.rest<typeof listRecipientsRoute>('GET', `${campaignIn(call)}/recipients`, { query: { ...part, outcome } }),
  );
  const data = entries.map(({ email }) => ({ id: email, contact_id: email, email, ...more[type] }));
  return listOf(data, hasMore);
}

/** A link has no id; one of its address is the same at each call. */
const idOf = (url: string): string => hashBody(url).slice(0, 32);

async function clickedLinks(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['broadcasts']['clickedLinks']>> {
  const { data } = await call.rest<typeof listLinksRoute>('GET', `${campaignIn(call)}/links`);
  const links = data.map(({ url, clicks }) => ({ id: idOf(url), url, clicks, unique_clicks: clicks }));
  const { entries, hasMore } = pageIn(links, page, ({ id }) => id);
  return listOf(entries, hasMore);
}

export const broadcastOutcomeTranslations: readonly Translation[] = [
  translation({
    method: 'GET',
    path: '/broadcasts/{id}/recipients',
    query: recipientsQuery,
    answer: (call, { query }) => recipients(call, query),
  }),
  translation({
    method: 'GET',
    path: '/broadcasts/{id}/clicked-links',
    query: pageQuery,
    answer: (call, { query }) => clickedLinks(call, query),
  }),
];
