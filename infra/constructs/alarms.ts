import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type Notice, noticeNamespace } from '../../shared/platform/logger.ts';
import type { Settings } from '../settings.ts';
import { constructId } from './constructId.ts';
import type { RuleWorker } from './workers.ts';

interface AlarmDefinition {
  readonly metric: IMetric;
  /** The lowest value that raises the alarm. */
  readonly threshold: number;
  readonly periods?: number;
  /** What missing data means: all is well, unless it is given. */
  readonly missingData?: TreatMissingData;
  readonly description: string;
}

const noticeTexts: Readonly<Record<Notice, string>> = {
  WorkspaceSuspended: 'A workspace is suspended: too many of its messages bounced, or people complained.',
  ConfirmationsPaused:
    'Confirmations of a workspace are paused for a day: too many of them bounced, as in a flood of sign-ups.',
  ProviderRefused: 'SES refused a message; the log line "The provider did not accept a message." has its words.',
  CampaignStuck: 'A campaign in progress has sent nothing for 15 minutes, for no known reason.',
  CampaignDoubled: 'SES accepted two messages of a campaign for the same person, which must not happen.',
  SendUnknown:
    'It stays unknown whether a scheduled email went out: feedback stood unread for a day. It is not sent again.',
  SendingPaused: 'SES has paused sending for this account or configuration set: a person must look into it.',
  DeadLetters: 'Messages of a queue failed for good and are in its dead-letter queue; the log line names the queue.',
  EventsUndelivered:
    'SNS could not deliver events of SES to their queue; the sweep moves them there. The log line names the queue.',
  QueueStuck: 'Messages have waited in a queue for half an hour and do not become fewer; the log line names the queue.',
  FeedbackSilent:
    'Mail goes out, and SES has reported none of it for 15 minutes: bounces and complaints suppress nobody meanwhile.',
  AutomationFailing: 'A run of an automation failed ten times over a day and was given up; the log line names it.',
  CopyingBehind:
    'Emails of a workspace have not been copied to the bucket for three days; "The archive is behind" in docs/alarms.md says what to do.',
  SendingDayNearlyUsed: 'SES’s quota of recipients in 24 hours is used by four fifths; what exceeds it is refused.',
};

/** Minutes in which a notice that lasts comes again at least once. */
const noticeMinutes: Partial<Record<Notice, number>> = {
  DeadLetters: 30,
  EventsUndelivered: 30,
  QueueStuck: 30,
  SendingDayNearlyUsed: 60,
  CopyingBehind: 60,
};

const notices = Object.keys(noticeTexts) as readonly Notice[];

/** A notice of one deployment; `service` is the `POWERTOOLS_SERVICE_NAME` of its functions. */
const noticeMetric = (metricName: Notice, service: string): Metric =>
  new Metric({
    namespace: noticeNamespace,
    metricName,
    dimensionsMap: { service },
    period: Duration.minutes(noticeMinutes[metricName] ?? 5),
    statistic: 'Sum',
  });

export const noticeMetrics = (service: string): Metric[] => notices.map((name) => noticeMetric(name, service));

/**
 * The alarms of a stack, on its own resources. Each is paid for every month, so what the service can see itself is a
 * notice: its metric exists only when something is wrong.
 */
export class Alarms extends Construct {
  readonly #topics: readonly ITopic[];

  constructor(scope: Construct, id: string, topics: readonly ITopic[]) {
    super(scope, id);
    this.#topics = topics;
  }

