import { isSimulatorAddress } from '../../../domain/address/address.ts';
import type { HappeningOf } from '../../../domain/sending/happening.ts';
import type { EmailFeedback } from '../../../email/feedbackEvent.ts';
import { recordCountedOutcome, type Told } from '../../../store/sending/outcomes.ts';
import { suppress } from '../../suppression/suppress.ts';
import { type Batch, countInTurn } from '../batch.ts';
import { emitEmailEvent } from './event.ts';
import { listStatus } from './listed.ts';
import { outcomeOf } from './outcome.ts';

type Damage = HappeningOf<'bounced' | 'complained'>;

const reasons = { bounced: 'bounce', complained: 'complaint' } as const;

/** An address that is dead, or a person who wants none of it: it counts against the workspace and is written to no more. */
export async function recordDamage(feedback: EmailFeedback, damage: Damage, batch: Batch): Promise<void> {
  const { workspaceId } = feedback.origin;
  const { type: status, recipient, byAccount } = damage;
  const counts = !byAccount && !isSimulatorAddress(recipient);
  const outcome = outcomeOf(feedback, { recipient, status, at: damage.at, told: toldOf(damage) }, batch);
  await listStatus(outcome, status, batch);
  const day = batch.now.toISOString().slice(0, 10);
  const { at } = await countInTurn(batch, workspaceId, () =>
    recordCountedOutcome(outcome, counts ? { day, counts: { [status]: 1 } } : null),
  );
  const reason = reasons[status];
  await suppress(workspaceId, recipient, reason, batch.now);
  if (byAccount) await suppress(null, recipient, reason, batch.now);
  batch.damaged.add(workspaceId);
  await emitEmailEvent(feedback, { type: `email.${status}`, recipient, at, details: detailsOf(damage) }, batch);
}

const longestDiagnostic = 500;

function toldOf(damage: Damage): Told {
  if (damage.type === 'complained') return { feedback_type: damage.complaint.feedbackType };
  const { type, subtype, diagnostic } = damage.bounce;
  return { type, subtype, diagnostic: diagnostic?.slice(0, longestDiagnostic) ?? null };
}

const detailsOf = (damage: Damage) =>
  damage.type === 'bounced'
    ? { bounce: damage.bounce }
    : { complaint: { feedback_type: damage.complaint.feedbackType } };
