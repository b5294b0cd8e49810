import * as z from 'zod';
import type { Renaming } from '../../domain/person/erased.ts';
import { statusRank } from '../../domain/sending/emailStatus.ts';
import { UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { recipientKey } from '../table/keys.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import { contended } from '../table/transaction.ts';
import { outcomeOf, type RecipientOutcome, type Told, toldName } from './outcomes.ts';

/**
 * What was reported of a recipient is kept on the item of its outcome: what belongs to a status is written with it, at
 * no cost; delays, opens and clicks are a write each, the first ten of a kind kept, the others counted.
 */
type NoteKind = 'delays' | 'opens' | 'clicks';

export interface Note {
  readonly kind: NoteKind;
  readonly at: Date;
  /** A delay's reason, a click's address, `proxied` for an open through a relay. */
  readonly text: string;
}

export interface StoryEvent {
  readonly type: 'delivered' | 'bounced' | 'complained' | NoteKind;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly told: Told | null;
  readonly text: string;
}

export interface Story {
  readonly events: readonly StoryEvent[];
  /** How many more delays, opens and clicks there were. One that is reported twice may count twice here. */
  readonly more: number;
}

const mostOfKind = 10;
const longestText = 300;

const reported = ['delivered', 'bounced', 'complained'] as const;
const kinds = ['delays', 'opens', 'clicks'] as const;
const moreName = 'story_more';

const told = z.record(z.string(), z.string().nullable());
const stored = z.object({
  status: z.string(),
  updated_at: z.string(),
  delivered_at: z.string().optional(),
  bounced_at: z.string().optional(),
  complained_at: z.string().optional(),
  delivered_told: told.optional(),
  bounced_told: told.optional(),
  complained_told: told.optional(),
  delays: z.set(z.string()).optional(),
  opens: z.set(z.string()).optional(),
  clicks: z.set(z.string()).optional(),
  [moreName]: z.number().default(0),
});

/** An outcome with all that was reported of the recipient. */
export interface OutcomeWithStory extends RecipientOutcome {
  readonly story: Story;
}

export const outcomeWithStoryOf = (item: Item): OutcomeWithStory => ({ ...outcomeOf(item), story: storyOf(item) });

function storyOf(item: Item): Story {
  const fields = stored.parse(item);
  const events = [
    ...reported.flatMap((type): StoryEvent[] => {
      // Early releases kept no time of its own for a status.
      const at = fields[`${type}_at`] ?? (fields.status === type ? fields.updated_at : undefined);
      return at === undefined ? [] : [{ type, at, told: fields[`${type}_told`] ?? null, text: '' }];
    }),
    ...kinds.flatMap((type) =>
      [...(fields[type] ?? [])].map((entry): StoryEvent => {
        const end = entry.indexOf('#');
        return { type, at: entry.slice(0, end), told: null, text: entry.slice(end + 1) };
      }),
    ),
  ];
  return { events, more: fields[moreName] };
}

export interface NotePlace {
  readonly workspaceId: string;
  readonly emailId: string;
  /** Null when the provider does not say which of several recipients it was. */
  readonly address: string | null;
  readonly expiresAt: number;
}

/**
 * Keeps a note once, however often it is reported. Where nothing was known of the recipient, the item is that of one to
 * whom a message was sent, which any later status outranks. True for the first of its kind.
 */
export async function keepNote({ workspaceId, emailId, address, expiresAt }: NotePlace, note: Note): Promise<boolean> {
  const Key = recipientKey(workspaceId, emailId, address ?? '');
  const entry = `${note.at.toISOString()}#${[...note.text].slice(0, longestText).join('')}`;
  const update = new UpdateCommand({
    TableName: tableName(),
    Key,
    UpdateExpression:
      'SET email = if_not_exists(email, :email), #status = if_not_exists(#status, :sent), ' +
      '#rank = if_not_exists(#rank, :rank), updated_at = if_not_exists(updated_at, :at), ' +
      'expires_at = if_not_exists(expires_at, :expires) ADD #kind :entries',
    ConditionExpression: 'attribute_not_exists(#kind) OR contains(#kind, :entry) OR size(#kind) < :most',
    ExpressionAttributeNames: { '#status': 'status', '#rank': 'rank', '#kind': note.kind },
    ExpressionAttributeValues: {
      ':email': address ?? '',
      ':sent': 'sent',
      ':rank': statusRank('sent'),
      ':at': note.at.toISOString(),
      ':expires': expiresAt,
      ':entries': new Set([entry]),
      ':entry': entry,
      ':most': mostOfKind,
    },
    ReturnValues: 'UPDATED_OLD',
  });
  try {
    const { Attributes = {} } = await contended(() => documents.send(update));
    return !(note.kind in Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const count = { TableName: tableName(), Key, UpdateExpression: `ADD ${moreName} :one` };
    await contended(() => documents.send(new UpdateCommand({ ...count, ExpressionAttributeValues: { ':one': 1 } })));
    return false;
  }
}

/**
 * The item without somebody's address: of their own outcome nothing is left but the status and its times, since servers
 * and links name people; of others', clicked links that name the person go, encoded as in an address or not.
 */
export function erasedOutcome(item: Item, names: Renaming): Item {
  const renamed = { ...(names.renamed(item) as Item) };
  if (names.isAddress(String(item.email))) {
    for (const name of [...kinds, moreName, ...reported.map(toldName)]) delete renamed[name];
    return renamed;
  }
  if (!(item.clicks instanceof Set)) return renamed;
  const clicks = [...item.clicks].map(String).filter((entry) => !names.isIn(decoded(entry)));
  if (clicks.length === item.clicks.size) return renamed;
  if (clicks.length > 0) return { ...renamed, clicks: new Set(clicks) };
  delete renamed.clicks;
  return renamed;
}

/** What stands between the parts of a link might else be taken for a part of an address: `?who=ada@example.net`. */
function decoded(entry: string): string {
  const parts = entry.replaceAll(/[=/?&#;]/g, ' ');
  try {
    return decodeURIComponent(parts);
  } catch {
    return parts;
  }
}
