import { randomUUID } from 'node:crypto';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import type { RuleDefinition } from '../../resources.ts';
import { lambdaContext } from '../lambdaContext.ts';

export interface RuleOptions {
  readonly definition: Omit<RuleDefinition, 'needs'>;
  readonly handler: (event: ScheduledEvent, context: Context) => Promise<unknown>;
  /** The clock of the event's `time`, epoch milliseconds. */
  readonly now?: () => number;
  readonly logger?: Pick<Console, 'error'>;
}

/**
 * Runs the handler of an EventBridge rule at once and then every `everyMinutes`. A run is skipped while the one before it
 * still runs. `stop` waits for a run in progress.
 */
export function runRules({ definition, handler, now = nowMilliseconds, logger = console }: RuleOptions) {
  let running: Promise<void> | undefined;
  let runs = 0;
  let lastRunAt = 0;

  async function run(): Promise<void> {
    runs += 1;
    lastRunAt = now();
    try {
      await handler(
        scheduledEvent(definition, now()),
        lambdaContext(definition.worker, definition.workerTimeoutSeconds),
      );
    } catch (error) {
      logger.error(`The worker ${definition.worker} failed:`, error);
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  start();
  const timer = setInterval(start, definition.everyMinutes * 60_000);
  return {
    /** Runs it once more, from its beginning, and waits. */
    beat: async (): Promise<void> => {
      await running;
      start();
      await running;
    },
    progress: () => ({ isRunning: running !== undefined, runs, lastRunAt }),
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await running;
    },
  };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
function scheduledEvent(definition: RuleOptions['definition'], moment: number): ScheduledEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time: new Date(moment).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region: 'us-east-1',
    resources: [`arn:aws:events:us-east-1:000000000000:rule/mailroom-${definition.name}`],
    detail: {},
  };
}
