import type { Needs } from '../shared/contract/route.ts';
import type { SettingName } from '../shared/platform/config.ts';

/**
 * What the service is made of besides its routes. The CDK app and the local runtime are two loops over these constants,
 * so that neither can have a table, a queue or a rule that the other lacks.
 */

export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Attributes carried besides the keys; none means that only keys are projected. */
  readonly projected: readonly string[];
}

/** The one table. What each index serves is written in docs/decisions/0002-one-table.md. All indexes are sparse. */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'expires_at',
  indexes: [
    { name: 'newest', partitionKey: 'newest_pk', sortKey: 'newest_sk', projected: [] },
    { name: 'status', partitionKey: 'status_pk', sortKey: 'status_sk', projected: [] },
    { name: 'suppressed', partitionKey: 'suppressed_pk', sortKey: 'suppressed_sk', projected: [] },
    {
      name: 'audience',
      partitionKey: 'audience_pk',
      sortKey: 'audience_sk',
      projected: ['email', 'first_name', 'last_name', 'tags', 'fields', 'created_at', 'confirmed_at'],
    },
    { name: 'due', partitionKey: 'due_pk', sortKey: 'due_sk', projected: [] },
  ] satisfies readonly IndexDefinition[],
} as const;

/** What lies in the bucket of files, by how its keys begin (shared/store/files/keys.ts), and for how many days. */
export const files = {
  areas: [
    // S3 counts from the midnight that follows: a file is there for 24 hours at least.
    { prefix: 'uploads/', expiresAfterDays: 1 },
    // An email goes out within 30 days; what is left then was forgotten by a crash.
    { prefix: 'bodies/', expiresAfterDays: 32 },
    // Until somebody has looked at the file, imported it and read which lines were refused.
    { prefix: 'imports/', expiresAfterDays: 7 },
    { prefix: 'exports/', expiresAfterDays: 1 },
  ],
} as const;

export interface QueueDefinition {
  readonly name: string;
  /** The worker that reads it: functions/workers/<worker>.ts. */
  readonly worker: string;
  readonly batchSize: number;
  /** How long Lambda gathers a batch before it starts the worker. */
  readonly batchWindowSeconds: number;
  readonly workerTimeoutSeconds: number;
  /** More than the usual half a gigabyte, which is a third of a processor. */
  readonly workerMemoryMegabytes?: number;
  /** Receives before a message moves to the dead-letter queue. */
  readonly maxReceives: number;
  /** Workers at once; SQS allows 2 at least. */
  readonly maxConcurrency: number;
  /** What the worker may touch. */
  readonly needs: Needs;
  /** Settings that the worker reads; an endpoint is handed all of them with each call. */
  readonly settings?: readonly SettingName[];
}

