import type { Needs } from '../shared/contract/route.ts';
import type { SettingName } from '../shared/platform/config.ts';
import type { Settings } from './settings.ts';

/**
 * The service's resources besides its routes. Both the CDK app and the local service create what these constants say, so
 * that neither can have a table, a queue or a rule that the other lacks.
 */

export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Projected attributes besides the keys; none: keys only. */
  readonly projected: readonly string[];
}

/** The one table; docs/design/table.md says what each index is for. All indexes are sparse. */
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

/** Partitions that say who is an operator and who is signed in; infra/constructs/needs.ts lets only the console write them. */
export const operatorPartitions = ['CONSOLE', 'SIGNIN#*', 'SESSION#*'] as const;

/** The areas of the bucket, by key prefix (shared/store/files/bucket.ts), and how many days files are kept. */
export const files = {
  areas: [
    // S3 counts from the following midnight: a file exists for 24 hours at least.
    { prefix: 'uploads/', expiresAfterDays: 1 },
    // A scheduled email is sent within 30 days, and waits for another 30 while the deployment is held.
    { prefix: 'bodies/', expiresAfterDays: 62 },
    // Time to check the file, import it and read which lines were refused.
    { prefix: 'imports/', expiresAfterDays: 7 },
    { prefix: 'exports/', expiresAfterDays: 1 },
  ],
} as const;

/** Settings that say how much is done at once. */
export type WorkSettings = Pick<Settings, 'campaignRunners' | 'webhookConcurrency'>;

export interface QueueDefinition {
  readonly name: string;
  /** The worker that reads it: functions/workers/<worker>.ts. */
  readonly worker: string;
  readonly batchSize: number;
  /** How long Lambda waits for a batch to fill. */
  readonly batchWindowSeconds: number;
  readonly workerTimeoutSeconds: number;
  /** More than the usual 512 MB, a third of a processor. */
  readonly workerMemoryMegabytes?: number;
  /** Receives until a message moves to the dead-letter queue. */
  readonly maxReceives: number;
  /** Concurrent runs of the worker; SQS allows 2 at least. */
  readonly maxConcurrency: number;
  /** Instead of `maxConcurrency`, where it follows from settings. */
  readonly concurrencyFor?: (settings: WorkSettings) => number;
  /** What the worker may use. */
  readonly needs: Needs;
  /** Settings that the worker reads; endpoints get all of them with each call. */
  readonly settings?: readonly SettingName[];
}

