import type { ScheduledHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { invocation } from '../../shared/platform/invocation.ts';
import { sweepCampaigns } from '../../shared/services/sweep/campaigns.ts';
import { sweepDueConfirmations } from '../../shared/services/sweep/dueConfirmations.ts';
import { sweepDueDeletions } from '../../shared/services/sweep/dueDeletions.ts';
import { sweepDueDeliveries } from '../../shared/services/sweep/dueDeliveries.ts';
import { sweepDueScheduled } from '../../shared/services/sweep/dueScheduled.ts';
import { sweepFormerReservations } from '../../shared/services/sweep/formerReservations.ts';
import { sweepLateJobs } from '../../shared/services/sweep/lateJobs.ts';
import { sweepLateRunners } from '../../shared/services/sweep/lateRunners.ts';
import { mirrorPlatform } from '../../shared/services/sweep/mirrorPlatform.ts';
import { sweepOpenSends } from '../../shared/services/sweep/openSends.ts';

const sweeps = [
  sweepOpenSends,
  sweepFormerReservations,
  sweepDueConfirmations,
  sweepDueDeliveries,
  sweepDueScheduled,
  sweepLateRunners,
  sweepLateJobs,
  sweepDueDeletions,
  mirrorPlatform,
  sweepCampaigns,
];

/** One that fails stops none of the others; the run as a whole then counts as failed. */
export const handler: ScheduledHandler = (_event, context) =>
  invocation(context, async () => {
    const results = await Promise.allSettled(sweeps.map((sweep) => sweep(now())));
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} sweeps failed.`);
  });
