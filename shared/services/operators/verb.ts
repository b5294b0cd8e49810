import { ServiceError } from '../../contract/errors.ts';
import { createId } from '../../domain/token/identifier.ts';
import { putAudit, settleAudit } from '../../store/operator/audit.ts';
import type { Actor, Context, OperatorActor } from '../context.ts';
import { type OperatorNeed, requireOperator, requireRole } from '../requireOperator.ts';

/** What the wrapped verbs are told of who asks; about the deployment where there is no workspace. */
interface Caller {
  readonly actor: Actor;
  readonly workspaceId?: string;
  readonly now: Date;
}

interface Deed<Given extends readonly unknown[]> {
  /** `key.create`: how the audit log calls it. */
  readonly action: string;
  readonly needs: Exclude<OperatorNeed, 'read'>;
  /** What it is done to, as the audit log may keep it for a year: no address of a person (`personSubject`). */
  readonly subject?: (...given: Given) => string | null | Promise<string | null>;
  /** What the operator says of it, for the log alone. */
  readonly note?: (...given: Given) => string | undefined;
  /** Keys call it too, whose scope was checked and whose calls are in no audit log. */
  readonly byKeys?: true;
  /** True for what ends a workspace, whose own log goes with it. */
  readonly ofDeployment?: true;
}

/**
 * A verb by which an operator changes something: held against their role, and in the audit log. The entry comes before
 * the deed and is completed after it, so that a process that dies in between leaves a deed whose end nobody saw, and
 * never one that nobody did. Two write units.
 */
/* @__NO_SIDE_EFFECTS__ */
export function operatorVerb<Who extends Caller, Given extends readonly unknown[], Result>(
  deed: Deed<Given>,
  verb: (context: Who, ...given: Given) => Promise<Result>,
): (context: Who, ...given: Given) => Promise<Result> {
  return async (context, ...given) => {
    const check = deed.byKeys ? requireRole : requireOperator;
    check(context, deed.needs);
    const { actor } = context;
    if (actor.kind !== 'operator') return verb(context, ...given);
    const subject = (await deed.subject?.(...given)) ?? null;
    const workspaceId = deed.ofDeployment ? null : (context.workspaceId ?? null);
    const said = { action: deed.action, subject, note: deed.note?.(...given) ?? null };
    return noted({ actor, workspaceId, now: context.now }, said, () => verb(context, ...given));
  };
}

interface Place {
  readonly actor: OperatorActor;
  readonly workspaceId: string | null;
  readonly now: Date;
}

/** What the log says of a deed besides who, when and how it ended. */
interface Said {
  readonly action: string;
  readonly subject: string | null;
  readonly note?: string | null;
}

/** Does it between the two writes of its entry. */
export async function noted<Result>(place: Place, said: Said, deed: () => Promise<Result>): Promise<Result> {
  const { workspaceId } = place;
  const id = await begin(place, said);
  try {
    const result = await deed();
    await settleAudit(workspaceId, id, 'done');
    return result;
  } catch (error) {
    const outcome = error instanceof ServiceError ? error.code : 'internal_error';
    // What went wrong is what the caller must hear of, whatever becomes of the entry.
    await settleAudit(workspaceId, id, outcome).catch(() => {});
    throw error;
  }
}

/** What takes people's data out, piece by piece: the entry is completed when the last of them was taken. */
export async function* notedPieces<Piece>(
  { actor, workspaceId, now }: Context,
  said: Said,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  if (actor.kind !== 'operator') throw new Error('Only what an operator does is noted.');
  const id = await begin({ actor, workspaceId, now }, said);
  yield* pieces;
  await settleAudit(workspaceId, id, 'done');
}

async function begin({ actor, workspaceId, now }: Place, { action, subject, note = null }: Said): Promise<string> {
  const id = createId('aud', now);
  const { name: by, role, door } = actor;
  const at = now.toISOString();
  await putAudit(workspaceId, { id, at, action, subject, note, by, role, door, outcome: 'begun' });
  return id;
}
