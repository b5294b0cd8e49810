import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { consolePaths } from '../shared/contract/endpoints.ts';
import {
  type ConsoleSettingName,
  emailLists,
  fewestHotDays,
  type SettingName,
  sendingStarts,
  usualCampaignRunners,
  usualEventDays,
  usualHotDays,
  usualKeyConfirmationsPerDay,
  usualRefusedDomains,
  usualSignUpsPerHour,
  usualUnconfirmedDays,
} from '../shared/platform/config.ts';

/** The retentions that CloudWatch Logs offers, in days. */
export const logRetentions = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const count = (from: number, to: number) => z.int().min(from).max(to);
const domainName = z
  .string()
  .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name');
/** A domain, or a whole top-level domain. */
const refusedDomain = z.string().regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]{2,63}$/, 'must be a domain name');
const certificateArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, 'must be the ARN of an ACM certificate');
/** The characters that a stage variable of API Gateway may have (API reference, "CreateStage"). */
const stageVariable = z.string().regex(/^[\w.~:/?#&=,-]+$/, 'may hold letters, digits and -._~:/?#&=, only');
const issuer = z.url({ protocol: /^https$/, error: 'must be an https address' }).pipe(stageVariable);
const secretArn = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-\w{6}$/,
    'must be the whole ARN of a secret',
  )
  .pipe(stageVariable);
/** An empty value means: not set. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
/** Calls a second, and calls at once. */
const throttle = (perSecond: number, burst: number) =>
  z
    .strictObject({ perSecond: count(1, 10_000).default(perSecond), burst: count(1, 5_000).default(burst) })
    .prefault({});
/** For what may be called less than once a second. */
const slowThrottle = (perSecond: number, burst: number) =>
  z
    .strictObject({
      perSecond: z.number().min(0.1).max(10_000).default(perSecond),
      burst: count(1, 5_000).default(burst),
    })
    .prefault({});

/** docs/settings.md explains each of them. */
const settingsSchema = z
  .strictObject({
    stage: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,19}$/, 'must be 1 to 20 of a-z and 0-9, a letter first')
      .default('prod'),
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region such as eu-west-3')
      .default('us-east-1'),
    domains: z
      .array(z.strictObject({ name: domainName, certificateArn }))
      .max(20)
      .default([]),
    closeDefaultHost: z.boolean().default(false),
    trackingDomain: optional(domainName),
    alarmEmail: optional(z.email('must be an email address')),
    alarmEndpoint: optional(z.url({ protocol: /^https$/, error: 'must be an https URL' })),
    alarmTopicArn: optional(
      z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'must be the ARN of a topic'),
    ),
    requestsPerMinute: count(1, 1_000_000).default(600),
    /** A key of the deployment's own for its topics, instead of none. */
    topicKey: z.boolean().default(false),
    dashboard: z.boolean().default(false),
    /** Metrics of each workspace: sent, delivered, bounced, complained. */
    workspaceMetrics: z.boolean().default(false),
    /** Traces of AWS X-Ray, and Lambda's report line of each run. */
    tracing: z.boolean().default(false),
    reportLines: z.boolean().default(false),
    /** Limits what routes may write of an API key to the counts of its calls, by a condition on attributes. */
    narrowKeyWrites: z.boolean().default(false),
    alarmRequestsPerMinute: count(60, 10_000_000).default(6_000),
    throttles: z
      .strictObject({
        routes: throttle(100, 200),
        lookups: throttle(20, 100),
        administration: throttle(5, 50),
        pages: throttle(2, 100),
        leaving: throttle(10, 500),
        documents: slowThrottle(0.2, 40),
        console: throttle(20, 60),
        others: slowThrottle(0.5, 20),
      })
      .prefault({}),
    throttlePercent: count(1, 100).default(100),
    firewall: z.strictObject({ requestsPerFiveMinutes: count(10, 2_000_000_000).optional() }).prefault({}),
    reservedConcurrency: z.strictObject({ sending: count(1, 1000).optional() }).prefault({}),
    /** Runs of all workers of queues at once, together. */
    concurrency: count(2, 1000).optional(),
    /** The most runners of a campaign. One transaction of at most 100 items makes them all. */
    campaignRunners: count(2, 64).default(usualCampaignRunners),
    /** Runs at once of the worker that delivers live events to webhooks. */
    webhookConcurrency: count(2, 1000).default(20),
    /** Operators sign in at the deployment's own user pool, at a provider, or only by links. */
    console: z
      .strictObject({
        deployed: z.boolean().default(true),
        userPool: z.boolean().default(false),
        provider: optional(z.strictObject({ issuer, clientId: stageVariable, clientSecretArn: optional(secretArn) })),
      })
      .refine(({ userPool, provider }) => !(userPool && provider), 'names a user pool and a provider: choose one')
      .prefault({}),
    /** By function; infra/endpoints.ts checks the names. */
    memoryMegabytes: z.record(z.string(), count(128, 10_240)).default({}),
    emailRetentionDays: count(1, 3650).default(365),
    emailHotDays: count(fewestHotDays, 3650).default(usualHotDays),
    /** A segment looks back as far. */
    eventRetentionDays: count(1, 400).default(usualEventDays),
    /** Rules about mail need it. */
    mailActivity: z.boolean().default(false),
    emailList: z.enum(emailLists).default('recipient'),
    sending: z.enum(sendingStarts).default('open'),
    confirmations: z
      .strictObject({
        perHour: count(1, 1_000_000).default(usualSignUpsPerHour),
        byKeysPerDay: count(1, 1_000_000).default(usualKeyConfirmationsPerDay),
        keptDays: count(0, 3650).default(usualUnconfirmedDays),
        refusedDomains: z
          .array(refusedDomain)
          .min(1, 'must name one at least, such as "invalid"')
          .refine((names) => names.join(',').length <= 512, 'must have at most 512 characters in all')
          .default([...usualRefusedDomains]),
      })
      .prefault({}),
    logRetentionDays: z
      .number()
      .refine((days) => logRetentions.includes(days), `must be one of ${logRetentions.join(', ')}`)
      .default(30),
    logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
    tableName: optional(z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a DynamoDB table')),
  })
  // Reported together with all other problems.
  .superRefine(checkDomains, { when: ({ value }) => Array.isArray((value as { domains?: unknown }).domains) });

