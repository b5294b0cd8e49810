import type { Person } from '../../domain/person/subscriber.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import { config } from '../../platform/config.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { partsOf, type savePerson } from './people.ts';

interface Save {
  readonly parts: readonly TransactionPart[];
  readonly resolve: (isSaved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** DynamoDB's limit for a transaction. */
const mostParts = 100;

/** Enough to fill as many transactions as may be under way, and the next one; most people take seven parts and fewer. */
export const peopleSavedAtOnce = (): number => 20 * (config('TRANSACTIONS_AT_ONCE') + 1);

/**
 * What saves as `savePerson` does, for many people who are saved side by side: they share transactions as far as these
 * hold them, which costs the same and takes a tenth of the calls. If one of them was changed since it was read, each is
 * saved alone, so that nobody else's answer depends on it. Whoever finds as many transactions under way as the table
 * bears (`TRANSACTIONS_AT_ONCE`) waits, and shares one with those who come meanwhile.
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

  /** A full transaction goes at once; one that is not waits for all who are saved at this moment. */
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

  return async (before: Person, after: Person, deliveries: readonly Delivery[]): Promise<boolean> => {
    const parts = await partsOf(before, after, deliveries);
    if (parts.length === 0) return true;
    return new Promise((resolve, reject) => {
      waiting.push({ parts, resolve, reject });
      fillSoon();
    });
  };
}

/** How many of them, from the first on, a transaction holds; one at least. */
function fitting(saves: readonly Save[]): number {
  let size = 0;
  const beyond = saves.findIndex(({ parts }, index) => {
    size += parts.length;
    return index > 0 && size > mostParts;
  });
  return beyond === -1 ? saves.length : beyond;
}

/** `ended` is called when their transaction is, before anybody hears of it. */
async function saveGroup(group: readonly Save[], ended: () => void): Promise<void> {
  try {
    const isSaved = (await transact(group.flatMap(({ parts }) => parts)).finally(ended)) === null;
    if (isSaved || group.length === 1) for (const { resolve } of group) resolve(isSaved);
    else await Promise.all(group.map((save) => saveGroup([save], () => {})));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
