import { jest } from '@jest/globals';

const at = new Date('2026-11-24T07:05:31.250Z');

/** The line with what was counted, under this setting. */
async function lineOf(activity: object, metrics?: string): Promise<unknown[][]> {
  jest.resetModules();
  if (metrics === undefined) delete process.env.WORKSPACE_METRICS;
  else process.env.WORKSPACE_METRICS = metrics;
  const { logger } = await import('../../../shared/platform/logger.ts');
  const { logActivity } = await import('../../../shared/services/activity.ts');
  const info = jest.spyOn(logger, 'info').mockImplementation(() => {});
  logActivity('ws_1', activity, at);
  return info.mock.calls;
}

describe('the line about what a workspace did', () => {
  const fields = { workspace_id: 'ws_1', minute: '2026-11-24T07:05:00.000Z' };

  it.each([undefined, 'false'])(
    'names workspace, minute and what was counted, and is no metric with %s',
    async (off) => {
      const [[message, line] = []] = await lineOf({ sent: 3, delivered: 0, bounced: 1 }, off);
      expect([message, line]).toEqual(['A workspace was active.', { ...fields, sent: 3, bounced: 1 }]);
    },
  );

  it('is not written when nothing was counted', async () => {
    expect(await lineOf({ sent: 0, delivered: 0 }, 'true')).toEqual([]);
  });

  it('is a metric of each of its numbers by workspace with the setting, at the minute', async () => {
    const [[, line] = []] = await lineOf({ sent: 3, complained: 1 }, 'true');
    const metrics = ['sent', 'complained'].map((Name) => ({ Name, Unit: 'Count' }));
    expect(line).toEqual({
      ...fields,
      sent: 3,
      complained: 1,
      _aws: {
        Timestamp: Date.parse(fields.minute),
        CloudWatchMetrics: [{ Namespace: 'Mailroom', Dimensions: [['service', 'workspace_id']], Metrics: metrics }],
      },
    });
  });
});
