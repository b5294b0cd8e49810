import * as z from 'zod';
import { type EmailStatus, emailStatuses, statusRank } from '../../domain/sending/email.ts';
import type { Minute } from '../../domain/sending/settlement.ts';
import type { Change } from '../table/expression.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import { recipientKey } from '../table/keys.ts';
import type { CancellationReason, Item, TransactionPart } from '../table/table.ts';
import { isFailedCondition, transact } from '../table/transaction.ts';
import { changePart, upsertAnswering, upsertItem } from '../table/write.ts';

/** The further details of a report. */
export type ReportDetails = Readonly<Record<string, string | null>>;

/** The outcome of an email for one recipient. Its events: outcomeEvents.ts. */
export interface OutcomeRecord {
  readonly email: string;
  readonly status: EmailStatus;
  readonly rank: number;
  readonly updated_at: string;
  readonly expires_at: number;
  /** For each status, when it was first reported, with the details. */
  readonly sent_at?: string;
  readonly sent_told?: ReportDetails;
  readonly delivered_at?: string;
  readonly delivered_told?: ReportDetails;
  readonly bounced_at?: string;
  readonly bounced_told?: ReportDetails;
  readonly complained_at?: string;
  readonly complained_told?: ReportDetails;
  /** The settlement bucket that counts the delivery, and whether it is later than that of the send. */
  readonly counted_with?: Minute;
  readonly counted_late?: boolean;
  /** Each entry is a time, `#` and a text. */
  readonly delays?: ReadonlySet<string>;
  readonly opens?: ReadonlySet<string>;
  readonly clicks?: ReadonlySet<string>;
  readonly story_more?: number;
}

/** A time or a status of the recipient. */
const reported = { erasure: 'keep', inExport: 'by code', shown: 'in details' } as const;
/** Names of servers, user agents and links can name the person. */
const personal = { erasure: 'remove', inExport: 'by code', shown: 'in details' } as const;

/** Rules for the outcome of the person who is erased or exported. */
export const outcomeRules = {
  email: reported,
  status: reported,
  rank: internal,
  updated_at: reported,
  sent_at: reported,
  sent_told: personal,
  delivered_at: reported,
  delivered_told: personal,
  bounced_at: reported,
  bounced_told: personal,
  complained_at: reported,
  complained_told: personal,
  counted_with: internal,
  counted_late: internal,
  delays: personal,
  opens: personal,
  clicks: personal,
  story_more: personal,
} as const satisfies FieldRules<OutcomeRecord>;

export const reportedAtName = <Status extends EmailStatus>(status: Status) => `${status}_at` as const;
export const detailsName = <Status extends EmailStatus>(status: Status) => `${status}_told` as const;

const outcome = z.object({ email: z.string(), status: z.enum(emailStatuses), updated_at: z.string() });

export interface RecipientOutcome {
  readonly email: string;
  readonly status: EmailStatus;
  readonly updatedAt: string;
}

export function outcomeOf(item: Item): RecipientOutcome {
  const { email, status, updated_at } = outcome.parse(item);
  return { email, status, updatedAt: updated_at };
}

export interface OutcomeExpiry {
  /** Unix seconds. */
  readonly expiresAt: number;
  /** A late report gives this time to an outcome that is stored already: it must outlive what the copy has of it. */
  readonly isLate?: boolean;
}

export interface OutcomeChange extends OutcomeExpiry {
  readonly workspaceId: string;
  readonly emailId: string;
  readonly address: string;
  readonly status: EmailStatus;
  readonly at: Date;
  /** Further details, stored with the first report of this status. */
  readonly details?: ReportDetails;
  /** The settlement bucket that counts it as delivered, if this change is made. */
  readonly count?: DeliveryCount;
}

/** The settlement bucket of a delivery: that of the send, or a later one for a late report. */
export interface DeliveryCount {
  readonly minute: Minute;
  readonly isLate: boolean;
}

/** What `countOf` reads. */
export const countNames = ['counted_with', 'counted_late'] as const satisfies (keyof OutcomeRecord)[];

/** The settlement bucket that counts the delivery of an outcome; null for none. */
export function countOf(item: Item | undefined): DeliveryCount | null {
  const minute = item?.counted_with;
  return minute === undefined ? null : { minute: minute as Minute, isLate: item?.counted_late === true };
}

/**
 * The effect of a report, and when this status was first reported, which is the time of the events that follow from it.
 */
export interface RecordedOutcome {
  readonly changed: boolean;
  readonly at: Date;
}

/** Raises a recipient to a higher-ranking status; does nothing when the stored rank is that or higher. */
export async function recordOutcome(change: OutcomeChange): Promise<RecordedOutcome> {
  const { isMade, item } = await upsertAnswering<OutcomeRecord>(keyOf(change), outcomeChange(change), 'UPDATED_NEW');
  return isMade ? { changed: true, at: change.at } : knownOutcome(change, item);
}

/**
 * The same, and counts it in one transaction: bounces and complaints decide over suspension, so each counts at once and
 * exactly once. With a `count` of null nothing is counted.
 */
export async function recordCountedOutcome(
  change: OutcomeChange,
  count: TransactionPart | null,
): Promise<RecordedOutcome> {
  if (!count) return recordOutcome(change);
  const refused = await transact([
    changePart<OutcomeRecord>(keyOf(change), outcomeChange(change), { returnStored: true }),
    count,
  ]);
  if (refused === null) return { changed: true, at: change.at };
  // Only the first part has a condition.
  const [own]: readonly (CancellationReason | undefined)[] = refused;
  if (!isFailedCondition(own)) throw new Error('A counted outcome was refused without a reason.');
  return knownOutcome(change, own?.Item ?? {});
}

const keyOf = ({ workspaceId, emailId, address }: OutcomeChange) => recipientKey(workspaceId, emailId, address);

function outcomeChange(change: OutcomeChange): Change<OutcomeRecord> {
  const { address, status, at, expiresAt, details, count } = change;
  const rank = statusRank(status);
  return {
    set: {
      ...{ email: address, status, rank, updated_at: at.toISOString(), expires_at: expiresAt },
      counted_with: count?.minute,
      counted_late: count?.isLate || undefined,
    },
    setIfAbsent: firstReport(status, at, details),
    if: [
      {
        any: [
          ['rank', 'absent'],
          ['rank', '<', rank],
        ],
      },
    ],
  };
}

const firstReport = (status: EmailStatus, at: Date, details: ReportDetails | undefined) =>
  [
    [reportedAtName(status), at.toISOString()],
    [detailsName(status), details],
  ] as const;

/** The same report, or one that outranks it, was there before; `stored` is the item. */
async function knownOutcome(change: OutcomeChange, stored: Item): Promise<RecordedOutcome> {
  const known = stored[reportedAtName(change.status)];
  return { changed: false, at: known ? new Date(String(known)) : await noteFirstReport(change) };
}

/** Delivered after a bounce: the status stays, and the time is stored for a repeated report. */
async function noteFirstReport(change: OutcomeChange): Promise<Date> {
  const setIfAbsent = firstReport(change.status, change.at, change.details);
  const set = change.isLate ? { expires_at: change.expiresAt } : {};
  const item = await upsertItem<OutcomeRecord>(keyOf(change), { set, setIfAbsent });
  return new Date(String(item?.[reportedAtName(change.status)]));
}
