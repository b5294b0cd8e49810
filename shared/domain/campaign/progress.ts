import { type Campaign, type Freeze, frozenPeople, holdReasons } from './campaign.ts';
import { progressCounts, type Tally } from './report.ts';

/** Why a campaign makes no progress although nothing holds it. Each reason passes by itself. */
const waitReasons = [
  /** The A/B test has been sent and is not decided yet. */
  'ab_test',
  /** All messages were sent, and for some calls it is not known yet whether SES accepted them. */
  'outcome_unknown',
  /** The account's sending rate is used by other messages. */
  'provider_pace',
  /** A worker crashed: another one continues when its lease ends. */
  'worker_lost',
] as const;

export const progressReasons = [...holdReasons, ...waitReasons] as const;
type ProgressReason = (typeof progressReasons)[number];

/** What is known of a running campaign. Times in Unix milliseconds. */
export interface ProgressFacts {
  readonly tally: Tally;
  /** When a recipient last got an outcome; 0 for never. */
  readonly movedAt: number;
  /** Until when sending slots of the account are taken; null when unknown. */
  readonly promisedUntil: number | null;
}

interface CampaignProgress extends ReturnType<typeof progressCounts> {
  readonly paused: boolean;
  readonly reason: ProgressReason | null;
  /** Measured messages per second; null when nothing was measured. */
  readonly rate: number | null;
  readonly estimatedEnd: Date | null;
}

/** The longest time between two outcomes while a worker is running: one call, with what happens around it. */
const quietMilliseconds = 20_000;
const measuredMilliseconds = 2000;

/** The progress of a frozen campaign. The rate is the average since the start, or since its last interruption ended. */
export function progressOf(campaign: Campaign, facts: ProgressFacts, now: Date): CampaignProgress {
  const { freeze, hold, status, test } = campaign;
  const counts = progressCounts(facts.tally, freeze ? frozenPeople(freeze) : 0);
  const unmeasured = { ...counts, paused: hold !== null, rate: null, estimatedEnd: null };
  if (!freeze || status !== 'sending') return { ...unmeasured, reason: null };
  const reason = hold?.reason ?? waitReasonOf(campaign, facts, now);
  const since = measuredSince(campaign, freeze);
  const elapsed = since ? now.getTime() - Date.parse(since.at) : 0;
  const done = counts.queued - counts.waiting - (since?.done ?? 0);
  if (reason !== null || done <= 0 || elapsed < measuredMilliseconds) return { ...unmeasured, reason };
  const rate = (done * 1000) / elapsed;
  // Before a test is decided it is unknown when the other recipients get theirs.
  const isUndecided = test !== null && test.winner === null;
  const estimatedEnd = isUndecided ? null : new Date(now.getTime() + (counts.waiting / rate) * 1000);
  return { ...unmeasured, reason, rate: Math.round(rate * 10) / 10, estimatedEnd };
}

/** From when on messages have gone out without a change of the campaign; null after one of an earlier release. */
function measuredSince({ updatedAt, measured }: Campaign, freeze: Freeze) {
  if (Date.parse(updatedAt) <= Date.parse(freeze.at)) return { at: freeze.at, done: 0 };
  return measured?.at === updatedAt ? measured : null;
}

function waitReasonOf(campaign: Campaign, { tally, movedAt, promisedUntil }: ProgressFacts, now: Date) {
  const { freeze, test } = campaign;
  if (!freeze) return null;
  const { waiting, uncertain } = progressCounts(tally, frozenPeople(freeze));
  const isUndecided = test !== null && test.winner === null;
  if (isUndecided && test.decideAt !== null && now < new Date(test.decideAt)) return 'ab_test';
  const later = isUndecided ? freeze.groups.find(({ variant }) => variant === null)?.people : 0;
  if (waiting <= (later ?? 0) && uncertain > 0) return 'outcome_unknown';
  const since = Math.max(movedAt, Date.parse(freeze.at), Date.parse(campaign.updatedAt));
  if (now.getTime() - since < quietMilliseconds) return null;
  return promisedUntil !== null && promisedUntil > now.getTime() ? 'provider_pace' : 'worker_lost';
}
