import * as z from 'zod';
import { exportFormats } from '../person/exportFormat.ts';
import { subscriberStatuses } from '../person/subscriber.ts';
import { suppressionReasons } from '../person/suppression.ts';
import { importColumn } from './importColumn.ts';
import { scanPosition } from './scanPosition.ts';

const count = z.int().nonnegative().default(0);

/** How far an import came: every line before `offset` has been dealt with, and none after it is counted. */
const importProgress = z.object({
  /** Bytes of the file, and the number of the line that begins there; 0 before the header was read. */
  offset: count,
  line: count,
  rows: count,
  added: count,
  updated: count,
  suppressed: count,
  refused: count,
  /** Files of the bucket that hold refused lines. */
  refusedPieces: count,
});

export type ImportProgress = Readonly<z.output<typeof importProgress>>;

/** A file of people that comes in pieces, is looked at, and then imported. */
const importWork = z.object({
  kind: z.literal('import'),
  filename: z.string(),
  bytes: z.int().positive(),
  /** Pieces that have come, without a gap. */
  received: count,
  /** Null until somebody said what they are. */
  columns: z.array(importColumn).nullable().default(null),
  /** True when the operator answers for the consent of everybody in it, false when each is asked. */
  consentGiven: z.boolean().nullable().default(null),
  /** Of a list of addresses that get no mail: the reason of those that give none. */
  suppressAs: z.enum(suppressionReasons).nullable().default(null),
  progress: importProgress,
});

const exportWork = z.object({
  kind: z.literal('export'),
  format: z.enum(exportFormats),
  status: z.enum(subscriberStatuses).nullable().default(null),
  segmentId: z.string().nullable().default(null),
  segmentName: z.string().nullable().default(null),
  records: count,
});

/** Everything that is held about one person. */
const personExportWork = z.object({
  kind: z.literal('personExport'),
  /** Gone when it is over. */
  email: z.string().nullable(),
  records: count,
});

const erasureWork = z.object({
  kind: z.literal('erasure'),
  /** Gone when it is over. */
  email: z.string().nullable(),
  /** What stands for them in what had to stay. */
  alias: z.string().nullable().default(null),
  /** How far the table was looked through; null before that has begun, and when it is over. */
  position: scanPosition.nullable().default(null),
  scanned: count,
  records: count,
});

export const jobWork = z.discriminatedUnion('kind', [importWork, exportWork, personExportWork, erasureWork]);
export type JobWork = Readonly<z.output<typeof jobWork>>;
export type JobKind = JobWork['kind'];
export type ImportWork = Readonly<z.output<typeof importWork>>;
export type ExportWork = Readonly<z.output<typeof exportWork>>;
export type PersonExportWork = Readonly<z.output<typeof personExportWork>>;
export type ErasureWork = Readonly<z.output<typeof erasureWork>>;

/** What a request of Lambda carries of a file, as base64 in JSON (AWS Lambda quotas: 6 MB), with room for the rest. */
export const pieceBytes = 4_000_000;
export const maxImportBytes = 1_000_000_000;

export const piecesOf = (bytes: number): number => Math.ceil(bytes / pieceBytes);

/** What is kept of a job that is over, however it ended: nothing in it names a person, since no erasure looks there. */
export function overWork<Work extends JobWork>(work: Work): Work {
  if (work.kind === 'personExport') return { ...work, email: null };
  if (work.kind === 'erasure') return { ...work, email: null, position: null };
  return work;
}

export const newImportProgress = (): ImportProgress => importProgress.parse({});
