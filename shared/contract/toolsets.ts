import { type Text, text, textsOf } from '../language/text.ts';
import type { Route } from './route.ts';
import { usageRoute } from './routes/account.ts';
import { evaluateAudienceRoute } from './routes/audience.ts';
import {
  automationStatsRoute,
  cancelAutomationRunRoute,
  getAutomationRunRoute,
  listAutomationRunsRoute,
} from './routes/automationRuns.ts';
import { simulateAutomationRoute } from './routes/automationSimulation.ts';
import {
  createAutomationRoute,
  getAutomationRoute,
  listAutomationsRoute,
  stopAutomationRoute,
  updateAutomationRoute,
} from './routes/automations.ts';
import {
  archiveCampaignRoute,
  deleteCampaignRoute,
  duplicateCampaignRoute,
  updateCampaignRoute,
} from './routes/campaignDrafts.ts';
import { previewCampaignRoute, testCampaignRoute } from './routes/campaignMessages.ts';
import { listRecipientsRoute } from './routes/campaignOutcome.ts';
import {
  cancelCampaignRoute,
  pauseCampaignRoute,
  resumeCampaignRoute,
  scheduleCampaignRoute,
  unscheduleCampaignRoute,
} from './routes/campaignSteering.ts';
import { getCampaignRoute } from './routes/campaigns.ts';
import {
  createDomainRoute,
  deleteDomainRoute,
  getDomainRoute,
  listDomainsRoute,
  verifyDomainRoute,
} from './routes/domains.ts';
import { cancelEmailRoute, listEmailsRoute, updateEmailRoute } from './routes/emailRecords.ts';
import { sendBatchRoute } from './routes/emails.ts';
import { recordEventRoute } from './routes/events.ts';
import { cancelJobRoute, createExportRoute, getJobRoute, listJobsRoute } from './routes/jobs.ts';
import { getPreferencesRoute, updatePreferencesRoute } from './routes/preferences.ts';
import {
  createSegmentRoute,
  deleteSegmentRoute,
  getSegmentRoute,
  listSegmentsRoute,
  previewSegmentRoute,
  updateSegmentRoute,
} from './routes/segments.ts';
import { createSenderRoute, deleteSenderRoute, listSendersRoute } from './routes/senders.ts';
import { getSubscriberRoute } from './routes/subscribers.ts';
import {
  createTemplateRoute,
  deleteTemplateRoute,
  getTemplateRoute,
  listTemplatesRoute,
  updateTemplateRoute,
} from './routes/templates.ts';
import { createTopicRoute, deleteTopicRoute, listTopicsRoute, updateTopicRoute } from './routes/topics.ts';
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getDeliveryRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  replayDeliveryRoute,
  rotateWebhookRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './routes/webhooks.ts';
import { type Effect, reads, readsOfStrangers, type Tool, tools } from './tools.ts';

/** Adds something of its own, which changes nothing that was there. */
const adds: Effect = { readOnly: false, destructive: false, idempotent: false, openWorld: false };
/** Overwrites or ends what was there. */
const overwrites: Effect = { readOnly: false, destructive: true, idempotent: true, openWorld: false };
/** Reaches people, now or later. */
const mails: Effect = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
const calls: Effect = { ...adds, openWorld: true };

const texts = textsOf({
  batch: {
    en: 'Irreversible: first show a person what will be sent and to whom. `emails` takes what `send_email` takes, up to 100 times. If you get no answer, repeat the same call: nothing is sent twice within 24 hours.',
    fr: 'Irréversible : montrez d’abord à une personne ce qui sera envoyé et à qui. `emails` reprend ce que prend `send_email`, jusqu’à 100 fois. Sans réponse, répétez le même appel : rien n’est envoyé deux fois en 24 heures.',
  },
  event: {
    en: 'Without an `external_id`, the same arguments within 24 hours count as a repetition.',
    fr: 'Sans `external_id`, les mêmes arguments dans les 24 heures comptent comme une répétition.',
  },
  schedule: {
    en: 'Mail goes out at that time without another call: show a person the `target` and the number of recipients in the answer, and call `unschedule_campaign` if they disagree.',
    fr: 'Le courrier partira à cette heure sans autre appel : montrez à une personne la cible (`target`) et le nombre de destinataires de la réponse, et appelez `unschedule_campaign` en cas de désaccord.',
  },
  newAutomation: {
    en: 'Sends nothing: show a person its steps, then call `enable_automation` once they have approved them.',
    fr: 'N’envoie rien : montrez ses étapes à une personne, puis appelez `enable_automation` quand elle les a approuvées.',
  },
  simulate: {
    en: 'Sends nothing: simulates the runs of people, on their data as they are now.',
    fr: 'N’envoie rien : simule les parcours des personnes, sur leurs données actuelles.',
  },
  isDisabled: {
    en: 'is always disabled here: to enable it, call `enable_automation`',
    fr: 'vaut toujours disabled ici : pour l’activer, appelez `enable_automation`',
  },
  enable: {
    en: 'From then on it sends mail by itself, to each person whom its trigger starts: enable only what a person has approved. A refusal names what is missing. `stop_automation` ends it and all of its runs.',
    fr: 'Elle envoie dès lors des messages d’elle-même, à chaque personne que son déclencheur fait entrer : n’activez que ce qu’une personne a approuvé. Un refus nomme ce qui manque. `stop_automation` y met fin, avec tous ses parcours.',
  },
  isEnabled: {
    en: 'is always enabled here: to end it, call `stop_automation`',
    fr: 'vaut toujours enabled ici : pour y mettre fin, appelez `stop_automation`',
  },
  secret: {
    en: 'The answer has the signing secret, once: give it to a person, and do not repeat it anywhere else.',
    fr: 'La réponse contient le secret de signature, une seule fois : remettez-le à une personne et ne le répétez nulle part ailleurs.',
  },
});

