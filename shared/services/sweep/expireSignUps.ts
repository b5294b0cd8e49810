import { withoutExpired } from '../../domain/person/consent.ts';
import { addSeconds, secondsInDay, stopwatch } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { inParallel } from '../../platform/parallel.ts';
import { confirmLinkEnd } from '../../store/person/links.ts';
import { pendingBefore } from '../../store/person/subscriberLists.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { changePerson } from '../people.ts';
import { SweepRun } from './internal/sweepRun.ts';

/** Each run checks this many workspaces, the next run the following ones: one query each when nothing has expired. */
const workspacesPerRun = 25;
const workspacesAtOnce = 5;
const peoplePerPage = 100;
const peopleAtOnce = 10;
const runMilliseconds = 30_000;
const minuteMilliseconds = 60_000;

/**
 * Deletes sign-ups that were not confirmed in time, each with its search terms and its link in one transaction, so that
 * lists, counts and searches always agree. Only the mailbox's count under a keyed hash is kept.
 */
export async function sweepExpiredSignUps(now: Date): Promise<void> {
  const days = config('UNCONFIRMED_DAYS');
  if (days === 0) return;
  const before = addSeconds(now, -days * secondsInDay);
  const elapsed = stopwatch();
  const run = new SweepRun();
  await run.each(workspacesAtOnce, await workspacesInTurn(now), ({ workspaceId }) =>
    expireIn(workspaceId, before, now, elapsed),
  );
  run.end();
}

async function workspacesInTurn(now: Date): Promise<{ readonly workspaceId: string }[]> {
  const ids = (await listWorkspaces()).map(({ id }) => ({ workspaceId: id }));
  const turn = Math.floor(now.getTime() / minuteMilliseconds);
  const first = ids.length > workspacesPerRun ? (turn * workspacesPerRun) % ids.length : 0;
  return [...ids.slice(first), ...ids.slice(0, first)].slice(0, workspacesPerRun);
}

async function expireIn(workspaceId: string, before: Date, now: Date, elapsed: () => number): Promise<void> {
  let after: string | null = before.toISOString();
  while (after !== null && elapsed() < runMilliseconds) {
    const { emails, next } = await pendingBefore(workspaceId, after, peoplePerPage);
    await inParallel(peopleAtOnce, emails, (email) => expire(workspaceId, email, before, now));
    after = next;
  }
}

async function expire(workspaceId: string, email: string, before: Date, now: Date): Promise<void> {
  await changePerson({ workspaceId, email }, 'form', now, ({ person }) => {
    const rest = withoutExpired(person, before);
    const isEnded = rest !== person && person.confirmation !== null;
    const more = isEnded && person.confirmation ? [confirmLinkEnd(workspaceId, person.confirmation.id)] : [];
    return { person: rest, result: undefined, more };
  });
}
