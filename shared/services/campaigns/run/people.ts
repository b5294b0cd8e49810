import type { Campaign } from '../../../domain/campaign/campaign.ts';
import type { MergePerson } from '../../../domain/campaign/content/mergeField.ts';
import { type SkipReason, slicePositions } from '../../../domain/campaign/slice.ts';
import { readStanding, type Standing } from '../../../store/campaign/standing.ts';
import { findPlatformSuppressed } from '../../../store/suppression/platformSuppression.ts';

/** Somebody of a call: to be written to, or why not any more. */
export type Recipient =
  | {
      readonly kind: 'person';
      readonly position: number;
      readonly person: MergePerson;
      /** They have refused to be watched. */
      readonly isUntracked: boolean;
    }
  | { readonly kind: 'skipped'; readonly position: number; readonly reason: SkipReason };

/** What is known at the moment of a call. */
interface Lookout extends Omit<Standing, 'recipients'> {
  readonly recipients: readonly Recipient[];
}

/** As old as what the platform says of somebody may be; its list is not read strongly consistent in any case. */
const freshMilliseconds = 2000;

/**
 * Looks people of a chunk up once more: whoever left since the freeze gets nothing. The workspace is asked at each call,
 * and with it whether the campaign goes on; the platform for a hundred at once, those of two slices that follow each other.
 */
export class ChunkPeople {
  readonly #campaign: Pick<Campaign, 'workspaceId' | 'id' | 'tag'>;
  readonly #emails: readonly string[];
  #platform: {
    readonly until: number;
    readonly asked: ReadonlySet<string>;
    readonly found: Promise<Set<string>>;
  } | null = null;

  constructor(campaign: Pick<Campaign, 'workspaceId' | 'id' | 'tag'>, emails: readonly string[]) {
    this.#campaign = campaign;
    this.#emails = emails;
  }

  /** The people at these positions of a slice, and how everything stands. */
  async lookUp(slice: number, positions: readonly number[], now: Date): Promise<Lookout> {
    const first = slice * slicePositions;
    const wanted = positions.map((position) => ({ position, email: this.#emails[first + position] ?? '' }));
    const emails = wanted.map(({ email }) => email);
    const ahead = positions.length === slicePositions ? first + slicePositions : this.#emails.length;
    const next = this.#emails.slice(ahead, ahead + slicePositions);
    const standing = await readStanding(this.#campaign, emails, this.#suppressed(emails, next, now.getTime()));
    const { tag } = this.#campaign;
    const isOffered = standing.kinds.some((kind) => kind === tag);
    const recipients = wanted.map(({ position, email }): Recipient => {
      const recipient = standing.recipients.get(email);
      if (!recipient) return { kind: 'skipped', position, reason: 'gone' };
      const { status, isSuppressed, leftTags, ...wanted } = recipient;
      if (status !== 'subscribed') return { kind: 'skipped', position, reason: status };
      if (isSuppressed) return { kind: 'skipped', position, reason: 'suppressed' };
      const hasLeft = isOffered && leftTags.includes(tag ?? '');
      return hasLeft ? { kind: 'skipped', position, reason: 'left_kind' } : { kind: 'person', position, ...wanted };
    });
    return { ...standing, recipients };
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
