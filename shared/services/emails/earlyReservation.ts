import type { Minute } from '../../domain/sending/minute.ts';
import { logger } from '../../platform/logger.ts';
import type { Email } from '../../store/sending/email.ts';
import { type Reserved, withdraw } from '../../store/sending/reservations.ts';
import { quotaOf, reserveFor } from './reservation.ts';

/** What this process saw last of a workspace's quota: a guess, which decides nothing but the order of two calls. */
interface Sighting {
  /** The month's quota by its plan. */
  readonly limit: number;
  readonly used: number;
}

const sightings = new Map<string, Sighting>();
const mostSightings = 1000;

/** Notes how a reservation left a workspace's quota: its next call may reserve early. */
export function noteSighting(workspaceId: string, sighting: Sighting): void {
  sightings.delete(workspaceId);
  sightings.set(workspaceId, sighting);
  const [oldest] = sightings.keys();
  if (sightings.size > mostSightings && oldest !== undefined) sightings.delete(oldest);
}

/**
 * So many places are left to those who reserve in turn: what a call takes early and gives back, since it is refused,
 * must not be what another one is refused for.
 */
const distance = 1000;

/** A reservation that is made while the checks of its call are; it stands only if they find what it was made on. */
export interface EarlyReservation {
  /** Its minute, if it was made and the plan allows `limit`; from then on it is the taker's to give back. Else null. */
  take(limit: number): Promise<Minute | null>;
  /** Gives back what nobody took, and leaves no trace of the email. */
  giveBack(): Promise<void>;
}

/**
 * Reserves for the only attempt at an email before it is known whether it may be sent, and so saves a round trip. Null
 * where that is a gamble: in a process that has not sent for the workspace, or whose last call for it was refused, and
 * near the end of the quota.
 */
export function reserveEarly(email: Email, addresses: readonly string[], at: Date): EarlyReservation | null {
  const sighting = sightings.get(email.workspaceId);
  if (!sighting || sighting.used + addresses.length > sighting.limit - distance) return null;
  const { limit } = sighting;
  // Kept as a result: it may fail while nobody waits for it yet.
  const outcome = reserveFor(email, addresses, limit - distance, at, 'only').then(
    (reserved) => ({ reserved, error: null }),
    (error: unknown) => ({ reserved: null, error }),
  );
  return new Early(email, addresses, limit, outcome);
}

type Outcome =
  | { readonly reserved: Reserved; readonly error: null }
  | { readonly reserved: null; readonly error: unknown };

class Early implements EarlyReservation {
  readonly #email: Email;
  readonly #addresses: readonly string[];
  readonly #limit: number;
  readonly #outcome: Promise<Outcome>;
  /** Taken, or given back. */
  #isOver = false;

  constructor(email: Email, addresses: readonly string[], limit: number, outcome: Promise<Outcome>) {
    this.#email = email;
    this.#addresses = addresses;
    this.#limit = limit;
    this.#outcome = outcome;
  }

  async take(limit: number): Promise<Minute | null> {
    const { reserved, error } = await this.#outcome;
    if (!reserved) throw error;
    if (limit !== this.#limit) await this.giveBack();
    if (!reserved.ok || this.#isOver) return null;
    this.#isOver = true;
    noteSighting(this.#email.workspaceId, { limit, used: reserved.used });
    return reserved.minute;
  }

  async giveBack(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    sightings.delete(this.#email.workspaceId);
    const { reserved } = await this.#outcome;
    // One that failed may have been made or not: the settlement of its minute finds out.
    if (!reserved?.ok) return;
    const { minute } = reserved;
    await withdraw(this.#email, minute, quotaOf(this.#email, this.#addresses)).catch((error: unknown) =>
      logger.warn('What was reserved early is given back to the quota when its minute is settled.', error as Error),
    );
  }
}
