import type { ScheduledHandler } from 'aws-lambda';
import { now } from '../../shared/platform/clock.ts';
import { invocation } from '../../shared/platform/invocation.ts';
import { sweepCopies } from '../../shared/services/sweep/copyEmails.ts';
import { sweepDueDeletions } from '../../shared/services/sweep/deleteWorkspaces.ts';
import { sweepExpiredSignUps } from '../../shared/services/sweep/expireSignUps.ts';
import {
  sweepDueConfirmations,
  sweepDueDeliveries,
  sweepDueScheduled,
  sweepLateJobs,
  sweepLateRunners,
} from '../../shared/services/sweep/requeue.ts';
import { sweepOpenSends } from '../../shared/services/sweep/settleSends.ts';
import { sweepAutomations } from '../../shared/services/sweep/sweepAutomations.ts';
import { sweepCampaigns } from '../../shared/services/sweep/watchCampaigns.ts';
import { sweepFeedback } from '../../shared/services/sweep/watchFeedback.ts';
import { sweepQueues } from '../../shared/services/sweep/watchQueues.ts';
import { sweepSendingDay } from '../../shared/services/sweep/watchSendingDay.ts';

const sweeps = [
  sweepOpenSends,
  sweepDueConfirmations,
  sweepDueDeliveries,
  sweepDueScheduled,
  sweepLateRunners,
  sweepLateJobs,
  sweepDueDeletions,
  sweepExpiredSignUps,
  sweepCampaigns,
  sweepQueues,
  sweepFeedback,
  sweepSendingDay,
  sweepCopies,
  sweepAutomations,
];

/** A sweep that fails does not stop the others; the invocation then fails as a whole. */
export const handler: ScheduledHandler = (_event, context) =>
  invocation(context, async () => {
    const results = await Promise.allSettled(sweeps.map((sweep) => sweep(now())));
    const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} sweeps failed.`);
  });
