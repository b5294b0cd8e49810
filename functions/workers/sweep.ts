import type { ScheduledHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { withinInvocation } from '../../shared/platform/deadline.ts';
import { sweepDueConfirmations } from '../../shared/services/sweep/dueConfirmations.ts';
import { sweepDueDeliveries } from '../../shared/services/sweep/dueDeliveries.ts';
import { sweepFormerReservations } from '../../shared/services/sweep/formerReservations.ts';
import { sweepOpenSends } from '../../shared/services/sweep/openSends.ts';

const sweeps = [sweepOpenSends, sweepFormerReservations, sweepDueConfirmations, sweepDueDeliveries];

/** One that fails stops none of the others; the run as a whole then counts as failed. */
export const handler: ScheduledHandler = async (_event, context) => {
  const results = await withinInvocation(context, () => Promise.allSettled(sweeps.map((sweep) => sweep(now()))));
  const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} sweeps failed.`);
};
