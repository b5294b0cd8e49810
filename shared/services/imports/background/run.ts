import { ServiceError } from '../../../contract/errors.ts';
import { type ImportProgress, type ImportWork, pieceBytes, piecesOf } from '../../../domain/job/work.ts';
import { text } from '../../../language/text.ts';
import {
  dropImport,
  getImportPiece,
  type ImportFile,
  joinRefused,
  putRefusedPiece,
} from '../../../store/files/imports.ts';
import type { Outcome, Turn } from '../../jobs/turn.ts';
import { type BatchResult, importBatches } from '../batch.ts';
import { batchesOf } from '../batches.ts';
import { type CsvText, delimiterOf, type ReadRow, readRows } from '../file.ts';
import { refusedHeader, refusedLines } from '../refusedReport.ts';

/**
 * A turn at an import: from where the last one stopped, batch by batch, each noted when it is done. A batch that was
 * under way when its worker died is imported once more, which changes nothing; its refused lines take the place of those
 * that were written before.
 */
export async function runImport(turn: Turn<ImportWork>): Promise<Outcome<ImportWork>> {
  try {
    const isDone = await importRows(turn);
    if (!isDone) return { isDone, work: turn.job.work };
  } catch (error) {
    // What stands before a fault in the file was imported, and what of it was refused is told.
    if (error instanceof ServiceError) await report(turn);
    throw error;
  }
  await report(turn);
  const { job } = turn;
  const { work } = job;
  return { isDone: true, work, settle: () => dropImport(job, work.bytes, work.progress.refusedPieces) };
}

/** True at the end of the file, false at the end of the turn. */
async function importRows(turn: Turn<ImportWork>): Promise<boolean> {
  const { job } = turn;
  const { filename: file, columns, consentGiven, suppressAs } = job.work;
  if (!columns) throw new Error('An import runs that was not planned.');
  const options = {
    workspaceId: job.workspaceId,
    file,
    columns,
    consentGiven: consentGiven === true,
    ...(suppressAs && { suppressAs }),
  };
  for await (const { batch, result } of importBatches(options, batchesOf(rowsFrom(job, job.work)))) {
    const { work } = turn.job;
    if (result.refused.length > 0) {
      await putRefusedPiece(job, work.progress.refusedPieces, refusedLines(result.refused, job.language));
    }
    await turn.note({ ...work, progress: after(work.progress, result, batch.at(-1)) });
    if (turn.isOver()) return false;
  }
  return true;
}

function after(before: ImportProgress, result: BatchResult, last: ReadRow | undefined): ImportProgress {
  return {
    offset: last?.bytes ?? before.offset,
    line: last?.next ?? before.line,
    rows: before.rows + result.rows,
    added: before.added + result.added,
    updated: before.updated + result.updated,
    suppressed: before.suppressed + result.suppressed,
    refused: before.refused + result.refused.length,
    refusedPieces: before.refusedPieces + (result.refused.length > 0 ? 1 : 0),
  };
}

async function report({ job }: Turn<ImportWork>): Promise<void> {
  const { refusedPieces } = job.work.progress;
  if (refusedPieces > 0) await joinRefused(job, refusedPieces, refusedHeader);
}

/** The lines that are left; without the header. */
async function* rowsFrom(file: ImportFile, work: ImportWork): AsyncGenerator<ReadRow> {
  const { filename: name, bytes, progress } = work;
  const head = await pieceOf(file, 0);
  const csv = (start: CsvText['start']) =>
    readRows({ name, delimiter: delimiterOf(head), start, pieces: piecesFrom(file, bytes, start.bytes) });
  if (progress.offset > 0) {
    yield* csv({ bytes: progress.offset, line: progress.line });
    return;
  }
  const rows = csv({ bytes: 0, line: 1 });
  await rows.next();
  yield* rows;
}

/** From a byte on, one piece of the file in memory. */
async function* piecesFrom(file: ImportFile, bytes: number, offset: number): AsyncGenerator<Buffer> {
  const first = Math.floor(offset / pieceBytes);
  for (let piece = first; piece < piecesOf(bytes); piece += 1) {
    const content = await pieceOf(file, piece);
    yield piece === first ? content.subarray(offset - first * pieceBytes) : content;
  }
}

async function pieceOf(file: ImportFile, piece: number): Promise<Buffer> {
  const content = await getImportPiece(file, piece);
  if (!content) throw new ServiceError('not_found', { text: gone });
  return content;
}

const gone = text({
  en: 'The file is not kept any more: bring it once more.',
  fr: 'Le fichier n’est plus conservé : apportez-le de nouveau.',
});
