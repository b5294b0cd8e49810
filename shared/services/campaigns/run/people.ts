import type { MergePerson } from '../../../domain/campaign/content/mergeField.ts';
import { type SkipReason, slicePositions } from '../../../domain/campaign/slice.ts';
import { findPlatformSuppressed } from '../../../store/person/platformSuppression.ts';
import { readRecipients } from '../../../store/person/recipients.ts';

/** Somebody of a call: to be written to, or why not any more. */
export type Recipient =
  | { readonly kind: 'person'; readonly position: number; readonly person: MergePerson }
  | { readonly kind: 'skipped'; readonly position: number; readonly reason: SkipReason };

/** As old as what the platform says of somebody may be; its list is not read strongly consistent in any case. */
const freshMilliseconds = 2000;

/**
 * Looks people of a chunk up once more: whoever left since the freeze gets nothing. The workspace is asked at each call,
 * the platform for a hundred at once, those of two slices that follow each other.
 */
export class ChunkPeople {
  readonly #workspaceId: string;
  readonly #emails: readonly string[];
  #platform: {
    readonly until: number;
    readonly asked: ReadonlySet<string>;
    readonly found: Promise<Set<string>>;
  } | null = null;

  constructor(workspaceId: string, emails: readonly string[]) {
    this.#workspaceId = workspaceId;
    this.#emails = emails;
  }

  /** The people at these positions of a slice. */
  async lookUp(slice: number, positions: readonly number[], now: Date): Promise<Recipient[]> {
    const first = slice * slicePositions;
    const wanted = positions.map((position) => ({ position, email: this.#emails[first + position] ?? '' }));
    const emails = wanted.map(({ email }) => email);
    const ahead = positions.length === slicePositions ? first + slicePositions : this.#emails.length;
    const next = this.#emails.slice(ahead, ahead + slicePositions);
    const found = await readRecipients(this.#workspaceId, emails, this.#suppressed(emails, next, now.getTime()));
    return wanted.map(({ position, email }) => {
      const recipient = found.get(email);
      if (!recipient) return { kind: 'skipped', position, reason: 'gone' };
      const { status, isSuppressed, person } = recipient;
      if (status !== 'subscribed') return { kind: 'skipped', position, reason: status };
      return isSuppressed ? { kind: 'skipped', position, reason: 'suppressed' } : { kind: 'person', position, person };
    });
  }

  #suppressed(emails: readonly string[], next: readonly string[], now: number): Promise<Set<string>> {
    const known = this.#platform;
    if (known && now < known.until && emails.every((email) => known.asked.has(email))) return known.found;
    const asked = [...emails, ...next];
    const found = findPlatformSuppressed(asked);
    this.#platform = { until: now + freshMilliseconds, asked: new Set(asked), found };
    return found;
  }
}
