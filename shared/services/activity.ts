import { config } from '../platform/config.ts';
import { logger, noticeNamespace } from '../platform/logger.ts';

/** Messages of a workspace that were just counted, as in its reputation: without mail to SES's simulator. */
export interface Activity {
  readonly sent?: number;
  readonly delivered?: number;
  readonly bounced?: number;
  readonly complained?: number;
}

const minuteMilliseconds = 60_000;

/**
 * One line for what a process has counted of a workspace, written after the counters: nothing is read or written for it,
 * and the lines of a time add up to what the counters moved by. `at` is the minute of the send for single emails, else
 * that of the count. With the setting `workspaceMetrics` the same line is a metric of each of its numbers.
 */
export function logActivity(workspaceId: string, activity: Activity, at: Date): void {
  const counts = Object.entries(activity).filter(([, count]) => count !== 0);
  if (counts.length === 0) return;
  const minute = new Date(Math.floor(at.getTime() / minuteMilliseconds) * minuteMilliseconds);
  logger.info('A workspace was active.', {
    workspace_id: workspaceId,
    minute: minute.toISOString(),
    ...Object.fromEntries(counts),
    ...(config('WORKSPACE_METRICS') && {
      _aws: metricsOf(
        counts.map(([name]) => name),
        minute,
      ),
    }),
  });
}

/** The embedded metric format (CloudWatch User Guide); `service` is in every line. */
const metricsOf = (names: readonly string[], at: Date) => ({
  Timestamp: at.getTime(),
  CloudWatchMetrics: [
    {
      Namespace: noticeNamespace,
      Dimensions: [['service', 'workspace_id']],
      Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
    },
  ],
});
