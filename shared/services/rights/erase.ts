import type { ScanPosition } from '../../domain/job/scanPosition.ts';
import { addressHash, aliasOf, renamingOf } from '../../domain/person/erased.ts';
import type { Person } from '../../domain/person/subscriber.ts';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { inParallel } from '../../platform/parallel.ts';
import { holdingOf } from '../../store/holdings/holding.ts';
import { deleteItems, readItem, replaceItem } from '../../store/holdings/replace.ts';
import { scanWorkspace } from '../../store/holdings/scan.ts';
import { getAddress, keepErased, savePerson } from '../../store/person/people.ts';
import { nobody } from '../../store/person/personItem.ts';
import { forgetPlatformAddress } from '../../store/suppression/platformSuppression.ts';
import { ensureSalt } from '../../store/suppression/salt.ts';
import { markErased } from '../../store/webhook/webhooks.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';

/** How far an erasure is; of what it left it says how it is called. */
export interface ErasureProgress {
  /** What stands for the address in what had to stay. */
  readonly alias: string;
  /** Items of the table that this run looked at. */
  readonly scanned: number;
  /** Records that were changed by this run: emails, outcomes, attempts, deliveries, lists of campaigns. */
  readonly records: number;
  /** Where another run goes on; null when nothing is left to be looked at. */
  readonly position: ScanPosition | null;
}

interface ErasedPerson extends ErasureProgress {
  /** Why nothing can be sent to it. */
  readonly reason: string;
}

/** Both are asked after each page of the table; one that is over leaves the rest to `continueErasure`. */
export interface ErasurePace {
  readonly report?: (progress: ErasureProgress) => void | Promise<void>;
  readonly isOver?: () => boolean;
}

/** Items that are changed side by side. */
const atOnce = 8;

/**
 * Erases a person (address in canonical form) from a workspace. What is left is a salted hash, which suppresses as the
 * address did, and in what must stay (an email that others got too) an alias made of it. First nothing can be sent any
 * more, then the person goes, then what is told of them; each step may be done again, so that whoever is killed in
 * between starts anew and nothing is lost or sent.
 */
export const erasePerson = operatorVerb<Context, [{ readonly email: string }, ErasurePace?], ErasedPerson>(
  { action: 'person.erase', needs: 'own', subject: ({ email }) => personSubject(email) },
  async ({ workspaceId, now }, { email }, pace = {}) => {
    // Before the person goes, so that no report that comes from here on writes the address down again.
    await markErased(workspaceId, now);
    const reason = await forget(workspaceId, email, now);
    await forgetPlatformAddress(email);
    return { reason, ...(await renameHoldings(workspaceId, email, null, pace)) };
  },
);

/** An erasure whose person is gone, from where it stood: whoever came back of their own accord meanwhile stays. */
export const continueErasure = operatorVerb<
  Context,
  [{ readonly email: string; readonly from: ScanPosition }, ErasurePace?],
  ErasureProgress
>(
  { action: 'person.erase', needs: 'own', subject: ({ email }) => personSubject(email), note: () => 'continued' },
  ({ workspaceId }, { email, from }, pace = {}) => renameHoldings(workspaceId, email, from, pace),
);

/** Takes the person and their search terms out, and leaves the hash of the address in their place. */
async function forget(workspaceId: string, email: string, now: Date): Promise<string> {
  return untilSettled(async () => {
    const { person } = await getAddress(workspaceId, email);
    const { reason, at } = person.suppression ?? { reason: 'unsubscribe' as const, at: now.toISOString() };
    const erased: Person = { ...nobody(workspaceId, email), suppression: { reason, at, isErased: true } };
    if (person.version === 0 && person.suppression?.isErased) return reason;
    // Alone first: whoever reads both at this moment finds one of them, whichever they read last.
    await keepErased(erased);
    const known = await getAddress(workspaceId, email);
    return (await savePerson(known.person, erased, [])) ? reason : overtaken;
  });
}

async function renameHoldings(
  workspaceId: string,
  email: string,
  from: ScanPosition | null,
  { report, isOver }: ErasurePace,
): Promise<ErasureProgress> {
  const { salt } = await ensureSalt();
  const alias = aliasOf(addressHash(salt, email));
  const names = renamingOf(email, alias);
  let progress: ErasureProgress = { alias, scanned: 0, records: 0, position: null };
  for await (const { items, scanned, position } of scanWorkspace(workspaceId, from)) {
    const changed = await inParallel(atOnce, items, (item) => erase(item, names));
    progress = {
      alias,
      scanned: progress.scanned + scanned,
      records: progress.records + changed.filter(Boolean).length,
      position,
    };
    await report?.(progress);
    if (isOver?.()) break;
  }
  const isWhole = progress.position?.every((place) => place === 'end');
  return isWhole ? { ...progress, position: null } : progress;
}

/** True when the item was changed. Somebody else's change in between is looked at again. */
async function erase(item: Record<string, unknown>, names: ReturnType<typeof renamingOf>): Promise<boolean> {
  let seen: Record<string, unknown> | null = item;
  return untilSettled(async () => {
    const holding = seen && (await holdingOf(seen, names));
    const erased = await holding?.erased();
    const { followers = [] } = holding ?? {};
    // First, since the item itself is what leads to them.
    await deleteItems(followers);
    if (!seen || !erased) return followers.length > 0;
    if (await replaceItem(seen, erased)) return true;
    seen = await readItem({ pk: String(item.pk), sk: String(item.sk) });
    return overtaken;
  });
}
