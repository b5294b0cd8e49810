/** What a workspace sent on one day (UTC), and what became of it; mail to the provider's simulator is left out. */
export interface DayCounts {
  /** `2026-11-21`. */
  readonly date: string;
  readonly sent: number;
  readonly delivered: number;
  /** Permanent bounces. */
  readonly bounced: number;
  readonly complained: number;
}

/** The same, and what is told of a day without being judged. */
export interface DayFigures extends DayCounts {
  /** People who opened a message for the first time, relays in their place included, on the day of it. */
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
/** Below these, a single bounce or complaint would suspend everybody. */
const minimumSent = 100;
const minimumDelivered = 1000;

/** First day (UTC, `2026-10-23`) that still counts today: thirty days, today included. */
export function firstReputationDay(now: Date): string {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - reputationDays + 1);
  return new Date(midnight).toISOString().slice(0, 10);
}

/** Judges the days given to it; a rate at its threshold is not above it. */
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

/** Feedback on mail of the day before the window may exceed what the window sent: never more than 1. */
function rate(part: number, whole: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : 0;
}
