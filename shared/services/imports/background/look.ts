import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import type { Column } from '../../../domain/job/importColumn.ts';
import type { Job } from '../../../domain/job/job.ts';
import { type ImportWork, piecesOf } from '../../../domain/job/work.ts';
import type { Text } from '../../../language/text.ts';
import { getImportPiece } from '../../../store/files/imports.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { requireOperator } from '../../requireOperator.ts';
import { guessColumns, problemsOfColumns } from '../columns.ts';
import { delimiterOf, type ReadRow, readRows } from '../file.ts';
import { isComplete } from './addPiece.ts';
import { type Outlook, outlooks } from './outlook.ts';
import { problemOfHead } from './problemOfHead.ts';

/** A file as somebody must see it to say what its columns are. */
export interface LookedAt {
  readonly job: Job<ImportWork>;
  readonly header: readonly string[];
  /** As chosen, or as they seem to be. */
  readonly columns: readonly Column[];
  /** The first lines, each with what would become of it. */
  readonly rows: readonly Outlook[];
  /** Lines without the header; by the size of the first ones where the file is large. */
  readonly lines: { readonly count: number; readonly isExact: boolean };
}

const shownRows = 10;

/**
 * Reads the beginning of a file that has come. `columns` are those that are about to be chosen. Throws `not_found`,
 * `conflict` while pieces are missing, `validation_error` for what is no CSV that can be read.
 */
export async function lookAtImport(
  context: Context,
  { id, columns: wanted }: { readonly id: string; readonly columns?: readonly Column[] },
): Promise<LookedAt> {
  requireOperator(context, 'read');
  const job = await findJob(context.workspaceId, id, 'import');
  const { work } = job;
  if (!isComplete(work)) throw new ServiceError('conflict');
  const head = await getImportPiece(job, 0);
  if (!head) throw new ServiceError('not_found');
  const problem = problemOfHead(head);
  if (problem) throw wrongFile(problem);
  const isWhole = piecesOf(work.bytes) === 1;
  const [header, ...rows] = await firstRows(work.filename, head, isWhole);
  const wrongHeader = header ? problemOfHeader(header.cells) : null;
  if (!header || wrongHeader) throw wrongFile(wrongHeader ?? noLine);
  const columns = wanted ?? work.columns ?? guessColumns(header.cells, { isSuppression: work.suppressAs !== null });
  return {
    job,
    header: header.cells,
    columns,
    rows: await outlooks(context, { ...work, columns: [...columns] }, rows.slice(0, shownRows)),
    lines: linesOf(work.bytes, header, rows, isWhole),
  };
}

/** Of a part of a file the last line may be cut off, and a quote in it open. */
async function firstRows(name: string, head: Buffer, isWhole: boolean): Promise<ReadRow[]> {
  const start = { bytes: 0, line: 1 };
  const rows: ReadRow[] = [];
  try {
    for await (const row of readRows({ name, delimiter: delimiterOf(head), start, pieces: once(head) })) rows.push(row);
  } catch (error) {
    // What is wrong further on is told by the import, after all that stands before it.
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

/** A file whose first line is a person has no header, and the person would be taken for one. */
function problemOfHeader(cells: readonly string[]): Text | null {
  if (cells.some((cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell.trim()))) return noHeader;
  return cells.length > mostColumns ? tooManyColumns : null;
}

const mostColumns = 200;

const noLine: Text = { en: 'has no line but blank ones', fr: 'ne contient que des lignes vides' };
const noHeader: Text = {
  en: 'must begin with a line that names its columns; its first line holds an address',
  fr: 'doit commencer par une ligne qui nomme ses colonnes ; la première contient une adresse',
};
const tooManyColumns: Text = {
  en: `has more than ${mostColumns} columns: leave some out before you bring it here`,
  fr: `a plus de ${mostColumns} colonnes : retirez-en avant de l’importer`,
};

const wrongFile = (text: Text): ValidationError => new ValidationError([{ path: 'file', text }]);

/** Throws `validation_error` for columns among which no address is, or two are the same. */
export function checkColumns(columns: readonly Column[]): void {
  const problems = problemsOfColumns(columns).map(({ path, text }) => ({ path: `columns.${path}`, text }));
  if (problems.length > 0) throw new ValidationError(problems);
}
