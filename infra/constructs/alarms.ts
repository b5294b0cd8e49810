import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type Notice, noticeNamespace } from '../../shared/platform/notice.ts';
import type { MessageQueue } from './queues/messageQueue.ts';
import type { ServiceFunction } from './serviceFunction.ts';
import type { RuleWorker } from './workers.ts';

interface AlarmDefinition {
  readonly metric: IMetric;
  /** The least value that is too much. */
  readonly threshold: number;
  readonly periods?: number;
  readonly description: string;
}

const noticeTexts: Readonly<Record<Notice, string>> = {
  WorkspaceSuspended: 'A workspace may send no more: too many of its messages bounced, or people complained.',
  ProviderRefused: 'SES refused a message; the log line "The provider did not take a message." has its words.',
  CampaignStuck: 'A campaign on its way has not moved for 15 minutes, and nothing that is known stands in its way.',
  CampaignDoubled: 'SES took two messages of a campaign for the same person, which must not happen.',
  SendingPaused: 'SES sends nothing for this account or configuration set until somebody looks into it.',
};

const notices = Object.keys(noticeTexts) as readonly Notice[];

/** A notice of one deployment; `service` is `POWERTOOLS_SERVICE_NAME` of its functions. */
const noticeMetric = (metricName: Notice, service: string): Metric =>
  new Metric({
    namespace: noticeNamespace,
    metricName,
    dimensionsMap: { service },
    period: Duration.minutes(5),
    statistic: 'Sum',
  });

export const noticeMetrics = (service: string): Metric[] => notices.map((name) => noticeMetric(name, service));

/** What an operator is told about; each stack watches its own resources. */
export class Alarms extends Construct {
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id);
    this.#topic = topic;
  }

  watchApi(api: SpecRestApi): void {
    const period = Duration.minutes(5);
    this.#add('ApiErrors', {
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      threshold: 5,
      description: 'The API answered with 5xx at least five times in five minutes.',
    });
    this.#add('ApiFailing', {
      // "The Average statistic represents the 5XXError error rate" (API Gateway Developer Guide, "dimensions and metrics").
      metric: api.metricServerError({ period, statistic: 'Average' }),
      threshold: 0.5,
      description: 'The API answered with 5xx to half of its calls or more: also to the one call of a new deployment.',
    });
    this.#add('Flood', {
      metric: api.metricClientError({ period, statistic: 'Sum' }),
      threshold: 10_000,
      description:
        '10,000 calls in five minutes were refused: "A flood without a key" in docs/decisions/0007-deployment.md.',
    });
  }

  /** What the service itself calls an operator for (shared/platform/notice.ts). */
  watchNotices(service: string): void {
    for (const name of notices) {
      this.#add(name, { metric: noticeMetric(name, service), threshold: 1, description: noticeTexts[name] });
    }
  }

  watchQueue({ definition, queue, deadLetters, node }: MessageQueue): void {
    this.#add(`${node.id}DeadLetters`, {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      description: `Messages of the queue ${definition.name} were given up and wait in its dead-letter queue.`,
    });
    this.#add(`${node.id}Age`, {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5), statistic: 'Maximum' }),
      threshold: 900,
      periods: 2,
      description: `The oldest message of the queue ${definition.name} has waited for 15 minutes.`,
    });
  }

  watchWorker(name: string, { handler }: ServiceFunction): void {
    const period = { period: Duration.minutes(5), statistic: 'Sum' };
    const errors = { metric: handler.metricErrors(period), threshold: 1, periods: 2 };
    this.#add(`${name}Errors`, { ...errors, description: `The worker ${name} keeps failing.` });
    const throttles = { metric: handler.metricThrottles(period), threshold: 1, periods: 3 };
    this.#add(`${name}Throttles`, { ...throttles, description: `Lambda keeps holding the worker ${name} back.` });
  }

  /** Silence is what is alarming here: no data counts as too few. */
  watchRule({ definition, function: worker, node }: RuleWorker): void {
    const alarm = new Alarm(this, `${node.id}Missing`, {
      metric: worker.handler.metricInvocations({
        period: Duration.minutes(5 * definition.everyMinutes),
        statistic: 'Sum',
      }),
      threshold: 1,
      evaluationPeriods: 2,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
      alarmDescription: `The rule ${definition.name} starts nothing any more.`,
    });
    this.#tell(alarm);
  }

  /** Of the whole account: SES reviews an account at 5 % bounces and 0.1 % complaints (SES Developer Guide). */
  watchReputation(): void {
    const rate = (metricName: string) =>
      new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'Maximum' });
    this.#add('BounceRate', {
      metric: rate('Reputation.BounceRate'),
      threshold: 0.04,
      description: 'The bounce rate of the SES account nears 5 %, where SES puts it under review.',
    });
    this.#add('ComplaintRate', {
      metric: rate('Reputation.ComplaintRate'),
      threshold: 0.0008,
      description: 'The complaint rate of the SES account nears 0.1 %, where SES puts it under review.',
    });
  }

  #add(id: string, { metric, threshold, periods = 1, description }: AlarmDefinition): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    this.#tell(alarm);
  }

  /** Also when all is well again. */
  #tell(alarm: Alarm): void {
    const action = new SnsAction(this.#topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
