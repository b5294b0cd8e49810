import type { Delivery } from '../../../../shared/domain/webhook/delivery.ts';
import { newWebhook } from '../../../../shared/domain/webhook/webhook.ts';
import { addDelivery, getDelivery, listDeliveries } from '../../../../shared/store/webhook/deliveries.ts';
import {
  abandonDelivery,
  claimAttempt,
  holdDelivery,
  listDueWork,
  putOffErasure,
  recordAttempt,
  recordReplay,
  releaseDelivery,
} from '../../../../shared/store/webhook/deliveryChanges.ts';
import { openWebhookSecret, sealWebhookSecret } from '../../../../shared/store/webhook/webhookSecret.ts';
import { takeSlot } from '../../../../shared/store/webhook/webhookSlots.ts';
import {
  addWebhook,
  deleteWebhook,
  disableAsFailing,
  getWebhook,
  markErased,
  markFailing,
  markSlow,
  putSealedAnew,
  readListeners,
} from '../../../../shared/store/webhook/webhooks.ts';
import { at, expiresAt, iso, type RecordKind, seconds, workspaceId } from './recordKind.ts';

const settings = { name: 'orders', url: 'https://example.com/hook', events: ['email.bounced' as const], enabled: true };
const position = { workspaceId, webhookId: 'whk_1' };
const webhook = newWebhook(position, settings, 'sealed', at);
const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLawSMfKQ9r8GKYo=';
const secrets = {
  secret: 'newest',
  previousSecrets: [
    { sealed: 'older', until: seconds(100) },
    { sealed: 'oldest', until: seconds(50) },
  ],
};
const delivery: Delivery = {
  ...position,
  ...{ deliveryId: 'whd_1', eventId: 'evt_1', eventType: 'email.bounced', body: '{"id":"evt_1"}', lane: 'bulk' },
  ...{ status: 'pending', tries: 0, replays: 0, log: [] },
  ...{ responseStatus: null, responseBody: null, error: null, durationMilliseconds: null },
  ...{ nextAttemptAt: null, claimedUntil: null, dueAt: seconds(5) },
  ...{ createdAt: at, updatedAt: at, expiresAt: new Date(expiresAt * 1000) },
};
const live = { ...delivery, deliveryId: 'whd_2', lane: 'live' as const };
const refused = { accepted: false, status: 503, body: 'later', error: 'status', durationMilliseconds: 12 };

