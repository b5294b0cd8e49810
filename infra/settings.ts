import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import type { SettingName } from '../shared/platform/config.ts';

const prefix = 'mailroom:';
const retentionDays = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days < 9999,
) as number[];

const count = (from: number, to: number) => z.coerce.number().int().min(from).max(to);
const domain = z
  .string()
  .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name');
/** An empty value means: not set. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const settings = z
  .strictObject({
    /** Stage of the API and part of the stacks' names: two stages share nothing. */
    stage: z.string().regex(/^[a-z][a-z0-9]{0,19}$/, 'must be 1 to 20 of a-z and 0-9, a letter first'),
    region: z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be an AWS region such as eu-west-3'),
    /** Where the service is called, instead of API Gateway's own address. */
    domainName: optional(domain),
    /** ACM certificate of `domainName`, in `region`. */
    certificateArn: optional(
      z
        .string()
        .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/, 'must be the ARN of an ACM certificate'),
    ),
    /** Host of the open pixel and of tracked links, instead of SES's own. */
    trackingDomain: optional(domain),
    /** Calls a minute of one API key. */
    requestsPerMinute: count(1, 1_000_000),
    /** Calls a second of everybody together, and how many may come at once. */
    requestsPerSecond: count(1, 10_000),
    burstRequests: count(1, 5_000),
    emailRetentionDays: count(1, 3650),
    logRetentionDays: z.coerce.number().refine((days) => retentionDays.includes(days), {
      error: `must be one of ${retentionDays.join(', ')} (what CloudWatch Logs knows)`,
    }),
    logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
    /** Who is told when an alarm goes off. */
    alarmEmail: optional(z.email()),
  })
  .refine(({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined), {
    path: ['certificateArn'],
    error: 'must be given together with domainName',
  })
  .refine(({ certificateArn, region }) => certificateArn === undefined || certificateArn.split(':')[3] === region, {
    path: ['certificateArn'],
    error: 'must be of the same region as the API',
  });

export type Settings = z.output<typeof settings>;

/** True when the API answers under its own domain only. */
export const closesDefaultHost = ({ domainName }: Settings): boolean => domainName !== undefined;

/** Those settings that functions read, under their names there. */
export function handedOver(settings: Settings, publicUrl: string): Record<SettingName, string> {
  return {
    PUBLIC_URL: publicUrl,
    REQUESTS_PER_MINUTE: String(settings.requestsPerMinute),
    EMAIL_RETENTION_DAYS: String(settings.emailRetentionDays),
  };
}

/**
 * The settings among the CDK context (`mailroom:stage` and so on, from cdk.json or `--context`). Throws one error that
 * names every setting that is missing, unknown or out of range.
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.entries(context).filter(([name]) => name.startsWith(prefix));
  const result = settings.safeParse(Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])));
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, context));
  throw new Error(`The context of cdk.json is not valid:\n${problems.join('\n')}`);
}

function problemsOf(issue: z.core.$ZodIssue, context: Readonly<Record<string, unknown>>): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `  ${prefix}${key} is not a setting`);
  const name = prefix + issue.path.join('.');
  return [`  ${name} ${name in context ? issue.message : 'is missing'}`];
}
