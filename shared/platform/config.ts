import * as z from 'zod';

/** The default number of calls per minute and key. */
export const usualRequestsPerMinute = 600;
export const usualSignUpsPerHour = 200;
export const usualKeyConfirmationsPerDay = 500;
export const usualUnconfirmedDays = 30;
export const usualCampaignRunners = 8;
/** shared/domain/sending/archive.ts needs so many. */
export const fewestHotDays = 30;
export const usualHotDays = 35;
export const usualEventDays = 90;
/** Domains that cannot exist (RFC 2606), and public mailboxes that anybody can read. */
export const usualRefusedDomains = [
  'invalid',
  'mailinator.com',
  'guerrillamail.com',
  'sharklasers.com',
  'yopmail.com',
  'maildrop.cc',
  '10minutemail.com',
  'temp-mail.org',
  'trashmail.com',
] as const;

/** Settings that an operator may change later. All other variables describe the deployment's resources. */
export type SettingName =
  | 'PUBLIC_URL'
  | 'REQUESTS_PER_MINUTE'
  | 'EMAIL_RETENTION_DAYS'
  | 'EMAIL_HOT_DAYS'
  | 'EMAIL_LIST'
  | 'EVENT_RETENTION_DAYS'
  | 'MAIL_ACTIVITY'
  | 'SIGN_UPS_PER_HOUR'
  | 'KEY_CONFIRMATIONS_PER_DAY'
  | 'REFUSED_DOMAINS'
  | 'UNCONFIRMED_DAYS'
  | 'DNS_RESOLVER'
  | 'CAMPAIGN_RUNNERS'
  | 'WORKSPACE_METRICS'
  | 'SENDING';

/** Additional settings of the console: its address and the identity provider. */
export type ConsoleSettingName =
  | 'CONSOLE_URL'
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET_ID'
  | 'USER_POOL_ID';

/**
 * Which lists of single emails are kept; each value includes the lists of the one before. Costs: docs/design/email-lists.md.
 */
export const emailLists = ['none', 'newest', 'recipient', 'recipient-and-tag'] as const;

/** Whether the emails to one address can be listed. */
export const keepsRecipients = (list: (typeof emailLists)[number]): boolean =>
  list === 'recipient' || list === 'recipient-and-tag';

/** Whether a deployment sends before an operator has said so. */
export const sendingStarts = ['open', 'held'] as const;

/**
 * The only reader of `process.env`. Each function gets only the variables that it needs, so every one may be absent.
 */
const environment = z.object({
  TABLE_NAME: z.string().optional(),
  /** Holds uploads and the bodies of scheduled emails. */
  FILES_BUCKET: z.string().optional(),
  /** A standard variable of the SDK. The bucket is accessed without an SDK client, so it is read here too. */
  AWS_ENDPOINT_URL_S3: z.string().optional(),
  AWS_ENDPOINT_URL_DYNAMODB: z.string().optional(),
  AWS_ENDPOINT_URL_SCHEDULER: z.string().optional(),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.string().optional(),
  AWS_ENDPOINT_URL_SESV2: z.string().optional(),
  AWS_ENDPOINT_URL_SQS: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
  CONFIGURATION_SET: z.string().optional(),
  /** Campaign mail has its own set, so that its feedback uses its own queue. */
  CAMPAIGN_CONFIGURATION_SET: z.string().optional(),
  /** How long after a call without an answer its recipients may be tried again if no event reports it. */
  CAMPAIGN_DOUBT_SECONDS: z.coerce.number().int().positive().default(900),
  /** How long a campaign on hold waits before the reason is checked again. */
  CAMPAIGN_LOOK_AGAIN_SECONDS: z.coerce.number().int().positive().default(60),
  /** A campaign runner's run is taken for crashed after this time: far longer than the longest run of a function. */
  CAMPAIGN_LOST_SECONDS: z.coerce.number().int().positive().default(180),
  /** The most runners of a campaign. */
  CAMPAIGN_RUNNERS: z.coerce.number().int().positive().default(usualCampaignRunners),
  /** Whether the lines about what workspaces sent are metrics too. */
  WORKSPACE_METRICS: z.stringbool().default(false),
  /** Segments of a parallel scan. An engine that reads the whole table for each segment gets 1. */
  TABLE_SCAN_SEGMENTS: z.coerce.number().int().positive().default(4),
  /** Concurrent transactions of an import. An engine that executes them one by one gets fewer. */
  TRANSACTIONS_AT_ONCE: z.coerce.number().int().positive().default(8),
  PUBLIC_URL: z.url().optional(),
  SERVICE_SECRET_ID: z.string().optional(),
  SERVICE_SECRET_FILE: z.string().optional(),
  /** The secret that only the console may read. */
  CONSOLE_SECRET_ID: z.string().optional(),
  CONSOLE_SECRET_FILE: z.string().optional(),
  /** The deployment's API and stack, for commands that change throttles. */
  STACK_NAME: z.string().optional(),
  REST_API_ID: z.string().optional(),
  STAGE_NAME: z.string().optional(),
  AWS_ENDPOINT_URL_API_GATEWAY: z.string().optional(),
  SCHEDULER_ROLE_ARN: z.string().optional(),
  /** The default group of EventBridge Scheduler unless the deployment has its own. */
  SCHEDULE_GROUP: z.string().default('default'),
  REQUESTS_PER_MINUTE: z.coerce.number().int().positive().default(usualRequestsPerMinute),
  EMAIL_RETENTION_DAYS: z.coerce.number().int().positive().default(365),
  /** Days that an email is in the table; then it is in the bucket alone. */
  EMAIL_HOT_DAYS: z.coerce.number().int().min(fewestHotDays).default(usualHotDays),
  /** Days that an event of a person is kept. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).max(400).default(usualEventDays),
  /** Whether mail, opens and clicks are noted of each subscriber, for rules to ask about. */
  MAIL_ACTIVITY: z.stringbool().default(false),
  EMAIL_LIST: z.enum(emailLists).default('recipient'),
  /** `held`: nothing is sent until an operator releases it; what operators decide is in the table. */
  SENDING: z.enum(sendingStarts).default('open'),
  /** Sign-ups by the public form per workspace and hour. */
  SIGN_UPS_PER_HOUR: z.coerce.number().int().positive().default(usualSignUpsPerHour),
  /** Domains, with their subdomains, that the public form refuses; separated by commas. */
  REFUSED_DOMAINS: z
    .string()
    .default(usualRefusedDomains.join(','))
    .transform((names) => names.split(',').filter((name) => name !== '')),
  /** Days after which an unconfirmed sign-up is deleted; 0 keeps it. */
  UNCONFIRMED_DAYS: z.coerce.number().int().nonnegative().default(usualUnconfirmedDays),
  /**
   * The DNS resolver that checks whether a domain takes mail: `system` on AWS, an address on a laptop. Absent: no
   * check.
   */
  DNS_RESOLVER: z.string().optional(),
  /** Confirmations that API keys may request per day, in addition to their share of the monthly quota. */
  KEY_CONFIRMATIONS_PER_DAY: z.coerce.number().int().positive().default(usualKeyConfirmationsPerDay),
  /** The inbox of the local SES, if there is one. */
  INBOX_URL: z.url().optional(),
  /** The address of the console, if there is one. */
  CONSOLE_URL: z.url().optional(),
  /** The OpenID Connect provider of the operators; without one they sign in by a link. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  /** The client secret of a provider that issued one: its id in Secrets Manager, or a file on a laptop. */
  OIDC_CLIENT_SECRET_ID: z.string().optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  /** The user pool of the deployment's operators, if it has one. */
  USER_POOL_ID: z.string().optional(),
  /** `true` on a laptop: links and webhooks may then use loopback addresses. */
  ALLOW_LOOPBACK: z.stringbool().default(false),
});

