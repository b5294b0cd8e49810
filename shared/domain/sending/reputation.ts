/** What a workspace sent on one day (UTC) and its outcomes, without mail to the provider's simulator. */
export interface DayCounts {
  /** `2026-11-21`. */
  readonly date: string;
  readonly sent: number;
  readonly delivered: number;
  /** Permanent bounces. */
  readonly bounced: number;
  readonly complained: number;
}

/** The counts of a day without those in `baseline`, which was taken on the same day. */
export const countsAfter = (day: DayCounts, baseline: DayCounts): DayCounts => ({
  date: day.date,
  sent: Math.max(0, day.sent - baseline.sent),
  delivered: Math.max(0, day.delivered - baseline.delivered),
  bounced: Math.max(0, day.bounced - baseline.bounced),
  complained: Math.max(0, day.complained - baseline.complained),
});

/** The counts of a day, with those that do not affect the reputation. */
export interface DayFigures extends DayCounts {
  /** First opens of a message by a person, relays included. */
  readonly opened: number;
}

export interface Reputation {
  /** Permanent bounces per message sent, 0 to 1. */
  readonly bounceRate: number;
  /** Complaints per message delivered, 0 to 1. */
  readonly complaintRate: number;
  readonly exceeded: boolean;
}

const reputationDays = 30;
/** Above these a workspace is suspended. */
export const reputationThresholds = { bounce: 0.05, complaint: 0.001 } as const;
/** Below these numbers a rate is not judged: a single bounce would exceed the threshold. */
const minimumSent = 100;
const minimumDelivered = 1000;

/** The first day (UTC, `2026-10-23`) of the thirty that count today, today included. */
export function firstReputationDay(now: Date): string {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - reputationDays + 1);
  return new Date(midnight).toISOString().slice(0, 10);
}

/** Judges the given days. A rate equal to its threshold does not exceed it. */
export function judgeReputation(days: readonly DayCounts[]): Reputation {
  const sum = (count: (day: DayCounts) => number) => days.reduce((total, day) => total + count(day), 0);
  const sent = sum((day) => day.sent);
  const delivered = sum((day) => day.delivered);
  const bounceRate = rate(
    sum((day) => day.bounced),
    sent,
  );
  const complaintRate = rate(
    sum((day) => day.complained),
    delivered,
  );
  const exceeded =
    (sent >= minimumSent && bounceRate > reputationThresholds.bounce) ||
    (delivered >= minimumDelivered && complaintRate > reputationThresholds.complaint);
  return { bounceRate, complaintRate, exceeded };
}

/** At most 1: events may be about mail that was sent before the window. */
function rate(part: number, whole: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : 0;
}
