import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ServiceError } from '../../../contract/errors.ts';
import type { Column } from '../../../domain/job.ts';
import type { FieldValue, SubscriberValues, SuppressionReason } from '../../../domain/person/person.ts';
import { now } from '../../../platform/clock.ts';
import { ContentionError, remainingMilliseconds } from '../../../platform/deadline.ts';
import { inParallel, merged } from '../../../platform/parallel.ts';
import { getAddresses } from '../../../store/person/people.ts';
import { peopleSavedAtOnce, savingTogether } from '../../../store/person/saveTogether.ts';
import { readListeners } from '../../../store/webhook/webhooks.ts';
import { isWorkspaceEnded } from '../../../store/workspace/workspaces.ts';
import { keyBudget } from '../../confirmations/keyBudget.ts';
import { endedWorkspace } from '../../existingWorkspace.ts';
import { type AlreadyRead, type BulkOptions, isBusy } from '../../people.ts';
import { saveSubscriber } from '../../subscribers/saveSubscriber.ts';
import { suppress } from '../../suppression.ts';
import type { ReadRow } from './csvFile.ts';
import type { RefusedRow } from './refusedReport.ts';
import { addressOf, type CsvRow, type ImportedPerson, type RowResult, readRow } from './row.ts';

export interface BatchOptions {
  readonly workspaceId: string;
  /** The name of the file, which becomes part of the proof of consent. */
  readonly file: string;
  readonly columns: readonly Column[];
  readonly consentGiven: boolean;
  /** For an application's import: its confirmations count in the budget of the API keys. */
  readonly isByKey?: boolean;
  readonly suppressAs?: SuppressionReason | undefined;
}

type RowOutcome = 'added' | 'updated' | 'suppressed' | RefusedRow;

/** The outcomes of a batch, counted. */
export interface BatchResult {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly suppressed: number;
  /** In file order. */
  readonly refused: readonly RefusedRow[];
}

/** Lines that are parsed without a pause. The pauses let the writes of the previous batch go on. */
const linesBetweenPauses = 25;

/** A line with its parsed content. */
type ReadLine = RowResult & { readonly row: CsvRow };

interface ReadBatch<Lines> {
  readonly batch: Lines;
  readonly read: readonly ReadLine[];
  readonly known: KnownPeople;
}

/**
 * Imports batch by batch, and parses the next batch while one is written. The lines of one person are written in file
 * order, so that the last one counts. Idempotent: after a crash a batch may be imported again. Throws `ContentionError`,
 * which a retry resolves, when a person is changed by other processes all the time.
 */
export async function* importBatches<Lines extends readonly CsvRow[]>(
  options: BatchOptions,
  batches: AsyncIterable<Lines>,
): AsyncGenerator<{ readonly batch: Lines; readonly result: BatchResult }> {
  for await (const next of merged([readBatches(options, batches)])) {
    // An import runs longer than the deletion of a workspace waits for running work.
    if (await isWorkspaceEnded(options.workspaceId)) throw endedWorkspace();
    yield { batch: next.batch, result: await writeBatch(options, next) };
  }
}

async function* readBatches<Lines extends readonly CsvRow[]>(
  options: BatchOptions,
  batches: AsyncIterable<Lines>,
): AsyncGenerator<ReadBatch<Lines>> {
  for await (const batch of batches) {
    const read: ReadLine[] = [];
    for (const [index, row] of batch.entries()) {
      if (index % linesBetweenPauses === 0) await yieldToEventLoop();
      read.push({ row, ...readRow(options.columns, row, options.suppressAs) });
    }
    yield { batch, read, known: await knownOf(options.workspaceId, read) };
  }
}

async function writeBatch(options: BatchOptions, { read, known }: ReadBatch<unknown>): Promise<BatchResult> {
  const save = savingTogether();
  const byPerson = Map.groupBy(read, (one) => emailOf(one) ?? `line ${one.row.line}`);
  const outcomes = await inParallel(peopleSavedAtOnce(), [...byPerson.values()], async (lines) => {
    const done: RowOutcome[] = [];
    for (const [index, one] of lines.entries()) {
      // The first line of a person changes what was read, so later lines read it again.
      const alreadyRead = index === 0 && 'person' in one ? known.get(one.person.email) : undefined;
      const result = await importRow(options, one, { save, ...(alreadyRead && { alreadyRead }) });
      const { line } = one.row;
      if (typeof result === 'string') done.push(result);
      else done.push({ line, email: addressOf(options.columns, one.row), reason: result.refusal });
    }
    return done;
  });
  return resultOf(outcomes.flat());
}

