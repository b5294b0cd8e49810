import { type Issue, issuesOf } from '../../contract/errors.ts';
import { signUpForm } from '../../contract/schemas/subscriber.ts';
import { canonicalAddress, domainOf } from '../../domain/address.ts';
import { networkSource } from '../../domain/ipAddress.ts';
import { defaultSender, isPaused } from '../../domain/workspace/workspace.ts';
import { mayTakeMail } from '../../outbound/mailDomain.ts';
import { config, hasConfig } from '../../platform/config.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { mailboxHash } from '../../store/person/mailboxes.ts';
import { countSignUp } from '../../store/signUpWindows.ts';
import { type FormText, keepFormText } from '../../store/workspace/publicPages.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { PersonContext } from '../context.ts';

/** A submitted sign-up form. */
export interface SignUp {
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Answers to the workspace's own questions, by field name. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Network address of the sender. */
  readonly source: string;
  /** The text and language of the form, stored as part of the proof of consent. */
  readonly formText: FormText;
}

/**
 * No outcome reveals whether the address is known. `unavailable`: the workspace cannot send a confirmation, or not now.
 * `too_many`: of one source; `busy`: of the workspace.
 * `issues` have the paths `email`, `firstName`, `lastName`, `fields.<name>`.
 */
export type SignUpResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] }
  | { readonly outcome: 'too_many' | 'busy'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unavailable' };

/** Enough for an office behind one network address, and a barrier against floods. */
export const signUpsPerSource = { max: 30, windowSeconds: 3600 } as const;
/**
 * Beyond it nothing is sent and the outcome is the same: typing another person's address cannot flood their mailbox.
 */
const signUpsPerMailbox = { max: 5, windowSeconds: 86_400 } as const;

/** Handles the public form: limits the rate, then queues. Only the worker reads the person, so nothing is revealed here. */
export async function signUp({ now }: PersonContext, request: SignUp): Promise<SignUpResult> {
  const form = signUpForm.safeParse(request, { reportInput: true });
  if (!form.success) return { outcome: 'invalid', issues: issuesOf(form.error) };
  const email = canonicalAddress(form.data.email);
  if (!email) throw new Error('A validated address did not parse.');
  const { workspaceId, source } = request;
  const [workspace, bySource] = await Promise.all([
    getWorkspace(workspaceId),
    countSignUp(`${workspaceId}#SOURCE#${networkSource(source)}`, signUpsPerSource.windowSeconds, now),
  ]);
  // Also during a pause: otherwise all waiting sign-ups would be sent at its end.
  const isClosed = !workspace || workspace.endedAt || !defaultSender(workspace) || isPaused(workspace, now);
  if (isClosed) return { outcome: 'unavailable' };
  const retryAfterSeconds = Math.max(1, Math.ceil(bySource.endsAt - now.getTime() / 1000));
  if (bySource.count > signUpsPerSource.max) return { outcome: 'too_many', retryAfterSeconds };
  if (await isDeadDomain(domainOf(email))) return { outcome: 'invalid', issues: [deadDomain] };
  const byWorkspace = await countSignUp(`${workspaceId}#FORM`, signUpsPerSource.windowSeconds, now);
  if (byWorkspace.count > config('SIGN_UPS_PER_HOUR')) return { outcome: 'busy', retryAfterSeconds };
  // Counted last: refused requests must not use up the limit of an address that somebody else typed.
  const byMailbox = await countSignUp(
    `${workspaceId}#ADDRESS#${await mailboxHash(email)}`,
    signUpsPerMailbox.windowSeconds,
    now,
  );
  const names = { firstName: form.data.firstName ?? null, lastName: form.data.lastName ?? null };
  if (byMailbox.count <= signUpsPerMailbox.max) {
    const version = await keepFormText(workspaceId, request.formText, now);
    const details = { ...names, fields: form.data.fields, source, form: version, askedAt: now.toISOString() };
    await sendConfirmationMessage({ kind: 'sign_up', workspaceId, email, ...details });
  }
  return { outcome: 'accepted' };
}

/** The answer depends on the domain alone, so it reveals nothing about a person. */
async function isDeadDomain(domain: string): Promise<boolean> {
  const refused = config('REFUSED_DOMAINS');
  if (refused.some((one) => domain === one || domain.endsWith(`.${one}`))) return true;
  return hasConfig('DNS_RESOLVER') && !(await mayTakeMail(domain, config('DNS_RESOLVER')));
}

const deadDomain: Issue = {
  path: 'email',
  text: {
    en: 'has a domain that accepts no mail; check what follows the @',
    fr: 'a un domaine qui ne reçoit pas de messages ; vérifiez ce qui suit le @',
  },
};
