import { confirm } from '../../domain/person/consent.ts';
import { getAddress } from '../../store/person/people.ts';
import { readLink } from '../links.ts';
import { changePerson } from './change.ts';

/**
 * `refused`: the request behind the link was taken back or replaced, or the address bounced or complained since.
 * `unknown`: the link is genuine and the workspace or the person is gone.
 */
export type ConfirmOutcome = 'confirmed' | 'already_confirmed' | 'expired' | 'tampered' | 'unknown' | 'refused';

/** `workspaceId` is known unless the link was tampered with: the page names the workspace and offers its form. */
export interface ConfirmResult {
  readonly outcome: ConfirmOutcome;
  readonly workspaceId: string | null;
  readonly email: string | null;
}

/** What the button of the confirmation page does: the person is subscribed, and the suppression that they lift goes. */
export async function confirmSubscriber(token: string, now: Date): Promise<ConfirmResult> {
  return followLink(token, now, ({ workspaceId, email, confirmationId }) =>
    changePerson({ workspaceId, email }, 'link', now, (address) => {
      const [result, person] = confirm(address.person, confirmationId, now);
      return { person, result };
    }),
  );
}

/** What the page shows before the button is pressed: the outcome that pressing it would have now. Changes nothing. */
export async function previewConfirmation(token: string, now: Date): Promise<ConfirmResult> {
  return followLink(token, now, async ({ workspaceId, email, confirmationId }) => {
    const { person } = await getAddress(workspaceId, email);
    return confirm(person, confirmationId, now)[0];
  });
}

async function followLink(
  token: string,
  now: Date,
  follow: (link: {
    workspaceId: string;
    email: string;
    confirmationId?: string | undefined;
  }) => Promise<ConfirmOutcome>,
): Promise<ConfirmResult> {
  const read = await readLink('confirm', token, now);
  if (!read.ok && read.problem === 'tampered') return { outcome: 'tampered', workspaceId: null, email: null };
  const { workspaceId, email } = read.link;
  return { outcome: read.ok ? await follow(read.link) : 'expired', workspaceId, email };
}
