import { type Issue, pathOf, ServiceError, summaryOf, ValidationError } from '../../../contract/errors.ts';
import { addressKey, readMailbox } from '../../../domain/address.ts';
import { type Suppression, suppressionReasonTexts } from '../../../domain/person/person.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import type { Text } from '../../../language/text.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { AcceptedEmail } from '../../../store/emails/email.ts';
import type { RecipientState } from '../../../store/person/suppressions.ts';
import type { CompleteEmail } from './completeEmail.ts';
import { type ComposedEmail, composeChecked, type Draft } from './draft.ts';
import { checkScheduledTime } from './scheduleEmail.ts';

/** An email of a batch that is not completely sent yet. */
export interface BatchEmail {
  /** Its position in the request. */
  readonly index: number;
  readonly id: string;
  readonly draft: Draft;
  /** What earlier calls under the same Idempotency-Key have sent of it. */
  readonly known: AcceptedEmail | null;
}

export type CheckedBatchEmail = BatchEmail & ComposedEmail;

/** Null for an email that goes out now. */
export const scheduledTimeOf = ({ draft: { body } }: Pick<BatchEmail, 'draft'>): Date | null =>
  body.scheduled_at === undefined ? null : new Date(body.scheduled_at);

export const isSentWhole = (known: AcceptedEmail | null): boolean => known?.messageIds.every(Boolean) ?? false;

export interface RefusedBatchEmail {
  readonly email: Pick<BatchEmail, 'index'> & Partial<BatchEmail>;
  readonly error: ServiceError;
}

const emailsAtOnce = 16;

/**
 * Checks and composes each email as a single one. Throws what refuses the whole batch. `requestedAt`: when the batch was
 * first requested, since a scheduled time that passes between a call and its retry must not refuse the email.
 */
export async function checkBatch(
  emails: readonly BatchEmail[],
  workspace: Workspace,
  recipients: readonly RecipientState[],
  {
    requestedAt,
    ...options
  }: { readonly isLaterCall: boolean; readonly age: () => number; readonly requestedAt: Date },
): Promise<{ readonly checked: readonly CheckedBatchEmail[]; readonly refused: readonly RefusedBatchEmail[] }> {
  const byAddress = new Map(recipients.map((recipient) => [recipient.email, recipient]));
  const check = async (email: BatchEmail): Promise<CheckedBatchEmail | RefusedBatchEmail> => {
    const own = email.draft.addresses.flatMap((address) => byAddress.get(addressKey(address)) ?? []);
    try {
      const at = scheduledTimeOf(email);
      if (at) checkScheduledTime(at, requestedAt);
      return { ...email, ...(await composeChecked(email.draft, workspace, own, options)) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'reputation_blocked') throw error;
      return { email, error };
    }
  };
  const results = await inParallel(emailsAtOnce, emails, check);
  return {
    checked: results.flatMap((result) => ('error' in result ? [] : result)),
    refused: results.flatMap((result) => ('error' in result ? result : [])),
  };
}

/** Refuses a whole batch: code and details of its first refused email, with the problems of all of them. */
export function refuseBatch(refused: readonly RefusedBatchEmail[]): ServiceError {
  const issues = refused.flatMap(issuesOf);
  const { code = 'validation_error', details = {} } = refused[0]?.error ?? {};
  if (code === 'validation_error') return new ValidationError(issues);
  return new ServiceError(code, { text: summaryOf(issues), details, issues });
}

function issuesOf({ email: { index, draft }, error }: RefusedBatchEmail): Issue[] {
  if (error.issues.length > 0)
    return error.issues.map(({ path, text }) => ({ path: `${pathOf([index])}.${path}`, text }));
  if (error.code === 'unverified_from_domain') return [{ path: pathOf([index, 'from']), text: error.text }];
  const recipients = (error.details.recipients ?? []) as readonly RefusedRecipient[];
  return recipients.map(({ email, reason, tag }) => ({
    path: pathOf([index, ...(draft ? pathOfRecipient(draft.body, email) : [])]),
    text: tag === undefined ? suppressedText(email, suppressionReasonTexts[reason]) : leftTopicText(email, tag),
  }));
}

/** `tag` names the topic that the recipient has left. */
type RefusedRecipient = Pick<Suppression, 'email' | 'reason'> & { readonly tag?: string };

const leftTopicText = (email: string, tag: string): Text => ({
  en: `${email} has unsubscribed from this topic (${tag})`,
  fr: `${email} s’est désabonné de ce type d’e-mail (${tag})`,
});

const suppressedText = (email: string, reason: Text): Text => ({
  en: `${email} is on the suppression list (${reason.en})`,
  fr: `${email} est sur la liste d’exclusion (${reason.fr})`,
});

function pathOfRecipient(body: CompleteEmail, email: string): PropertyKey[] {
  for (const field of ['to', 'cc', 'bcc'] as const) {
    const given = body[field];
    const position = [given ?? []].flat().findIndex((entry) => {
      const parsed = readMailbox(entry);
      return parsed.ok && addressKey(parsed.mailbox.address) === email;
    });
    if (position >= 0) return Array.isArray(given) ? [field, position] : [field];
  }
  return [];
}
