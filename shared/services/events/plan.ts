import type { TransactionPart } from '../../store/table.ts';

export const eventTypes = [
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'subscriber.created',
  'subscriber.unsubscribed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened in a workspace. The event's id derives from `cause`: the same cause makes the same event. */
export interface NewEvent {
  readonly type: EventType;
  readonly cause: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** `writes` belong into the transaction of the state change; `dispatch` comes after it, and the sweeper if it never does. */
export interface EventPlan {
  readonly writes: readonly TransactionPart[];
  dispatch(): Promise<void>;
}

export async function planEvents(_workspaceId: string, _events: readonly NewEvent[]): Promise<EventPlan> {
  return { writes: [], dispatch: async () => {} };
}
