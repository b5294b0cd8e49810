import { createHash } from 'node:crypto';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { countSignUp } from '../../store/person/signUpWindows.ts';
import type { PersonContext } from '../context.ts';
import { behind, type ShownPreferences } from './change.ts';

/** Whoever was handed a message on may ask, and makes somebody a message: once a day. */
const windowSeconds = 86_400;

/**
 * Has what is stored of somebody sent to their own address. Who holds the link learns nothing by it, not even whether it
 * was sent: the worker looks at who it is.
 */
export async function askForData(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<ShownPreferences> {
  const { shown } = await behind(token, now);
  const { outcome, workspace, email } = shown;
  if (outcome !== 'shown' || !workspace || email === null) return shown;
  const subject = `${workspace.id}#DATA#${createHash('sha256').update(email).digest('base64url')}`;
  const { count } = await countSignUp(subject, windowSeconds, now);
  const asked = { kind: 'data', workspaceId: workspace.id, email, askedAt: now.toISOString() } as const;
  if (count === 1) await sendConfirmationMessage(asked);
  return shown;
}
