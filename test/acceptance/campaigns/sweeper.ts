import { setTimeout as wait } from 'node:timers/promises';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '../../../functions/workers/sweep.ts';
import { lambdaContext } from '../../../infra/local/context.ts';

/** Runs the sweeper of a service whose environment this process has, second after second, until it is ended. */
for (;;) {
  try {
    await handler({} as ScheduledEvent, lambdaContext('sweep', 300), () => {});
  } catch (error) {
    // The service is being killed: what a run did not do the next one does.
    if (process.env.SWEEPER_DEBUG) console.error(error);
  }
  await wait(1000);
}
