import { ServiceError } from '../../contract/errors.ts';
import { type ImportProgress, type ImportWork, type Job, pieceBytes, piecesOf } from '../../domain/job.ts';
import { text } from '../../language/text.ts';
import { dropImport, getImportPiece, joinRefused, putRefusedPiece } from '../../store/files/importFiles.ts';
import type { JobRun, JobRunResult } from '../jobs/jobRun.ts';
import { type BatchResult, batchesOf, importBatches } from './internal/batch.ts';
import { type CsvText, delimiterOf, type ReadRow, readRows } from './internal/csvFile.ts';
import { refusedHeader, refusedLines } from './internal/refusedReport.ts';

/**
 * The work of an import job. It continues after the last saved batch. A batch that a crash interrupted is imported again,
 * which changes nothing; its refused lines replace those that were written before.
 */
export async function runImport(run: JobRun<ImportWork>): Promise<JobRunResult<ImportWork>> {
  try {
    const isDone = await importRows(run);
    if (!isDone) return { isDone, work: run.job.work };
  } catch (error) {
    // The lines before an error in the file were imported, so their refusals are reported.
    if (error instanceof ServiceError) await writeReport(run);
    throw error;
  }
  await writeReport(run);
  const { job } = run;
  const { work } = job;
  return { isDone: true, work, cleanUp: () => dropImport(job, work) };
}

/** True at the end of the file, false when this run is out of time. */
async function importRows(run: JobRun<ImportWork>): Promise<boolean> {
  const { job } = run;
  const { filename: file, columns, consentGiven, suppressAs } = job.work;
  if (!columns) throw new Error('An import without a plan was started.');
  const options = {
    workspaceId: job.workspaceId,
    file,
    columns,
    consentGiven: consentGiven === true,
    isByKey: job.key !== undefined,
    ...(suppressAs && { suppressAs }),
  };
  for await (const { batch, result } of importBatches(options, batchesOf(remainingRows(job)))) {
    const { work } = run.job;
    if (result.refused.length > 0) {
      await putRefusedPiece(job, work.progress.refusedPieces, refusedLines(result.refused, job.language));
    }
    await run.saveProgress({ ...work, progress: progressAfter(work.progress, result, batch.at(-1)) });
    if (run.isOutOfTime()) return false;
  }
  return true;
}

function progressAfter(before: ImportProgress, result: BatchResult, last: ReadRow | undefined): ImportProgress {
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

async function writeReport({ job }: JobRun<ImportWork>): Promise<void> {
  const { refusedPieces } = job.work.progress;
  if (refusedPieces > 0) await joinRefused(job, refusedPieces, refusedHeader);
}

/** The remaining lines, without the header. */
async function* remainingRows(file: Job<ImportWork>): AsyncGenerator<ReadRow> {
  const { filename: name, bytes, progress } = file.work;
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

/** The file from a byte on, with one piece in memory at a time. */
async function* piecesFrom(file: Job<ImportWork>, bytes: number, offset: number): AsyncGenerator<Buffer> {
  const first = Math.floor(offset / pieceBytes);
  for (let piece = first; piece < piecesOf(bytes); piece += 1) {
    const content = await pieceOf(file, piece);
    yield piece === first ? content.subarray(offset - first * pieceBytes) : content;
  }
}

async function pieceOf(file: Job<ImportWork>, piece: number): Promise<Buffer> {
  const content = await getImportPiece(file, piece);
  if (!content) throw new ServiceError('not_found', { text: expired });
  return content;
}

const expired = text({
  en: 'The file is no longer stored, or was replaced after the start: upload it again.',
  fr: 'Le fichier n’est plus conservé, ou a été remplacé après le début : importez-le de nouveau.',
});
