import * as z from 'zod';
import type { AddressReplacer } from '../../domain/person/erased.ts';
import { statusRank } from '../../domain/sending/email.ts';
import type { Change } from '../table/expression.ts';
import { erasedFields } from '../table/fieldRules.ts';
import { recipientKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { upsertAnswering, upsertItem } from '../table/write.ts';
import {
  detailsName,
  type OutcomeExpiry,
  type OutcomeRecord,
  outcomeOf,
  outcomeRules,
  type RecipientOutcome,
  type ReportDetails,
  reportedAtName,
} from './outcomes.ts';

/**
 * Reported events of a recipient are stored in the record of the outcome. The details of a status are written with it,
 * at no cost. Delays, opens and clicks need a write each: the first ten of each kind are stored, the others are
 * counted.
 */
type NoteKind = 'delays' | 'opens' | 'clicks';

export interface Note {
  readonly kind: NoteKind;
  readonly at: Date;
  /** The reason of a delay, the address of a click, or `proxied` for an open through a relay. */
  readonly text: string;
}

export interface StoryEvent {
  readonly type: 'delivered' | 'bounced' | 'complained' | NoteKind;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly details: ReportDetails | null;
  readonly text: string;
}

export interface Story {
  readonly events: readonly StoryEvent[];
  /** The number of further delays, opens and clicks. One that is reported twice may count twice here. */
  readonly more: number;
}

const maxOfKind = 10;
const longestText = 300;

const reported = ['delivered', 'bounced', 'complained'] as const;
const kinds = ['delays', 'opens', 'clicks'] as const;

const storedDetails = z.record(z.string(), z.string().nullable());
const stored = z.object({
  delivered_at: z.string().optional(),
  bounced_at: z.string().optional(),
  complained_at: z.string().optional(),
  delivered_told: storedDetails.optional(),
  bounced_told: storedDetails.optional(),
  complained_told: storedDetails.optional(),
  delays: z.set(z.string()).optional(),
  opens: z.set(z.string()).optional(),
  clicks: z.set(z.string()).optional(),
  story_more: z.number().default(0),
});

/** An outcome with all reported events of the recipient. */
export interface OutcomeWithStory extends RecipientOutcome {
  readonly story: Story;
}

export const outcomeWithStoryOf = (item: Item): OutcomeWithStory => ({ ...outcomeOf(item), story: storyOf(item) });

function storyOf(item: Item): Story {
  const fields = stored.parse(item);
  const events = [
    ...reported.flatMap((type): StoryEvent[] => {
      const at = fields[reportedAtName(type)];
      return at === undefined ? [] : [{ type, at, details: fields[detailsName(type)] ?? null, text: '' }];
    }),
    ...kinds.flatMap((type) =>
      [...(fields[type] ?? [])].map((entry): StoryEvent => {
        const end = entry.indexOf('#');
        return { type, at: entry.slice(0, end), details: null, text: entry.slice(end + 1) };
      }),
    ),
  ];
  return { events, more: fields.story_more };
}

/** The email and the recipient that a note belongs to. */
export interface NotePosition extends OutcomeExpiry {
  readonly workspaceId: string;
  readonly emailId: string;
  /** Null when SES does not say which of several recipients it was. */
  readonly address: string | null;
}

/**
 * Stores a note once, however often it is reported. If the recipient has no record yet, it creates one with the status
 * `sent`, which any later status outranks. True for the first note of its kind.
 */
export async function keepNote(
  { workspaceId, emailId, address, expiresAt, isLate }: NotePosition,
  { kind, at, text }: Note,
): Promise<boolean> {
  const key = recipientKey(workspaceId, emailId, address ?? '');
  const entry = `${at.toISOString()}#${[...text].slice(0, longestText).join('')}`;
  const expiry = { expires_at: expiresAt };
  const set = isLate ? expiry : {};
  const change: Change<OutcomeRecord> = {
    set,
    setIfAbsent: {
      ...{ email: address ?? '', status: 'sent', rank: statusRank('sent'), updated_at: at.toISOString() },
      ...(!isLate && expiry),
    },
    add: [[kind, new Set([entry])]],
    if: [
      {
        any: [
          [kind, 'absent'],
          [kind, 'contains', entry],
          [kind, 'smaller than', maxOfKind],
        ],
      },
    ],
  };
  const { isMade, item } = await upsertAnswering<OutcomeRecord>(key, change, 'UPDATED_OLD');
  if (isMade) return !(kind in item);
  await upsertItem<OutcomeRecord>(key, { set, add: { story_more: 1 } });
  return false;
}

/**
 * The outcome without the address. Of the person's own outcome only the status and its times remain. From another
 * recipient's outcome, clicked links that name the person are removed, in plain or URL-encoded form.
 */
export function erasedOutcome(item: Item, replacer: AddressReplacer): Item {
  if (replacer.isAddress(String(item.email))) return erasedFields(outcomeRules, replacer.replaced(item) as Item);
  const renamed = { ...(replacer.replaced(item) as Item) };
  if (!(item.clicks instanceof Set)) return renamed;
  const clicks = [...item.clicks].map(String).filter((entry) => !replacer.isIn(decoded(entry)));
  if (clicks.length === item.clicks.size) return renamed;
  if (clicks.length > 0) return { ...renamed, clicks: new Set(clicks) };
  delete renamed.clicks;
  return renamed;
}

/** Without the separators of a URL, which could be taken for parts of an address: `?who=ada@example.net`. */
function decoded(entry: string): string {
  const parts = entry.replaceAll(/[=/?&#;]/g, ' ');
  try {
    return decodeURIComponent(parts);
  } catch {
    return parts;
  }
}
