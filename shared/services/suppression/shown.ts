import type { Output } from '../../contract/route.ts';
import type { addSuppressionRoute } from '../../contract/routes/suppression.ts';
import type { Suppression } from '../../domain/person/suppression.ts';

/** A suppression as the API shows it. */
export function shownSuppression({ email, reason, scope, createdAt }: Suppression): Output<typeof addSuppressionRoute> {
  return { object: 'suppression', email, reason, scope, created_at: createdAt };
}
