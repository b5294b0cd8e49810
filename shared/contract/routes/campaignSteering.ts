import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { campaignDetail } from '../schemas/campaignDetail.ts';
import { campaignPath } from '../schemas/campaignRecord.ts';
import { scheduleCampaignRequest, scheduledCampaign } from '../schemas/campaignSchedule.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { detailExample, draftExample, id, target } from './internal/campaignExamples.ts';

export const scheduleCampaignRoute = {
  id: 'campaigns.schedule',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/schedule',
  group: 'campaign-sending',
  summary: text({ en: 'Schedule a campaign', fr: 'Programmer une campagne' }),
  description: text({
    en: 'Sends a draft at a time, to the minute, or moves a campaign that is scheduled. Makes the checks of a send and counts the recipients; who gets it is decided when it is sent. If it is refused then, it becomes a draft again and `schedule_failure` has the reason.',
    fr: 'Envoie un brouillon à une heure donnée, à la minute, ou déplace une campagne programmée. Fait les contrôles d’un envoi et compte les destinataires ; qui la reçoit est décidé à l’envoi. Si elle est alors refusée, elle redevient un brouillon et `schedule_failure` en donne la raison.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: {
    path: campaignPath,
    headers: idempotencyHeaders('schedule-autumn-news'),
    body: scheduleCampaignRequest,
    example: { scheduled_at: '2026-12-01T09:00:00+01:00' },
  },
  responses: [
    {
      status: 200,
      description: text({ en: 'The campaign is scheduled.', fr: 'La campagne est programmée.' }),
      schema: scheduledCampaign,
      headers: replayHeader,
      example: {
        id,
        object: 'campaign',
        status: 'scheduled',
        scheduledAt: '2026-12-01T08:00:00.000Z',
        target,
        recipients: 1200,
      },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite', queues: ['campaign-start', 'webhook-delivery-bulk'], scheduler: true },
  // As for a send: the whole audience is counted within the call.
  function: { entry: 'functions/api/campaigns/schedule.ts', memoryMegabytes: 1769, timeoutSeconds: 29 },
} as const satisfies Route;

export const unscheduleCampaignRoute = {
  id: 'campaigns.unschedule',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/unschedule',
  group: 'campaign-sending',
  summary: text({ en: 'Unschedule a campaign', fr: 'Déprogrammer une campagne' }),
  description: text({
    en: 'Makes a scheduled campaign a draft again. Refused once it is being sent.',
    fr: 'Refait un brouillon d’une campagne programmée. Refusé dès qu’elle est en cours d’envoi.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('unschedule-autumn-news') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The draft.', fr: 'Le brouillon.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: draftExample,
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', scheduler: 'delete' },
  function: { entry: 'functions/api/campaigns/unschedule.ts' },
} as const satisfies Route;

export const pauseCampaignRoute = {
  id: 'campaigns.pause',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/pause',
  group: 'campaign-sending',
  summary: text({ en: 'Pause a campaign', fr: 'Mettre une campagne en pause' }),
  description: text({
    en: 'For a campaign that is being sent. Calls to the provider in flight, for 50 people at most each, still go out.',
    fr: 'Pour une campagne en cours d’envoi. Les appels au prestataire en cours, de 50 personnes au plus chacun, partent encore.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('pause-autumn-news') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The campaign, on hold.', fr: 'La campagne, suspendue.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: {
        ...detailExample,
        progress: { ...detailExample.progress, paused: true, reason: 'operator', rate: null, estimated_end: null },
      },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['webhook-delivery-bulk'] },
  function: { entry: 'functions/api/campaigns/pause.ts' },
} as const satisfies Route;

export const resumeCampaignRoute = {
  id: 'campaigns.resume',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/resume',
  group: 'campaign-sending',
  summary: text({ en: 'Resume a campaign', fr: 'Reprendre une campagne' }),
  description: text({
    en: 'For a campaign that was paused, or that the provider refused. The recipients who wait get it.',
    fr: 'Pour une campagne mise en pause, ou refusée par le prestataire. Les destinataires en attente la reçoivent.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('resume-autumn-news') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The campaign.', fr: 'La campagne.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: detailExample,
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['campaign', 'webhook-delivery-bulk'] },
  function: { entry: 'functions/api/campaigns/resume.ts' },
} as const satisfies Route;

export const cancelCampaignRoute = {
  id: 'campaigns.cancel',
  method: 'POST',
  path: '/api/v1/campaigns/{id}/cancel',
  group: 'campaign-sending',
  summary: text({ en: 'Cancel a campaign', fr: 'Annuler une campagne' }),
  description: text({
    en: 'Irreversible, for a campaign that is being sent: the recipients who wait are skipped, then it is `sent`.',
    fr: 'Irréversible, pour une campagne en cours d’envoi : les destinataires en attente sont écartés, puis elle est `sent`.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: campaignPath, headers: idempotencyHeaders('cancel-autumn-news') },
  responses: [
    {
      status: 200,
      description: text({ en: 'The campaign, as it ends.', fr: 'La campagne, qui se termine.' }),
      schema: campaignDetail,
      headers: replayHeader,
      example: {
        ...detailExample,
        progress: { ...detailExample.progress, paused: true, reason: 'canceled', rate: null, estimated_end: null },
      },
    },
  ],
  keepsAnswer: true,
  errors: ['not_found', 'conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', queues: ['campaign', 'webhook-delivery-bulk'] },
  function: { entry: 'functions/api/campaigns/cancel.ts' },
} as const satisfies Route;

export const campaignSteeringRoutes: readonly Route[] = [
  scheduleCampaignRoute,
  unscheduleCampaignRoute,
  pauseCampaignRoute,
  resumeCampaignRoute,
  cancelCampaignRoute,
];
