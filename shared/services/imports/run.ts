import { ServiceError } from '../../contract/errors.ts';
import { now } from '../../platform/clock.ts';
import { inParallel } from '../../platform/parallel.ts';
import { getStandings } from '../../store/people.ts';
import { listWebhooks } from '../../store/webhooks.ts';
import type { Workspace } from '../../store/workspaces.ts';
import type { Known } from '../subscribers/change.ts';
import { requireSender, saveSubscriber } from '../subscribers/save.ts';
import { type Column, readColumns } from './columns.ts';
import { fingerprintOf, type ReadRow, readRows } from './file.ts';
import { type Progress, readProgress, removeProgress, writeProgress } from './progress.ts';
import { appendRefused, type RefusedRow, refusedFile, rewindRefused } from './refusedReport.ts';
import { addressOf, type ImportedPerson, type RowResult, readRow } from './row.ts';

export interface ImportOptions {
  readonly workspace: Workspace;
  readonly file: string;
  /** True when the operator answers for the consent; else each person is asked for theirs. */
  readonly consentGiven: boolean;
  /** Leaves columns aside that an import does not know. */
  readonly ignoreUnknown: boolean;
  /** Begins anew, whatever was imported before. */
  readonly restart: boolean;
}

export interface ImportReport {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly refused: number;
  /** Where the refused lines are listed; null when there is none. */
  readonly refusedFile: string | null;
  /** Lines that an earlier run had dealt with. */
  readonly resumedAfter: number;
}

/** Called after each batch of lines. */
export type OnProgress = (progress: Progress, bytes: { readonly done: number; readonly total: number }) => void;

const rowsOfBatch = 500;
const rowsAtOnce = 16;

/**
 * Adds or updates every person of a CSV file by the rules of `POST /subscribers`: nobody who left, bounced, complained
 * or is suppressed comes back. Reads a batch at a time and notes after each how far it is, so that a run that died is
 * gone on with where it stopped.
 */
export async function importSubscribers(options: ImportOptions, onProgress: OnProgress): Promise<ImportReport> {
  const { file, workspace, consentGiven } = options;
  if (!consentGiven) requireSender(workspace);
  const { sha256, bytes: total } = await fingerprintOf(file);
  const start = startOf(options, sha256);
  rewindRefused(file, start.refused_bytes);
  const rows = readRows(file);
  const columns = readColumns((await rows.next()).value?.cells ?? [], options);
  let progress = start;
  for await (const batch of batchesOf(rows, start.rows)) {
    progress = await importBatch(options, columns, batch, progress);
    onProgress(progress, { done: batch.at(-1)?.bytes ?? 0, total });
  }
  removeProgress(file);
  return {
    rows: progress.rows,
    added: progress.added,
    updated: progress.updated,
    refused: progress.refused,
    refusedFile: progress.refused > 0 ? refusedFile(file) : null,
    resumedAfter: start.rows,
  };
}

/** Lines in batches, the first `skip` left out; those before a fault in the file are given out before it is thrown. */
async function* batchesOf(rows: AsyncIterable<ReadRow>, skip: number): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let index = 0;
  try {
    for await (const row of rows) {
      index += 1;
      if (index > skip) batch.push(row);
      if (batch.length < rowsOfBatch) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

function startOf({ file, workspace, consentGiven, restart }: ImportOptions, sha256: string): Progress {
  const fresh = { sha256, workspace_id: workspace.id, consent_given: consentGiven };
  const before = restart ? null : readProgress(file);
  if (!before) return { ...fresh, rows: 0, added: 0, updated: 0, refused: 0, refused_bytes: 0 };
  const isSame = Object.entries(fresh).every(([name, value]) => before[name as keyof Progress] === value);
  if (isSame) return before;
  throw new ServiceError('conflict', {
    text: {
      en: `An earlier import of ${file} did not finish, and the file, the workspace or the consent is another one now: pass --restart to begin anew.`,
      fr: `Un import précédent de ${file} n’a pas abouti, et le fichier, l’espace ou le consentement n’est plus le même : passez --restart pour recommencer.`,
    },
  });
}

type Outcome = 'added' | 'updated' | RefusedRow;

/** Lines of one person one after the other, so that the last one counts; those of different people side by side. */
async function importBatch(
  options: ImportOptions,
  columns: readonly Column[],
  batch: readonly ReadRow[],
  before: Progress,
): Promise<Progress> {
  const read = batch.map((row) => ({ row, ...readRow(columns, row) }));
  const known = await knownOf(options.workspace.id, read);
  const byPerson = Map.groupBy(read, (one) => ('person' in one ? one.person.email : `line ${one.row.line}`));
  const outcomes = await inParallel(rowsAtOnce, [...byPerson.values()], async (lines) => {
    const done: Outcome[] = [];
    for (const one of lines) {
      const refused = (reason: string) => ({ line: one.row.line, email: addressOf(columns, one.row), reason });
      const result =
        'person' in one ? await importPerson(options, one.person, known(one.person.email)) : { refusal: one.refusal };
      done.push(typeof result === 'string' ? result : refused(result.refusal));
    }
    return done;
  });
  return noteBatch(options.file, before, outcomes.flat());
}

/** Reads everybody of a batch at once. A save rests on the version that was read: who has changed since is read again. */
async function knownOf(workspaceId: string, read: readonly RowResult[]): Promise<(email: string) => Known | undefined> {
  const emails = read.flatMap((one) => ('person' in one ? one.person.email : []));
  const [standings, webhooks] = await Promise.all([
    getStandings(workspaceId, [...new Set(emails)], { consistent: true }),
    listWebhooks(workspaceId),
  ]);
  return (email) => {
    const standing = standings.get(email);
    return standing && { standing, webhooks };
  };
}

async function importPerson(
  { workspace, consentGiven }: ImportOptions,
  { email, values }: ImportedPerson,
  known: Known | undefined,
): Promise<'added' | 'updated' | { refusal: string }> {
  try {
    const save = { workspaceId: workspace.id, email, values, doubleOptIn: !consentGiven, via: 'api' as const, known };
    return (await saveSubscriber(save, now())).created ? 'added' : 'updated';
  } catch (error) {
    if (error instanceof ServiceError) return { refusal: error.text.en };
    throw error;
  }
}

/** The report first: what it has beyond the note is cut off when the import is gone on with. */
function noteBatch(file: string, before: Progress, outcomes: readonly Outcome[]): Progress {
  const refused = outcomes.filter((outcome) => typeof outcome === 'object').sort((a, b) => a.line - b.line);
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  const progress = {
    ...before,
    rows: before.rows + outcomes.length,
    added: before.added + count('added'),
    updated: before.updated + count('updated'),
    refused: before.refused + refused.length,
    refused_bytes: appendRefused(file, refused),
  };
  writeProgress(file, progress);
  return progress;
}
