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

/** What an erasure did; of what it left it says how it is called. */
export interface ErasedPerson {
  /** What stands for the address in what had to stay. */
  readonly alias: string;
  /** Why nothing can be sent to it. */
  readonly reason: string;
  /** Records that were changed by this run: emails, outcomes, attempts, deliveries, lists of campaigns. */
  readonly records: number;
}

type Report = (progress: { readonly scanned: number; readonly records: number }) => void | Promise<void>;

/** Items that are changed side by side. */
const atOnce = 8;

/**
 * Erases a person (address in canonical form) from a workspace. What is left is a salted hash, which suppresses as the
 * address did, and in what must stay (an email that others got too) an alias made of it. First nothing can be sent any
 * more, then the person goes, then what is told of them; each step may be done again, so that whoever is killed in
 * between starts anew and nothing is lost or sent.
 */
export const erasePerson = operatorVerb<Context, [{ readonly email: string }, Report?], ErasedPerson>(
  { action: 'person.erase', needs: 'own', subject: ({ email }) => personSubject(email) },
  async (context, { email }, report = () => {}) => {
    const { workspaceId, now } = context;
    const { salt } = await ensureSalt();
    const alias = aliasOf(addressHash(salt, email));
    // Before the person goes, so that no report that comes from here on writes the address down again.
    await markErased(workspaceId, now);
    const reason = await forget(workspaceId, email, now);
    await forgetPlatformAddress(email);
    const records = await renameHoldings(workspaceId, email, alias, report);
    return { alias, reason, records };
  },
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

async function renameHoldings(workspaceId: string, email: string, alias: string, report: Report): Promise<number> {
  const names = renamingOf(email, alias);
  let records = 0;
  let scanned = 0;
  for await (const page of scanWorkspace(workspaceId)) {
    const changed = await inParallel(atOnce, page.items, (item) => erase(item, names));
    records += changed.filter(Boolean).length;
    scanned += page.scanned;
    await report({ scanned, records });
  }
  return records;
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
