import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type {
  cancelEmailRoute,
  getEmailRoute,
  listEmailsRoute,
  updateEmailRoute,
} from '../../contract/routes/emailRecords.ts';
import type { sendBatchRoute, sendEmailRoute } from '../../contract/routes/emails.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { listOf, pageAfter, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  type Resend,
  segment,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  topic: {
    en: 'is not checked for single emails: leave it out, and send only to people who want them',
    fr: 'n’est pas vérifié pour les e-mails à l’unité : ne le donnez pas, et n’écrivez qu’à ceux qui le veulent',
  },
});

/** The fields of the client. The REST API checks their values. */
const email = strictFields({
  ...Object.fromEntries(
    ['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'text', 'headers', 'tags', 'attachments']
      .concat('template', 'scheduled_at')
      .map((name) => [name, anything]),
  ),
  // It decides who gets the message.
  topic_id: z
    .unknown()
    .refine((value) => value === null || value === undefined, { params: { text: texts.topic } })
    .optional(),
}).transform(({ topic_id, ...fields }) => fields);

type EmailDetail = Output<typeof getEmailRoute>;
type EmailOfList = Extract<Output<typeof listEmailsRoute>['data'][number], { readonly object: 'email' }>;
type ClientEmail = ClientAnswer<Resend['emails']['get']>;
type LastEvent = ClientEmail['last_event'];

/** The Message-ID of the provider is not shown by the REST API. */
type Shown<Client> = Omit<Client, 'message_id'>;

const eventNames = {
  scheduled: 'scheduled',
  canceled: 'canceled',
  accepted: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  delayed: 'delivery_delayed',
  bounced: 'bounced',
  complained: 'complained',
  opened: 'opened',
  clicked: 'clicked',
} as const satisfies Record<EmailDetail['events'][number]['type'] | EmailDetail['status'], LastEvent>;

/** What happened last. A list shows no events, so that opens and clicks are not known there. */
function lastEventOf(shown: EmailOfList | EmailDetail): LastEvent {
  if (shown.status === 'canceled') return cancellationOf(shown);
  const events = 'events' in shown ? shown.events.toSorted((one, other) => (one.at < other.at ? -1 : 1)) : [];
  return eventNames[events.at(-1)?.type ?? shown.status];
}

/** An email that was refused at its time was not canceled by anybody. */
function cancellationOf({ cancel_reason: reason }: EmailOfList | EmailDetail): LastEvent {
  if (reason === undefined || reason === 'requested') return 'canceled';
  return reason === 'suppressed_recipient' ? 'suppressed' : 'failed';
}

const shownIn = (shown: EmailOfList | EmailDetail) => ({
  id: shown.id,
  from: shown.from,
  to: [...shown.to],
  cc: [...shown.cc],
  bcc: [...shown.bcc],
  reply_to: [...shown.reply_to],
  subject: shown.subject,
  last_event: lastEventOf(shown),
  scheduled_at: shown.scheduled_at ?? null,
  created_at: shown.created_at,
});

async function send(call: ClientCall, body: unknown): Promise<ClientAnswer<Resend['emails']['send']>> {
  const options = { body, headers: ['idempotency-key'] };
  const { id } = await call.rest<typeof sendEmailRoute>('POST', '/api/v1/emails', options);
  return { id };
}

async function sendBatch(call: ClientCall, body: unknown): Promise<Pick<Output<typeof sendBatchRoute>, 'data'>> {
  const options = { body, headers: ['idempotency-key', 'x-batch-validation'] };
  const { data, errors } = await call.rest<typeof sendBatchRoute>('POST', '/api/v1/emails/batch', options);
  return { data, ...(errors && { errors }) };
}

async function get(call: ClientCall): Promise<Shown<ClientEmail>> {
  const shown = await call.rest<typeof getEmailRoute>('GET', `/api/v1/emails/${segment(call.parameter('id'))}`);
  // Bodies are not kept.
  return {
    object: 'email',
    ...shownIn(shown),
    html: null,
    text: null,
    tags: shown.tags.map(({ name, value }) => ({ name, value })),
  };
}

type ClientList = ClientAnswer<Resend['emails']['list']>;

async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<Omit<ClientList, 'data'> & { data: Shown<ClientList['data'][number]>[] }> {
  const until = page.after && (await timeAfter(call, page.after));
  const read = (part: { limit: number; cursor?: string }) =>
    call.rest<typeof listEmailsRoute>('GET', '/api/v1/emails', { query: { ...part, until } });
  const { entries, hasMore } = await pageAfter(page, (entry) => ('id' in entry ? entry.id : ''), read);
  const emails = entries.filter((entry) => entry.object === 'email');
  return listOf(emails.map(shownIn), hasMore);
}

/** The list up to an email begins a millisecond after it: emails of the same moment may lie on either side of it. */
async function timeAfter(call: ClientCall, id: string): Promise<string> {
  const { created_at } = await call.rest<typeof getEmailRoute>('GET', `/api/v1/emails/${segment(id)}`);
  return new Date(Date.parse(created_at) + 1).toISOString();
}

async function reschedule(call: ClientCall, body: unknown): Promise<ClientAnswer<Resend['emails']['update']>> {
  const path = `/api/v1/emails/${segment(call.parameter('id'))}` as const;
  const { id, object } = await call.rest<typeof updateEmailRoute>('PATCH', path, { body });
  return { id, object };
}

async function cancel(call: ClientCall): Promise<ClientAnswer<Resend['emails']['cancel']>> {
  const path = `/api/v1/emails/${segment(call.parameter('id'))}/cancel` as const;
  const { id, object } = await call.rest<typeof cancelEmailRoute>('POST', path);
  return { id, object };
}

export const emailTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/emails', body: email, answer: (call, { body }) => send(call, body) }),
  translation({
    method: 'POST',
    path: '/emails/batch',
    body: z.array(email),
    answer: (call, { body }) => sendBatch(call, body),
  }),
  translation({ method: 'GET', path: '/emails', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/emails/{id}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/emails/{id}',
    body: strictFields({ scheduled_at: anything }),
    answer: (call, { body }) => reschedule(call, body),
  }),
  translation({ method: 'POST', path: '/emails/{id}/cancel', answer: cancel }),
];