const campaignBody = Object.fromEntries(
  ['content', 'ab_test', 'text', 'html', 'plain_text', 'template', 'track', 'reply_to'].map((field) => [
    field,
    'create_campaign',
  ]),
);
const automationBody = Object.fromEntries(
  [
    'steps',
    'connections',
    'reentry',
    'run_key',
    'goals',
    'topic_id',
    'tag',
    'from',
    'reply_to',
    'track',
    'quiet_hours',
    'max_delay',
  ].map((field) => [field, 'create_automation']),
);
const templateBody = { content: 'create_campaign' };

/** The pages of every list are asked for in the same way. */
const paging = { limit: 'list_campaigns', cursor: 'list_campaigns' };

/** What is added twice can be deleted again: such a tool takes no idempotency key of an agent's own. */
const tool = (name: string, route: Route, effect: Effect, more: Partial<Tool> = {}): Tool => ({
  ...{ name, route, effect, ...more },
  ...(name.startsWith('list_') && { sameAs: { ...paging, ...more.sameAs } }),
  ...(effect === adds && !more.keyedBy && { without: ['idempotency_key', ...(more.without ?? [])] }),
});

/** Groups of tools that an agent gets beside the usual ones, when its address asks for them. */
export const toolsets = {
  campaigns: [
    tool('list_segments', listSegmentsRoute, reads),
    tool('list_topics', listTopicsRoute, reads),
    tool('get_campaign', getCampaignRoute, reads),
    tool('update_campaign', updateCampaignRoute, overwrites, { sameAs: campaignBody }),
    tool('delete_campaign', deleteCampaignRoute, overwrites),
    tool('render_campaign', previewCampaignRoute, readsOfStrangers),
    tool('test_campaign', testCampaignRoute, mails),
    tool('schedule_campaign', scheduleCampaignRoute, mails, { advice: texts.schedule }),
    tool('unschedule_campaign', unscheduleCampaignRoute, overwrites),
    tool('pause_campaign', pauseCampaignRoute, overwrites),
    tool('resume_campaign', resumeCampaignRoute, mails),
    tool('cancel_campaign', cancelCampaignRoute, overwrites),
    tool('duplicate_campaign', duplicateCampaignRoute, adds),
    tool('archive_campaign', archiveCampaignRoute, overwrites),
    tool('list_campaign_recipients', listRecipientsRoute, readsOfStrangers),
  ],
  audience: [
    tool('get_subscriber', getSubscriberRoute, readsOfStrangers),
    tool('evaluate_audience', evaluateAudienceRoute, reads),
    tool('get_segment', getSegmentRoute, reads),
    tool('create_segment', createSegmentRoute, adds),
    tool('update_segment', updateSegmentRoute, overwrites, { sameAs: { rule: 'create_segment' } }),
    tool('delete_segment', deleteSegmentRoute, overwrites),
    tool('preview_segment', previewSegmentRoute, readsOfStrangers, { sameAs: { rule: 'create_segment' } }),
    tool('get_preferences', getPreferencesRoute, readsOfStrangers),
    tool('update_preferences', updatePreferencesRoute, overwrites),
    tool('create_topic', createTopicRoute, adds),
    tool('update_topic', updateTopicRoute, overwrites),
    tool('delete_topic', deleteTopicRoute, overwrites),
  ],
  emails: [
    tool('list_emails', listEmailsRoute, readsOfStrangers),
    tool('send_batch', sendBatchRoute, mails, {
      advice: texts.batch,
      keyedBy: 'idempotency-key',
      listArgument: 'emails',
      sameAs: { emails: 'send_email' },
    }),
    tool('reschedule_email', updateEmailRoute, overwrites),
    tool('cancel_email', cancelEmailRoute, overwrites),
  ],
  templates: [
    tool('list_templates', listTemplatesRoute, reads),
    tool('get_template', getTemplateRoute, reads),
    tool('create_template', createTemplateRoute, adds, { sameAs: templateBody }),
    tool('update_template', updateTemplateRoute, overwrites, {
      sameAs: { ...templateBody, variables: 'create_template' },
    }),
    tool('delete_template', deleteTemplateRoute, overwrites),
  ],
  webhooks: [
    tool('list_webhooks', listWebhooksRoute, reads),
    tool('get_webhook', getWebhookRoute, reads),
    tool('create_webhook', createWebhookRoute, calls, { advice: texts.secret }),
    tool('update_webhook', updateWebhookRoute, overwrites, { sameAs: { events: 'create_webhook' } }),
    tool('delete_webhook', deleteWebhookRoute, overwrites),
    tool('rotate_webhook_secret', rotateWebhookRoute, overwrites, { advice: texts.secret }),
    tool('test_webhook', testWebhookRoute, calls),
    tool('list_webhook_deliveries', listDeliveriesRoute, readsOfStrangers),
    tool('get_webhook_delivery', getDeliveryRoute, readsOfStrangers),
    tool('replay_webhook_delivery', replayDeliveryRoute, calls),
  ],
  domains: [
    tool('list_domains', listDomainsRoute, reads),
    tool('get_domain', getDomainRoute, reads),
    tool('create_domain', createDomainRoute, adds, { status: 201 }),
    tool('verify_domain', verifyDomainRoute, overwrites),
    tool('delete_domain', deleteDomainRoute, overwrites),
    tool('list_senders', listSendersRoute, reads),
    tool('create_sender', createSenderRoute, adds, { status: 201 }),
    tool('delete_sender', deleteSenderRoute, overwrites),
  ],
  automations: [
    tool('send_event', recordEventRoute, adds, { advice: texts.event, keyedBy: 'idempotency-key' }),
    tool('list_automations', listAutomationsRoute, reads),
    tool('get_automation', getAutomationRoute, reads),
    tool('create_automation', createAutomationRoute, adds, {
      sameAs: { track: 'create_campaign', reply_to: 'create_campaign' },
      advice: texts.newAutomation,
      fixed: { fields: { status: 'disabled' }, otherwise: texts.isDisabled },
    }),
    tool('update_automation', updateAutomationRoute, overwrites, { sameAs: automationBody, without: ['status'] }),
    tool('enable_automation', updateAutomationRoute, mails, {
      title: text({ en: 'Enable an automation', fr: 'Activer une automatisation' }),
      description: texts.enable,
      fixed: { fields: { status: 'enabled' }, otherwise: texts.isEnabled },
      without: ['name', ...Object.keys(automationBody)],
    }),
    tool('stop_automation', stopAutomationRoute, overwrites),
    tool('simulate_automation', simulateAutomationRoute, reads, {
      description: texts.simulate,
      without: ['definition', 'from', 'zone', 'replay_days'],
    }),
    tool('list_automation_runs', listAutomationRunsRoute, readsOfStrangers),
    tool('get_automation_run', getAutomationRunRoute, readsOfStrangers),
    tool('get_automation_stats', automationStatsRoute, reads),
    tool('cancel_automation_run', cancelAutomationRunRoute, overwrites),
  ],
  jobs: [
    tool('create_export', createExportRoute, adds),
    tool('get_job', getJobRoute, readsOfStrangers),
    tool('cancel_job', cancelJobRoute, overwrites),
    tool('list_jobs', listJobsRoute, readsOfStrangers),
    tool('get_usage', usageRoute, reads),
  ],
} as const satisfies Readonly<Record<string, readonly Tool[]>>;

