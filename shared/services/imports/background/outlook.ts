import { ServiceError } from '../../../contract/errors.ts';
import type { ImportWork } from '../../../domain/job/work.ts';
import type { KnownAddress } from '../../../domain/person/subscriber.ts';
import type { Text } from '../../../language/text.ts';
import { getAddresses } from '../../../store/person/people.ts';
import type { Context } from '../../context.ts';
import { refuseGone } from '../../subscribers/refusals.ts';
import { type Row, type RowResult, readRow } from '../row.ts';

/** A line, and what an import that began now would do with it. */
export interface Outlook {
  readonly line: number;
  readonly cells: readonly string[];
  readonly outcome: 'subscribed' | 'asked' | 'updated' | 'suppressed' | 'refused';
  /** Why it would be refused. */
  readonly reason: Text | null;
}

/** What would become of lines: as the import decides, and nothing is written. */
export async function outlooks(
  { workspaceId }: Context,
  { columns, consentGiven, suppressAs }: Pick<ImportWork, 'columns' | 'consentGiven' | 'suppressAs'>,
  rows: readonly Row[],
): Promise<Outlook[]> {
  const read = rows.map((row) => ({ row, result: readRow(columns ?? [], row, suppressAs ?? undefined) }));
  const emails = read.flatMap(({ result }) => ('person' in result ? result.person.email : []));
  const known = await getAddresses(workspaceId, emails, { consistent: false });
  return read.map(({ row: { line, cells }, result }) => ({
    line,
    cells,
    ...outlookOf(result, consentGiven === true, known),
  }));
}

function outlookOf(
  result: RowResult,
  consentGiven: boolean,
  known: ReadonlyMap<string, KnownAddress>,
): Pick<Outlook, 'outcome' | 'reason'> {
  if ('refusal' in result) return { outcome: 'refused', reason: result.refusal };
  if ('departed' in result) return { outcome: 'suppressed', reason: null };
  const address = known.get(result.person.email);
  const reason = address ? refusalOf(address) : null;
  if (reason) return { outcome: 'refused', reason };
  if (address?.person.subscriber?.status === 'subscribed') return { outcome: 'updated', reason: null };
  return { outcome: consentGiven && !result.person.isPending ? 'subscribed' : 'asked', reason: null };
}

function refusalOf(address: KnownAddress): Text | null {
  try {
    refuseGone(address);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.text;
    throw error;
  }
}
