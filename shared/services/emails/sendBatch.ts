import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output, Result } from '../../contract/route.ts';
import type { sendBatchRoute } from '../../contract/routes/emails.ts';
import { addressKey } from '../../domain/address.ts';
import { createIds, idsFrom, timeOfId } from '../../domain/identifier.ts';
import { defaultLanguage, type Language } from '../../language/languages.ts';
import { stopwatch } from '../../platform/clock.ts';
import type { RefusedEmail } from '../../store/emails/idempotencyClaims.ts';
import { findRecipientStates } from '../../store/person/suppressions.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { isSendingHeld, requireOpenSending } from '../sendingHold.ts';
import { isStillOurs, whileHolding } from './idempotency.ts';
import {
  type BatchEmail,
  checkBatch,
  isSentWhole,
  type RefusedBatchEmail,
  refuseBatch,
  scheduledTimeOf,
} from './internal/batchChecks.ts';
import { type BatchClaim, claimBatch, newBatch, storeRefused } from './internal/batchClaim.ts';
import { deliverBatch } from './internal/batchDelivery.ts';
import { checkOutcome, type EarlierEmail } from './internal/batchFailure.ts';
import { checkBatchQuota } from './internal/batchSchedule.ts';
import { completeEmail, MemoryBudget, templatesOf, uploadsOf } from './internal/completeEmail.ts';
import { type Draft, draftOf } from './internal/draft.ts';

type BatchInput = Input<typeof sendBatchRoute>;

/**
 * Sends the emails of a batch, each like a single one with its own id, attempt and record, so that after a crash they are
 * settled one by one; see docs/design/sending.md. The steps are those of `sendEmail`.
 */
export async function sendBatch(context: Context, input: BatchInput): Promise<Result<typeof sendBatchRoute>> {
  const { workspaceId, now, language } = context;
  const { entries, idempotencyKey } = input;
  const { drafts, incomplete } = await draftsOf(context, entries);
  const malformed = malformedOf(entries);
  const firstId = createIds('email', now, entries.length);
  const age = stopwatch();
  const [workspace, recipients, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findRecipientStates(workspaceId, everyAddress(drafts)),
    idempotencyKey === undefined
      ? newBatch(firstId)
      : claimBatch(
          workspaceId,
          idempotencyKey,
          { body: bodyOf(entries), firstId, malformed: indexesOf(malformed), timed: timedOf(entries) },
          now,
        ),
    // Asked for together with the rest, and used below.
    isSendingHeld(),
  ]);
  const resultOf = (refused: readonly RefusedEmail[]) => batchResult(claim, entries.length, refused, language);
  if (claim.kind === 'done') return { outcome: 'replayed', output: resultOf([...malformed, ...claim.refused]) };
  return whileHolding(claim, async () => {
    if (!workspace) throw new ServiceError('internal_error');
    const isStrict = input.xBatchValidation === 'strict';
    const { checked, refused: failed } = await checkBatch(openEmails(drafts, claim), workspace, recipients, {
      isLaterCall: claim.kind === 'resumed',
      age,
      requestedAt: timeOfId(claim.emailId),
    });
    const refusals = [...undecided(incomplete, claim), ...failed].sort((a, b) => a.email.index - b.email.index);
    if (isStrict && refusals.length > 0) throw refuseBatch(refusals);
    const refused = [
      ...claim.refused,
      ...refusals.map(({ email: { index }, error }) => ({ index, text: { ...error.text } })),
    ];
    if (checked.length > 0) await requireOpenSending();
    await checkBatchQuota(checked, workspace, { now, lostAt: claim.lostAt });
    await storeRefused(claim, refused);
    const outcome = await deliverBatch({
      workspace,
      emails: checked.filter((email) => !scheduledTimeOf(email)),
      later: checked.filter(scheduledTimeOf),
      inDoubt: claim.kind === 'none' ? [] : claim.claim.inDoubt,
      isStillOurs: () => isStillOurs(claim),
      isStrict,
      now,
      lostAt: claim.lostAt,
    });
    const output = resultOf([...malformed, ...refused]);
    checkOutcome(outcome, earlierEmails(claim), output.errors ?? []);
    return { outcome: 'accepted', output };
  });
}

