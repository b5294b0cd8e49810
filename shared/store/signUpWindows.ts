import { signUpWindowKey } from './table/keys.ts';
import { upsertItem } from './table/write.ts';

/** Sign-ups in a fixed window of time. */
interface WindowRecord {
  readonly calls: number;
  /** Unix seconds. */
  readonly expires_at: number;
}

/** Counts one sign-up of a subject (an address or a network source, in a workspace) in the current window. */
export async function countSignUp(
  subject: string,
  windowSeconds: number,
  now: Date,
): Promise<{ readonly count: number; readonly endsAt: number }> {
  const window = Math.floor(now.getTime() / 1000 / windowSeconds);
  const endsAt = (window + 1) * windowSeconds;
  const change = { add: { calls: 1 }, set: { expires_at: endsAt } } as const;
  const item = await upsertItem<WindowRecord>(signUpWindowKey(subject, window), change);
  return { count: Number(item?.calls ?? 1), endsAt };
}
