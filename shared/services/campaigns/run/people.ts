import type { MergePerson } from '../../../domain/campaign/content/mergeField.ts';
import type { SkipReason } from '../../../domain/campaign/slice.ts';
import { readRecipients } from '../../../store/person/recipients.ts';

/** Somebody of a call: to be written to, or why not any more. */
export type Recipient =
  | { readonly kind: 'person'; readonly position: number; readonly person: MergePerson }
  | { readonly kind: 'skipped'; readonly position: number; readonly reason: SkipReason };

/** Looks the people of some positions up once more: whoever left since the freeze gets nothing. */
export async function lookUp(
  workspaceId: string,
  emails: readonly string[],
  positions: readonly number[],
): Promise<Recipient[]> {
  const wanted = positions.map((position) => ({ position, email: emails[position] ?? '' }));
  const found = await readRecipients(
    workspaceId,
    wanted.map(({ email }) => email),
  );
  return wanted.map(({ position, email }) => {
    const recipient = found.get(email);
    if (!recipient) return { kind: 'skipped', position, reason: 'gone' };
    const { status, isSuppressed, person } = recipient;
    if (status !== 'subscribed') return { kind: 'skipped', position, reason: status };
    return isSuppressed ? { kind: 'skipped', position, reason: 'suppressed' } : { kind: 'person', position, person };
  });
}
