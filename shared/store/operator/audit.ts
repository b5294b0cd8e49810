import * as z from 'zod';
import { addSeconds, epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { PutCommand, QueryCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { auditKey, auditPartition } from '../table/keys.ts';
import { documents, tableName } from '../table/table.ts';

const keptDays = 365;

const record = z.object({
  sk: z.string(),
  at: z.string(),
  action: z.string(),
  subject: z.string().nullish().default(null),
  by: z.string(),
  role: z.string(),
  door: z.string(),
  note: z.string().nullish().default(null),
  outcome: z.string().default('begun'),
});

/** Something that an operator did, or set about. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** `key.create`. */
  readonly action: string;
  /** What it was done to: an id or a name; of a person what stands for their address once they are erased. */
  readonly subject: string | null;
  readonly by: string;
  readonly role: string;
  readonly door: string;
  /** What they said of it. */
  readonly note: string | null;
  /** `done`, the code of what refused it, or `begun` where nobody saw the end. */
  readonly outcome: string;
}

/** Written before the deed, so that none is missing whatever becomes of the process. Null: of the deployment. */
export async function putAudit(workspaceId: string | null, { id, ...entry }: AuditEntry): Promise<void> {
  const expires_at = epochSeconds(addSeconds(new Date(entry.at), keptDays * secondsInDay));
  await documents.send(
    new PutCommand({ TableName: tableName(), Item: { ...auditKey(workspaceId, id), ...entry, expires_at } }),
  );
}

/** How it ended. An entry that is gone with its workspace stays gone. */
export async function settleAudit(workspaceId: string | null, id: string, outcome: string): Promise<void> {
  await changeItem<{ outcome: string }>(auditKey(workspaceId, id), { set: { outcome } });
}

/** A page of the log, newest first; `next` is the id after which the following one begins. */
export async function pageOfAudit(
  workspaceId: string | null,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ readonly entries: AuditEntry[]; readonly next: string | null }> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk < :after',
      ExpressionAttributeValues: {
        ':pk': auditPartition(workspaceId),
        ...(after !== undefined && { ':after': after }),
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit + 1,
    }),
  );
  const read = Items.map((item): AuditEntry => {
    const { sk, ...entry } = record.parse(item);
    return { id: sk, ...entry };
  });
  const entries = read.slice(0, limit);
  return { entries, next: read.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
