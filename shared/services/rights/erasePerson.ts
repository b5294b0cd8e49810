import type { ScanPosition } from '../../domain/job.ts';
import { addressHash, addressReplacer, aliasOf } from '../../domain/person/erased.ts';
import type { Person } from '../../domain/person/person.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { inParallel } from '../../platform/parallel.ts';
import { eraseFromPart, mayHoldPerson } from '../../store/archive/partCare.ts';
import { pagesOfParts } from '../../store/archive/parts.ts';
import { getAddress, keepErased, savePerson } from '../../store/person/people.ts';
import { nobody } from '../../store/person/personRecord.ts';
import { eraseFromItem } from '../../store/personalData/erase.ts';
import { ensureSalt, forgetPlatformAddress } from '../../store/suppression/platformSuppression.ts';
import { markErased } from '../../store/webhook/webhooks.ts';
import { scanWorkspace } from '../../store/workspaceScan.ts';
import type { Context } from '../context.ts';
import { operatorVerb, personSubject } from '../operatorVerb.ts';
import { endErasedRuns } from '../runs/endErasedRuns.ts';

/** The progress of one run of an erasure. */
export interface ErasureProgress {
  /** Replaces the address in records that must stay. */
  readonly alias: string;
  /** Table items that this run read. */
  readonly scanned: number;
  /** Records that this run changed: emails, outcomes, attempts, webhook deliveries, recipients of campaigns. */
  readonly records: number;
  /** Where the next run continues; null when all is erased. At the end of the table while copies of emails are looked through. */
  readonly position: ScanPosition | null;
  /** The last file of copied emails that was looked at. */
  readonly copiesThrough?: string | undefined;
}

type ErasurePosition = Pick<ErasureProgress, 'position' | 'copiesThrough'>;

interface ErasedPerson extends ErasureProgress {
  /** Why the address stays suppressed. */
  readonly reason: string;
}

/** Both are called after each page of the table, and after each file. When `isOutOfTime`, the rest is left to `continueErasure`. */
export interface ErasureCallbacks {
  readonly report?: (progress: ErasureProgress) => void | Promise<void>;
  readonly isOutOfTime?: () => boolean;
}

/** Items that are changed concurrently. */
const concurrency = 8;

/**
 * Erases a person (address in canonical form) from a workspace. A salted hash keeps the address suppressed, and its
 * alias replaces the address in records that must be kept, such as an email with other recipients. First sending is
 * blocked, then the person is deleted, then their records. Every step is idempotent, so an interrupted erasure can be
 * repeated.
 */
export const erasePerson = operatorVerb<Context, [{ readonly email: string }, ErasureCallbacks?], ErasedPerson>(
  { action: 'person.erase', needs: 'own', subject: ({ email }) => personSubject(email), byKeys: 'audited' },
  async ({ workspaceId, now }, { email }, callbacks = {}) => {
    // First: from here on, late events of SES are checked for erased addresses and do not store this one again.
    await markErased(workspaceId, now);
    const reason = await deletePerson(workspaceId, email, now);
    await forgetPlatformAddress(email);
    await endErasedRuns(workspaceId, email);
    return {
      reason,
      ...(await eraseRecords(workspaceId, email, { position: null }, now, callbacks)),
    };
  },
);

/** Continues after the person was deleted. A person who has subscribed again since then stays. */
export const continueErasure = operatorVerb<
  Context,
  [{ readonly email: string; readonly from: ErasurePosition }, ErasureCallbacks?],
  ErasureProgress
>(
  {
    action: 'person.erase',
    needs: 'own',
    subject: ({ email }) => personSubject(email),
    note: () => 'continued',
    byKeys: 'audited',
  },
  ({ workspaceId, now }, { email, from }, callbacks = {}) => eraseRecords(workspaceId, email, from, now, callbacks),
);

/** Deletes the person with their search terms, and stores the suppressed hash of the address. Returns the reason. */
async function deletePerson(workspaceId: string, email: string, now: Date): Promise<string> {
  return untilSettled(async () => {
    const { person } = await getAddress(workspaceId, email);
    const { reason, at } = person.suppression ?? { reason: 'unsubscribe' as const, at: now.toISOString() };
    const erased: Person = { ...nobody(workspaceId, email), suppression: { reason, at, isErased: true } };
    if (person.version === 0 && person.suppression?.isErased) return reason;
    // The hash is written first, so that a concurrent read finds the address or the hash, never neither.
    await keepErased(erased);
    const current = await getAddress(workspaceId, email);
    return (await savePerson(current.person, erased, [])) ? reason : overtaken;
  });
}

async function eraseRecords(
  workspaceId: string,
  email: string,
  from: ErasurePosition,
  now: Date,
  { report, isOutOfTime }: ErasureCallbacks,
): Promise<ErasureProgress> {
  const salt = await ensureSalt();
  const alias = aliasOf(addressHash(salt, email));
  const replacer = addressReplacer(email, alias);
  let progress: ErasureProgress = { alias, scanned: 0, records: 0, ...from };
  const isOver = async () => {
    await report?.(progress);
    return isOutOfTime?.() ?? false;
  };
  for await (const { items, scanned, position } of scanWorkspace(workspaceId, from.position)) {
    const changed = await inParallel(concurrency, items, (item) => eraseFromItem(item, replacer));
    progress = {
      ...progress,
      scanned: progress.scanned + scanned,
      records: progress.records + changed.filter(Boolean).length,
      position,
    };
    if (await isOver()) break;
  }
  if (!progress.position?.every((part) => part === 'end')) return progress;
  // After the table: an email that is being copied meanwhile is either copied without the person, or found here.
  for await (const parts of pagesOfParts(workspaceId, { after: progress.copiesThrough, isStrong: true })) {
    for (const part of parts.filter((one) => mayHoldPerson(one, email))) {
      const records = await eraseFromPart(part, replacer, now);
      progress = { ...progress, records: progress.records + records, copiesThrough: part.first };
      if (await isOver()) return progress;
    }
  }
  return { ...progress, position: null, copiesThrough: undefined };
}
