import type * as z from 'zod';
import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type {
  deleteCampaignRoute,
  duplicateCampaignRoute,
  updateCampaignRoute,
} from '../../contract/routes/campaignDrafts.ts';
import type {
  cancelCampaignRoute,
  scheduleCampaignRoute,
  unscheduleCampaignRoute,
} from '../../contract/routes/campaignSteering.ts';
import type {
  createCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  sendCampaignRoute,
} from '../../contract/routes/campaigns.ts';
import { moment, strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { type BroadcastContent, broadcastChange, campaignContent, newBroadcast } from './broadcastContent.ts';
import { listOf, pageAfter, pageQuery } from './lists.ts';
import {
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  segment: {
    en: 'is required: a broadcast goes to a segment, and never to everybody',
    fr: 'est obligatoire : une diffusion vise un segment, jamais tout le monde',
  },
  notSent: {
    en: 'needs "send": true, or is given when the broadcast is sent',
    fr: 'demande « send » : true, ou se donne à l’envoi de la diffusion',
  },
  toEverybody: {
    en: 'This campaign has no segment and would go to everybody: give it one, or send it by the API or the console.',
    fr: 'Cette campagne n’a pas de segment et irait à tout le monde : donnez-lui-en un, ou envoyez-la par l’API ou la console.',
  },
  changed: {
    en: 'The broadcast of this idempotency key was changed since it was created: send it by its id.',
    fr: 'La diffusion de cette clé d’idempotence a été modifiée depuis sa création : envoyez-la par son identifiant.',
  },
});

type RestCampaign = Output<typeof getCampaignRoute>;
type ClientBroadcast = ClientAnswer<Resend['broadcasts']['get']>;

/** Names of the client's fields by those of the REST API. */
const fieldNames = { preheader: 'preview_text', plain_text: 'text' };

const sending = strictFields({ scheduled_at: moment.optional() });

const pathOf = (id: string) => `/api/v1/campaigns/${inPath(id)}` as const;

const read = (call: ClientCall, id = call.parameter('id')) => call.rest<typeof getCampaignRoute>('GET', pathOf(id));