type FunctionEnvironment = z.output<typeof environment>;
let parsed: FunctionEnvironment | undefined;
let taken = '';

/**
 * Reads the settings that API Gateway passes with a call (stage variables); they override the environment. So a changed
 * setting changes the stage and no function.
 */
export function takeSettings(variables: Readonly<Record<string, string | undefined>> | null | undefined): void {
  const given = JSON.stringify(variables ?? {});
  if (given === taken) return;
  parsed = environment.parse({ ...process.env, ...variables });
  taken = given;
}

/** A validated environment variable. Throws with its name if this function does not have it. */
export function config<Name extends keyof FunctionEnvironment>(name: Name): NonNullable<FunctionEnvironment[Name]> {
  parsed ??= environment.parse(process.env);
  const value = parsed[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value as NonNullable<FunctionEnvironment[Name]>;
}

/** `{base_url}` of the contract, without a trailing slash. */
export const publicUrl = (): string => config('PUBLIC_URL').replace(/\/$/, '');

/** True if this function has the variable. */
export function hasConfig(name: keyof FunctionEnvironment): boolean {
  parsed ??= environment.parse(process.env);
  return parsed[name] !== undefined;
}

/**
 * The URL of a queue of infra/resources.ts. Lambda allows 4 KB of variables, so one variable holds the common start of
 * all URLs.
 */
export const queueUrl = (queue: string): string => required('QUEUE_URL_PREFIX') + queue;

/** The ARN of a queue, for schedules that send to it and for redrives of dead letters. */
export const queueArn = (queue: string): string => required('QUEUE_ARN_PREFIX') + queue;

/** The name of a queue's dead-letter queue. */
export const deadLetterQueueName = (queue: string): string => `${queue}-dead`;

/** The queues that SNS fills with events of SES. */
const feedbackQueues = ['feedback', 'campaign-feedback'] as const;
export type FeedbackQueue = (typeof feedbackQueues)[number];
export const isFeedbackQueue = (name: string): name is FeedbackQueue =>
  (feedbackQueues as readonly string[]).includes(name);

/** The queue with the events that SNS could not deliver to a feedback queue. */
export const undeliveredQueueName = (queue: FeedbackQueue): string => `${queue}-undelivered`;

/** The queues whose length this function may read, and that of the queues behind them, by name. */
export const watchedQueues = (): readonly string[] => process.env.WATCHED_QUEUES?.split(',') ?? [];

/** The names of the queues whose dead letters this function may read. */
export const deadLetterQueues = (): readonly string[] => process.env.DEAD_LETTER_QUEUES?.split(',') ?? [];

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
