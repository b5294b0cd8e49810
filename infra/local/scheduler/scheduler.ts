import { createServer } from 'node:http';
import { closeServer, type Engine, listenLocally } from '../engines/engine.ts';
import { fireSchedules } from './scheduleFiring.ts';
import { type Definition, reply, replyError } from './schedulerProtocol.ts';
import { answer } from './schedulerRoutes.ts';
import { openSchedules } from './schedules.ts';

export interface SchedulerOptions {
  readonly databasePath: string;
  /** Puts the schedule's input on the target queue; a rejection means that it is tried again. */
  readonly sendToQueue: (queueArn: string, body: string, messageGroupId?: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly port?: number;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * EventBridge Scheduler for one-time schedules with an SQS target: CreateSchedule, GetSchedule, UpdateSchedule,
 * DeleteSchedule and ListSchedules in the protocol of `@aws-sdk/client-scheduler`. A time that has passed fires at once.
 *
 * `PUT /_control/clock {"offset_seconds": 3600}` moves this engine's clock ahead of the real one until it stops.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Engine> {
  const { now: realNow = Date.now, logger = console } = options;
  let offsetMilliseconds = 0;
  const moveClock = (milliseconds: number) => {
    offsetMilliseconds = milliseconds;
  };
  const now = () => realNow() + offsetMilliseconds;
  const schedules = openSchedules(options.databasePath);
  const firing = fireSchedules({ schedules, now, logger, deliver: (stored) => deliver(stored, options.sendToQueue) });
  const server = createServer((request, response) => {
    answer({ schedules, now, moveClock, look: firing.look }, request).then(
      (result) => reply(response, 200, result),
      (error) => replyError(response, error, logger),
    );
  });
  const endpoint = await listenLocally(server, options.port);
  return {
    endpoint,
    stop: async () => {
      await closeServer(server);
      await firing.stop();
      schedules.close();
    },
  };
}

async function deliver(stored: string, sendToQueue: SchedulerOptions['sendToQueue']) {
  const { Target, ActionAfterCompletion }: Definition = JSON.parse(stored);
  await sendToQueue(Target.Arn, Target.Input, Target.SqsParameters?.MessageGroupId);
  return { deleteAfterwards: ActionAfterCompletion === 'DELETE' };
}
