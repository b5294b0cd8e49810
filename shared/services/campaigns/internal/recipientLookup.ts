import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { type SkipReason, slicePositions } from '../../../domain/campaign/slice.ts';
import type { MergePerson } from '../../../domain/content/messageTemplate.ts';
import type { Tracking } from '../../../domain/sending/email.ts';
import { stopwatch } from '../../../platform/clock.ts';
import { readSendConditions, type SendConditions } from '../../../store/campaign/sendConditions.ts';
import { findPlatformSuppressed } from '../../../store/suppression/platformSuppression.ts';

/** A position of a call: the person to write to, or why they get nothing any more. */
export type Recipient =
  | {
      readonly kind: 'person';
      readonly position: number;
      readonly person: MergePerson;
      /** What the person does not refuse. */
      readonly allowed: Tracking;
    }
  | { readonly kind: 'skipped'; readonly position: number; readonly reason: SkipReason };

/** The recipients of a call and the state of their campaign, read together. */
interface LookupResult extends Omit<SendConditions, 'recipients'> {
  readonly recipients: readonly Recipient[];
  /** Milliseconds since the oldest part of it was requested. */
  age(): number;
}

/**
 * The maximum age of an entry of the platform's suppression list, whose reads are eventually consistent in any case.
 */
const keptMilliseconds = 1500;

interface PlatformAnswer {
  /** Unix milliseconds. */
  readonly askedAt: number;
  readonly emails: ReadonlySet<string>;
  readonly suppressed: Promise<Set<string>>;
}

/**
 * Reads the people of a chunk again right before each call, so that those who left since the freeze get nothing. The
 * workspace is read for each call; the platform's suppression list for two slices at a time, a hundred addresses.
 */
export class RecipientLookup {
  readonly #campaign: Pick<Campaign, 'workspaceId' | 'id' | 'tag'>;
  readonly #emails: readonly string[];
  #platform: PlatformAnswer | null = null;

  constructor(campaign: Pick<Campaign, 'workspaceId' | 'id' | 'tag'>, emails: readonly string[]) {
    this.#campaign = campaign;
    this.#emails = emails;
  }

  async lookUp(slice: number, positions: readonly number[], now: Date): Promise<LookupResult> {
    const elapsed = stopwatch();
    const first = slice * slicePositions;
    const requested = positions.map((position) => ({ position, email: this.#emails[first + position] ?? '' }));
    const emails = requested.map(({ email }) => email);
    const ahead = positions.length === slicePositions ? first + slicePositions : this.#emails.length;
    const next = this.#emails.slice(ahead, ahead + slicePositions);
    const { suppressed, askedAt } = this.#suppressed(emails, next, now.getTime());
    const conditions = await readSendConditions(this.#campaign, emails, suppressed);
    const { tag } = this.#campaign;
    const isOffered = conditions.kinds.some((kind) => kind === tag);
    const recipients = requested.map(({ position, email }): Recipient => {
      const recipient = conditions.recipients.get(email);
      if (!recipient) return { kind: 'skipped', position, reason: 'gone' };
      const { status, isSuppressed, leftTags, ...person } = recipient;
      if (status !== 'subscribed') return { kind: 'skipped', position, reason: status };
      if (isSuppressed) return { kind: 'skipped', position, reason: 'suppressed' };
      const hasLeft = isOffered && leftTags.includes(tag ?? '');
      return hasLeft ? { kind: 'skipped', position, reason: 'left_kind' } : { kind: 'person', position, ...person };
    });
    return { ...conditions, recipients, age: () => now.getTime() - askedAt + elapsed() };
  }

  /** Drops cached entries after a slow read. */
  forget(): void {
    this.#platform = null;
  }

  #suppressed(emails: readonly string[], next: readonly string[], now: number): PlatformAnswer {
    const known = this.#platform;
    const isFresh = known && now < known.askedAt + keptMilliseconds;
    if (isFresh && emails.every((email) => known.emails.has(email))) return known;
    const requested = [...emails, ...next];
    this.#platform = { askedAt: now, emails: new Set(requested), suppressed: findPlatformSuppressed(requested) };
    return this.#platform;
  }
}
