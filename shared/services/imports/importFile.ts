import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { type SuppressionReason, suppressionReasons } from '../../domain/person/person.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { requireSender } from '../subscribers/saveSubscriber.ts';
import { type BatchResult, batchesOf, importBatches } from './internal/batch.ts';
import { readColumns } from './internal/columns.ts';
import { fingerprintOf, rowsOfFile } from './internal/csvFile.ts';
import { appendRefused, refusedFile, rewindRefused } from './internal/refusedReport.ts';

export interface FileImport {
  /** The path of a CSV file on this machine. */
  readonly file: string;
  /** True when the operator answers for the consent; otherwise each person is asked to confirm. */
  readonly consentGiven: boolean;
  /** Ignores unknown columns instead of refusing the file. */
  readonly ignoreUnknown: boolean;
  /** Starts from the beginning, whatever was imported before. */
  readonly restart: boolean;
  /** For a list of addresses to suppress: the reason for lines without one. */
  readonly suppressAs?: SuppressionReason | undefined;
}

export interface ImportReport {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  /** People who had left according to the service that wrote the file, and who are suppressed here. */
  readonly suppressed: number;
  readonly refused: number;
  /** The report of the refused lines; null when there are none. */
  readonly refusedFile: string | null;
  /** Lines that an earlier, interrupted run had imported. */
  readonly resumedAfter: number;
}

/** Called after each batch of lines, with the bytes that were read. */
export type OnProgress = (
  progress: FileImportProgress,
  bytes: { readonly done: number; readonly total: number },
) => void;

/**
 * Adds or updates every person of a CSV file by the rules of `POST /subscribers`: nobody who left, bounced, complained
 * or is suppressed is subscribed again. The progress is saved after each batch, so that an interrupted import continues
 * where it stopped.
 */
export const importSubscribers = /* @__PURE__ */ operatorVerb(
  { action: 'subscriber.import', needs: 'change' },
  async (context: Context, input: FileImport, onProgress: OnProgress): Promise<ImportReport> => {
    const { file, consentGiven, suppressAs } = input;
    const workspace = await existingWorkspace(context.workspaceId);
    if (!consentGiven && !suppressAs) requireSender(workspace);
    const { sha256, bytes: total } = await fingerprintOf(file);
    const start = startOf(workspace.id, input, sha256);
    rewindRefused(file, start.refused_bytes);
    const rows = rowsOfFile(file);
    const columns = readColumns((await rows.next()).value?.cells ?? [], {
      ...input,
      isSuppression: suppressAs !== undefined,
    });
    const filename = file.split(/[\\/]/).at(-1) ?? file;
    const batchOptions = { workspaceId: workspace.id, file: filename, columns, consentGiven, suppressAs };
    let progress = start;
    if (start.rows > 0) onProgress(start, { done: 0, total });
    for await (const { batch, result } of importBatches(batchOptions, batchesOf(rows, start.rows))) {
      progress = saveBatch(file, progress, result);
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

/** Writes the report first: lines beyond the saved progress are removed when the import continues. */
function saveBatch(file: string, before: FileImportProgress, result: BatchResult): FileImportProgress {
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
  { file, consentGiven, restart, suppressAs }: FileImport,
  sha256: string,
): FileImportProgress {
  const fresh = { sha256, workspace_id: workspaceId, consent_given: consentGiven, suppress_as: suppressAs ?? null };
  const before = restart ? null : readProgress(file);
  if (!before) return { ...fresh, rows: 0, added: 0, updated: 0, suppressed: 0, refused: 0, refused_bytes: 0 };
  const isSame = Object.entries(fresh).every(([name, value]) => before[name as keyof FileImportProgress] === value);
  if (isSame) return before;
  throw new ServiceError('conflict', {
    text: {
      en: `An earlier import of ${file} was interrupted, and the file, the workspace or the consent has changed since: pass --restart to start from the beginning.`,
      fr: `Un import précédent de ${file} a été interrompu, et le fichier, l’espace ou le consentement a changé depuis : passez --restart pour recommencer depuis le début.`,
    },
  });
}

/**
 * The saved progress of an import: the first `rows` lines are imported. Lines after them that a crash interrupted are
 * imported again, which changes nothing.
 */
const progress = z.object({
  sha256: z.string(),
  workspace_id: z.string(),
  consent_given: z.boolean(),
  /** For a list of addresses to suppress: the reason for lines without one. */
  suppress_as: z.enum(suppressionReasons).nullable().default(null),
  rows: z.int(),
  added: z.int(),
  updated: z.int(),
  /** People who had left according to the service that wrote the file. */
  suppressed: z.int().default(0),
  refused: z.int(),
  /** Length of the report of refused lines at that time. */
  refused_bytes: z.int(),
});

export type FileImportProgress = z.output<typeof progress>;

const progressFile = (file: string): string => `${file}.import.json`;

function readProgress(file: string): FileImportProgress | null {
  const path = progressFile(file);
  return existsSync(path) ? progress.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** Atomic: the new file is on the disk before it replaces the old one. */
function writeProgress(file: string, state: FileImportProgress): void {
  const draft = `${progressFile(file)}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, progressFile(file));
}

function removeProgress(file: string): void {
  rmSync(progressFile(file), { force: true });
}
