import { createHash } from 'node:crypto';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { countSignUp } from '../../store/person/signUpWindows.ts';
import type { PersonContext } from '../context.ts';
import { behind, type ShownPreferences } from './change.ts';

/** Whoever was handed a message on may ask, and makes somebody a message: once a day. */
const windowSeconds = 86_400;
/** So often a day the worker is told, who sends it once: what was lost on its way there is asked for again. */
const mostMessages = 3;

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
  const { count, endsAt } = await countSignUp(subject, windowSeconds, now);
  // The same for all of a day: they are one request.
  const askedAt = new Date((endsAt - windowSeconds) * 1000).toISOString();
  const asked = { kind: 'data', workspaceId: workspace.id, email, askedAt } as const;
  if (count <= mostMessages) await sendConfirmationMessage(asked);
  return shown;
}
