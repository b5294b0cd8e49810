import type { ScheduledHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { sweepOpenSends } from '../../shared/services/sweep/openSends.ts';

export const handler: ScheduledHandler = async () => {
  await sweepOpenSends(now());
};
