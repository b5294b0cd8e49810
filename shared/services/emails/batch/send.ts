import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { Input, Output, Result } from '../../../contract/route.ts';
import type { sendBatchRoute } from '../../../contract/routes/emails/batch.ts';
import { addressKey } from '../../../domain/address/address.ts';
import { createIds, idsFrom, timeOfId } from '../../../domain/token/identifier.ts';
import { defaultLanguage, type Language } from '../../../language/languages.ts';
import type { RefusedEmail } from '../../../store/sending/claims.ts';
import { findStandings } from '../../../store/suppression/suppression.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import type { Context } from '../../context.ts';
import { completed } from '../completing/complete.ts';
import { Room } from '../completing/room.ts';
import { templatesOf } from '../completing/template.ts';
import { uploadsOf } from '../completing/uploads.ts';
import { type Draft, draftOf } from '../draft.ts';
import { isStillOurs, whileHolding } from '../idempotency.ts';
import { type BatchClaim, claimBatch, keepRefused, unclaimedBatch } from './claim.ts';
import { deliverBatch } from './deliver.ts';
import { checkDelivered, type Settled } from './failure.ts';
import { isWhole, type Letter, momentOf } from './letter.ts';
import { composeAll, type Refusal, refusalOfAll } from './refusals.ts';
import { checkRoomOfAll } from './schedule.ts';

type Request = Input<typeof sendBatchRoute>;

/**
 * Sends the emails of a batch, each as a single one is sent: with an id, an attempt and marks of its own, so that what a
 * crash leaves behind is settled email by email; see docs/decisions/0001-shape.md. Those of a later moment are kept.
 */
export async function sendBatch(context: Context, request: Request): Promise<Result<typeof sendBatchRoute>> {
  const { workspaceId, now, language } = context;
  const { entries, idempotencyKey } = request;
  const { drafts, unmade } = await draftsOf(context, entries);
  const malformed = malformedOf(entries);
  const firstId = createIds('email', now, entries.length);
  const [workspace, standings, claim] = await Promise.all([
    getWorkspace(workspaceId),
    findStandings(workspaceId, everyAddress(drafts)),
    idempotencyKey === undefined
      ? unclaimedBatch(firstId)
      : claimBatch(
          workspaceId,
          idempotencyKey,
          { body: bodyOf(entries), firstId, malformed: indexesOf(malformed), timed: timedOf(entries) },
          now,
        ),
  ]);
  const answer = (refused: readonly RefusedEmail[]) => answerOf(claim, entries.length, refused, language);
  if (claim.kind === 'done') return { outcome: 'replayed', output: answer([...malformed, ...claim.refused]) };
  return whileHolding(claim, async () => {
    if (!workspace) throw new ServiceError('internal_error');
    const isStrict = request.xBatchValidation === 'strict';
    const letters = openLetters(drafts, claim);
    const composed = await composeAll(letters, workspace, standings, {
      isLaterCall: claim.kind === 'resumed',
      askedAt: timeOfId(claim.emailId),
    });
    const { ready } = composed;
    const refused = [...openOf(unmade, claim), ...composed.refused].sort((a, b) => a.letter.index - b.letter.index);
    if (isStrict && refused.length > 0) throw refusalOfAll(refused);
    const told = refused.map(({ letter: { index }, error }) => ({ index, text: { ...error.text } }));
    const left = [...claim.refused, ...told];
    await checkRoomOfAll(ready, workspace, { now, lostAt: claim.lostAt });
    await keepRefused(claim, left);
    const outcome = await deliverBatch({
      workspace,
      letters: ready.filter((letter) => !momentOf(letter)),
      later: ready.filter(momentOf),
      inDoubt: claim.kind === 'none' ? [] : claim.claim.inDoubt,
      isStillOurs: () => isStillOurs(claim),
      isStrict,
      now,
      lostAt: claim.lostAt,
    });
    const output = answer([...malformed, ...left]);
    checkDelivered(outcome, settledBefore(claim), output.errors ?? []);
    return { outcome: 'accepted', output };
  });
}

/** Every email made whole and read; those that cannot be, since a template is gone, are refused as any other. */
async function draftsOf(context: Context, entries: Request['entries']) {
  const { workspaceId, now } = context;
  const templates = templatesOf(workspaceId);
  const room = new Room();
  const unmade: Refusal[] = [];
  const made = entries.map(async (entry, index) => {
    if (entry.issues) return null;
    const place = room.place();
    try {
      return draftOf(await completed(entry.value, { templates, uploads: uploadsOf(workspaceId, now, place) }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unmade.push({ letter: { index }, error });
      return null;
    } finally {
      place.leave();
    }
  });
  return { drafts: await Promise.all(made), unmade };
}

/** Those of which no earlier call under the key has decided. */
function openOf(unmade: readonly Refusal[], { known, scheduled, refused }: BatchClaim): Refusal[] {
  const left = new Set([...indexesOf(refused), ...scheduled]);
  return unmade.filter(({ letter: { index } }) => !left.has(index) && !isWhole(known[index] ?? null));
}

/** What is no email at all; the pipeline lets it pass only where the others may go without it. */
const malformedOf = (entries: Request['entries']): RefusedEmail[] =>
  entries.flatMap(({ issues }, index) => (issues ? { index, text: { ...new ValidationError(issues).text } } : []));

const timedOf = (entries: Request['entries']): ReadonlySet<number> =>
  new Set(entries.flatMap((entry, index) => (entry.issues || entry.value.scheduled_at === undefined ? [] : index)));

const indexesOf = (refused: readonly RefusedEmail[]): ReadonlySet<number> => new Set(refused.map(({ index }) => index));

const bodyOf = (entries: Request['entries']): unknown[] =>
  entries.map((entry) => (entry.issues ? entry.given : entry.value));

const everyAddress = (drafts: readonly (Draft | null)[]): string[] => [
  ...new Set(drafts.flatMap((draft) => draft?.addresses ?? []).map(addressKey)),
];

/** Those that nothing refused, and of which something is not out yet. */
function openLetters(drafts: readonly (Draft | null)[], { emailId, known, scheduled, refused }: BatchClaim): Letter[] {
  const left = new Set([...indexesOf(refused), ...scheduled]);
  const ids = idsFrom(emailId, drafts.length);
  return drafts.flatMap((draft, index) => {
    const letter = draft && { index, id: ids[index] ?? '', draft, known: known[index] ?? null };
    return letter && !left.has(index) && !isWhole(letter.known) ? letter : [];
  });
}

const settledBefore = ({ emailId, known, scheduled }: BatchClaim): Settled[] =>
  idsFrom(emailId, known.length).flatMap((id, index): Settled[] => {
    if (isWhole(known[index] ?? null)) return [{ index, id, status: 'sent' }];
    return scheduled.has(index) ? [{ index, id, status: 'scheduled' }] : [];
  });

function answerOf(
  { emailId }: BatchClaim,
  count: number,
  refused: readonly RefusedEmail[],
  language: Language,
): Output<typeof sendBatchRoute> {
  const left = indexesOf(refused);
  const errors = refused.map(({ index, text }) => ({ index, message: text[language] ?? text[defaultLanguage] ?? '' }));
  return {
    object: 'batch',
    data: idsFrom(emailId, count).flatMap((id, index) => (left.has(index) ? [] : { id })),
    ...(errors.length > 0 && { errors: errors.sort((a, b) => a.index - b.index) }),
  };
}
