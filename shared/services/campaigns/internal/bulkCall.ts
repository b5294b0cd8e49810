import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isSimulatorAddress } from '../../../domain/address.ts';
import { sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import {
  type CallAttempt,
  countedRetries,
  messageMarker,
  type SetName,
  type Slice,
  type SliceSets,
  setOf,
  slicePositions,
} from '../../../domain/campaign/slice.ts';
import { defaultData, personalData } from '../../../domain/content/messageTemplate.ts';
import { type Tracking, trackingOf, withinAllowed } from '../../../domain/sending/email.ts';
import { paceHorizonMilliseconds } from '../../../domain/sending/quota.ts';
import type { BulkCall, BulkResult, EntryResult, Obstacle } from '../../../email/bulk.ts';
import { type CampaignOrigin, feedbackTags } from '../../../email/feedbackTags.ts';
import { logger } from '../../../platform/logger.ts';
import type { CampaignMessage } from '../../../store/campaign/frozenContent.ts';
import { type Pace, takePaceSlot } from '../../../store/campaign/pace.ts';
import type { SendConditions } from '../../../store/campaign/sendConditions.ts';
import { claimPositions, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import { peopleWithoutPlace } from '../../capPlaces.ts';
import { createLink } from '../../links.ts';
import { isSendingHeld } from '../../sendingHold.ts';
import { currentPace } from '../../sendingPace.ts';
import { campaignExpiry, mergedSets, reportDoubled } from '../counters.ts';
import { type CampaignRun, callMilliseconds } from './campaignRun.ts';
import { sizeOfCall, slowDown, speedUp } from './pacing.ts';
import type { Recipient, RecipientLookup } from './recipientLookup.ts';
import { submitBulk } from './submitBulk.ts';

/**
 * How one call for a slice ended. `late`: no time is left, or the pace has no free slot. `moved`: another process
 * changed the slice, read it again. `held`: the campaign must not continue. `slow`: reading the recipients took so long
 * that nothing was sent. `obstacle`: SES accepts nothing for now.
 */
type CallOutcome =
  | { readonly kind: 'sent'; readonly throttled: boolean; readonly slice: Slice; readonly pace: Pace }
  | { readonly kind: 'moved' }
  | { readonly kind: 'held' }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'slow' }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/**
 * A call must begin within this time after its recipients were read, so that people who left before that get nothing.
 */
const freshMilliseconds = 2000;

/** A chunk while it is being sent. */
export interface ChunkContext {
  readonly emails: readonly string[];
  readonly people: RecipientLookup;
  readonly message: CampaignMessage;
  /** As last read; null before the first call. */
  readonly pace: Pace | null;
}

/**
 * Makes one call for open positions of a slice: takes a slot in the pace, reads the recipients when it has come, claims
 * the positions, sends and records. Between claim and record there is only the call of SES: after a crash there, the
 * claim shows whose message may have been sent.
 */
export async function sendCall(
  run: CampaignRun,
  position: SlicePosition,
  slice: Slice,
  chunk: ChunkContext,
  open: readonly number[],
): Promise<CallOutcome> {
  const latest = run.now().getTime() + paceHorizonMilliseconds + callMilliseconds;
  if (latest > run.deadline.getTime()) return { kind: 'late', waitMilliseconds: 0 };
  if (await isSendingHeld()) return heldBack;
  const known = await currentPace(run.now().getTime(), chunk.pace);
  const chosen = open.slice(0, Math.min(sizeOfCall(known, open.length), chunk.message.peopleOfCall ?? slicePositions));
  const slot = await takePaceSlot(known, chosen.length, run.now().getTime());
  if (slot.kind === 'late') return { kind: 'late', waitMilliseconds: slot.waitMilliseconds };
  if (slot.kind === 'day') {
    return { kind: 'obstacle', obstacle: { reason: 'provider_day_used_up', providerCode: 'SendQuota' } };
  }
  await wait(Math.max(0, slot.startsAt - run.now().getTime()));
  const deadline = new Date(run.now().getTime() + callMilliseconds);
  // Only now, so that a pause or an unsubscribe during the wait is respected.
  const { recipients, age, ...conditions } = await chunk.people.lookUp(position.slice, chosen, run.now());
  if (!mayGoOn(run, conditions)) return { kind: 'held' };
  if (age() >= freshMilliseconds) return slowRead(chunk);
  const pace = conditions.pace ?? known;
  const present = recipients.filter((recipient) => recipient.kind === 'person');
  const { tracking, people: alike } = trackedAlike(trackingOf(run.workspace, run.campaign.track), present);
  const capped = await peopleOverCap(run, conditions, alike);
  const people = alike.filter((person) => !capped.has(person));
  const attempt = people.length === 0 ? null : newAttempt(people, deadline);
  const sets = claimedSets(recipients.map((one) => (capped.has(one) ? skippedForCap(one) : one)));
  const [expiresAt, day] = [campaignExpiry(new Date(run.freeze.at)), run.now().toISOString().slice(0, 10)];
  const before = await claimPositions(position, slice.version, { attempt, sets, day, expiresAt });
  if (!before) return { kind: 'moved' };
  const count = counterOf(run, position, chunk.emails);
  count(before, sets);
  if (!attempt) {
    const claimed = { ...before, version: before.version + 1, sets: mergedSets(before.sets, sets) };
    return { kind: 'sent', throttled: false, slice: claimed, pace };
  }
  const { reports } = conditions;
  const call = await bulkCallOf(run, position, chunk.message, people, { attempt, tracking, reports });
  const askedFor = age();
  const signal = AbortSignal.timeout(Math.max(0, deadline.getTime() - run.now().getTime()));
  const result = await submitBulk(call, signal, freshMilliseconds - askedFor);
  if (result.kind === 'too late') {
    await recordAttempt(position, attempt.id, {});
    // The read was quick: it was the connection to SES that was slow.
    return askedFor >= freshMilliseconds / 2 ? slowRead(chunk) : unreachable;
  }
  return record({ position, slice, attemptId: attempt.id, people, pace, count, now: run.now }, result);
}

function slowRead({ people }: ChunkContext): CallOutcome {
  people.forget();
  return { kind: 'slow' };
}

const heldBack: CallOutcome = { kind: 'obstacle', obstacle: { reason: 'sending_held', providerCode: null } };

const unreachable: CallOutcome = {
  kind: 'obstacle',
  obstacle: { reason: 'provider_unreachable', providerCode: 'ConnectionTimeout' },
};

/** False when the campaign was paused, cancelled, ended or frozen anew, or the workspace suspended. */
function mayGoOn(
  { freeze }: CampaignRun,
  { campaign, isSuspended }: Pick<SendConditions, 'campaign' | 'isSuspended'>,
): boolean {
  if (isSuspended) return false;
  return campaign?.status === 'sending' && campaign.hold === null && campaign.freeze?.id === freeze.id;
}

type PersonRecipient = Extract<Recipient, { kind: 'person' }>;

/**
 * Tracking is an option of the whole call: people whose refusals differ from those of the first one stay open for a call
 * of their own.
 */
function trackedAlike(wanted: Tracking, present: readonly PersonRecipient[]) {
  const ofPerson = ({ allowed }: PersonRecipient) => withinAllowed(wanted, allowed);
  const tracking = present[0] ? ofPerson(present[0]) : wanted;
  const isAlike = ({ opens, clicks }: Tracking) => opens === tracking.opens && clicks === tracking.clicks;
  return { tracking, people: present.filter((person) => isAlike(ofPerson(person))) };
}

const newAttempt = (people: readonly PersonRecipient[], deadline: Date): CallAttempt => ({
  id: randomBytes(6).toString('base64url'),
  positions: new Set(people.map((person) => person.position)),
  deadline,
});

/** Those to whom the frequency cap allows no message now. The others have a place, which they keep if the call is repeated. */
async function peopleOverCap(
  { campaign, now }: CampaignRun,
  { cap }: Pick<SendConditions, 'cap'>,
  people: readonly PersonRecipient[],
): Promise<ReadonlySet<Recipient>> {
  if (!cap || people.length === 0) return new Set();
  const emails = people.map(({ person }) => person.email);
  const full = await peopleWithoutPlace(campaign.workspaceId, emails, { cap, id: campaign.id }, now());
  return new Set(people.filter(({ person }) => full.has(person.email)));
}

const skippedForCap = ({ position }: Recipient): Recipient => ({ kind: 'skipped', position, reason: 'frequency_cap' });

/** The sets that are known before the call: who is skipped and why, and which addresses are the simulator's. */
function claimedSets(recipients: readonly Recipient[]): SliceSets {
  const sets: Partial<Record<SetName, Set<number>>> = {};
  const add = (name: SetName, position: number) => {
    sets[name] = new Set([...(sets[name] ?? []), position]);
  };
  for (const recipient of recipients) {
    if (recipient.kind === 'skipped') add(`skip.${recipient.reason}`, recipient.position);
    else if (isSimulatorAddress(recipient.person.email)) add('simulated', recipient.position);
  }
  return sets;
}

type Count = (before: Slice, added: SliceSets) => void;

/** Counts what is added to a slice. */
function counterOf({ counters }: CampaignRun, position: SlicePosition, emails: readonly string[]): Count {
  const size = sizeOfSlice(emails.length, position.slice);
  return (before, added) => counters.add(position, before, added, size);
}

const attemptTag = 'mailroom_attempt';

async function bulkCallOf(
  run: CampaignRun,
  position: SlicePosition,
  message: CampaignMessage,
  people: readonly PersonRecipient[],
  {
    attempt,
    tracking,
    reports,
  }: { readonly attempt: CallAttempt; readonly tracking: Tracking } & Pick<SendConditions, 'reports'>,
): Promise<BulkCall> {
  const { from, replyTo, subject, html, text, listId } = message;
  return {
    ...{ from, replyTo, subject, html, text },
    data: defaultData(message),
    headers: [{ name: 'List-Id', value: listId }],
    tags: [{ name: attemptTag, value: attempt.id }],
    entries: await Promise.all(
      people.map((person) => entryOf(run, position, message, person, { attempt: attempt.id, reports })),
    ),
    tracking,
  };
}

async function entryOf(
  { campaign }: CampaignRun,
  { workspaceId, chunk, slice }: SlicePosition,
  message: CampaignMessage,
  { person, position: inSlice }: PersonRecipient,
  call: Pick<CampaignOrigin, 'attempt' | 'reports'>,
) {
  const issuedAt = new Date(campaign.freeze?.at ?? campaign.createdAt);
  const position = slice * slicePositions + inSlice;
  const subject = { workspaceId, email: person.email, campaignId: campaign.id, listPosition: { chunk, position } };
  const link = await createLink('unsubscribe', subject, issuedAt);
  const origin = { kind: 'campaign', id: campaign.id, workspaceId, chunk, position, ...call } as const;
  return {
    email: person.email,
    data: personalData(message, person, link),
    // RFC 8058: one click, by a link that only this person has.
    headers: [
      { name: 'List-Unsubscribe', value: `<${link}>` },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ],
    tags: feedbackTags(origin, []).filter(({ name }) => name !== attemptTag),
  };
}

/** A call that was made, with what recording its result needs. */
interface MadeCall {
  readonly position: SlicePosition;
  readonly slice: Slice;
  readonly attemptId: string;
  readonly people: readonly PersonRecipient[];
  readonly pace: Pace;
  readonly count: Count;
  readonly now: () => Date;
}

/** Records the provider's answer in one write. After a lost answer the attempt stays open until its events end it. */
async function record(
  made: MadeCall,
  result: Exclude<BulkResult, { readonly kind: 'too late' }>,
): Promise<CallOutcome> {
  const { position, slice, attemptId, people, pace, count, now } = made;
  const positions = people.map((person) => person.position);
  /** Returns the slice after the write, which saves a read. */
  const write = async (
    closes: string | null,
    added: SliceSets,
    messageMarkers: ReadonlySet<number> = new Set(),
  ): Promise<Slice> => {
    const before = await recordAttempt(position, closes, added, messageMarkers);
    if (!before) return slice;
    count(before, added);
    reportDoubled(position, before.messageMarkers, messageMarkers);
    const attempts = before.attempts.filter(({ id }) => id !== closes);
    return { ...before, sets: mergedSets(before.sets, added), attempts };
  };
  switch (result.kind) {
    case 'answered': {
      const { entries } = result;
      const recorded = await write(attemptId, setsOf(slice, positions, entries), markersOf(positions, entries));
      return outcomeOf(entries, recorded, pace, now());
    }
    case 'unknown': {
      logger.warn('The answer to a bulk call was lost: its events will tell whom it reached.', {
        provider_code: result.providerCode,
        campaign_id: position.campaignId,
        recipients: people.length,
      });
      const recorded = await write(null, { uncertain: new Set(positions) });
      return { kind: 'sent', throttled: false, slice: recorded, pace };
    }
    case 'throttled': {
      const recorded = await write(attemptId, {});
      await slowDown(pace, now().getTime());
      return { kind: 'sent', throttled: true, slice: recorded, pace };
    }
    case 'obstacle':
      await write(attemptId, {});
      return result;
  }
}

function markersOf(positions: readonly number[], entries: readonly EntryResult[]): ReadonlySet<number> {
  const messageMarkers = entries.flatMap((entry, index) =>
    entry.kind === 'accepted' ? [messageMarker(positions[index] ?? 0, entry.messageId)] : [],
  );
  return new Set(messageMarkers);
}

/** A refusal of every entry is about the message or the account, not about the people. */
const areAllRefused = (entries: readonly EntryResult[]): boolean =>
  entries.length > 1 && entries.every(({ kind }) => kind === 'refused');

function setsOf(slice: Slice, positions: readonly number[], entries: readonly EntryResult[]): SliceSets {
  const sets = new Map<SetName, Set<number>>();
  const add = (name: SetName, position: number) => sets.set(name, (sets.get(name) ?? new Set()).add(position));
  const isSharedRefusal = areAllRefused(entries);
  for (const [index, entry] of entries.entries()) {
    const position = positions[index] ?? 0;
    if (entry.kind === 'accepted') add('accepted', position);
    else if (entry.kind === 'refused' && !isSharedRefusal) add('failed', position);
    else if (entry.kind === 'transient') add(nextRetry(slice, position), position);
  }
  return Object.fromEntries(sets);
}

/** A person whose entry met `countedRetries` transient errors has failed. */
function nextRetry(slice: Slice, position: number): SetName {
  for (let retry = 1; retry <= countedRetries; retry += 1) {
    if (!setOf(slice.sets, `retry.${retry}`).has(position)) return `retry.${retry}`;
  }
  return 'failed';
}

async function outcomeOf(entries: readonly EntryResult[], slice: Slice, pace: Pace, now: Date): Promise<CallOutcome> {
  const obstacle = entries.find((entry) => entry.kind === 'obstacle');
  if (obstacle) return obstacle;
  const [first] = entries;
  if (first?.kind === 'refused' && areAllRefused(entries)) {
    return { kind: 'obstacle', obstacle: { reason: 'provider_refuses', providerCode: first.providerCode } };
  }
  const throttled = entries.some(({ kind }) => kind === 'throttled');
  await (throttled ? slowDown : speedUp)(pace, now.getTime());
  return { kind: 'sent', throttled, slice, pace };
}
