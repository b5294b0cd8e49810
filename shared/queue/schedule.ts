import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { connection } from '../platform/aws/connection.ts';
import { config } from '../platform/config.ts';

export interface OneTimeSchedule {
  /** 1 to 64 of `A-Z a-z 0-9 - _ .`; a schedule of this name that stands already is kept. */
  readonly name: string;
  /** EventBridge Scheduler is exact to a minute. */
  readonly at: Date;
  readonly queueArn: string;
  readonly body: string;
}

const client = new SchedulerClient(connection());

/** Puts a message on a queue once, at a moment; the schedule deletes itself afterwards. */
export async function schedule({ name, at, queueArn, body }: OneTimeSchedule): Promise<void> {
  const second = new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  try {
    await client.send(
      new CreateScheduleCommand({
        Name: name,
        GroupName: config('SCHEDULE_GROUP'),
        ScheduleExpression: `at(${second})`,
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: { Arn: queueArn, RoleArn: config('SCHEDULER_ROLE_ARN'), Input: body },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}

/** Deletes a schedule; one that has fired or never was is no error. */
export async function unschedule(name: string): Promise<void> {
  try {
    await client.send(new DeleteScheduleCommand({ Name: name, GroupName: config('SCHEDULE_GROUP') }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}