  watchApi(api: SpecRestApi, { alarmRequestsPerMinute }: Settings): void {
    const period = Duration.minutes(5);
    this.#add('ApiErrors', {
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      threshold: 5,
      description: 'The API answered 5xx at least five times in five minutes.',
    });
    this.#add('ApiFailing', {
      // "The Average statistic represents the 5XXError error rate" (API Gateway Developer Guide, "dimensions and metrics").
      metric: api.metricServerError({ period, statistic: 'Average' }),
      threshold: 0.5,
      description: 'The API answered 5xx to half of its calls or more, even if there was only one.',
    });
    // Based on single minutes, to raise the alarm within five: metrics are a minute late, and two minutes in a row must
    // exceed the threshold.
    const minute = { period: Duration.minutes(1), statistic: 'Sum' };
    const manual = '"A flood of calls" in docs/incidents.md says what to do.';
    this.#add('Flood', {
      metric: api.metricClientError(minute),
      threshold: 2_000,
      periods: 2,
      description: `2,000 calls a minute were refused, two minutes in a row. ${manual}`,
    });
    this.#add('Requests', {
      metric: api.metricCount({ ...minute, statistic: 'SampleCount' }),
      threshold: alarmRequestsPerMinute,
      periods: 2,
      description: `${alarmRequestsPerMinute} calls a minute, two minutes in a row, whatever was answered. ${manual}`,
    });
  }

  /** The service's own notices for an operator (shared/platform/logger.ts). */
  watchNotices(service: string): void {
    for (const name of notices) {
      this.#add(name, { metric: noticeMetric(name, service), threshold: 1, description: noticeTexts[name] });
    }
  }

  /** One alarm for a rule that starts nothing and for a worker that keeps failing: without a start there is no data. */
  watchRule({ definition, function: worker, node }: RuleWorker): void {
    this.#add(node.id, {
      metric: worker.handler.metricErrors({ period: Duration.minutes(5 * definition.everyMinutes), statistic: 'Sum' }),
      threshold: 3,
      periods: 2,
      missingData: TreatMissingData.BREACHING,
      description: `The rule ${definition.name} has stopped starting its worker, or the worker keeps failing.`,
    });
  }

  /** What AWS refuses or drops without an error that a caller sees. The metrics of table and schedules exist only then. */
  watchCapacity(table: ITableV2, indexes: readonly string[], schedules: ScheduleGroup): void {
    const events = (metricName: string, index?: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName, ...(index && { GlobalSecondaryIndexName: index }) },
        period: Duration.minutes(5),
        statistic: 'Sum',
      });
    // An alarm each instead of one on their sum: none is paid for while its metric does not exist.
    const throttled: Readonly<Record<string, Metric>> = {
      Reads: events('ReadThrottleEvents'),
      Writes: events('WriteThrottleEvents'),
      ...Object.fromEntries(indexes.map((index) => [constructId(index), events('WriteThrottleEvents', index)])),
    };
    for (const [what, metric] of Object.entries(throttled)) {
      this.#add(`TableThrottled${what}`, {
        metric,
        threshold: 1,
        description: `DynamoDB throttled the table: ${what}.`,
      });
    }
    this.#add('SchedulesDropped', {
      metric: new Metric({
        namespace: 'AWS/Scheduler',
        metricName: 'InvocationDroppedCount',
        dimensionsMap: { ScheduleGroup: schedules.scheduleGroupName },
        period: Duration.minutes(5),
        statistic: 'Sum',
      }),
      threshold: 1,
      description: 'EventBridge gave up a schedule: the sweep queues what it was for, some minutes late.',
    });
    this.#add('FunctionsThrottled', {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Throttles',
        period: Duration.minutes(5),
        statistic: 'Sum',
      }),
      threshold: 1,
      description:
        'Lambda refused to start functions: the account’s concurrent executions are used up, by this deployment or others.',
    });
  }

  /**
   * Reputation of the whole account: SES puts it under review at 5 % bounces and 0.1 % complaints (SES Developer
   * Guide).
   */
  watchReputation(): void {
    const rate = (metricName: string) =>
      new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'Maximum' });
    this.#add('BounceRate', {
      metric: rate('Reputation.BounceRate'),
      threshold: 0.04,
      description: 'The bounce rate of the SES account is close to 5 %, where SES puts it under review.',
    });
    this.#add('ComplaintRate', {
      metric: rate('Reputation.ComplaintRate'),
      threshold: 0.0008,
      description: 'The complaint rate of the SES account is close to 0.1 %, where SES puts it under review.',
    });
  }

  /** The topics are notified of the alarm, and of its end. */
  #add(id: string, { metric, threshold, periods = 1, missingData, description }: AlarmDefinition): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: missingData ?? TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    const actions = this.#topics.map((topic) => new SnsAction(topic));
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
  }
}
