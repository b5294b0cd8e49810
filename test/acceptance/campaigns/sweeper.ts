import { setTimeout as wait } from 'node:timers/promises';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '../../../functions/workers/sweep.ts';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';

/** Runs the sweeper every second, with the environment of a service, until the process is killed. */
for (;;) {
  try {
    await handler({} as ScheduledEvent, lambdaContext('sweep', 300), () => {});
  } catch (error) {
    // The service may just be killed: the next run does the rest.
    if (process.env.SWEEPER_DEBUG) console.error(error);
  }
  await wait(1000);
}
