import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { RunOrigin } from '../../email/feedbackTags.ts';
import { findEmail } from '../../store/emails/email.ts';
import type { RecipientState } from '../../store/person/suppressions.ts';
import { deliver } from './deliver.ts';
import type { CompleteEmail } from './internal/completeEmail.ts';
import { type ComposedEmail, composeChecked, type Draft, draftOf } from './internal/draft.ts';

/*
 * A message of an automation's run goes out as a single email does: with the same checks, reservation, attempt, acceptance
 * and settlement. Its run holds the claim, and its id derives from the run and the step.
 */

export type RunMail = Omit<CompleteEmail, 'to' | 'attachments' | 'unsubscribe'>;

export interface PreparedRunMail extends ComposedEmail {
  readonly draft: Draft;
  readonly workspace: Workspace;
}

interface Reading {
  /** Of the person, as just read. */
  readonly state: RecipientState;
  /** Milliseconds since that was requested. */
  readonly age: () => number;
  /** Throws when the run must not send any more. */
  readonly isWanted: () => Promise<void>;
}

/** Checks all rules but the quota, and composes the message with its one-click unsubscription. */
export async function prepareRunMail(
  workspace: Workspace,
  mail: RunMail,
  { state, age, isWanted }: Reading,
): Promise<PreparedRunMail> {
  const draft = draftOf({ ...mail, to: state.email, unsubscribe: true });
  const composed = await composeChecked(draft, workspace, [state], { isLaterCall: false, age, isWanted });
  return { ...composed, draft, workspace };
}

interface RunAttempt {
  readonly emailId: string;
  readonly origin: RunOrigin;
  /** False for the first attempt ever at this message. */
  readonly isRepeated: boolean;
  isStillOurs(): Promise<boolean>;
  readonly now: Date;
}

/** Reserves the quota and sends. Throws what `deliver` throws. */
export async function deliverRunMail(
  { draft, workspace, mime, tracking, recipientCheck }: PreparedRunMail,
  { emailId, origin, isRepeated, isStillOurs, now }: RunAttempt,
): Promise<void> {
  const outgoing = {
    workspaceId: workspace.id,
    emailId,
    attempt: isRepeated ? 'later' : 'first',
    // It is tried again only when the provider certainly did not take it.
    inDoubt: [],
    isStillOurs,
    addresses: draft.addresses,
    content: draft.content,
    tracking,
    recipientCheck,
    run: origin,
    now,
  } as const;
  await deliver(outgoing, mime, workspace);
}

/** Whether the provider is known to have accepted a message. */
export const isRunMailOut = async (workspaceId: string, emailId: string): Promise<boolean> =>
  (await findEmail(workspaceId, emailId))?.messageIds.every(Boolean) ?? false;
