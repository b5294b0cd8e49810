import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { Column } from '../../domain/job/importColumn.ts';
import type { FieldValue } from '../../domain/person/subscriber.ts';
import type { SubscriberValues } from '../../domain/person/subscriberValues.ts';
import type { SuppressionReason } from '../../domain/person/suppression.ts';
import { now } from '../../platform/clock.ts';
import { ContentionError } from '../../platform/contention.ts';
import { inParallel, merged } from '../../platform/parallel.ts';
import { getAddresses } from '../../store/person/people.ts';
import { peopleSavedAtOnce, savingTogether } from '../../store/person/saveTogether.ts';
import { listWebhooks } from '../../store/webhook/webhooks.ts';
import { type AlreadyRead, isBusy, type OneOfMany } from '../subscribers/change.ts';
import { saveSubscriber } from '../subscribers/save.ts';
import { suppress } from '../suppression/suppress.ts';
import type { RefusedRow } from './refusedReport.ts';
import { addressOf, type ImportedPerson, type Row, type RowResult, readRow } from './row.ts';

export interface BatchOptions {
  readonly workspaceId: string;
  /** Its name, which a person's proof of consent holds. */
  readonly file: string;
  readonly columns: readonly Column[];
  readonly consentGiven: boolean;
  readonly suppressAs?: SuppressionReason | undefined;
}

type Outcome = 'added' | 'updated' | 'suppressed' | RefusedRow;

/** What became of some lines. */
export interface BatchResult {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly suppressed: number;
  /** In the order of the file. */
  readonly refused: readonly RefusedRow[];
}

/** Lines that are read in one go; then whoever writes the batch before has a turn, or the table would wait for it. */
const linesAtOnce = 25;

/** A line, and what was read of it. */
type ReadLine = RowResult & { readonly row: Row };

interface ReadBatch<Lines> {
  readonly batch: Lines;
  readonly read: readonly ReadLine[];
  readonly known: KnownPeople;
}

/**
 * Imports batch after batch: those of one person in their order, so that the last line counts. While one is written the
 * next is read. A batch that is imported once more, after a crash, changes nothing more. Throws `ContentionError` where
 * somebody is being changed by others all the while, which is nothing against their line and passes: to be done again.
 */
export async function* importBatches<Lines extends readonly Row[]>(
  options: BatchOptions,
  batches: AsyncIterable<Lines>,
): AsyncGenerator<{ readonly batch: Lines; readonly result: BatchResult }> {
  for await (const next of merged([readBatches(options, batches)])) {
    yield { batch: next.batch, result: await writeBatch(options, next) };
  }
}

async function* readBatches<Lines extends readonly Row[]>(
  options: BatchOptions,
  batches: AsyncIterable<Lines>,
): AsyncGenerator<ReadBatch<Lines>> {
  for await (const batch of batches) {
    const read: ReadLine[] = [];
    for (const [index, row] of batch.entries()) {
      if (index % linesAtOnce === 0) await turnOfOthers();
      read.push({ row, ...readRow(options.columns, row, options.suppressAs) });
    }
    yield { batch, read, known: await knownOf(options.workspaceId, read) };
  }
}

async function writeBatch(options: BatchOptions, { read, known }: ReadBatch<unknown>): Promise<BatchResult> {
  const save = savingTogether();
  const byPerson = Map.groupBy(read, (one) => emailOf(one) ?? `line ${one.row.line}`);
  const outcomes = await inParallel(peopleSavedAtOnce(), [...byPerson.values()], async (lines) => {
    const done: Outcome[] = [];
    for (const [index, one] of lines.entries()) {
      // What was read before the first line of a person was written is old by the second.
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

function resultOf(outcomes: readonly Outcome[]): BatchResult {
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
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

async function importRow(options: BatchOptions, one: ReadLine, together: OneOfMany) {
  if ('refusal' in one) return one;
  try {
    if ('person' in one) return await importPerson(options, one.person, together);
    await suppress(options.workspaceId, one.departed.email, one.departed.reason, now(), 'api', 'bulk');
    return 'suppressed' as const;
  } catch (error) {
    if (isBusy(error)) throw new ContentionError(`Line ${one.row.line}: the address is being changed by many at once.`);
    if ('person' in one && error instanceof ServiceError) return { refusal: error.text };
    throw error;
  }
}

type KnownPeople = ReadonlyMap<string, AlreadyRead>;

/** Reads everybody of a batch at once. A save rests on the version that was read: who has changed since is read again. */
async function knownOf(workspaceId: string, read: readonly RowResult[]): Promise<KnownPeople> {
  const emails = new Set(read.flatMap((one) => ('person' in one ? one.person.email : [])));
  const [addresses, webhooks] = await Promise.all([
    getAddresses(workspaceId, [...emails], { consistent: true }),
    listWebhooks(workspaceId),
  ]);
  return new Map([...addresses].map(([email, address]) => [email, { address, webhooks }]));
}

async function importPerson(
  { workspaceId, consentGiven, file }: BatchOptions,
  { email, values, isPending }: ImportedPerson,
  together: OneOfMany,
): Promise<'added' | 'updated'> {
  const stored = together.alreadyRead?.address.person.subscriber;
  const save = {
    workspaceId,
    email,
    values: withoutRestated(values, stored?.fields ?? {}),
    doubleOptIn: !consentGiven || isPending,
    via: 'api' as const,
    claim: { how: 'import' as const, by: file },
    lane: 'bulk' as const,
    ...together,
  };
  return (await saveSubscriber(save, now())).created ? 'added' : 'updated';
}

/** A file knows texts only: a number or a boolean that it merely says again stays what it is. */
function withoutRestated(values: SubscriberValues, stored: Readonly<Record<string, FieldValue>>): SubscriberValues {
  const kept = new Map(Object.entries(stored));
  const isNews = ([name, value]: [string, unknown]) => !kept.has(name) || String(kept.get(name)) !== value;
  const fields = Object.entries(values.fields ?? {}).filter(isNews);
  return { ...values, fields: Object.fromEntries(fields) };
}
