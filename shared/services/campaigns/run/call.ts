import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isSimulatorAddress } from '../../../domain/address/address.ts';
import type { Slice } from '../../../domain/campaign/attempt.ts';
import { sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import { messageMark } from '../../../domain/campaign/messageMark.ts';
import { paceHorizonMilliseconds } from '../../../domain/campaign/pace.ts';
import { defaultData, personalData } from '../../../domain/campaign/render/templateData.ts';
import {
  countedRetries,
  type SetName,
  type SkipReason,
  type SliceSets,
  setOf,
  slicePositions,
} from '../../../domain/campaign/slice.ts';
import { trackingOf, untracked } from '../../../domain/sending/tracking.ts';
import { type BulkResult, type EntryResult, type Obstacle, sendBulk } from '../../../email/bulk.ts';
import { feedbackTags } from '../../../email/feedbackTags.ts';
import { logger } from '../../../platform/logger.ts';
import type { CampaignMessage } from '../../../store/campaign/messages.ts';
import type { Pace } from '../../../store/campaign/pace.ts';
import { claimPositions, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import type { Standing } from '../../../store/campaign/standing.ts';
import { createLink } from '../../links.ts';
import { reportDoubled } from '../doubled.ts';
import { together } from './book.ts';
import type { Flight } from './flight.ts';
import { currentPace, place, sizeOfCall, slowDown, speedUp } from './pacing.ts';
import type { ChunkPeople, Recipient } from './people.ts';
import { campaignExpiry } from './retention.ts';

/**
 * What one step in a slice came to. `late`: no place in the pace for now; `moved`: another was there, read again; `held`:
 * the campaign goes no further.
 */
export type Step =
  | { readonly kind: 'sent'; readonly throttled: boolean; readonly slice: Slice; readonly pace: Pace }
  | { readonly kind: 'moved' }
  | { readonly kind: 'held' }
  | { readonly kind: 'late'; readonly waitMilliseconds: number }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** A call is recorded well within the time after which another takes it for lost. */
const callMilliseconds = 12_000;

/** The chunk whose people are sent to, and what they get. */
export interface ChunkAtWork {
  readonly emails: readonly string[];
  readonly people: ChunkPeople;
  readonly message: CampaignMessage;
  /** As it was before the last call; null before the first. */
  readonly pace: Pace | null;
}

/**
 * One call for some open positions of a slice: given a place in the pace, looked up when it has come, claimed, sent,
 * recorded. Between the claim and the record nothing but the provider's call: whoever dies there leaves a claim that
 * says what may be out.
 */
export async function sendSome(
  flight: Flight,
  position: SlicePosition,
  slice: Slice,
  chunk: ChunkAtWork,
  open: readonly number[],
): Promise<Step> {
  const latest = flight.now().getTime() + paceHorizonMilliseconds + callMilliseconds;
  if (latest > flight.deadline.getTime()) return { kind: 'late', waitMilliseconds: 0 };
  const known = await currentPace(flight.now().getTime(), chunk.pace);
  const chosen = open.slice(0, Math.min(sizeOfCall(known, open.length), chunk.message.peopleOfCall ?? slicePositions));
  const taken = await place(known, chosen.length, flight.now().getTime());
  if (taken.kind === 'late') return { kind: 'late', waitMilliseconds: taken.waitMilliseconds };
  if (taken.kind === 'day') {
    return { kind: 'obstacle', obstacle: { reason: 'provider_day_used_up', providerCode: 'SendQuota' } };
  }
  await wait(Math.max(0, taken.startsAt - flight.now().getTime()));
  const deadline = new Date(flight.now().getTime() + callMilliseconds);
  // Only now: whoever leaves, or pauses it, while a place is waited for is obeyed.
  const { recipients, ...standing } = await chunk.people.lookUp(position.slice, chosen, flight.now());
  if (!goesOn(flight, standing)) return { kind: 'held' };
  const pace = standing.pace ?? known;
  const present = recipients.filter((recipient) => recipient.kind === 'person');
  // A call is tracked as a whole: who refused it gets the next one, as long as there are others.
  const isUntracked = present.every((person) => person.isUntracked);
  const people = present.filter((person) => person.isUntracked === isUntracked);
  const attempt =
    people.length === 0
      ? null
      : {
          id: randomBytes(6).toString('base64url'),
          positions: new Set(people.map((person) => person.position)),
          deadline,
        };
  const expiresAt = campaignExpiry(new Date(flight.freeze.at));
  const skipped = skippedSets(recipients);
  const before = await claimPositions(position, slice.turn, { attempt, skipped, expiresAt });
  if (!before) return { kind: 'moved' };
  const first = position.slice * slicePositions;
  const size = sizeOfSlice(chunk.emails.length, position.slice);
  const emailOf = (own: number) => chunk.emails[first + own] ?? '';
  const book = (sets: SliceSets, added: SliceSets) => {
    flight.book.add(position, sets, added, size);
    const counted = [...(added.accepted ?? [])].filter(
      (own) => !sets.accepted?.has(own) && !isSimulatorAddress(emailOf(own)),
    );
    flight.book.count(position.workspaceId, { sent: counted.length });
  };
  book(before.sets, skipped);
  if (!attempt) {
    const claimed = { ...before, turn: before.turn + 1, sets: together(before.sets, skipped) };
    return { kind: 'sent', throttled: false, slice: claimed, pace };
  }
  // Held up for so long that another may have taken it for lost: it sends nothing any more.
  const left = deadline.getTime() - flight.now().getTime();
  if (left < callMilliseconds / 2) {
    await recordAttempt(position, attempt.id, {});
    return { kind: 'moved' };
  }
  const result = await sendBulk(
    {
      from: chunk.message.from,
      subject: chunk.message.subject,
      html: chunk.message.html,
      text: chunk.message.text,
      data: defaultData(chunk.message),
      headers: [{ name: 'List-Id', value: chunk.message.listId }],
      tags: [{ name: attemptTag, value: attempt.id }],
      entries: await Promise.all(people.map((person) => entryOf(flight, position, chunk.message, person, attempt.id))),
      tracking: isUntracked ? untracked : trackingOf(flight.workspace, flight.campaign.track),
    },
    AbortSignal.timeout(left),
  );
  return record({ position, slice, attemptId: attempt.id, people, pace, book, now: flight.now }, result);
}

/** Somebody may have paused it a second ago, or the workspace was suspended: it stops within one slice. */
function goesOn({ freeze }: Flight, { campaign, isSuspended }: Pick<Standing, 'campaign' | 'isSuspended'>): boolean {
  if (isSuspended) return false;
  return campaign?.status === 'sending' && campaign.hold === null && campaign.freeze?.id === freeze.id;
}

const attemptTag = 'mailroom_attempt';

function skippedSets(recipients: readonly Recipient[]): SliceSets {
  const sets: Partial<Record<SetName, Set<number>>> = {};
  for (const recipient of recipients) {
    if (recipient.kind !== 'skipped') continue;
    const name: `skip.${SkipReason}` = `skip.${recipient.reason}`;
    sets[name] = new Set([...(sets[name] ?? []), recipient.position]);
  }
  return sets;
}

type Person = Extract<Recipient, { kind: 'person' }>;

async function entryOf(
  { campaign }: Flight,
  position: SlicePosition,
  message: CampaignMessage,
  { person, position: own }: Person,
  attempt: string,
) {
  const { workspaceId, chunk, slice } = position;
  const issuedAt = new Date(campaign.freeze?.at ?? campaign.createdAt);
  const inChunk = slice * slicePositions + own;
  const subject = { workspaceId, email: person.email, campaignId: campaign.id, place: { chunk, position: inChunk } };
  const link = await createLink('unsubscribe', subject, issuedAt);
  const origin = { kind: 'campaign', id: campaign.id, workspaceId, chunk, position: inChunk, attempt } as const;
  return {
    email: person.email,
    data: personalData(message, person, link),
    // RFC 8058: one click, and the link is one that only this person has.
    headers: [
      { name: 'List-Unsubscribe', value: `<${link}>` },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ],
    tags: feedbackTags(origin, []).filter(({ name }) => name !== attemptTag),
  };
}

/** A call that was made, and where what came of it is written. */
interface Sent {
  readonly position: SlicePosition;
  readonly slice: Slice;
  readonly attemptId: string;
  readonly people: readonly Person[];
  readonly pace: Pace;
  readonly book: (before: SliceSets, added: SliceSets) => void;
  readonly now: () => Date;
}

/** Writes down what the provider said, all of it in one write. A call that broke stays open, for its events to end it. */
async function record(sent: Sent, result: BulkResult): Promise<Step> {
  const { position, slice, attemptId, people, pace, book, now } = sent;
  const positions = people.map((person) => person.position);
  /** Answers the slice as it is from then on, so that nobody has to read it again. */
  const write = async (
    closes: string | null,
    added: SliceSets,
    marks: ReadonlySet<number> = new Set(),
  ): Promise<Slice> => {
    const before = await recordAttempt(position, closes, added, marks);
    if (!before) return slice;
    book(before.sets, added);
    reportDoubled(position, before.marks, marks);
    const attempts = before.attempts.filter(({ id }) => id !== closes);
    return { ...before, sets: together(before.sets, added), attempts };
  };
  switch (result.kind) {
    case 'answered': {
      const { entries } = result;
      const recorded = await write(attemptId, setsOf(slice, positions, entries), marksOf(positions, entries));
      return stepOf(entries, recorded, pace, now());
    }
    case 'unknown': {
      logger.warn('A bulk call broke: whom it reached, its events will tell.', {
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

function marksOf(positions: readonly number[], entries: readonly EntryResult[]): ReadonlySet<number> {
  const marks = entries.flatMap((entry, index) =>
    entry.kind === 'accepted' ? [messageMark(positions[index] ?? 0, entry.messageId)] : [],
  );
  return new Set(marks);
}

function setsOf(slice: Slice, positions: readonly number[], entries: readonly EntryResult[]): SliceSets {
  const sets = new Map<SetName, Set<number>>();
  const add = (name: SetName, position: number) => sets.set(name, (sets.get(name) ?? new Set()).add(position));
  const isForAll = entries.every(({ kind }) => kind === 'refused') && entries.length > 1;
  for (const [index, entry] of entries.entries()) {
    const position = positions[index] ?? 0;
    if (entry.kind === 'accepted') add('accepted', position);
    // What is refused to each and every one is no fault of theirs.
    else if (entry.kind === 'refused' && !isForAll) add('failed', position);
    else if (entry.kind === 'transient') add(nextRetry(slice, position), position);
  }
  return Object.fromEntries(sets);
}

/** The provider's trouble with somebody is its own a few times; then it is theirs. */
function nextRetry(slice: Slice, position: number): SetName {
  for (let retry = 1; retry <= countedRetries; retry += 1) {
    if (!setOf(slice.sets, `retry.${retry}`).has(position)) return `retry.${retry}`;
  }
  return 'failed';
}

async function stepOf(entries: readonly EntryResult[], slice: Slice, pace: Pace, now: Date): Promise<Step> {
  const obstacle = entries.find((entry) => entry.kind === 'obstacle');
  if (obstacle) return obstacle;
  const [first] = entries;
  if (first?.kind === 'refused' && entries.length > 1 && entries.every(({ kind }) => kind === 'refused')) {
    return { kind: 'obstacle', obstacle: { reason: 'provider_refuses', providerCode: first.providerCode } };
  }
  const throttled = entries.some(({ kind }) => kind === 'throttled');
  await (throttled ? slowDown : speedUp)(pace, now.getTime());
  return { kind: 'sent', throttled, slice, pace };
}
