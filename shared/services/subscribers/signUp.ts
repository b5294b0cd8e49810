import { createHash } from 'node:crypto';
import type { Issue } from '../../contract/errors.ts';
import { issuesOf } from '../../contract/issues.ts';
import { signUpForm } from '../../contract/schemas/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { networkSource } from '../../domain/network/networkSource.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { countSignUp } from '../../store/person/signUpWindows.ts';
import { type FormText, keepFormText } from '../../store/workspace/formTexts.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { defaultSender } from '../confirmations/sender.ts';
import type { PersonContext } from '../context.ts';

export interface SignUp {
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Answers to the workspace's own questions, by the name of the field. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Network address that the form came from. */
  readonly source: string;
  /** What the form said, and in which language: kept as what was consented to. */
  readonly said: FormText;
}

/**
 * None of these depends on whether the address is known. `unavailable`: the workspace cannot send a confirmation.
 * `issues` have the paths `email`, `firstName`, `lastName`, `fields.<name>`.
 */
export type SignUpResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] }
  | { readonly outcome: 'too_many'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unavailable' };

/** Generous for an office behind one address, useless for a flood. */
export const signUpsOfSource = { most: 30, windowSeconds: 3600 } as const;
/** Beyond it the answer is the same and nothing is sent: whoever types a stranger's address cannot pester them. */
const signUpsOfAddress = { most: 5, windowSeconds: 86_400 } as const;

/** What the public form does: counts, then queues; the worker looks at who it is, so that nobody can learn it here. */
export async function signUp({ now }: PersonContext, request: SignUp): Promise<SignUpResult> {
  const form = signUpForm.safeParse(request, { reportInput: true });
  if (!form.success) return { outcome: 'invalid', issues: issuesOf(form.error) };
  const email = canonicalAddress(form.data.email);
  if (!email) throw new Error('A validated address did not parse.');
  const { workspaceId, source } = request;
  const [workspace, bySource] = await Promise.all([
    getWorkspace(workspaceId),
    countSignUp(`${workspaceId}#SOURCE#${networkSource(source)}`, signUpsOfSource.windowSeconds, now),
  ]);
  if (!workspace || !defaultSender(workspace)) return { outcome: 'unavailable' };
  if (bySource.count > signUpsOfSource.most) {
    return { outcome: 'too_many', retryAfterSeconds: Math.max(1, Math.ceil(bySource.endsAt - now.getTime() / 1000)) };
  }
  // Only now: what is sent back must not use up the way back of a person whose address a stranger types.
  const byAddress = await countSignUp(
    `${workspaceId}#ADDRESS#${fingerprint(email)}`,
    signUpsOfAddress.windowSeconds,
    now,
  );
  const names = { firstName: form.data.firstName ?? null, lastName: form.data.lastName ?? null };
  if (byAddress.count <= signUpsOfAddress.most) {
    const version = await keepFormText(workspaceId, request.said, now);
    const told = { ...names, fields: form.data.fields, source, form: version, askedAt: now.toISOString() };
    await sendConfirmationMessage({ kind: 'sign_up', workspaceId, email, ...told });
  }
  return { outcome: 'accepted' };
}

const fingerprint = (email: string): string => createHash('sha256').update(email).digest('base64url');
