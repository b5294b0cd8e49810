import { ServiceError } from '../../contract/errors.ts';
import type { ExportWork, JobWork, PersonExportWork } from '../../domain/job.ts';
import { text } from '../../language/text.ts';
import { secondsInDay } from '../../platform/clock.ts';
import { exportKey, presignGet, putStream } from '../../store/files/bucket.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import type { JobRun } from './jobRun.ts';
import { getJob } from './jobs.ts';

/** A piece of an export with the number of its records. An empty piece only reports that the export is going on. */
export interface ExportPiece {
  readonly text: string;
  readonly records: number;
}

/**
 * Writes the whole file of an export in one run and returns its number of records. Nothing is visible before the end, so
 * after a crash the next run starts from the beginning. Throws `conflict` when one run is too short.
 */
export async function writeExportFile<Work extends ExportWork | PersonExportWork>(
  run: JobRun<Work>,
  pieces: AsyncIterable<ExportPiece>,
  contentType: string,
): Promise<number> {
  const { job } = run;
  let records = 0;
  async function* content(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      records += piece.records;
      await run.showProgress({ ...job.work, records });
      // Another run would start again and take as long.
      if (run.isOutOfTime()) throw new ServiceError('conflict', { text: tooLong });
      if (piece.text !== '') yield piece.text;
    }
  }
  await putStream(exportKey(job.workspaceId, job.id), content(), contentType);
  return records;
}

const tooLong = text({
  en: 'The file could not be written within 15 minutes, the limit here. Export fewer people at a time, or ask the operator of this service for the file.',
  fr: 'Le fichier n’a pas pu être écrit en 15 minutes, la limite ici. Exportez moins de personnes à la fois, ou demandez le fichier à l’exploitant de ce service.',
});

/** Whether the file of an export that ended then still exists: it is kept for a day. */
export const isExportKept = (endedAt: string | null, now: Date): boolean =>
  endedAt !== null && now.getTime() - Date.parse(endedAt) < secondsInDay * 1000;

/** The name under which the file of an export is saved. */
export const exportName = (work: JobWork, id: string): string =>
  work.kind === 'export' ? `people-${id}.${work.format}` : `person-${id}.json`;

/** A presigned URL to download the file of an export. Throws `not_found` when there is none, or none any more. */
export const downloadExport = /* @__PURE__ */ operatorVerb(
  { action: 'export.download', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<string> => {
    const { workspaceId, now } = context;
    const { work, state, endedAt } = await getJob(context, { id });
    const isExport = work.kind === 'export' || work.kind === 'personExport';
    if (!isExport || state !== 'done' || !isExportKept(endedAt, now)) throw new ServiceError('not_found');
    return presignGet(exportKey(workspaceId, id), { saveAs: exportName(work, id), now });
  },
);
