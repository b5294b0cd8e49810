import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { claimKey } from '../table/keys.ts';
import { getItem, type Item } from '../table/table.ts';
import { changeItem, changeItemOnce, deleteItem, putOrRead } from '../table/write.ts';

/** The holder of an Idempotency-Key: the email id of its first call, and the hash of that call's body. */
export interface Claim {
  readonly emailId: string;
  readonly bodyHash: string;
  /** Unix milliseconds; 0 when another call may take the key over at once. */
  readonly claimedAt: number;
  /** Envelopes whose outcome an earlier call did not learn: SES may have accepted them. */
  readonly inDoubt: readonly number[];
  /** Emails of a batch that its first call refused while it sent the others. */
  readonly refused?: readonly RefusedEmail[] | undefined;
  /** The answer of a call that sends nothing itself, as JSON; absent until it is known. */
  readonly answer?: string | undefined;
}

export interface RefusedEmail {
  /** Its position in the batch. */
  readonly index: number;
  /** Why, by language. */
  readonly text: Readonly<Record<string, string>>;
}

export interface ClaimPosition {
  readonly workspaceId: string;
  readonly keyHash: string;
}

interface ClaimRecord {
  readonly email_id: string;
  readonly body_hash: string;
  readonly claimed_at: number;
  readonly in_doubt?: readonly number[];
  readonly refused?: readonly RefusedEmail[];
  readonly answer?: string;
  /** The call that took it over last. */
  readonly last_taker?: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

const keyOf = ({ workspaceId, keyHash }: ClaimPosition) => claimKey(workspaceId, keyHash);

/** Claims a key for an email. Null when the claim is ours; else the claim that is stored. */
export async function claim(position: ClaimPosition, requested: Claim, now: Date): Promise<Claim | null> {
  const seconds = epochSeconds(now);
  const record: ClaimRecord = {
    email_id: requested.emailId,
    body_hash: requested.bodyHash,
    claimed_at: requested.claimedAt,
    expires_at: seconds + secondsInDay,
  };
  const isOurs = {
    any: [
      ['pk', 'absent'],
      ['expires_at', '<=', seconds],
      ['email_id', '=', requested.emailId],
    ],
  } as const;
  const { isMade, item } = await putOrRead<ClaimRecord>(keyOf(position), record, { if: [isOurs] });
  return isMade ? null : claimOf(item);
}

const claimOf = (item: Item): Claim => ({
  emailId: String(item.email_id),
  bodyHash: String(item.body_hash),
  claimedAt: Number(item.claimed_at),
  inDoubt: (item.in_doubt ?? []) as readonly number[],
  refused: item.refused as readonly RefusedEmail[] | undefined,
  ...(item.answer !== undefined && { answer: String(item.answer) }),
});

/** The condition that the claim is as it was read. */
const unchanged = ({ emailId, claimedAt }: Claim) => ({ email_id: emailId, claimed_at: claimedAt });

/** Takes over the claim of a call without a known outcome; null when another call was faster. */
export async function takeOver(
  position: ClaimPosition,
  stored: Claim,
  inDoubt: readonly number[],
  now: Date,
): Promise<Claim | null> {
  const own = { ...stored, claimedAt: now.getTime(), inDoubt };
  const taking = { set: { claimed_at: own.claimedAt, in_doubt: inDoubt }, expect: unchanged(stored) };
  return (await changeItemOnce<ClaimRecord>(keyOf(position), taking, 'last_taker')) && own;
}

/**
 * Keeps the claim for its email and lets another call take it over at once: everything about this call's sends is
 * recorded.
 */
export async function reopen(position: ClaimPosition, own: Claim, inDoubt: readonly number[]): Promise<void> {
  const set = { claimed_at: 0, in_doubt: inDoubt };
  await changeItem<ClaimRecord>(keyOf(position), { set, expect: unchanged(own) });
}

/** Stores which emails of a batch are refused, before the others are sent; false when another call has the claim. */
export async function noteRefused(
  position: ClaimPosition,
  own: Claim,
  refused: readonly RefusedEmail[],
): Promise<boolean> {
  const change = { set: { refused }, expect: unchanged(own) };
  return (await changeItem<ClaimRecord>(keyOf(position), change)) !== null;
}

/** Keeps the answer of a call for those who repeat it, unless another call has the claim by now. */
export async function noteAnswer(position: ClaimPosition, own: Claim, answer: string): Promise<void> {
  await changeItem<ClaimRecord>(keyOf(position), { set: { answer }, expect: unchanged(own) });
}

/** Frees the key of a call that sent nothing, unless another call has the claim by now. */
export async function release(position: ClaimPosition, own: Claim): Promise<void> {
  await deleteItem<ClaimRecord>(keyOf(position), { expect: unchanged(own) });
}

/** False when another call has taken the claim over. Strongly consistent. */
export async function isHeld(position: ClaimPosition, own: Claim): Promise<boolean> {
  const item = await getItem(keyOf(position));
  return item?.email_id === own.emailId && item.claimed_at === own.claimedAt;
}
