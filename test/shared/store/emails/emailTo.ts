import { createId } from '../../../../shared/domain/identifier.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';

/** An email of this moment in one envelope. */
export const emailTo = (workspaceId: string, to: readonly string[], at: Date, id = createId('email', at)): Email => ({
  workspaceId,
  id,
  from: 'Acme <hello@example.com>',
  to: [...to],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Your receipt',
  tags: [],
  envelopes: [to],
  createdAt: at.toISOString(),
  expiresAt: Math.floor(at.getTime() / 1000) + 3600,
  isQuotaExempt: false,
});
