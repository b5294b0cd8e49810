import * as z from 'zod';

/** Calls a minute that a key may make, where the deployment does not say. */
export const usualRequestsPerMinute = 600;

/** What an operator decides and may change later; the rest is what the deployment is made of. */
export type SettingName = 'PUBLIC_URL' | 'REQUESTS_PER_MINUTE' | 'EMAIL_RETENTION_DAYS' | 'EMAIL_LIST';

/** What the console is told besides, where it is served: its address, and who says who somebody is. */
export type ConsoleSettingName =
  | 'CONSOLE_URL'
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET_ID'
  | 'USER_POOL_ID';

/** Which lists of single emails are kept, each with what the one before has: what they cost is told in decision 12. */
export const emailLists = ['none', 'newest', 'recipient-and-tag'] as const;

/** The only reader of `process.env`. Each function is given just what it needs, so every value may be absent. */
const environment = z.object({
  TABLE_NAME: z.string().optional(),
  /** Uploads, and the bodies of what is scheduled. */
  FILES_BUCKET: z.string().optional(),
  /** Where the SDK's clients look too: the bucket is spoken to without one. */
  AWS_ENDPOINT_URL_S3: z.string().optional(),
  AWS_ENDPOINT_URL_DYNAMODB: z.string().optional(),
  AWS_ENDPOINT_URL_SCHEDULER: z.string().optional(),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.string().optional(),
  AWS_ENDPOINT_URL_SESV2: z.string().optional(),
  AWS_ENDPOINT_URL_SQS: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
  CONFIGURATION_SET: z.string().optional(),
  /** Campaign mail has one of its own, so that its feedback takes a lane of its own. */
  CAMPAIGN_CONFIGURATION_SET: z.string().optional(),
  /** How long after a call that broke its people may be tried again, if nothing at all was heard of it. */
  CAMPAIGN_DOUBT_SECONDS: z.coerce.number().int().positive().default(900),
  /** How long a campaign that something stands in the way of waits before it looks again. */
  CAMPAIGN_LOOK_AGAIN_SECONDS: z.coerce.number().int().positive().default(60),
  /** How late a turn of a campaign's runner is given up for lost: far beyond the longest that a function runs. */
  CAMPAIGN_LOST_SECONDS: z.coerce.number().int().positive().default(180),
  /** Parts of the table that a scan reads side by side; an engine that goes through all of it for each is given one. */
  TABLE_SCAN_SEGMENTS: z.coerce.number().int().positive().default(4),
  /** Transactions of many people that an import has under way; an engine that does one after the other is given fewer. */
  TRANSACTIONS_AT_ONCE: z.coerce.number().int().positive().default(8),
  PUBLIC_URL: z.url().optional(),
  SERVICE_SECRET_ID: z.string().optional(),
  SERVICE_SECRET_FILE: z.string().optional(),
  SCHEDULER_ROLE_ARN: z.string().optional(),
  /** EventBridge Scheduler's own group unless the deployment has one for its schedules. */
  SCHEDULE_GROUP: z.string().default('default'),
  REQUESTS_PER_MINUTE: z.coerce.number().int().positive().default(usualRequestsPerMinute),
  EMAIL_RETENTION_DAYS: z.coerce.number().int().positive().default(365),
  EMAIL_LIST: z.enum(emailLists).default('newest'),
  /** The inbox of the local SES, where there is one. */
  INBOX_URL: z.url().optional(),
  /** The console, where it is served. */
  CONSOLE_URL: z.url().optional(),
  /** The OpenID Connect provider by which operators sign in; without one they do by a link. */
  OIDC_ISSUER: z.url().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  /** Where the client's secret is kept, for a provider that gave one: in Secrets Manager, or in a file of a laptop. */
  OIDC_CLIENT_SECRET_ID: z.string().optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  /** The user pool that the deployment made for its operators, where it made one. */
  USER_POOL_ID: z.string().optional(),
  /** `true` on a laptop: loopback is then a place that mail and webhooks may link to. */
  ALLOW_LOOPBACK: z.stringbool().default(false),
});

type Environment = z.output<typeof environment>;
let parsed: Environment | undefined;
let taken = '';

/**
 * Takes the settings that API Gateway hands over with a call (stage variables); they win over the environment. So a
 * changed setting changes the stage, and no function.
 */
export function takeSettings(variables: Readonly<Record<string, string | undefined>> | null | undefined): void {
  const given = JSON.stringify(variables ?? {});
  if (given === taken) return;
  parsed = environment.parse({ ...process.env, ...variables });
  taken = given;
}

/** A validated environment variable; throws with its name when this function was not given it. */
export function config<Name extends keyof Environment>(name: Name): NonNullable<Environment[Name]> {
  parsed ??= environment.parse(process.env);
  const value = parsed[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value as NonNullable<Environment[Name]>;
}

/** `{base_url}` of the contract, without a trailing slash. */
export const publicUrl = (): string => config('PUBLIC_URL').replace(/\/$/, '');

/** True when this function was given the variable. */
export function hasConfig(name: keyof Environment): boolean {
  parsed ??= environment.parse(process.env);
  return parsed[name] !== undefined;
}

/** The URL of a queue from infra/resources.ts: `webhook-delivery` is `WEBHOOK_DELIVERY_QUEUE_URL`. */
export function queueUrl(queue: string): string {
  return required(`${environmentName(queue)}_QUEUE_URL`);
}

/** The URL of the queue behind a queue, where what it gave up lies. */
export function deadLettersUrl(queue: string): string {
  return required(`${environmentName(queue)}_DEAD_LETTERS_URL`);
}

/** All of those that this function was told of, by the names of their queues. */
export function deadLetterQueues(): readonly { readonly name: string; readonly url: string }[] {
  return Object.entries(process.env).flatMap(([variable, url]) => {
    const name = /^(\w+)_DEAD_LETTERS_URL$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-');
    return name && url ? [{ name, url }] : [];
  });
}

/** The ARN of a queue, for schedules that put a message on it. */
export function queueArn(queue: string): string {
  return required(`${environmentName(queue)}_QUEUE_ARN`);
}

export function environmentName(resource: string): string {
  return resource.toUpperCase().replaceAll('-', '_');
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