/** A queue's visibility timeout is six times its worker's, as AWS recommends for Lambda event sources. */
export const queues = {
  feedback: {
    name: 'feedback',
    worker: 'feedback',
    batchSize: 100,
    batchWindowSeconds: 1,
    workerTimeoutSeconds: 30,
    maxReceives: 8,
    maxConcurrency: 20,
    needs: { table: 'readWrite', queues: ['webhook-delivery', 'automation'] },
    settings: [
      ...(['EMAIL_RETENTION_DAYS', 'EMAIL_LIST', 'UNCONFIRMED_DAYS', 'WORKSPACE_METRICS'] as const),
      ...(['EVENT_RETENTION_DAYS', 'MAIL_ACTIVITY'] as const),
    ],
  },
  /**
   * Mail to single people that is due: double opt-in and what else a person asked for, and scheduled emails, which the
   * queue delays for the last minutes. One queue costs half of two, and both need the same; their message groups differ,
   * so that neither waits for many of the other. It keeps the first one's name: another would lose what waits in it.
   */
  confirmation: {
    name: 'confirmation',
    worker: 'dueMail',
    batchSize: 5,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 60,
    workerMemoryMegabytes: 1024,
    maxReceives: 8,
    maxConcurrency: 20,
    needs: {
      table: 'readWrite',
      email: ['raw'],
      files: ['readBody', 'deleteBody'],
      // Canceling a scheduled email emits an event; while all sending is held, what a person requested goes back.
      queues: ['webhook-delivery', 'confirmation', 'automation'],
      // A try with a lost answer is repeated only when no event waits to be read.
      watchedQueues: ['feedback'],
    },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS', 'EMAIL_HOT_DAYS', 'EMAIL_LIST', 'UNCONFIRMED_DAYS', 'SENDING'],
  },
  /** The message group is `<workspace>#<webhook>`: a standard queue is fair between groups. */
  'webhook-delivery': {
    name: 'webhook-delivery',
    worker: 'webhookDelivery',
    batchSize: 10,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 30,
    maxReceives: 10,
    maxConcurrency: 20,
    concurrencyFor: ({ webhookConcurrency }) => webhookConcurrency,
    needs: {
      table: 'readWrite',
      tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
      // When a webhook is enabled again, held deliveries continue in their own lane.
      queues: ['webhook-delivery', 'webhook-delivery-bulk'],
      scheduler: true,
      secret: true,
    },
  },
  /** Events of campaigns and imports: the same work, in a lane of its own so that live events do not wait for it. */
  'webhook-delivery-bulk': {
    name: 'webhook-delivery-bulk',
    worker: 'webhookDeliveryBulk',
    batchSize: 10,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 30,
    maxReceives: 10,
    maxConcurrency: 10,
    concurrencyFor: ({ webhookConcurrency }) => Math.ceil(webhookConcurrency / 2),
    needs: {
      table: 'readWrite',
      tablePartitions: ['WS#*#WEBHOOKS', 'WS#*#WEBHOOK#*'],
      queues: ['webhook-delivery-bulk'],
      scheduler: true,
      secret: true,
    },
  },
  /** What automations do: events and changes to look at, and runs to go on with. A run sends one message a wake at most. */
  automation: {
    name: 'automation',
    worker: 'automation',
    batchSize: 5,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 90,
    workerMemoryMegabytes: 1024,
    maxReceives: 8,
    maxConcurrency: 20,
    needs: {
      table: 'readWrite',
      // Its pace is that of the account.
      email: ['raw', 'account'],
      // A step that changes a subscriber may start further runs.
      queues: ['automation', 'webhook-delivery'],
      // A message with a lost answer is repeated only when no event waits to be read.
      watchedQueues: ['feedback'],
    },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS', 'EMAIL_HOT_DAYS', 'EMAIL_LIST', 'SENDING'],
  },
  /** A message starts one run of a campaign runner, which continues with a new message. */
  campaign: {
    name: 'campaign',
    worker: 'campaign',
    batchSize: 1,
    batchWindowSeconds: 0,
    // Shorter than CAMPAIGN_LOST_SECONDS. The closer of a campaign for ten million people reads its slices in 90 seconds.
    workerTimeoutSeconds: 150,
    maxReceives: 4,
    maxConcurrency: 20,
    // Two campaigns with all of their runners, and their closers.
    concurrencyFor: ({ campaignRunners }) => 2 * (campaignRunners + 2),
    needs: {
      table: 'readWrite',
      email: ['bulk', 'account'],
      secret: true,
      queues: ['campaign', 'webhook-delivery-bulk'],
      // A call with a lost answer is repeated only when no event waits to be read.
      watchedQueues: ['campaign-feedback'],
    },
    settings: ['PUBLIC_URL', 'EMAIL_RETENTION_DAYS', 'SENDING', 'WORKSPACE_METRICS'],
  },
  /** A scheduled campaign: like the call that sends one, it freezes all recipients in one run. */
  'campaign-start': {
    name: 'campaign-start',
    worker: 'campaignStart',
    batchSize: 1,
    batchWindowSeconds: 0,
    workerTimeoutSeconds: 120,
    workerMemoryMegabytes: 1769,
    maxReceives: 4,
    maxConcurrency: 5,
    // While the deployment is held, a campaign that is due goes back to its queue.
    needs: { table: 'readWrite', queues: ['campaign', 'campaign-start', 'webhook-delivery-bulk'] },
    settings: ['EMAIL_RETENTION_DAYS', 'SENDING', 'CAMPAIGN_RUNNERS'],
  },
  'campaign-feedback': {
    name: 'campaign-feedback',
    worker: 'campaignFeedback',
    batchSize: 1000,
    batchWindowSeconds: 10,
    workerTimeoutSeconds: 60,
    maxReceives: 8,
    maxConcurrency: 10,
    needs: { table: 'readWrite', queues: ['webhook-delivery-bulk', 'automation'] },
    settings: [
      ...(['EMAIL_RETENTION_DAYS', 'EMAIL_LIST', 'UNCONFIRMED_DAYS', 'WORKSPACE_METRICS'] as const),
      ...(['EVENT_RETENTION_DAYS', 'MAIL_ACTIVITY'] as const),
    ],
  },
  /** Imports, exports, erasures and the copying of emails, which take longer than an API call may. A message starts one run. */
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
      files: ['runImport', 'writeExport', 'runArchive'],
      queues: ['job', 'confirmation', 'webhook-delivery', 'webhook-delivery-bulk', 'automation'],
    },
    settings: ['KEY_CONFIRMATIONS_PER_DAY', 'EMAIL_RETENTION_DAYS'],
  },
} as const satisfies Record<string, QueueDefinition>;

