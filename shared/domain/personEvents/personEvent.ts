/** Something that a person did, as an application reports it. */
export interface PersonEvent {
  readonly workspaceId: string;
  /** Canonical form. */
  readonly email: string;
  /** Its time is that of the recording. */
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The application's own id, which is recorded once for each person. */
  readonly externalId: string | null;
  /** When it happened, ISO 8601 UTC. Orders nothing: callers may be wrong, or report what is long past. */
  readonly timestamp: string;
  /** When it was recorded, ISO 8601 UTC. */
  readonly createdAt: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** What a person did under one name, summed up. It ends with the last of its events. */
export interface EventActivity {
  /** Events recorded since it began, of which the oldest may have expired. */
  readonly count: number;
  /** Timestamps of the earliest and of the latest event. */
  readonly first: string;
  readonly last: string;
  /** The event that was recorded last. */
  readonly lastId: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

export const personEventLimits = {
  nameCharacters: 64,
  dataBytes: 4000,
  dataLevels: 3,
  batch: 100,
  minutesAhead: 5,
  daysBack: 400,
  /** Within the retention of events. */
  retentionDays: 400,
} as const;

export const personEventName = /^[A-Za-z0-9_.:-]+$/;

/** What the service itself reports, now or later. */
export const reservedEventPrefixes = ['email.', 'subscriber.', 'mailroom.'] as const;

const minuteMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** Whether an event may have this time. */
export function isReportable(timestamp: Date, now: Date): boolean {
  const age = now.getTime() - timestamp.getTime();
  return (
    age >= -personEventLimits.minutesAhead * minuteMilliseconds && age <= personEventLimits.daysBack * dayMilliseconds
  );
}

/** The activity with one event more; `before` may have ended. */
export function withEvent(before: EventActivity | null, event: PersonEvent, now: Date): EventActivity {
  const { timestamp, id: lastId, expiresAt } = event;
  if (!before || hasExpired(before, now)) return { count: 1, first: timestamp, last: timestamp, lastId, expiresAt };
  return {
    count: before.count + 1,
    first: [before.first, timestamp].sort()[0] ?? timestamp,
    last: [before.last, timestamp].sort()[1] ?? timestamp,
    lastId,
    // The setting may have been lowered since.
    expiresAt: Math.max(before.expiresAt, expiresAt),
  };
}

/** DynamoDB deletes what has expired some days later. */
export const hasExpired = ({ expiresAt }: { readonly expiresAt: number }, now: Date): boolean =>
  expiresAt * 1000 <= now.getTime();