/** Completes the emails. `incomplete` are those that cannot be, for instance because a template is gone. */
async function draftsOf(context: Context, entries: BatchInput['entries']) {
  const { workspaceId, now } = context;
  const templates = templatesOf(workspaceId);
  const budget = new MemoryBudget();
  const incomplete: RefusedBatchEmail[] = [];
  const drafts = entries.map(async (entry, index) => {
    if (entry.issues) return null;
    const share = budget.share();
    try {
      return draftOf(await completeEmail(entry.value, { templates, uploads: uploadsOf(workspaceId, now, share) }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      incomplete.push({ email: { index }, error });
      return null;
    } finally {
      share.leave();
    }
  });
  return { drafts: await Promise.all(drafts), incomplete };
}

/** The emails that are neither refused nor sent whole nor scheduled. */
function openEmails(drafts: readonly (Draft | null)[], claim: BatchClaim): BatchEmail[] {
  const ids = idsFrom(claim.emailId, drafts.length);
  const isOpen = isOpenIn(claim);
  return drafts.flatMap((draft, index) =>
    draft && isOpen(index) ? { index, id: ids[index] ?? '', draft, known: claim.known[index] ?? null } : [],
  );
}

/** The refusals of emails that no earlier call under the key has refused, sent or scheduled. */
const undecided = (refusals: readonly RefusedBatchEmail[], claim: BatchClaim): RefusedBatchEmail[] => {
  const isOpen = isOpenIn(claim);
  return refusals.filter(({ email: { index } }) => isOpen(index));
};

function isOpenIn({ known, scheduled, refused }: BatchClaim): (index: number) => boolean {
  const decided = new Set([...indexesOf(refused), ...scheduled]);
  return (index) => !decided.has(index) && !isSentWhole(known[index] ?? null);
}

/** Invalid emails. Without `permissive` validation the request was refused before. */
const malformedOf = (entries: BatchInput['entries']): RefusedEmail[] =>
  entries.flatMap(({ issues }, index) => (issues ? { index, text: { ...new ValidationError(issues).text } } : []));

const timedOf = (entries: BatchInput['entries']): ReadonlySet<number> =>
  new Set(entries.flatMap((entry, index) => (entry.issues || entry.value.scheduled_at === undefined ? [] : index)));

const indexesOf = (refused: readonly RefusedEmail[]): ReadonlySet<number> => new Set(refused.map(({ index }) => index));

const bodyOf = (entries: BatchInput['entries']): unknown[] =>
  entries.map((entry) => (entry.issues ? entry.given : entry.value));

const everyAddress = (drafts: readonly (Draft | null)[]): string[] => [
  ...new Set(drafts.flatMap((draft) => draft?.addresses ?? []).map(addressKey)),
];

const earlierEmails = ({ emailId, known, scheduled }: BatchClaim): EarlierEmail[] =>
  idsFrom(emailId, known.length).flatMap((id, index): EarlierEmail[] => {
    if (isSentWhole(known[index] ?? null)) return [{ index, id, status: 'sent' }];
    return scheduled.has(index) ? [{ index, id, status: 'scheduled' }] : [];
  });

function batchResult(
  { emailId }: BatchClaim,
  count: number,
  refused: readonly RefusedEmail[],
  language: Language,
): Output<typeof sendBatchRoute> {
  const refusedIndexes = indexesOf(refused);
  const errors = refused.map(({ index, text }) => ({ index, message: text[language] ?? text[defaultLanguage] ?? '' }));
  return {
    object: 'batch',
    data: idsFrom(emailId, count).flatMap((id, index) => (refusedIndexes.has(index) ? [] : { id })),
    ...(errors.length > 0 && { errors: errors.sort((a, b) => a.index - b.index) }),
  };
}