function resultOf(outcomes: readonly RowOutcome[]): BatchResult {
  const count = (outcome: RowOutcome) => outcomes.filter((each) => each === outcome).length;
  return {
    rows: outcomes.length,
    added: count('added'),
    updated: count('updated'),
    suppressed: count('suppressed'),
    refused: outcomes.filter((outcome) => typeof outcome === 'object').sort((a, b) => a.line - b.line),
  };
}

const emailOf = (one: RowResult): string | undefined =>
  'person' in one ? one.person.email : 'departed' in one ? one.departed.email : undefined;

/**
 * How often a line is tried again whose person keeps conflicting with other writers: each try takes up to eight
 * seconds.
 */
const maxTries = 8;
/** Time reserved for the end of an invocation: the next one continues with this batch. */
const reserveMilliseconds = 20_000;

async function importRow(options: BatchOptions, one: ReadLine, together: BulkOptions) {
  if ('refusal' in one) return one;
  // A second try reads the person again and saves them alone, which conflicts with fewer writers.
  let how: BulkOptions = together;
  for (let tries = 1; ; tries += 1) {
    try {
      if ('person' in one) return await importPerson(options, one.person, how);
      await suppress(options.workspaceId, one.departed.email, one.departed.reason, now(), 'api', { lane: 'bulk' });
      return 'suppressed' as const;
    } catch (error) {
      const isLast = tries === maxTries || remainingMilliseconds() < reserveMilliseconds;
      if (isBusy(error) && isLast) {
        throw new ContentionError(`Line ${one.row.line}: too many processes are changing this address.`);
      }
      if (!isBusy(error) && 'person' in one && error instanceof ServiceError) return { refusal: error.text };
      if (!isBusy(error)) throw error;
      how = {};
    }
  }
}

type KnownPeople = ReadonlyMap<string, AlreadyRead>;

/** Reads all people of a batch at once. Each save is conditional on the version that was read. */
async function knownOf(workspaceId: string, read: readonly RowResult[]): Promise<KnownPeople> {
  const emails = new Set(read.flatMap((one) => ('person' in one ? one.person.email : [])));
  const [addresses, listeners] = await Promise.all([
    getAddresses(workspaceId, [...emails], { consistent: true }),
    readListeners(workspaceId),
  ]);
  return new Map([...addresses].map(([email, address]) => [email, { address, listeners }]));
}

async function importPerson(
  { workspaceId, consentGiven, file, isByKey }: BatchOptions,
  { email, values, isPending }: ImportedPerson,
  together: BulkOptions,
): Promise<'added' | 'updated'> {
  const stored = together.alreadyRead?.address.person.subscriber;
  const save = {
    workspaceId,
    email,
    values: withoutUnchanged(values, stored?.fields ?? {}),
    doubleOptIn: !consentGiven || isPending,
    via: 'api' as const,
    claim: { how: 'import' as const, by: file },
    lane: 'bulk' as const,
    isImport: true,
    budget: isByKey ? keyBudget(workspaceId, now()) : null,
    ...together,
  };
  return (await saveSubscriber(save, now())).created ? 'added' : 'updated';
}

/** A file has only text: a stored number or boolean with the same text is not replaced by it. */
function withoutUnchanged(values: SubscriberValues, stored: Readonly<Record<string, FieldValue>>): SubscriberValues {
  const before = new Map(Object.entries(stored));
  const isChanged = ([name, value]: [string, unknown]) => !before.has(name) || String(before.get(name)) !== value;
  const fields = Object.entries(values.fields ?? {}).filter(isChanged);
  return { ...values, fields: Object.fromEntries(fields) };
}

const rowsPerBatch = 500;

/** Lines in batches, without the first `skip`. The lines before an error in the file are yielded before it is thrown. */
export async function* batchesOf(rows: AsyncIterable<ReadRow>, skip = 0): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let index = 0;
  try {
    for await (const row of rows) {
      index += 1;
      if (index > skip) batch.push(row);
      if (batch.length < rowsPerBatch) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
