import type { WebhookSecrets } from './webhook.ts';

/** How long a secret goes on signing beside its successors: receivers may hold it for so long. */
const previousSecretHours = 24;

/** Each secret is one more signature in the header of every delivery. */
export const maxSigningSecrets = 10;

/** The secrets that sign at a moment, sealed, the current one first. */
export function signingSecrets({ secret, previousSecrets }: WebhookSecrets, now: Date): string[] {
  return [secret, ...previousSecrets.filter(({ until }) => until > now).map(({ sealed }) => sealed)];
}

/**
 * The secrets after a rotation: every one that receivers may still hold keeps the time that it was promised. A date when
 * there are as many as may sign at once: from then on there is room.
 */
export function rotated(current: WebhookSecrets, sealed: string, now: Date): WebhookSecrets | Date {
  const valid = current.previousSecrets.filter(({ until }) => until > now);
  const oldest = valid.at(-1);
  if (oldest && valid.length + 2 > maxSigningSecrets) return oldest.until;
  const until = new Date(now.getTime() + previousSecretHours * 3_600_000);
  return { secret: sealed, previousSecrets: [{ sealed: current.secret, until }, ...valid] };
}