async function create(
  call: ClientCall,
  { send, scheduled_at: at, ...given }: z.output<typeof newBroadcast>,
): Promise<ClientAnswer<Resend['broadcasts']['create']>> {
  const own = campaignContent(given, { isDraftHtml: false });
  const issues = [
    ...(own.segment_id === undefined ? [{ path: 'segment_id', text: texts.segment }] : []),
    ...(at !== undefined && send !== true ? [{ path: 'scheduled_at', text: texts.notSent }] : []),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  const name = own.name ?? [...given.subject].slice(0, 200).join('');
  const { id } = await call.rest<typeof createCampaignRoute>('POST', '/api/v1/campaigns', {
    body: { ...own, name },
    headers: ['idempotency-key'],
    fieldNames,
  });
  if (send !== true) return { id };
  const isReplayed = call.answerHeaders['Idempotent-Replay'] === 'true';
  if (isReplayed && !(await isUntouched(call, id))) return { id };
  return start(call, id, at);
}

/** Whether the draft of an earlier call is still to be sent. One that was edited or canceled since is not. */
async function isUntouched(call: ClientCall, id: string): Promise<boolean> {
  const { status, created_at, updatedAt } = await read(call, id);
  if (status === 'draft' && updatedAt !== created_at) throw new ServiceError('conflict', { text: texts.changed });
  return status === 'draft';
}

/** Sends a campaign now or at a time. */
async function start(call: ClientCall, id: string, at: string | undefined): Promise<{ id: string }> {
  const options = { body: at === undefined ? {} : { scheduled_at: at } };
  if (at === undefined) await call.rest<typeof sendCampaignRoute>('POST', `${pathOf(id)}/send`, options);
  else await call.rest<typeof scheduleCampaignRoute>('POST', `${pathOf(id)}/schedule`, options);
  return { id };
}

/** At Resend a broadcast always has a segment: a campaign to everybody is not what a caller of this client means. */
async function send(
  call: ClientCall,
  { scheduled_at: at }: z.output<typeof sending>,
): Promise<ClientAnswer<Resend['broadcasts']['send']>> {
  const { id, target } = await read(call);
  if (target.segment === null) throw new ServiceError('validation_error', { text: texts.toEverybody });
  return start(call, id, at);
}

/** A broadcast that is on its way is `queued`, until each of its recipients has an outcome. */
function statusOf({ status, sentAt }: Pick<RestCampaign, 'status' | 'sentAt'>): ClientBroadcast['status'] {
  if (status === 'scheduled' || status === 'sending') return 'queued';
  return status === 'sent' || sentAt !== null ? 'sent' : 'draft';
}

type RestCampaignSummary = Output<typeof listCampaignsRoute>['data'][number];

const shown = (campaign: RestCampaignSummary) => ({
  id: campaign.id,
  name: campaign.name,
  segment_id: campaign.segment_id,
  audience_id: campaign.segment_id,
  status: statusOf(campaign),
  created_at: campaign.created_at,
  scheduled_at: campaign.scheduledAt,
  sent_at: campaign.sentAt,
});

async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['broadcasts']['list']>> {
  const { entries, hasMore } = await pageAfter(
    page,
    (entry) => entry.id,
    (part: { limit: number; cursor?: string }) =>
      call.rest<typeof listCampaignsRoute>('GET', '/api/v1/campaigns', { query: part }),
  );
  return listOf(entries.map(shown), hasMore);
}

async function get(call: ClientCall): Promise<ClientBroadcast> {
  const campaign = await read(call);
  return {
    object: 'broadcast',
    ...shown(campaign),
    from: campaign.from,
    subject: campaign.subject,
    reply_to: campaign.reply_to && [...campaign.reply_to],
    preview_text: campaign.preheader,
    topic_id: campaign.topic_id,
    html: campaign.html,
    text: campaign.html === null ? campaign.text : campaign.plain_text,
  };
}

async function update(
  call: ClientCall,
  given: BroadcastContent,
): Promise<ClientAnswer<Resend['broadcasts']['update']>> {
  const isOnlyText = given.html === undefined && given.text !== undefined;
  const isDraftHtml = isOnlyText && (await read(call)).html !== null;
  const options = { body: campaignContent(given, { isDraftHtml }), fieldNames };
  const { id } = await call.rest<typeof updateCampaignRoute>('PATCH', pathOf(call.parameter('id')), options);
  return { id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['broadcasts']['remove']>> {
  const { id } = await call.rest<typeof deleteCampaignRoute>('DELETE', pathOf(call.parameter('id')));
  return { object: 'broadcast', id, deleted: true };
}

/** Before its time, a broadcast becomes a draft again; after it, the recipients who wait are skipped. */
async function cancel(call: ClientCall): Promise<ClientAnswer<Resend['broadcasts']['cancel']>> {
  const { id, status } = await read(call);
  if (status === 'scheduled') await call.rest<typeof unscheduleCampaignRoute>('POST', `${pathOf(id)}/unschedule`);
  else await call.rest<typeof cancelCampaignRoute>('POST', `${pathOf(id)}/cancel`);
  return { object: 'broadcast', id };
}

async function duplicate(call: ClientCall): Promise<ClientAnswer<Resend['broadcasts']['duplicate']>> {
  const options = { headers: ['idempotency-key'] };
  const path = `${pathOf(call.parameter('id'))}/duplicate` as const;
  const { id } = await call.rest<typeof duplicateCampaignRoute>('POST', path, options);
  return { object: 'broadcast', id };
}

export const broadcastTranslations: readonly Translation[] = [
  translation({
    method: 'POST',
    path: '/broadcasts',
    body: newBroadcast,
    answer: (call, { body }) => create(call, body),
  }),
  translation({ method: 'GET', path: '/broadcasts', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/broadcasts/{id}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/broadcasts/{id}',
    body: broadcastChange,
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/broadcasts/{id}', answer: remove }),
  translation({
    method: 'POST',
    path: '/broadcasts/{id}/send',
    body: sending,
    answer: (call, { body }) => send(call, body),
  }),
  translation({ method: 'POST', path: '/broadcasts/{id}/cancel', answer: cancel }),
  translation({ method: 'POST', path: '/broadcasts/{id}/duplicate', answer: duplicate }),
];
