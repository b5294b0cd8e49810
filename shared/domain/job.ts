import * as z from 'zod';
import type { Language } from '../language/languages.ts';
import { subscriberStatuses, suppressionReasons } from './person/person.ts';
import type { OperatorRole } from './workspace/workspace.ts';

/** Where the scan of one segment continues: after the item with this key. */
const segmentPosition = z.union([z.enum(['start', 'end']), z.object({ pk: z.string(), sk: z.string() })]);
export type SegmentPosition = Readonly<z.output<typeof segmentPosition>>;

/** The position of a parallel scan in each of its segments. A key can hold an address: deleted after the scan. */
const scanPosition = z.array(segmentPosition).readonly();
export type ScanPosition = z.output<typeof scanPosition>;

/** The status of a person in the system that a file comes from. */
export const importedStatuses = ['subscribed', 'pending', ...suppressionReasons] as const;
export type ImportedStatus = (typeof importedStatuses)[number];

/** What a column of a file can be, besides a custom field. */
export const plainColumns = [
  'email',
  'firstName',
  'lastName',
  'name',
  'tags',
  'status',
  'reason',
  'attributes',
  'unsubscribed',
  'ignored',
] as const;

const importColumn = z.union([
  z.object({ kind: z.enum(plainColumns) }),
  z.object({ kind: z.literal('field'), name: z.string() }),
  /** A column whose presence tells the status of everybody in the file. */
  z.object({ kind: z.literal('everybody'), standing: z.enum(importedStatuses) }),
]);

export type Column = Readonly<z.output<typeof importColumn>>;

/** `csv` for spreadsheets and imports; `jsonl` with one JSON object a line. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const count = z.int().nonnegative().default(0);

/** The progress of an import: all lines before `offset` are done and counted, none after it. */
const importProgress = z.object({
  /** A byte offset in the file, and the number of the line that starts there; 0 before the header was read. */
  offset: count,
  line: count,
  rows: count,
  added: count,
  updated: count,
  suppressed: count,
  refused: count,
  /** The number of objects in the bucket with refused lines. */
  refusedPieces: count,
});

export type ImportProgress = Readonly<z.output<typeof importProgress>>;

/** What an application says of one column of its file, by the title of the column. */
const declaredColumn = z.object({ header: z.string(), column: importColumn });
export type DeclaredColumn = Readonly<z.output<typeof declaredColumn>>;

/** An import of people: the file is uploaded, its columns are chosen, then it is imported. */
const importWork = z.object({
  kind: z.literal('import'),
  filename: z.string(),
  bytes: z.int().positive(),
  /** Pieces received so far, without a gap. */
  received: count,
  /**
   * Of a file that an application uploads whole: its columns, and the version of the file that was checked at the start.
   * Null for a file that the console uploads in pieces.
   */
  upload: z
    .object({ declared: z.array(declaredColumn), etag: z.string().nullable().default(null) })
    .nullable()
    .default(null),
  /** Null until the operator has chosen them, or an application's import was started. */
  columns: z.array(importColumn).nullable().default(null),
  /** True when the operator vouches for everybody's consent, false when each person is asked to confirm. */
  consentGiven: z.boolean().nullable().default(null),
  /** For an import of suppressions: the reason of rows without one. */
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

/** An export of everything that is stored about one person. */
const personExportWork = z.object({
  kind: z.literal('personExport'),
  /** Deleted when the job ends. */
  email: z.string().nullable(),
  records: count,
});

const erasureWork = z.object({
  kind: z.literal('erasure'),
  /** Deleted when the job ends. */
  email: z.string().nullable(),
  /** Replaces the address in records that must be kept. */
  alias: z.string().nullable().default(null),
  /** The position of the scan; null before it starts and after all is erased. */
  position: scanPosition.nullable().default(null),
  /** The last file of copied emails that was looked at, after the scan. */
  copiesThrough: z.string().optional(),
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

/** Fits as base64 into the JSON of a Lambda request (AWS Lambda quotas: 6 MB). */
export const pieceBytes = 4_000_000;
export const maxImportBytes = 1_000_000_000;

export const piecesOf = (bytes: number): number => Math.ceil(bytes / pieceBytes);

/** What is kept of the work of an ended job: no address, because erasures do not search jobs. */
export function endedWork<Work extends JobWork>(work: Work): Work {
  if (work.kind === 'personExport') return { ...work, email: null };
  if (work.kind === 'erasure') return { ...work, email: null, position: null, copiesThrough: undefined };
  return work;
}

export const newImportProgress = (): ImportProgress => importProgress.parse({});

/** `preparing`: waits for input of the operator, or for the file and the start of an application. */
export const jobStates = ['preparing', 'running', 'done', 'canceled', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** The API key that started a job, as the audit log names it. */
interface JobKey {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
}

/** Long work that is done in the background for an operator or an application. */
export interface Job<Work extends JobWork = JobWork> {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: JobState;
  readonly work: Work;
  /** The operator who started it. Of a job of a key, its name and the role that an earlier release runs it with. */
  readonly by: { readonly name: string; readonly role: OperatorRole };
  /** Absent for a job of an operator. */
  readonly key?: JobKey | undefined;
  /** When its first run began; absent before, and in records of earlier releases. */
  readonly begunAt?: string | undefined;
  /** The language of its report. */
  readonly language: Language;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** The reason of a failure, as shown to the operator. */
  readonly failure: string | null;
  /** The id of the process that runs it. The claim ends at `dueAt`. */
  readonly holder: string | null;
  /** When the sweeper queues it again; null unless it runs. */
  readonly dueAt: string | null;
  /** The number of runs since the last progress. */
  readonly tries: number;
  /** Rises with each change. A change names the revision it read, and is refused after another change. */
  readonly revision: number;
}

/** A job is given up after this many runs without progress. */
export const maxTries = 5;