type Given = { region?: unknown; closeDefaultHost?: unknown; domains: { name?: unknown; certificateArn?: unknown }[] };

function checkDomains({ domains, region, closeDefaultHost }: Given, context: z.RefinementCtx): void {
  const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  for (const [index, domain] of domains.entries()) {
    const certificate = certificateArn.safeParse(domain?.certificateArn);
    if (certificate.success && certificate.data.split(':')[3] !== region) {
      problem(['domains', index, 'certificateArn'], `must be of ${region}, as the API`);
    }
    const first = domains.findIndex((other) => other?.name === domain?.name);
    if (first < index) problem(['domains', index, 'name'], 'is given twice');
  }
  if (closeDefaultHost === true && domains.length === 0) {
    problem(['closeDefaultHost'], 'needs a domain, or nothing would answer');
  }
}

export type Settings = z.output<typeof settingsSchema>;

export const settingsFile = 'mailroom.settings.json';

/**
 * Reads the settings of a deployment from a file, by default `mailroom.settings.json` at the root of the project. Without
 * that file all settings have their defaults. Throws one error with every problem.
 */
export function readSettings(file?: string): Settings {
  const name = file ?? settingsFile;
  const text = textOf(isAbsolute(name) ? name : join(import.meta.dirname, '..', name));
  if (text === null && file !== undefined) throw new Error(`There is no file ${name}.`);
  return parseSettings(text === null ? {} : parsedJson(name, text), name);
}

/** Parses settings; `name` is the file's, for the error. */
export function parseSettings(value: unknown, name = settingsFile): Settings {
  const result = settingsSchema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name} is not valid:\n${result.error.issues.flatMap(problemsOf).join('\n')}`);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parsedJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${(error as Error).message}`);
  }
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  const at = (...path: PropertyKey[]) => `  ${path.join('.')}`;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at(...issue.path, key)} is not a setting`);
  const message = issue.message
    .replace(/^Invalid (input|option): expected/, 'must be')
    .replace(/^Too (small|big): expected \w+ to/, 'must');
  return [`${at(...issue.path)} ${message}`];
}

/** The name of a deployment: of its API and its stack, in its logs and metrics. */
export const serviceName = ({ stage }: Settings): string => `mailroom-${stage}`;

/** The settings that functions read, by the names of their variables. */
export function settingVariables(settings: Settings, publicUrl: string): Record<SettingName, string> {
  return {
    PUBLIC_URL: publicUrl,
    REQUESTS_PER_MINUTE: String(settings.requestsPerMinute),
    EMAIL_RETENTION_DAYS: String(settings.emailRetentionDays),
    EMAIL_HOT_DAYS: String(settings.emailHotDays),
    EMAIL_LIST: settings.emailList,
    EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
    MAIL_ACTIVITY: String(settings.mailActivity),
    SENDING: settings.sending,
    SIGN_UPS_PER_HOUR: String(settings.confirmations.perHour),
    REFUSED_DOMAINS: settings.confirmations.refusedDomains.join(','),
    UNCONFIRMED_DAYS: String(settings.confirmations.keptDays),
    DNS_RESOLVER: 'system',
    KEY_CONFIRMATIONS_PER_DAY: String(settings.confirmations.byKeysPerDay),
    WORKSPACE_METRICS: String(settings.workspaceMetrics),
    CAMPAIGN_RUNNERS: String(settings.campaignRunners),
  };
}

/** Whether the deployment has its own user pool for operators. */
export const keepsUsers = ({ console: { deployed, userPool } }: Settings): boolean => deployed && userPool;

/** The variables of the console: its address, and the provider at which operators sign in. */
export function consoleVariables(
  publicUrl: string,
  provider: Settings['console']['provider'] | null,
  userPoolId?: string,
): Partial<Record<ConsoleSettingName, string>> {
  return {
    CONSOLE_URL: `${publicUrl}${consolePaths.root}`,
    ...(provider && { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId }),
    ...(provider?.clientSecretArn && { OIDC_CLIENT_SECRET_ID: provider.clientSecretArn }),
    ...(userPoolId && { USER_POOL_ID: userPoolId }),
  };
}
