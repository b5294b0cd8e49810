import * as z from 'zod';
import type { Hop } from './advance.ts';
import { parseDuration } from './duration.ts';

/** A call of `/clock`, on the port of the inbox. */
export interface ClockCall {
  readonly method: string;
  /** As sent. */
  readonly body: string;
}

export interface ClockReply {
  readonly status: number;
  readonly value: unknown;
}

/** The state of the clock, as `GET /clock` shows it. */
export interface ClockState {
  readonly now: string;
  /** By how many seconds it is ahead of the machine's. */
  readonly ahead_seconds: number;
  /** The next moments at which something is due, the first ones of each kind. */
  readonly next: readonly { readonly at: string; readonly kind: string; readonly count: number }[];
  /** While it is advanced: to when, and what was done until now. */
  readonly advancing: { readonly to: string; readonly hops: number; readonly log: readonly Hop[] } | null;
}

export interface Advanced {
  readonly now: string;
  readonly hops: number;
  readonly idle: true;
  readonly log: readonly Hop[];
  readonly overdue: Readonly<Record<string, number>>;
  readonly next: ClockState['next'];
}

/** A refusal, with a code of the API's errors. */
export class ClockRefusal extends Error {
  override readonly name = 'ClockRefusal';
  readonly status: number;

  constructor(status: 409 | 422, message: string) {
    super(message);
    this.status = status;
  }
}

/** Null for a service that was started without `--clock`. */
export type ServiceClock = {
  state(): Promise<ClockState>;
  /** Throws ClockRefusal and NeverIdle. */
  advance(milliseconds: number): Promise<Advanced>;
} | null;

const advanceSchema = z.strictObject({ advance: z.string() });
const notStarted =
  'The clock of this service cannot be moved: stop it, and start it again as before, with --clock: npm start -- --clock';
const shape = 'The body must be {"advance":"3 days"}, with one number of seconds, minutes, hours, days or weeks.';

/** `GET` shows the clock, `POST {"advance":"3 days"}` moves it. */
export async function answerClock(clock: ServiceClock, { method, body }: ClockCall): Promise<ClockReply> {
  try {
    if (method !== 'GET' && method !== 'POST') return failure(405, 'GET shows the clock, and POST advances it.');
    if (!clock) return failure(409, notStarted);
    if (method === 'GET') return { status: 200, value: await clock.state() };
    return { status: 200, value: await clock.advance(durationIn(body)) };
  } catch (error) {
    if (error instanceof ClockRefusal) return failure(error.status, error.message);
    if ((error as Error).name === 'NeverIdle') return failure(409, (error as Error).message);
    if ((error as Error).name === 'AbortError') return failure(503, 'The service stops.');
    throw error;
  }
}

function durationIn(body: string): number {
  const read = advanceSchema.safeParse(parsed(body));
  if (!read.success) throw new ClockRefusal(422, shape);
  try {
    return parseDuration(read.data.advance);
  } catch (error) {
    throw new ClockRefusal(422, (error as Error).message);
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const codes: Readonly<Record<number, string>> = { 409: 'conflict', 422: 'validation_error' };

const failure = (status: number, message: string): ClockReply => ({
  status,
  value: { error: { code: codes[status] ?? 'clock_error', message } },
});
