import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { stopwatch } from '../../clock.ts';
import { endingWithDeadline, withDeadline } from '../../deadline.ts';

/** Files are read whenever credentials are looked for: whoever signs in again has them written there. */
const find = defaultProvider({ ignoreCache: true });

export type Credentials = Awaited<ReturnType<typeof find>>;

/** Those of this process: found once, and found anew before they expire. What is waited for ends with the deadline. */
export const credentials = (): Promise<Credentials> => endingWithDeadline(find());

/**
 * What AWS says of credentials that ended, or that it does not know (any more): "Common errors" of any API reference, and
 * their names in older protocols. It looks at them before all else, so what was asked is certainly not done.
 */
export const credentialErrors: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
]);

/** As long as the search for others may hold up a request that was refused, and as often as it is made. */
const searchMilliseconds = 3_000;
const pauseMilliseconds = 10_000;

let search: { readonly age: () => number; readonly end: Promise<unknown> } | undefined;

/**
 * Looks for others than those that AWS refused, once for all requests that were refused together; true when there are.
 * Where they come from may still have the old ones, as the environment of a function always has.
 */
export async function findOthers(refused: Credentials): Promise<boolean> {
  try {
    return await withDeadline(searchMilliseconds, async () => {
      if (areOther(await credentials(), refused)) return true;
      if (!search || search.age() >= pauseMilliseconds) {
        search = { age: stopwatch(), end: find({ forceRefresh: true }).catch(() => {}) };
      }
      await endingWithDeadline(search.end);
      return areOther(await credentials(), refused);
    });
  } catch {
    return false;
  }
}

const areOther = (found: Credentials, refused: Credentials): boolean =>
  found.accessKeyId !== refused.accessKeyId ||
  found.secretAccessKey !== refused.secretAccessKey ||
  found.sessionToken !== refused.sessionToken;
