import * as z from 'zod';
import { type Suppression, suppressionReasons } from '../../domain/person/suppression.ts';
import type { Item } from '../table/table.ts';

const part = z.object({
  email: z.string(),
  suppression_reason: z.enum(suppressionReasons),
  suppressed_at: z.string(),
});

/** The suppression of an address item, null when the item is there for another reason. */
export function suppressionOf(item: Item): Suppression | null {
  if (!item.suppression_reason) return null;
  const parsed = part.parse(item);
  const scope = String(item.pk).startsWith('PLATFORM#') ? 'platform' : 'organization';
  return { email: parsed.email, reason: parsed.suppression_reason, scope, createdAt: parsed.suppressed_at };
}