const definitions: Readonly<Record<string, QueueDefinition>> = queues;

/** All queues that a message can lead to, directly or through other workers. */
function queuesReachedFrom(queue: string, reached = new Set<string>()): ReadonlySet<string> {
  for (const next of definitions[queue]?.needs.queues ?? []) {
    if (reached.has(next)) continue;
    reached.add(next);
    queuesReachedFrom(next, reached);
  }
  return reached;
}

/** SQS's smallest limit for an event source. */
const fewestRuns = 2;

type Concurrency = Pick<QueueDefinition, 'maxConcurrency' | 'concurrencyFor'>;

/**
 * How many runs of a queue's worker Lambda does at once. With the setting `concurrency` the queues share that many, each by
 * its part of the usual sum.
 */
export function concurrencyOf(
  queue: Concurrency,
  settings: WorkSettings & { readonly concurrency?: number | undefined },
): number {
  const usualOf = ({ maxConcurrency, concurrencyFor }: Concurrency) =>
    Math.max(fewestRuns, concurrencyFor?.(settings) ?? maxConcurrency);
  const { concurrency } = settings;
  if (concurrency === undefined) return usualOf(queue);
  const usual = Object.values(definitions).reduce((sum, one) => sum + usualOf(one), 0);
  return Math.max(fewestRuns, Math.floor((usualOf(queue) * concurrency) / usual));
}

/**
 * Whether messages of a queue lead to further messages in the same queue: a campaign's next run, a webhook's next
 * attempt.
 */
export const leadsToItself = (queue: string): boolean => queuesReachedFrom(queue).has(queue);

/** Queues for which operators' commands create schedules, besides the functions. */
export const operatorSchedules: readonly (keyof typeof queues)[] = ['campaign-start'];

/**
 * Lanes of the provider's feedback: each has its own configuration set, topic and queue, so that events of a large campaign
 * never delay those of a single email. `variable` names the configuration set to functions with that `use`.
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
    /** Settling a minute with 500 sends a second takes some seconds on a third of a processor; runs may overlap. */
    workerTimeoutSeconds: 300,
    needs: {
      table: 'readWrite',
      tableScan: true,
      files: ['erase'],
      email: ['account'],
      queues: ['webhook-delivery', 'webhook-delivery-bulk', 'confirmation', 'campaign', 'job', 'automation'],
      watchedQueues: Object.keys(queues),
      refilledQueues: feedbackLanes.map(({ queue }) => queue),
    },
    settings: ['UNCONFIRMED_DAYS', 'SENDING', 'WORKSPACE_METRICS'],
  },
} as const satisfies Record<string, RuleDefinition>;

/** SES event types that the configuration sets publish. `SEND` settles a send whose answer was lost. */
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
