import { logger } from './logger.ts';

/** What an operator is called for: each is a metric of this name, with an alarm on it (infra/constructs/alarms.ts). */
export type Notice = 'WorkspaceSuspended' | 'ProviderRefused' | 'SendingPaused' | 'CampaignStuck' | 'CampaignDoubled';

/** Where CloudWatch keeps the metrics; told apart by the logger's `service`, which names the deployment. */
export const noticeNamespace = 'Mailroom';

/**
 * A line of the log that CloudWatch counts as well (CloudWatch User Guide, "embedded metric format"): it costs its bytes,
 * and the metric only in hours in which there was one. An error, so that no log level hides it.
 */
export function notify(notice: Notice, message: string, fields: Readonly<Record<string, unknown>>): void {
  const metrics = [
    { Namespace: noticeNamespace, Dimensions: [['service']], Metrics: [{ Name: notice, Unit: 'Count' }] },
  ];
  logger.error(message, { ...fields, [notice]: 1, _aws: { Timestamp: Date.now(), CloudWatchMetrics: metrics } });
}
