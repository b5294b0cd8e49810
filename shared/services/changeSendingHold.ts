import { ServiceError } from '../contract/errors.ts';
import { putSendingDecision, type SendingDecision } from '../store/sendingDecision.ts';
import type { DeploymentContext } from './context.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';
import { currentSendingState, heldWithinSeconds, type SendingState } from './sendingHold.ts';

/** Holds all sending of the deployment: no call to SES begins later than `heldWithinSeconds` after the answer. */
export const holdSending = /* @__PURE__ */ operatorVerb(
  { action: 'sending.hold', needs: 'platform', note: ({ note }) => note },
  (context: DeploymentContext, { note }: { readonly note?: string | undefined }) => decide(context, 'held', note),
);

/** Everything that waited goes on where it stood. */
export const releaseSending = /* @__PURE__ */ operatorVerb(
  { action: 'sending.release', needs: 'platform' },
  (context: DeploymentContext) => decide(context, 'open'),
);

async function decide({ actor, now }: DeploymentContext, state: SendingDecision['state'], note?: string) {
  const by = actor.kind === 'operator' ? actor.name : null;
  const before = await currentSendingState();
  const restored = before.decision?.restored;
  if (state === 'open' && restored && restored.checkedAt === null) {
    throw new ServiceError('conflict', { text: unchecked, details: { point: restored.point } });
  }
  if (before.decision?.state !== state) {
    await putSendingDecision({ state, since: now.toISOString(), by, note: note ?? null, restored });
  }
  return { ...stateJson(await currentSendingState()), changed: before.isHeld !== (state === 'held') };
}

const unchecked = {
  en: 'This table was restored and has not been checked: people who have unsubscribed since would get mail. Run `mailroom restore check` first.',
  fr: 'Cette table a été restaurée et n’est pas encore vérifiée : des personnes désabonnées depuis recevraient des messages. Lancez d’abord `mailroom restore check`.',
};

export async function showSending(context: DeploymentContext) {
  requireOperator(context, 'read');
  return stateJson(await currentSendingState());
}

const stateJson = ({ isHeld, decision }: SendingState) => ({
  object: 'sending' as const,
  held: isHeld,
  since: decision?.since ?? null,
  by: decision?.by ?? null,
  note: decision?.note ?? null,
  /** Seconds after which no call to SES begins. */
  held_within_seconds: heldWithinSeconds,
});
