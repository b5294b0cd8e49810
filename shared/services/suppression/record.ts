import type { Suppression } from '../../store/person/suppression.ts';

/** A suppression as the API shows it. */
export function suppressionRecord({ email, reason, scope, createdAt }: Suppression) {
  return { object: 'suppression' as const, email, reason, scope, created_at: createdAt };
}