/** A queue's visibility timeout is six times its worker's, as AWS advises for Lambda event sources. */
export const queues = {
  feedback: {
    name: 'feedback',
    worker: 'feedback',
    batchSize: 100,
    batchWindowSeconds: 1,
    workerTimeoutSeconds: 30,
    maxReceives: 8,
    maxConcurrency: 20,
    needs: { table: 'readWrite', queues: ['webhook-delivery'] },
    settings: ['EMAIL_RETENTION_DAYS', 'EMAIL_LIST'],
  },
  /** Requests for consent: each message names a person whose confirmation is owed, or who sent the public form. */
  confirmation: {
    name: 'confirmation',
    worker: 'confirmation',
    batchSize: 10,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 60,
    maxReceives: 8,
    maxConcurrency: 10,
    needs: { table: 'readWrite', email: ['raw'], queues: ['webhook-delivery'] },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS', 'EMAIL_LIST'],
  },
  /** Emails whose time has come: each message waits on the queue for the last minutes until then. */
  'scheduled-email': {
    name: 'scheduled-email',
    worker: 'scheduledEmail',
    batchSize: 5,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 60,
    workerMemoryMegabytes: 1024,
    maxReceives: 8,
    maxConcurrency: 10,
    needs: {
      table: 'readWrite',
      email: ['raw'],
      files: ['readBody', 'deleteBody'],
      // Of one that is canceled, whoever listens is told.
      queues: ['webhook-delivery'],
    },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS', 'EMAIL_LIST'],
  },
  /** Messages carry `<workspace>#<webhook>` as their group: a standard queue with groups is fair between them. */
  'webhook-delivery': {
    name: 'webhook-delivery',
    worker: 'webhookDelivery',
    batchSize: 10,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 30,
    maxReceives: 10,
    maxConcurrency: 20,
    needs: {
      table: 'readWrite',
      tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
      // Of a webhook that is enabled again, what was held back goes on in the lane that it came by.
      queues: ['webhook-delivery', 'webhook-delivery-bulk'],
      scheduler: true,
      secret: true,
    },
  },
  /** The events of campaigns and imports: the same work, behind which nothing live waits. */
  'webhook-delivery-bulk': {
    name: 'webhook-delivery-bulk',
    worker: 'webhookDeliveryBulk',
    batchSize: 10,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 30,
    maxReceives: 10,
    maxConcurrency: 10,
    needs: {
      table: 'readWrite',
      tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
      queues: ['webhook-delivery-bulk'],
      scheduler: true,
      secret: true,
    },
  },
  /** A message is a turn of one of a campaign's few runners: it sends for a while and comes back as a new message. */
  campaign: {
    name: 'campaign',
    worker: 'campaign',
    batchSize: 1,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 60,
    maxReceives: 4,
    maxConcurrency: 20,
    needs: {
      table: 'readWrite',
      email: ['bulk', 'account'],
      secret: true,
      queues: ['campaign'],
      // A call of which nothing was heard is made again only when no event waits to be read.
      watchedQueues: ['campaign-feedback'],
    },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS'],
  },
  /** A scheduled campaign whose time has come: like the call that sends one, it freezes everybody within one run. */
  'campaign-start': {
    name: 'campaign-start',
    worker: 'campaignStart',
    batchSize: 1,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 120,
    workerMemoryMegabytes: 1769,
    maxReceives: 4,
    maxConcurrency: 5,
    needs: { table: 'readWrite', queues: ['campaign'] },
    settings: ['EMAIL_RETENTION_DAYS'],
  },
  'campaign-feedback': {
    name: 'campaign-feedback',
    worker: 'campaignFeedback',
    batchSize: 1000,
    batchWindowSeconds: 10,
    workerTimeoutSeconds: 60,
    maxReceives: 8,
    maxConcurrency: 10,
    needs: { table: 'readWrite', queues: ['webhook-delivery-bulk'] },
    settings: ['EMAIL_RETENTION_DAYS', 'EMAIL_LIST'],
  },
  /** What takes an operator longer than an answer may: imports, exports, erasures. A message is a turn of one of them. */
  job: {
    name: 'job',
    worker: 'job',
    batchSize: 1,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 900,
    workerMemoryMegabytes: 1769,
    maxReceives: 4,
    maxConcurrency: 5,
    needs: {
      table: 'readWrite',
      tableScan: true,
      files: ['runImport', 'writeExport'],
      queues: ['job', 'confirmation', 'webhook-delivery', 'webhook-delivery-bulk'],
    },
  },
} as const satisfies Record<string, QueueDefinition>;

/** Queues that an operator's commands schedule messages for, besides what functions do. */
export const operatorSchedules: readonly (keyof typeof queues)[] = ['campaign-start'];

/**
 * Ways of the provider's feedback: each has a configuration set, a topic and a queue of its own, so that what a campaign
 * to a million brings never stands before what a single email brings. `variable` tells the functions of a `use` its set.
 */
export const feedbackLanes = [
  { name: 'feedback', queue: 'feedback', variable: 'CONFIGURATION_SET', use: 'raw' },
  { name: 'campaign-feedback', queue: 'campaign-feedback', variable: 'CAMPAIGN_CONFIGURATION_SET', use: 'bulk' },
] as const;

export interface RuleDefinition {
  readonly name: string;
  /** The worker that it starts: functions/workers/<worker>.ts. */
  readonly worker: string;
  readonly everyMinutes: number;
  readonly workerTimeoutSeconds: number;
  readonly needs: Needs;
  readonly settings?: readonly SettingName[];
}

export const rules = {
  sweep: {
    name: 'sweep',
    worker: 'sweep',
    everyMinutes: 1,
    /** A minute of 500 sends a second takes some seconds to settle on a third of a core; runs may overlap. */
    workerTimeoutSeconds: 300,
    needs: {
      table: 'readWrite',
      tableScan: true,
      files: ['erase'],
      queues: ['webhook-delivery', 'webhook-delivery-bulk', 'confirmation', 'campaign', 'scheduled-email', 'job'],
    },
  },
} as const satisfies Record<string, RuleDefinition>;

/** SES event types that the configuration set publishes. `SEND` settles a send whose answer never came back. */
export const feedbackEventTypes = [
  'SEND',
  'REJECT',
  'BOUNCE',
  'COMPLAINT',
  'DELIVERY',
  'OPEN',
  'CLICK',
  'RENDERING_FAILURE',
  'DELIVERY_DELAY',
] as const;
