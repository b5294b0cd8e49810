import type { AutomationRun, RunStatus } from './run.ts';

/**
 * The counters of a version. What a run contributes follows from the run, so that counting as it moves and counting all
 * runs anew come to the same. What no run tells (who started none, what became of messages) has counters of its own.
 */

export type RunTally = Readonly<Record<string, number>>;

/** What became of the message of a step, as the provider reports it. */
export const mailCounts = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;
export type MailCount = (typeof mailCounts)[number];

export const counterNames = {
  started: 'started',
  ended: (status: RunStatus) => `ended.${status}`,
  reason: (reason: string) => `reason.${reason}`,
  notStarted: (reason: string) => `not.${reason}`,
  step: (step: number, name: 'entered' | 'completed' | 'failed' | 'left') => `${step}.${name}`,
  skipped: (step: number, reason: string) => `${step}.skipped.${reason}`,
  branch: (step: number, branch: string) => `${step}.branch.${branch}`,
  message: (step: number, outcome: 'sent' | 'unknown') => `${step}.mail.${outcome}`,
  feedback: (step: number, count: MailCount) => `${step}.feedback.${count}`,
} as const;

/** Counters that a recount cannot find in the runs. */
export const isOutsideRuns = (name: string): boolean => name.startsWith('not.') || /^\d+\.feedback\./.test(name);

/** What a run adds to the counters of its version; nothing without one. */
export function contributionOf(run: AutomationRun | null): RunTally {
  if (!run) return {};
  const counts: Record<string, number> = { [counterNames.started]: 1 };
  const isOver = run.status !== 'running';
  if (isOver) counts[counterNames.ended(run.status)] = 1;
  if (run.reason !== null) counts[counterNames.reason(run.reason)] = 1;
  for (const { step, status, reason = 'unknown', branch, outcome } of run.story) {
    counts[counterNames.step(step, 'entered')] = 1;
    if (status === 'completed' || status === 'failed') counts[counterNames.step(step, status)] = 1;
    else if (status === 'skipped') counts[counterNames.skipped(step, reason)] = 1;
    else if (isOver) counts[counterNames.step(step, 'left')] = 1;
    if (branch) counts[counterNames.branch(step, branch)] = 1;
    if (outcome) counts[counterNames.message(step, outcome)] = 1;
  }
  return counts;
}

/** What changes in the counters when a run does. */
export const movedTally = (before: AutomationRun | null, after: AutomationRun | null): RunTally =>
  summed([contributionOf(after), negated(contributionOf(before))]);

export const negated = (tally: RunTally): RunTally =>
  Object.fromEntries(Object.entries(tally).map(([name, count]) => [name, -count]));

/** The sum, without counters that come to nothing. */
export function summed(tallies: readonly RunTally[]): RunTally {
  const sum = new Map<string, number>();
  for (const tally of tallies)
    for (const [name, count] of Object.entries(tally)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries([...sum].filter(([, count]) => count !== 0));
}

/** The counters of one prefix, without it. */
export const countersUnder = (tally: RunTally, prefix: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(tally).flatMap(([name, count]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), count]] : [],
    ),
  );
