import * as z from 'zod';
import { isAlias } from '../../domain/person/erased.ts';
import { domainNames, storedNames } from '../table/casing.ts';
import type { Item } from '../table/table.ts';

const addresses = z.array(z.string());

/** What the caller wrote, as far as it is kept. A field that is added here is stored, read and optional. */
export const emailContent = z.object({
  from: z.string(),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  replyTo: addresses,
  subject: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
  template: z.object({ id: z.string(), version: z.number() }).optional(),
});
export type EmailContent = z.output<typeof emailContent>;

const stored = emailContent.extend({
  workspaceId: z.string(),
  emailId: z.string(),
  envelopes: z.array(addresses),
  createdAt: z.string(),
  expiresAt: z.number(),
  quotaExempt: z.boolean().optional(),
  scheduledAt: z.string().optional(),
});

/** A single email, whoever of its recipients it has reached. */
export interface Email extends Readonly<EmailContent> {
  readonly workspaceId: string;
  readonly id: string;
  /** Who is in which envelope; an envelope is one call of the provider, 50 recipients at most. */
  readonly envelopes: readonly (readonly string[])[];
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** When it was to go out, if not at once; ISO 8601 UTC. */
  readonly scheduledAt?: string | undefined;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** True for the service's own mail (confirmations): it counts in the reputation and not in the quota. */
  readonly isQuotaExempt: boolean;
}

/** The attributes of an email, wherever it is kept. `month` and `day` are there for the release before. */
export function attributesOf({ id, isQuotaExempt, ...email }: Email): Item {
  return storedNames({
    ...email,
    emailId: id,
    month: email.createdAt.slice(0, 7),
    day: email.createdAt.slice(8, 10),
    ...(isQuotaExempt ? { quotaExempt: true } : {}),
  });
}

/** The attributes of an email in which people were erased: what was written to nobody else is about them. */
export function erasedEmail(item: Item): Item {
  if (Array.isArray(item.emails)) return { ...item, emails: item.emails.map(erasedEmail) };
  const recipients = Array.isArray(item.envelopes) ? item.envelopes.flat() : [];
  if (recipients.length === 0 || !recipients.every((address) => isAlias(String(address)))) return item;
  return { ...item, ...('subject' in item && { subject: '' }), ...('tags' in item && { tags: [] }) };
}

export function emailOf(item: Item): Email {
  const { emailId, quotaExempt = false, ...email } = stored.parse(domainNames(item));
  return { ...email, id: emailId, isQuotaExempt: quotaExempt };
}
