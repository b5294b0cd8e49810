import { type DueKind, dueAheadSeconds, duePartitions } from './table/keys.ts';
import { queryItems } from './table/table.ts';

/** An entry of the index `due`. */
export interface DueEntry {
  readonly kind: DueKind;
  /** From when on the sweeper looks for it. */
  readonly at: Date;
  /** Tells it apart from other entries, and from itself with another time. */
  readonly id: string;
}

/** Every time in the index begins like this: what follows in a sort key tells entries of one time apart. */
const timeLength = '2026-11-24T10:00:00.000Z'.length;

/** The first entries of each partition of the index `due`, whatever their kind, by time. */
export async function listNextDue(perPartition: number): Promise<DueEntry[]> {
  const found = await Promise.all(
    duePartitions().map(async ({ kind, partition }) => {
      const items = await queryItems({ index: 'due', partition, limit: perPartition });
      return items.map(({ pk, sk, due_sk }) => {
        const time = Date.parse(String(due_sk).slice(0, timeLength));
        return { kind, at: new Date(time - dueAheadSeconds(kind) * 1000), id: `${pk} ${sk} ${due_sk}` };
      });
    }),
  );
  return found.flat().sort((one, other) => one.at.getTime() - other.at.getTime());
}
