import * as z from 'zod';
import { addSeconds, epochSeconds, secondsInDay } from '../platform/clock.ts';
import { auditKey, auditPartition } from './table/keys.ts';
import { queryItems } from './table/table.ts';
import { changeItem, putItem } from './table/write.ts';

const keptDays = 365;

const record = z.object({
  at: z.string(),
  action: z.string(),
  subject: z.string().nullish().default(null),
  by: z.string(),
  role: z.string(),
  door: z.string(),
  note: z.string().nullish().default(null),
  outcome: z.string().default('begun'),
  expires_at: z.number(),
});

type AuditRecord = z.input<typeof record>;

/** An action of an operator. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Such as `key.create`. */
  readonly action: string;
  /** The id or name of what was changed; a person is named by a pseudonym. */
  readonly subject: string | null;
  readonly by: string;
  readonly role: string;
  readonly door: string;
  /** The operator's own remark. */
  readonly note: string | null;
  /** `done`, the code of the error that refused it, or `begun` while the result is unknown. */
  readonly outcome: string;
}

/** Written before the action, so that a crash leaves an entry too. A `workspaceId` of null is the deployment's log. */
export async function putAudit(workspaceId: string | null, { id, ...entry }: AuditEntry): Promise<void> {
  const expires_at = epochSeconds(addSeconds(new Date(entry.at), keptDays * secondsInDay));
  await putItem<AuditRecord>(auditKey(workspaceId, id), { ...entry, expires_at });
}

/** Stores the result of an action. An entry that was deleted with its workspace stays deleted. */
export async function settleAudit(workspaceId: string | null, id: string, outcome: string): Promise<void> {
  await changeItem<AuditRecord>(auditKey(workspaceId, id), { set: { outcome } });
}

/** A page of the log, newest first; `next` is the id after which the following one begins. */
export async function pageOfAudit(
  workspaceId: string | null,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ readonly entries: AuditEntry[]; readonly next: string | null }> {
  const items = await queryItems({
    ...{ partition: auditPartition(workspaceId), order: 'descending', consistency: 'strong', limit: limit + 1 },
    ...(after !== undefined && { sort: { below: after } }),
  });
  const entries = items.slice(0, limit).map((item): AuditEntry => {
    const { expires_at: _, ...entry } = record.parse(item);
    return { id: String(item.sk), ...entry };
  });
  return { entries, next: items.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
