import * as z from 'zod';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { GetCommand, PutCommand } from '../dynamodb/commands.ts';
import { confirmLinkKey } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

/** Whom a confirmation link is for, by the request that it answers: so that a link holds no address. */
export interface ConfirmLink {
  readonly workspaceId: string;
  readonly confirmationId: string;
  readonly email: string;
  readonly validUntil: Date;
}

const record = z.object({ email: z.string(), valid_until: z.string() });

/** So long after it has expired a link can still be told that it has. */
const toldDays = 30;

/** Writes it, or lets it be valid for longer: every round of a request has the same one. */
export async function putConfirmLink(link: ConfirmLink): Promise<void> {
  const Item = {
    ...confirmLinkKey(link.workspaceId, link.confirmationId),
    email: link.email,
    valid_until: link.validUntil.toISOString(),
    expires_at: epochSeconds(link.validUntil) + toldDays * secondsInDay,
  };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
}

/** Null when there is none, or it is too old to be told of. */
export async function findConfirmLink(workspaceId: string, confirmationId: string): Promise<ConfirmLink | null> {
  const Key = confirmLinkKey(workspaceId, confirmationId);
  const { Item } = await documents.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }));
  if (!Item) return null;
  const { email, valid_until } = record.parse(Item);
  return { workspaceId, confirmationId, email, validUntil: new Date(valid_until) };
}
