import { ServiceError } from '../../contract/errors.ts';
import { type Column, type ImportWork, type Job, piecesOf } from '../../domain/job.ts';
import type { KnownAddress } from '../../domain/person/person.ts';
import type { Text } from '../../language/text.ts';
import { getImportPiece } from '../../store/files/importFiles.ts';
import { getAddresses } from '../../store/person/people.ts';
import type { Context } from '../context.ts';
import { findJob } from '../jobs/jobs.ts';
import { requireOperator } from '../operatorVerb.ts';
import { refuseDeparted } from '../subscribers/saveSubscriber.ts';
import { isUploadComplete } from './importJob.ts';
import { guessColumns } from './internal/columns.ts';
import type { ReadRow } from './internal/csvFile.ts';
import { firstRows } from './internal/fileHead.ts';
import { type CsvRow, type RowResult, readRow } from './internal/row.ts';

/** What an operator sees to choose the meaning of the columns. */
export interface ImportPreview {
  readonly job: Job<ImportWork>;
  readonly header: readonly string[];
  /** As chosen, or guessed from the header. */
  readonly columns: readonly Column[];
  /** The first lines, each with its expected outcome. */
  readonly rows: readonly PreviewRow[];
  /** The number of lines without the header; in a large file estimated from the first ones. */
  readonly lines: { readonly count: number; readonly isExact: boolean };
}

const previewRows = 10;

/**
 * Reads the beginning of an uploaded file. `columns` overrides the stored and the guessed columns. Throws `not_found`,
 * `conflict` while pieces are missing, `validation_error` for a file that is not readable CSV.
 */
export async function previewImport(
  context: Context,
  { id, columns: chosen }: { readonly id: string; readonly columns?: readonly Column[] },
): Promise<ImportPreview> {
  requireOperator(context, 'read');
  const job = await findJob(context.workspaceId, id, 'import');
  const { work } = job;
  if (!isUploadComplete(work)) throw new ServiceError('conflict');
  const head = await getImportPiece(job, 0);
  if (!head) throw new ServiceError('not_found');
  const isWhole = piecesOf(work.bytes) === 1;
  const { header, rows } = await firstRows(work.filename, head, isWhole);
  const columns = chosen ?? work.columns ?? guessColumns(header.cells, { isSuppression: work.suppressAs !== null });
  return {
    job,
    header: header.cells,
    columns,
    rows: await expectedOutcomes(context, { ...work, columns: [...columns] }, rows.slice(0, previewRows)),
    lines: linesOf(work.bytes, header, rows, isWhole),
  };
}

function linesOf(bytes: number, header: ReadRow, rows: readonly ReadRow[], isExact: boolean) {
  const last = rows.at(-1);
  if (isExact || !last) return { count: rows.length, isExact };
  const average = (last.bytes - header.bytes) / rows.length;
  return { count: Math.round((bytes - header.bytes) / average), isExact };
}

/** A line with the outcome that an import would have now. */
interface PreviewRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly outcome: 'subscribed' | 'asked' | 'updated' | 'suppressed' | 'refused';
  /** Why it would be refused; null for every other outcome. */
  readonly reason: Text | null;
}

/** Decides as the import does, and writes nothing. */
async function expectedOutcomes(
  { workspaceId }: Context,
  { columns, consentGiven, suppressAs }: Pick<ImportWork, 'columns' | 'consentGiven' | 'suppressAs'>,
  rows: readonly CsvRow[],
): Promise<PreviewRow[]> {
  const read = rows.map((row) => ({ row, result: readRow(columns ?? [], row, suppressAs ?? undefined) }));
  const emails = read.flatMap(({ result }) => ('person' in result ? result.person.email : []));
  const known = await getAddresses(workspaceId, emails, { consistent: false });
  return read.map(({ row: { line, cells }, result }) => ({
    line,
    cells,
    ...outcomeOf(result, consentGiven === true, known),
  }));
}

function outcomeOf(
  result: RowResult,
  consentGiven: boolean,
  known: ReadonlyMap<string, KnownAddress>,
): Pick<PreviewRow, 'outcome' | 'reason'> {
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
    refuseDeparted(address);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.text;
    throw error;
  }
}
