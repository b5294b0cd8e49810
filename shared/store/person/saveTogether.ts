import type { Person } from '../../domain/person/subscriber.ts';
import type { Delivery } from '../../domain/webhook/delivery.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { partsOf } from './people.ts';

interface Save {
  readonly parts: readonly TransactionPart[];
  readonly resolve: (isSaved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** What is to be saved of this turn of the event loop. */
let turn: Save[] = [];

/** DynamoDB's limit for a transaction. */
const mostParts = 100;

/**
 * As `savePerson`, for one of many people: those saved at the same moment share a transaction as far as it holds them,
 * which costs the same and takes a tenth of the calls. If one of them was changed since it was read, each is saved alone,
 * so that nobody else's answer depends on it.
 */
export async function savePersonTogether(
  before: Person,
  after: Person,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const parts = await partsOf(before, after, deliveries);
  if (parts.length === 0) return true;
  return new Promise((resolve, reject) => {
    if (turn.length === 0) setImmediate(saveTurn);
    turn.push({ parts, resolve, reject });
  });
}

function saveTurn(): void {
  const saves = turn;
  turn = [];
  for (const group of groupsOf(saves)) void saveGroup(group);
}

function groupsOf(saves: readonly Save[]): Save[][] {
  const groups: Save[][] = [];
  let size = 0;
  for (const save of saves) {
    const last = groups.at(-1);
    size += save.parts.length;
    if (last && size <= mostParts) {
      last.push(save);
    } else {
      groups.push([save]);
      size = save.parts.length;
    }
  }
  return groups;
}

async function saveGroup(group: readonly Save[]): Promise<void> {
  try {
    const isSaved = (await transact(group.flatMap(({ parts }) => parts))) === null;
    if (isSaved || group.length === 1) for (const { resolve } of group) resolve(isSaved);
    else await Promise.all(group.map((save) => saveGroup([save])));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
