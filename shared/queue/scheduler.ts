import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { connection, supervised } from '../platform/aws/clients.ts';
import { config } from '../platform/config.ts';

/** Created on first use, so that bundles that schedule nothing do not contain it. */
const scheduler = /* @__PURE__ */ supervised(/* @__PURE__ */ new SchedulerClient(/* @__PURE__ */ connection()));

export interface OneTimeSchedule {
  /** 1 to 64 characters of `A-Z a-z 0-9 - _ .`; an existing schedule with this name is kept. */
  readonly name: string;
  /** EventBridge Scheduler is exact to a minute. */
  readonly at: Date;
  readonly queueArn: string;
  readonly body: string;
}

/** Sends a message to a queue once, at a time; the schedule then deletes itself. */
export async function schedule({ name, at, queueArn, body }: OneTimeSchedule): Promise<void> {
  const second = new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  const command = new CreateScheduleCommand({
    Name: name,
    GroupName: config('SCHEDULE_GROUP'),
    ScheduleExpression: `at(${second})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: { Arn: queueArn, RoleArn: config('SCHEDULER_ROLE_ARN'), Input: body },
  });
  try {
    const { ScheduleArn } = await scheduler.send(command);
    // A proxy may also answer with 200.
    if (!ScheduleArn) throw new Error('EventBridge Scheduler did not name the schedule that it made.');
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}

/** Deletes a schedule. Idempotent: one that has run or never existed is no error. */
export async function unschedule(name: string): Promise<void> {
  try {
    await scheduler.send(new DeleteScheduleCommand({ Name: name, GroupName: config('SCHEDULE_GROUP') }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}
