import type { EventType } from './eventType.ts';

/** Something that happened in a workspace. The event's id derives from `cause`: the same cause makes the same event. */
export interface NewEvent {
  readonly type: EventType;
  readonly cause: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}
