import type { Text } from '../../language/text.ts';

export const suppressionReasons = ['unsubscribe', 'bounce', 'complaint', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];
type SuppressionScope = 'organization' | 'platform';

/** An address (canonical form) that gets no mail: from a workspace, or from any when the platform's own list has it. */
export interface Suppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

const ranks: Record<SuppressionReason, number> = { manual: 1, unsubscribe: 2, bounce: 3, complaint: 4 };

/** A later reason replaces an earlier one only when it ranks higher: complaint, bounce, unsubscribe, manual. */
export const suppressionRank = (reason: SuppressionReason): number => ranks[reason];

export const suppressionReasonTexts: Record<SuppressionReason, Text> = {
  unsubscribe: { en: 'unsubscribed', fr: 'désabonnement' },
  bounce: { en: 'dead address', fr: 'adresse morte' },
  complaint: { en: 'complaint', fr: 'plainte' },
  manual: { en: 'blocked by hand', fr: 'blocage manuel' },
};
