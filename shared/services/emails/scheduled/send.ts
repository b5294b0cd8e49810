import { ServiceError } from '../../../contract/errors.ts';
import { addressKey } from '../../../domain/address/address.ts';
import { type CancelReason, cancelReasons, isPassing, nextTryAt } from '../../../domain/sending/scheduled.ts';
import { logger } from '../../../platform/logger.ts';
import { getBody } from '../../../store/files/bodies.ts';
import { getScheduled, reopenScheduled } from '../../../store/scheduled/scheduledEmails.ts';
import type { ScheduledEmail } from '../../../store/scheduled/scheduledItem.ts';
import { type AcceptedEmail, findEmail } from '../../../store/sending/emails.ts';
import { findStandings } from '../../../store/suppression/suppression.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import { deliver } from '../deliver.ts';
import { composeChecked, draftOf } from '../draft.ts';
import { SendFailure } from '../sendFailure.ts';
import { readBody } from './body.ts';
import { finish, giveUp } from './end.ts';

/** An email that this worker has claimed; `isTakenOver`: from one that died with it. */
type Claimed = ScheduledEmail & { readonly isTakenOver: boolean };

/** Checks and sends an email that this worker has claimed, and says in its record what became of it. */
export async function sendScheduled(own: Claimed, known: AcceptedEmail | null, now: Date): Promise<void> {
  try {
    if (await attempt(own, known, now)) await finish(own);
  } catch (error) {
    // What may be out is looked after when the provider's word has come, or can come no more.
    if (error instanceof SendFailure && error.isOpenEnded) return;
    // Another worker has taken it over.
    if (error instanceof ServiceError && error.code === 'conflict') return;
    await afterFailure(own, error, now);
  }
}

/** False when there is nothing to be sent any more. */
async function attempt(own: ScheduledEmail, known: AcceptedEmail | null, now: Date): Promise<boolean> {
  const { workspaceId, id } = own;
  const bytes = await getBody(workspaceId, id);
  if (!bytes) return known !== null || lost(own, now);
  const draft = draftOf(readBody(bytes));
  const [workspace, standings] = await Promise.all([
    getWorkspace(workspaceId),
    findStandings(workspaceId, draft.addresses.map(addressKey)),
  ]);
  if (!workspace) return false;
  const { mime, tracking } = await composeChecked(draft, workspace, standings, known !== null);
  await deliver(
    {
      workspaceId,
      emailId: id,
      attempt: 'later',
      inDoubt: own.inDoubt,
      isStillOurs: async () => (await getScheduled(own))?.claimedAt === own.claimedAt,
      addresses: draft.addresses,
      content: draft.content,
      schedule: { createdAt: own.createdAt, at: own.scheduledAt },
      tracking,
      now,
    },
    mime,
    workspace,
  );
  return true;
}

async function lost(own: ScheduledEmail, now: Date): Promise<false> {
  logger.error('The body of a scheduled email is gone.');
  await giveUp(own, { reason: 'send_failed', providerCode: 'BodyLost' }, now);
  return false;
}

/** Nothing more of it is on its way: it ends, or is tried again. */
async function afterFailure(own: Claimed, error: unknown, now: Date): Promise<void> {
  const isPartial = (await findEmail(own.workspaceId, own.id)) !== null;
  const failure = error instanceof SendFailure ? error : null;
  const code = failure && String(failure.details.provider_code);
  const refusal = failure ? null : reasonOf(error);
  const at = new Date(own.scheduledAt);
  const isRefused = refusal !== null && !isPassing(refusal, { ...own, scheduledAt: at }, now);
  const next = isRefused || failure?.isForGood ? null : nextTryAt(at, own.tries, now);
  if (next) {
    if (!failure) logger.error('A scheduled email could not be sent yet.', error as Error);
    await reopenScheduled(own, !isPartial && own.inDoubt.length === 0, own.tries + 1, { stage: 'queued', at: next });
  } else if (isPartial) {
    logger.error('A scheduled email went out to a part of its recipients only.', error as Error);
    await finish(own);
  } else await giveUp(own, { reason: refusal ?? 'send_failed', providerCode: code ?? undefined }, now);
}

/** The rule that refuses it; null for what is nobody's refusal. */
function reasonOf(error: unknown): CancelReason | null {
  if (!(error instanceof ServiceError)) return null;
  return cancelReasons.find((reason) => reason === error.code) ?? null;
}