export type Toolset = keyof typeof toolsets;
export const toolsetNames = Object.keys(toolsets) as Toolset[];

/** What each holds, as the instructions of the server tell agents. */
export const toolsetTexts: Readonly<Record<Toolset, Text>> = textsOf({
  campaigns: {
    en: 'read, edit, test, schedule, pause and cancel campaigns',
    fr: 'lire, modifier, essayer, planifier, suspendre et annuler des campagnes',
  },
  audience: { en: 'people, segments, topics', fr: 'personnes, segments, types de messages' },
  emails: {
    en: 'list emails, send a batch, move or cancel scheduled ones',
    fr: 'lister les e-mails, envoyer un lot, déplacer ou annuler les envois planifiés',
  },
  templates: { en: 'templates', fr: 'modèles' },
  webhooks: { en: 'webhooks and their deliveries', fr: 'webhooks et leurs livraisons' },
  domains: { en: 'sending domains and senders', fr: 'domaines d’envoi et expéditeurs' },
  automations: {
    en: 'automations, and events that start them',
    fr: 'automatisations, et événements qui les lancent',
  },
  jobs: { en: 'exports, background jobs, usage', fr: 'exports, tâches de fond, consommation' },
});

/** Every tool, each once. */
export const everyTool: readonly Tool[] = [...tools, ...Object.values(toolsets).flat()];
