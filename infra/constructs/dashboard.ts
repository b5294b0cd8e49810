import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Settings, serviceName } from '../settings.ts';
import { noticeMetrics } from './alarms.ts';
import type { Resources } from './needs.ts';

export interface DashboardProps {
  readonly settings: Settings;
  readonly api: SpecRestApi;
  readonly resources: Resources;
}

const period = Duration.minutes(5);
const sum = { period, statistic: 'Sum' };

/** The dashboard of a deployment. The first three of an account are free, then $3 a month. */
export function addDashboard(scope: Construct, id: string, { settings, api, resources }: DashboardProps): void {
  const name = serviceName(settings);
  const { tableName } = resources.table;
  // A dashboard belongs to the account and not to a region.
  new Dashboard(scope, id, {
    dashboardName: `${name}-${settings.region}`,
    widgets: [
      [
        graph('Sends (all of the SES account here)', [ses('Send'), ses('Delivery')]),
        graph('Outcomes (all of the SES account here)', [ses('Bounce'), ses('Complaint'), ses('Reject')]),
        graph('Notices for an operator', noticeMetrics(name)),
      ],
      [
        graph('Age of the oldest message, seconds', ages(resources)),
        graph('Dead-letter queues, messages', deadLetters(resources)),
        graph('Calls and refusals', [api.metricCount(sum), api.metricClientError(sum), api.metricServerError(sum)]),
      ],
      [
        graph('Errors of functions', [eachFunction(name, 'Errors'), eachFunction(name, 'Throttles')]),
        graph('DynamoDB, units', [units(tableName, 'Write'), units(tableName, 'Read')]),
        cost(name, tableName, api),
      ],
    ],
  });
}

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ title, left, width: 8, height: 6 });

const ses = (metricName: string): Metric => new Metric({ namespace: 'AWS/SES', metricName, ...sum });

function ages({ queues }: Resources): IMetric[] {
  return [...queues].map(([label, { queue }]) =>
    queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum', label }),
  );
}

function deadLetters({ queues }: Resources): IMetric[] {
  const visible = (queue: IQueue, label: string) =>
    queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum', label });
  return [...queues].flatMap(([name, { deadLetters: dead, undelivered }]) => [
    visible(dead, name),
    ...(undelivered ? [visible(undelivered, `${name}, undelivered`)] : []),
  ]);
}

/** A metric of all functions, searched when it is displayed: their names contain the deployment's. */
const ofFunctions = (name: string, metric: string): string =>
  `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" ${name}', 'Sum')`;

const eachFunction = (name: string, metric: string): IMetric =>
  new MathExpression({ expression: ofFunctions(name, metric), label: `${metric}:`, period });

/** Of the table and its indexes, which CloudWatch counts separately. */
const unitsOf = (tableName: string, kind: 'Read' | 'Write'): string =>
  ['TableName', 'TableName,GlobalSecondaryIndexName']
    .map((by) => `{AWS/DynamoDB,${by}} TableName="${tableName}" MetricName="Consumed${kind}CapacityUnits"`)
    .map((search) => `SUM(SEARCH('${search}', 'Sum'))`)
    .join(' + ');

const units = (tableName: string, kind: 'Read' | 'Write'): IMetric =>
  new MathExpression({ expression: unitsOf(tableName, kind), label: `${kind}s`, period });

/** List prices of us-east-1 in dollars, November 2026; a gigabyte-second is two seconds of a function with 512 MB. */
const prices = { send: 0.0001, call: 3.5e-6, invocation: 0.2e-6, millisecond: 0.5e-3 * 1.33334e-5 };
const unitPrices = { Write: 0.625e-6, Read: 0.125e-6 };

/** In parts, since CloudWatch shows no sum when one part has no data. */
function cost(name: string, tableName: string, api: SpecRestApi): IWidget {
  const day = Duration.days(1);
  const priced = (label: string, expression: string, usingMetrics: Record<string, IMetric> = {}) =>
    new MathExpression({ label, expression, usingMetrics, period: day });
  const functions = (metric: string) => `SUM(${ofFunctions(name, metric)})`;
  return new SingleValueWidget({
    title: 'Dollars a day, roughly',
    metrics: [
      priced('SES', `sends * ${prices.send}`, { sends: ses('Send').with({ period: day }) }),
      priced('API Gateway', `calls * ${prices.call}`, { calls: api.metricCount({ statistic: 'Sum', period: day }) }),
      priced(
        'Lambda',
        `${functions('Invocations')} * ${prices.invocation} + ${functions('Duration')} * ${prices.millisecond}`,
      ),
      priced('DynamoDB, writing', `(${unitsOf(tableName, 'Write')}) * ${unitPrices.Write}`),
      priced('DynamoDB, reading', `(${unitsOf(tableName, 'Read')}) * ${unitPrices.Read}`),
    ],
    width: 8,
    height: 6,
  });
}
