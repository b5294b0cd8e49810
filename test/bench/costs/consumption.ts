import { parseSettings } from '../../../infra/settings.ts';
import prices from '../prices.json' with { type: 'json' };
import { daysOfMonth } from './storage.ts';

/** The average use of everything that AWS charges for, by one of something. A missing field is 0. */
export interface Consumption {
  /** `single emails`. */
  readonly what: string;
  readonly gatewayCalls?: number;
  readonly functionCalls?: number;
  readonly gigabyteSeconds?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
  /** Sending to, receiving from and deleting in queues. */
  readonly queueCalls?: number;
  readonly topicMessages?: number;
  readonly scheduledCalls?: number;
  readonly logBytes?: number;
  /** Bytes in the table, and in its indexes, times the months that they are kept. */
  readonly tableByteMonths?: number;
  readonly indexByteMonths?: number;
  /** Writes and reads of files in S3, and their bytes times the months that they are kept. */
  readonly filePuts?: number;
  readonly fileGets?: number;
  readonly fileByteMonths?: number;
  /** Recipients that SES charges for; their price is listed apart. */
  readonly messages?: number;
}

interface Run {
  readonly memoryMegabytes: number;
  /** Of a whole processor. */
  readonly processorMilliseconds: number;
  /** Waiting for calls that follow one another. */
  readonly waitingMilliseconds: number;
}

const { assumed } = prices;

/** As Lambda charges a run. A function has a share of a processor by its memory (1,769 MB: a whole one). */
export function gigabyteSecondsOf({ memoryMegabytes, processorMilliseconds, waitingMilliseconds }: Run): number {
  const share = Math.min(1, memoryMegabytes / assumed.processorMegabytes);
  return (memoryMegabytes / 1024) * ((processorMilliseconds / share + waitingMilliseconds) / 1000);
}

const gigabyte = 1024 ** 3;
const logMonths = parseSettings({}).logRetentionDays / daysOfMonth;

/** Dollars by kind of charge; `messages` is SES's fee, `storage` covers the default retention. */
export function dollarsOf(consumption: Omit<Consumption, 'what'>): Readonly<Record<string, number>> {
  const { gigabyteSeconds = 0, logBytes = 0, tableByteMonths = 0, indexByteMonths = 0, ...rest } = consumption;
  const { fileByteMonths = 0, ...counted } = rest;
  const perMillion: Readonly<Record<string, number>> = prices.perMillion;
  const { table, recovery, logs, files } = prices.storedGigabyteMonth;
  const dollars = Object.fromEntries(
    Object.entries(counted).map(([kind, count = 0]) => [kind, (count * (perMillion[kind] ?? Number.NaN)) / 1e6]),
  );
  return {
    ...dollars,
    gigabyteSeconds: gigabyteSeconds * prices.gigabyteSecond,
    logBytes: (logBytes / gigabyte) * prices.logGigabyte,
    storage:
      (tableByteMonths / gigabyte) * (table + recovery) +
      (indexByteMonths / gigabyte) * table +
      (fileByteMonths / gigabyte) * files +
      (logBytes / gigabyte) * logMonths * logs,
  };
}