export const webhookKinds: readonly RecordKind[] = [
  {
    name: 'webhook',
    keys: ['webhookKey', 'webhookCountKey'],
    write: async () => {
      await addWebhook(webhook, 2);
      await markFailing(webhook, seconds(10));
      await markSlow(webhook, seconds(20));
      await disableAsFailing({ ...webhook, failingSince: seconds(10) }, seconds(30));
      await putSealedAnew(webhook, secrets);
    },
    read: async () => ({
      webhook: await getWebhook(position),
      hasRoom: await addWebhook({ ...webhook, webhookId: 'whk_2' }, 2),
      isFull: !(await addWebhook({ ...webhook, webhookId: 'whk_3' }, 2)),
      listeners: (await readListeners(workspaceId)).webhooks.map(({ webhookId }) => webhookId),
    }),
    expected: {
      webhook: {
        ...{ ...webhook, ...secrets, enabled: false, disabledReason: 'failing' },
        ...{ failingSince: seconds(10), slowUntil: seconds(20), updatedAt: seconds(30) },
      },
      hasRoom: true,
      isFull: true,
      listeners: ['whk_2', 'whk_1'],
    },
  },
  {
    name: 'sealed secret',
    keys: ['webhookKey'],
    random: ['secret'],
    write: async () => addWebhook({ ...webhook, secret: await sealWebhookSecret(signingSecret, position) }, 1),
    read: async () => openWebhookSecret((await getWebhook(position))?.secret ?? '', position),
    expected: signingSecret,
  },
  {
    name: 'mark of erasures',
    keys: ['erasedMarkKey'],
    write: () => markErased(workspaceId, at),
    read: () => readListeners(workspaceId),
    expected: { webhooks: [], hasErased: true, listened: new Set() },
  },
  {
    name: 'delivery',
    keys: ['deliveryKey'],
    random: ['last_replay'],
    write: async () => {
      await addDelivery(delivery);
      await addDelivery(live);
      await claimAttempt(live, seconds(20));
      const claimed = { ...live, claimedUntil: seconds(20) };
      const tried = await recordAttempt(claimed, refused, seconds(60), seconds(10));
      const replayed = tried && (await recordReplay(tried, { ...refused, status: 500 }, seconds(30)));
      if (replayed) await claimAttempt(replayed, seconds(90));
    },
    read: async () => ({
      bulk: (await getDelivery(delivery)).delivery,
      live: (await getDelivery(live)).delivery,
      listed: (await listDeliveries(position, { limit: 5, now: at })).deliveries.map(({ deliveryId }) => deliveryId),
      expired: (await listDeliveries(position, { limit: 5, now: new Date(expiresAt * 1000) })).deliveries,
      due: await listDueWork(seconds(61), 5),
      isOurs: await claimAttempt({ ...live, tries: 1, claimedUntil: seconds(90) }, seconds(100)),
    }),
    expected: {
      bulk: delivery,
      live: {
        ...{ ...live, tries: 1, replays: 1, responseStatus: 500, responseBody: 'later', error: 'status' },
        ...{ durationMilliseconds: 12, nextAttemptAt: seconds(60), claimedUntil: seconds(90), dueAt: seconds(60) },
        updatedAt: seconds(30),
        log: [
          { at: seconds(10), isReplay: false, responseStatus: 503, error: 'status', durationMilliseconds: 12 },
          { at: seconds(30), isReplay: true, responseStatus: 500, error: 'status', durationMilliseconds: 12 },
        ],
      },
      listed: ['whd_2', 'whd_1'],
      expired: [],
      due: [
        { kind: 'attempt', ...position, deliveryId: 'whd_2', dueAt: seconds(60) },
        { kind: 'attempt', ...position, deliveryId: 'whd_1', dueAt: seconds(5) },
      ],
      isOurs: true,
    },
  },
  {
    name: 'settled delivery',
    keys: ['deliveryKey'],
    write: async () => {
      const taken = { ...refused, accepted: true, status: 200, body: 'ok', error: null };
      await addDelivery(live);
      await recordAttempt(live, taken, null, seconds(10));
      await addDelivery(delivery);
      await holdDelivery(delivery, seconds(40), seconds(20));
    },
    read: async () => {
      const held = (await getDelivery(delivery)).delivery;
      if (!held) throw new Error('There is no delivery.');
      const released = await releaseDelivery(held, seconds(60));
      await abandonDelivery(released ?? held, 'held_too_long', seconds(70));
      const abandoned = (await getDelivery(delivery)).delivery;
      return { taken: (await getDelivery(live)).delivery, held, released, abandoned };
    },
    expected: (() => {
      const held = { ...delivery, error: 'held', dueAt: seconds(40), updatedAt: seconds(20) };
      const released = { ...held, error: null, dueAt: seconds(60), updatedAt: seconds(60) };
      return {
        taken: {
          ...{ ...live, status: 'delivered', tries: 1, responseStatus: 200, responseBody: 'ok' },
          ...{ durationMilliseconds: 12, dueAt: null, updatedAt: seconds(10) },
        },
        held,
        released,
        abandoned: { ...released, status: 'failed', error: 'held_too_long', dueAt: null, updatedAt: seconds(70) },
      };
    })(),
  },
  {
    name: 'slot',
    keys: ['slotsKey'],
    write: () => takeSlot(position, 1, at, seconds(20)),
    read: async () => [
      await takeSlot(position, 1, seconds(20), seconds(40)),
      await takeSlot(position, 1, seconds(21), seconds(41)),
    ],
    expected: [null, { ...position, name: 'slot_0', until: iso(41) }],
  },
  {
    name: 'erasure of a log',
    keys: ['erasureKey'],
    write: async () => {
      await addWebhook(webhook, 2);
      await deleteWebhook(position, at);
    },
    read: async () => {
      const [erasure] = await listDueWork(seconds(1), 5);
      return {
        erasure,
        isPutOff: erasure?.kind === 'erasure' && (await putOffErasure(erasure, seconds(60))),
        hasRoom: await addWebhook(webhook, 1),
      };
    },
    expected: { erasure: { kind: 'erasure', ...position, dueAt: at }, isPutOff: true, hasRoom: true },
  },
];
