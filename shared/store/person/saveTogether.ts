import { config } from '../../platform/config.ts';
import { ContentionError } from '../../platform/deadline.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { partsOf, type savePerson } from './people.ts';

interface Save {
  readonly parts: readonly TransactionPart[];
  readonly resolve: (isSaved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** DynamoDB's limit for a transaction. */
const maxParts = 100;

/** Fills the concurrent transactions and the next one; most people need at most seven parts. */
export const peopleSavedAtOnce = (): number => 20 * (config('TRANSACTIONS_AT_ONCE') + 1);

/**
 * Saves like `savePerson`, for many people at the same time: they share transactions as far as possible, which costs
 * the same and needs a tenth of the calls. If one of them has changed since it was read, or conflicts for too long,
 * each is saved alone, so that no result depends on another person. When as many transactions run as the table supports
 * (`TRANSACTIONS_AT_ONCE`), the call waits and shares a transaction with later ones.
 */
export function savingTogether(): typeof savePerson {
  const waiting: Save[] = [];
  let underWay = 0;
  let isAboutToFill = false;

  function fill(): void {
    isAboutToFill = false;
    while (waiting.length > 0 && underWay < config('TRANSACTIONS_AT_ONCE')) {
      underWay += 1;
      void saveGroup(waiting.splice(0, fitting(waiting)), next);
    }
  }

  /** A full transaction is sent at once; a partial one waits for the other saves of this moment. */
  function next(): void {
    underWay -= 1;
    if (fitting(waiting) < waiting.length) fill();
    else fillSoon();
  }

  function fillSoon(): void {
    if (isAboutToFill) return;
    isAboutToFill = true;
    setImmediate(fill);
  }

  return async (before, after, deliveries, more = []) => {
    const parts = [...(await partsOf(before, after, deliveries)), ...more];
    if (parts.length === 0) return true;
    return new Promise((resolve, reject) => {
      waiting.push({ parts, resolve, reject });
      fillSoon();
    });
  };
}

/** How many of them fit into a transaction; one at least. */
function fitting(saves: readonly Save[]): number {
  let size = 0;
  const beyond = saves.findIndex(({ parts }, index) => {
    size += parts.length;
    return index > 0 && size > maxParts;
  });
  return beyond === -1 ? saves.length : beyond;
}

/**
 * A transaction of many people conflicts with every other writer of any of them, so it is given up earlier than that of
 * one person.
 */
const groupPatienceMilliseconds = 1000;

/** `ended` is called when their transaction has ended, before any result is returned. */
async function saveGroup(group: readonly Save[], ended: () => void): Promise<void> {
  const oneByOne = () => Promise.all(group.map((save) => saveGroup([save], () => {})));
  const isMany = group.length > 1;
  const options = isMany ? { patienceMilliseconds: groupPatienceMilliseconds } : {};
  try {
    const parts = group.flatMap(({ parts }) => parts);
    const isSaved = (await transact(parts, options).finally(ended)) === null;
    if (isSaved || !isMany) for (const { resolve } of group) resolve(isSaved);
    else await oneByOne();
  } catch (error) {
    if (isMany && error instanceof ContentionError) await oneByOne();
    else for (const { reject } of group) reject(error);
  }
}
