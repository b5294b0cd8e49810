import { type Definition, SchedulerError } from './schedulerProtocol.ts';
import type { ScheduleDatabase, ScheduleRow } from './schedules.ts';

const arnPrefix = 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/';

/** Idempotent by client token: the SDK sends one token with all attempts of a call. */
export function createSchedule(schedules: ScheduleDatabase, name: string, definition: Definition, now: number) {
  const existing = schedules.get(name);
  if (existing && existing.client_token !== (definition.ClientToken ?? null)) {
    throw new SchedulerError(409, 'ConflictException', `Schedule ${name} already exists.`);
  }
  if (!existing) {
    schedules.insert({
      name,
      definition: JSON.stringify(definition),
      client_token: definition.ClientToken ?? null,
      created_at: now,
      modified_at: now,
      next_attempt_at: firstAttemptOf(definition),
    });
  }
  return { ScheduleArn: arnPrefix + name };
}

export function updateSchedule(schedules: ScheduleDatabase, name: string, definition: Definition, now: number) {
  const { modified_at } = find(schedules, name);
  schedules.replace({
    name,
    definition: JSON.stringify(definition),
    modified_at: Math.max(now, modified_at + 1),
    next_attempt_at: firstAttemptOf(definition),
  });
  return { ScheduleArn: arnPrefix + name };
}

export function getSchedule(schedules: ScheduleDatabase, name: string) {
  const row = find(schedules, name);
  const { dueAt: _, ClientToken: __, ...definition }: Definition = JSON.parse(row.definition);
  return { ...definition, ...identity(row) };
}

export function deleteSchedule(schedules: ScheduleDatabase, name: string) {
  schedules.delete(find(schedules, name).name);
  return {};
}

export interface ScheduleFilter {
  readonly NamePrefix: string;
  readonly State?: Definition['State'] | undefined;
  readonly MaxResults: number;
  readonly NextToken: string;
}

export function listSchedules(
  schedules: ScheduleDatabase,
  { NextToken, NamePrefix, MaxResults, State }: ScheduleFilter,
) {
  const rows = schedules.list(NextToken, NamePrefix, MaxResults);
  const matching = rows.map(summary).filter((schedule) => State === undefined || schedule.State === State);
  return { Schedules: matching, ...(rows.length === MaxResults && { NextToken: rows.at(-1)?.name }) };
}

const firstAttemptOf = ({ State, dueAt }: Definition): number | null => (State === 'ENABLED' ? dueAt : null);

function find(schedules: ScheduleDatabase, name: string): ScheduleRow {
  const row = schedules.get(name);
  if (!row) throw new SchedulerError(404, 'ResourceNotFoundException', `Schedule ${name} does not exist.`);
  return row;
}

function summary(row: ScheduleRow) {
  const { GroupName, State, Target }: Definition = JSON.parse(row.definition);
  return { ...identity(row), GroupName, State, Target: { Arn: Target.Arn } };
}

/** The protocol writes times as epoch seconds. */
function identity(row: ScheduleRow) {
  return {
    Name: row.name,
    Arn: arnPrefix + row.name,
    CreationDate: row.created_at / 1000,
    LastModificationDate: row.modified_at / 1000,
  };
}
