import { ServiceError, ValidationError } from '../../contract/errors.ts';
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
import { delimiterOf, type ReadRow, readRows } from './internal/csvFile.ts';
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
  const problem = problemOfHead(head);
  if (problem) throw wrongFile(problem);
  const isWhole = piecesOf(work.bytes) === 1;
  const [header, ...rows] = await firstRows(work.filename, head, isWhole);
  const wrongHeader = header ? problemOfHeader(header.cells) : null;
  if (!header || wrongHeader) throw wrongFile(wrongHeader ?? noLine);
  const columns = chosen ?? work.columns ?? guessColumns(header.cells, { isSuppression: work.suppressAs !== null });
  return {
    job,
    header: header.cells,
    columns,
    rows: await expectedOutcomes(context, { ...work, columns: [...columns] }, rows.slice(0, previewRows)),
    lines: linesOf(work.bytes, header, rows, isWhole),
  };
}

/** The last line of a partial file may be incomplete, with an open quote, and is left out. */
async function firstRows(name: string, head: Buffer, isWhole: boolean): Promise<ReadRow[]> {
  const start = { bytes: 0, line: 1 };
  const rows: ReadRow[] = [];
  try {
    for await (const row of readRows({ name, delimiter: delimiterOf(head), start, pieces: once(head) })) rows.push(row);
  } catch (error) {
    // The import reports an error further on, after the lines before it.
    if (rows.length < 2) throw error;
  }
  return isWhole ? rows : rows.slice(0, -1);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function linesOf(bytes: number, header: ReadRow, rows: readonly ReadRow[], isExact: boolean) {
  const last = rows.at(-1);
  if (isExact || !last) return { count: rows.length, isExact };
  const average = (last.bytes - header.bytes) / rows.length;
  return { count: Math.round((bytes - header.bytes) / average), isExact };
}

/** A first line with an address is a person, not a header. */
function problemOfHeader(cells: readonly string[]): Text | null {
  if (cells.some((cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim()))) return noHeader;
  return cells.length > maxColumns ? tooManyColumns : null;
}

const maxColumns = 200;

const noLine: Text = { en: 'has only blank lines', fr: 'ne contient que des lignes vides' };
const noHeader: Text = {
  en: 'must begin with a line of column names; its first line contains an address',
  fr: 'doit commencer par une ligne qui nomme ses colonnes ; la première contient une adresse',
};
const tooManyColumns: Text = {
  en: `has more than ${maxColumns} columns: remove some before you import it`,
  fr: `a plus de ${maxColumns} colonnes : retirez-en avant de l’importer`,
};

const wrongFile = (text: Text): ValidationError => new ValidationError([{ path: 'file', text }]);

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

/** Why a file is not CSV in UTF-8, by its first bytes; null when it may be. */
function problemOfHead(head: Buffer): Text | null {
  if (head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return spreadsheet;
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || head.subarray(0, 4096).includes(0)) return wide;
  return isUtf8(head) ? null : otherEncoding;
}

/** `stream` allows a character that is cut at the end of the piece. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const spreadsheet: Text = {
  en: 'is a spreadsheet, not CSV: save it as “CSV UTF-8” and import that file',
  fr: 'est un classeur et non un CSV : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
const wide: Text = {
  en: 'is in UTF-16, or is not text: save it as “CSV UTF-8” and import that file',
  fr: 'est en UTF-16, ou n’est pas du texte : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
const otherEncoding: Text = {
  en: 'is not in UTF-8, so accented letters would be lost: save it as “CSV UTF-8” and import that file',
  fr: 'n’est pas en UTF-8, les lettres accentuées seraient perdues : enregistrez-le au format « CSV UTF-8 » et importez ce fichier',
};
