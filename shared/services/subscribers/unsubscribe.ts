import { leave } from '../../domain/person/consent.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { readLink } from '../links.ts';
import { changePerson } from './change.ts';

/** `unknown`: the link is genuine and its workspace is gone. */
export type UnsubscribeOutcome = 'unsubscribed' | 'tampered' | 'unknown';

export interface UnsubscribeResult {
  readonly outcome: UnsubscribeOutcome;
  readonly workspaceId: string | null;
  readonly email: string | null;
}

/**
 * One-click (RFC 8058) and the page's button alike: at once, and again without harm. Somebody of whom nothing is stored
 * any more is suppressed all the same: the link proves that they were written to.
 */
export async function unsubscribeByLink(token: string, now: Date): Promise<UnsubscribeResult> {
  const read = await readLink('unsubscribe', token, now);
  if (!read.ok) return { outcome: 'tampered', workspaceId: null, email: null };
  const { workspaceId, email } = read.link;
  if (!(await getWorkspace(workspaceId))) return { outcome: 'unknown', workspaceId, email };
  await changePerson({ workspaceId, email }, 'link', now, ({ person }) => ({
    person: leave(person, 'unsubscribe', now),
    result: undefined,
  }));
  return { outcome: 'unsubscribed', workspaceId, email };
}
