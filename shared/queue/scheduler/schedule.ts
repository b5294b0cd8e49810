import { config } from '../../platform/config.ts';
import { scheduler } from './client.ts';

export interface OneTimeSchedule {
  /** 1 to 64 of `A-Z a-z 0-9 - _ .`; a schedule of this name that stands already is kept. */
  readonly name: string;
  /** EventBridge Scheduler is exact to a minute. */
  readonly at: Date;
  readonly queueArn: string;
  readonly body: string;
}

/** Puts a message on a queue once, at a moment; the schedule deletes itself afterwards. */
export async function schedule({ name, at, queueArn, body }: OneTimeSchedule): Promise<void> {
  const second = new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  const input = {
    GroupName: config('SCHEDULE_GROUP'),
    ScheduleExpression: `at(${second})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: { Arn: queueArn, RoleArn: config('SCHEDULER_ROLE_ARN'), Input: body },
    ClientToken: crypto.randomUUID(),
  };
  try {
    await scheduler.call({ method: 'POST', name, input });
  } catch (error) {
    if ((error as Error).name !== 'ConflictException') throw error;
  }
}
