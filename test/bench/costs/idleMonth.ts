import { rules } from '../../../infra/resources.ts';
import { noticeNamespace } from '../../../shared/platform/logger.ts';
import { minutesBetweenLooks } from '../../../shared/services/sweep/watchQueues.ts';
import { templatesOf } from '../../infra/deployment.ts';
import prices from '../prices.json' with { type: 'json' };
import { type Consumption, dollarsOf } from './consumption.ts';

const minutesOfMonth = 30 * 24 * 60;

interface Charge {
  readonly what: string;
  readonly dollars: number;
  /** What of it AWS's free allowances cover, in an account that uses them for nothing else. */
  readonly free: number;
}

/** Metrics of AWS that have data only when something is wrong, like the service's own notices. */
const faultMetrics: ReadonlySet<string> = new Set([
  'ReadThrottleEvents',
  'WriteThrottleEvents',
  'ThrottledRequests',
  'InvocationDroppedCount',
  'InvocationThrottleCount',
]);

interface AlarmMetric {
  readonly Namespace?: string;
  readonly MetricName?: string;
  /** Of an alarm on an expression. */
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: AlarmMetric } }[];
}

const existsOnlyWhenWrong = ({ Namespace, MetricName, Metrics }: AlarmMetric): boolean =>
  Metrics
    ? Metrics.every(({ MetricStat }) => !MetricStat || existsOnlyWhenWrong(MetricStat.Metric))
    : Namespace === noticeNamespace || faultMetrics.has(MetricName ?? '');

/** What a month costs in which nothing is sent, by kind of charge, without storage. */
export interface IdleMonth {
  /** On metrics that are always there; the others are not among the charges. */
  readonly alarms: number;
  readonly charges: readonly Charge[];
}

/** Counted in the templates of the app; `sweep` is what a run of the sweep consumes that finds nothing. */
export function idleMonth(sweep: Omit<Consumption, 'what'>, settings: object = {}): IdleMonth {
  const resources = [...templatesOf(settings).values()].flatMap((template) => Object.values(template.Resources));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === `AWS::${type}`);
  const { month, assumed, freePerMonth } = prices;
  const alarms = ofType('CloudWatch::Alarm').filter(({ Properties }) => !existsOnlyWhenWrong(Properties)).length;
  const readQueues = ofType('Lambda::EventSourceMapping').length;
  const polls = (readQueues * assumed.pollersOfQueue * minutesOfMonth * 60) / assumed.pollSeconds;
  // Each look asks every queue, those behind others too.
  const looks = (ofType('SQS::Queue').length * minutesOfMonth) / minutesBetweenLooks;
  const runs = Object.values(rules).reduce((sum, { everyMinutes }) => sum + minutesOfMonth / everyMinutes, 0);
  const lambda = { functionCalls: sweep.functionCalls ?? 0, gigabyteSeconds: sweep.gigabyteSeconds ?? 0 };
  const each = (what: string, count: number, price: number, free = 0): Charge => ({
    what,
    dollars: count * price,
    free: Math.min(count, free) * price,
  });
  return {
    alarms,
    charges: [
      each('alarms', alarms, month.alarm, freePerMonth.alarms),
      each('secrets', ofType('SecretsManager::Secret').length, month.secret),
      each('keys', ofType('KMS::Key').length, month.key),
      each('dashboard', ofType('CloudWatch::Dashboard').length, month.dashboard, freePerMonth.dashboards),
      each(`Lambda asking ${readQueues} empty queues`, polls, total({ queueCalls: 1 }), freePerMonth.queueCalls),
      // 43,200 short runs are far within Lambda's allowance.
      { what: 'the sweep', dollars: runs * total(sweep) + total({ queueCalls: looks }), free: runs * total(lambda) },
    ],
  };
}

const total = (consumption: Omit<Consumption, 'what'>): number =>
  Object.values(dollarsOf(consumption)).reduce((sum, dollars) => sum + dollars, 0);
