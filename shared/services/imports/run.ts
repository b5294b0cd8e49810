import { ServiceError } from '../../contract/errors.ts';
import type { SuppressionReason } from '../../domain/person/suppression.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { requireSender } from '../subscribers/save.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type BatchResult, importBatches } from './batch.ts';
import { batchesOf } from './batches.ts';
import { readColumns } from './columns.ts';
import { fingerprintOf, rowsOfFile } from './file.ts';
import { type Progress, readProgress, removeProgress, writeProgress } from './progress.ts';
import { appendRefused, refusedFile, rewindRefused } from './refusedReport.ts';

export interface ImportWanted {
  readonly file: string;
  /** True when the operator answers for the consent; else each person is asked for theirs. */
  readonly consentGiven: boolean;
  /** Leaves columns aside that an import does not know. */
  readonly ignoreUnknown: boolean;
  /** Begins anew, whatever was imported before. */
  readonly restart: boolean;
  /** The file is a list of addresses that get no mail, for this reason where it gives none. */
  readonly suppressAs?: SuppressionReason | undefined;
}

export interface ImportReport {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  /** Put on the suppression list, being gone where the file comes from. */
  readonly suppressed: number;
  readonly refused: number;
  /** Where the refused lines are listed; null when there is none. */
  readonly refusedFile: string | null;
  /** Lines that an earlier run had dealt with. */
  readonly resumedAfter: number;
}

/** Called after each batch of lines. */
export type OnProgress = (progress: Progress, bytes: { readonly done: number; readonly total: number }) => void;

/**
 * Adds or updates every person of a CSV file by the rules of `POST /subscribers`: nobody who left, bounced, complained
 * or is suppressed comes back. Reads a batch at a time and notes after each how far it is, so that a run that died is
 * gone on with where it stopped.
 */
export const importSubscribers = operatorVerb(
  { action: 'subscriber.import', needs: 'change' },
  async (context: Context, wanted: ImportWanted, onProgress: OnProgress): Promise<ImportReport> => {
    const { file, consentGiven, suppressAs } = wanted;
    const workspace = await existingWorkspace(context.workspaceId);
    if (!consentGiven && !suppressAs) requireSender(workspace);
    const { sha256, bytes: total } = await fingerprintOf(file);
    const start = startOf(workspace.id, wanted, sha256);
    rewindRefused(file, start.refused_bytes);
    const rows = rowsOfFile(file);
    const columns = readColumns((await rows.next()).value?.cells ?? [], {
      ...wanted,
      isSuppression: suppressAs !== undefined,
    });
    const claimed = file.split(/[\\/]/).at(-1) ?? file;
    const batchOptions = { workspaceId: workspace.id, file: claimed, columns, consentGiven, suppressAs };
    let progress = start;
    if (start.rows > 0) onProgress(start, { done: 0, total });
    for await (const { batch, result } of importBatches(batchOptions, batchesOf(rows, start.rows))) {
      progress = noteBatch(file, progress, result);
      onProgress(progress, { done: batch.at(-1)?.bytes ?? 0, total });
    }
    removeProgress(file);
    return {
      rows: progress.rows,
      added: progress.added,
      updated: progress.updated,
      suppressed: progress.suppressed,
      refused: progress.refused,
      refusedFile: progress.refused > 0 ? refusedFile(file) : null,
      resumedAfter: start.rows,
    };
  },
);

/** The report first: what it has beyond the note is cut off when the import is gone on with. */
function noteBatch(file: string, before: Progress, result: BatchResult): Progress {
  const progress = {
    ...before,
    rows: before.rows + result.rows,
    added: before.added + result.added,
    updated: before.updated + result.updated,
    suppressed: before.suppressed + result.suppressed,
    refused: before.refused + result.refused.length,
    refused_bytes: appendRefused(file, result.refused),
  };
  writeProgress(file, progress);
  return progress;
}

function startOf(
  workspaceId: string,
  { file, consentGiven, restart, suppressAs }: ImportWanted,
  sha256: string,
): Progress {
  const fresh = { sha256, workspace_id: workspaceId, consent_given: consentGiven, suppress_as: suppressAs ?? null };
  const before = restart ? null : readProgress(file);
  if (!before) return { ...fresh, rows: 0, added: 0, updated: 0, suppressed: 0, refused: 0, refused_bytes: 0 };
  const isSame = Object.entries(fresh).every(([name, value]) => before[name as keyof Progress] === value);
  if (isSame) return before;
  throw new ServiceError('conflict', {
    text: {
      en: `An earlier import of ${file} did not finish, and the file, the workspace or the consent is another one now: pass --restart to begin anew.`,
      fr: `Un import précédent de ${file} n’a pas abouti, et le fichier, l’espace ou le consentement n’est plus le même : passez --restart pour recommencer.`,
    },
  });
}
