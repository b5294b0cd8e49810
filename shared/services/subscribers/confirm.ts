import { confirm } from '../../domain/person/consent.ts';
import type { LinkSubject } from '../../domain/token/linkToken.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { readConfirmLink } from '../confirmations/link.ts';
import type { PersonContext } from '../context.ts';
import { changePerson } from './change.ts';

/**
 * `refused`: the request behind the link was taken back or replaced, or the address bounced or complained since.
 * `unknown`: the link is genuine and the workspace or the person is gone.
 */
export type ConfirmOutcome = 'confirmed' | 'already_confirmed' | 'expired' | 'tampered' | 'unknown' | 'refused';

/** `workspace` is known unless the link was tampered with or it is gone: the page names it and offers its form. */
export interface ConfirmResult {
  readonly outcome: ConfirmOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
}

/** What the button of the confirmation page does: the person is subscribed, and the suppression that they lift goes. */
export async function confirmSubscriber(
  { now }: PersonContext,
  { token, source }: { readonly token: string; readonly source?: string },
): Promise<ConfirmResult> {
  return followLink(token, now, ({ workspaceId, email, confirmationId }) =>
    changePerson({ workspaceId, email }, 'link', now, (address) => {
      const [result, person] = confirm(address.person, confirmationId, now, source);
      return { person, result };
    }),
  );
}

/** What the page shows before the button is pressed: the outcome that pressing it would have now. Changes nothing. */
export async function previewConfirmation(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<ConfirmResult> {
  return followLink(token, now, async ({ workspaceId, email, confirmationId }) => {
    const { person } = await getAddress(workspaceId, email);
    return confirm(person, confirmationId, now)[0];
  });
}

async function followLink(
  token: string,
  now: Date,
  follow: (link: LinkSubject) => Promise<ConfirmOutcome>,
): Promise<ConfirmResult> {
  const read = await readConfirmLink(token, now);
  if (read.kind === 'tampered') return { outcome: 'tampered', workspace: null, email: null };
  const { workspaceId, email } = read.subject;
  const workspace = await getWorkspace(workspaceId);
  if (read.kind === 'expired') return { outcome: 'expired', workspace, email };
  return { outcome: workspace ? await follow(read.subject) : 'unknown', workspace, email };
}
