import { stringify } from 'csv-stringify/sync';
import { ServiceError } from '../contract/errors.ts';
import type { Input } from '../contract/route.ts';
import type { createExportRoute } from '../contract/routes/jobs.ts';
import { guardCell, tagsCell } from '../domain/csvCell.ts';
import type { ExportFormat, ExportWork, Job } from '../domain/job.ts';
import { isInAudience } from '../domain/person/consent.ts';
import type { Person, SubscriberStatus } from '../domain/person/person.ts';
import { matches, ruleSubjects, type SegmentRule } from '../domain/segment/segment.ts';
import { now } from '../platform/clock.ts';
import { merged } from '../platform/parallel.ts';
import { getPeople } from '../store/person/people.ts';
import { pageOfSubscribers } from '../store/person/subscriberLists.ts';
import { findActivities } from '../store/personEvents/activities.ts';
import { select } from './audience.ts';
import type { Context } from './context.ts';
import { type ExportPiece, writeExportFile } from './jobs/exportFile.ts';
import { type ShownJob, shownJob } from './jobs/jobRecord.ts';
import type { JobRun, JobRunResult } from './jobs/jobRun.ts';
import { contextOfJob, startJob } from './jobs/jobs.ts';
import { auditedPieces, requireRole } from './operatorVerb.ts';
import { type SubscriberJson, subscriberJson } from './people.ts';
import { findSegment, segmentOf } from './segments.ts';

export interface ExportRequest {
  readonly format: ExportFormat;
  /** Only subscribers of this status. */
  readonly status?: SubscriberStatus | undefined;
  /** Only the people whom a campaign to this segment would reach; its id or name. */
  readonly segment?: string | undefined;
}

/**
 * Starts a job that writes an export to a file, to be downloaded within a day. The job adds the audit entry, in the same
 * caller's name. Throws `not_found` for an unknown segment.
 */
export async function startExport(context: Context, request: ExportRequest): Promise<Job<ExportWork>> {
  requireRole(context, 'change');
  const segment = request.segment === undefined ? null : await segmentOf(context, request.segment);
  return startJob(context, {
    kind: 'export',
    format: request.format,
    status: request.status ?? null,
    segmentId: segment?.id ?? null,
    segmentName: segment?.name ?? null,
    records: 0,
  });
}

/** Starts an export for an application, which names a segment by its id. */
export async function createExport(
  context: Context,
  { format, status, segment_id }: Input<typeof createExportRoute>,
): Promise<ShownJob> {
  return shownJob(await startExport(context, { format, status, segment: segment_id }));
}

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

/** The work of an export job. */
export async function runExport(run: JobRun<ExportWork>): Promise<JobRunResult<ExportWork>> {
  const { job } = run;
  const { format, status, segmentId } = job.work;
  const pieces = exportSubscribers(contextOfJob(job, now()), {
    format,
    ...(status && { status }),
    ...(segmentId && { segment: segmentId }),
  });
  const records = await writeExportFile(run, pieces, contentTypes[format]);
  return { isDone: true, work: { ...job.work, records } };
}

/** The subscribers as CSV, which an import reads back, or as JSON Lines; one piece a page. */
export function exportSubscribers(context: Context, request: ExportRequest): AsyncGenerator<ExportPiece> {
  requireRole(context, 'change');
  const subject = request.segment ?? request.status ?? null;
  return auditedPieces(context, { action: 'subscriber.export', subject }, exportPieces(context, request));
}

async function* exportPieces(
  context: Context,
  { format, status, segment }: ExportRequest,
): AsyncGenerator<ExportPiece> {
  const { workspaceId } = context;
  const rule = segment === undefined ? null : (await findSegment(workspaceId, segment)).rule;
  const people = () =>
    rule ? pagesOfSegment(workspaceId, rule, context.now) : pagesOfSubscribers(workspaceId, status);
  const pages = () => subscriberPages(people());
  yield* format === 'jsonl' ? jsonLines(pages()) : csv(pages);
}

/** All subscribers of a workspace, or those of one status, newest first. */
async function* pagesOfSubscribers(workspaceId: string, status?: SubscriberStatus): AsyncGenerator<Person[]> {
  let after: string | undefined;
  do {
    const page = await pageOfSubscribers(workspaceId, { status, limit: 500, after });
    yield page.entries.map(({ person }) => person);
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** One page of the index may name thousands of people with large records, so it is read in parts. */
const peoplePerRead = 500;

/**
 * The people whom a campaign to a segment would reach: selected by the index and checked against the stored records. An
 * index page without any of them yields an empty page, so that progress is visible.
 */
export async function* pagesOfSegment(workspaceId: string, rule: SegmentRule, now: Date): AsyncGenerator<Person[]> {
  const { events } = ruleSubjects(rule);
  const read = async (emails: readonly string[]): Promise<Person[]> => {
    const [people, activities] = await Promise.all([
      getPeople(workspaceId, emails),
      events.size > 0 ? findActivities(workspaceId, emails, events) : null,
    ]);
    return people.filter((person) => {
      const own = activities?.get(person.email);
      const { subscriber } = person;
      return (
        isInAudience(person) && subscriber && matches(rule, { ...subscriber, ...(own && { activities: own }) }, now)
      );
    });
  };
  for await (const { members } of merged(select({ workspaceId, rule, to: null }, now).streams)) {
    if (members.length === 0) yield [];
    for (let start = 0; start < members.length; start += peoplePerRead) {
      yield await read(members.slice(start, start + peoplePerRead));
    }
  }
}

type SubscriberPages = AsyncGenerator<SubscriberJson[]>;

async function* subscriberPages(pages: AsyncGenerator<Person[]>): SubscriberPages {
  for await (const people of pages) {
    yield people.flatMap(({ email, subscriber }) => (subscriber ? subscriberJson(email, subscriber) : []));
  }
}

async function* jsonLines(pages: SubscriberPages): AsyncGenerator<ExportPiece> {
  for await (const subscribers of pages) {
    yield {
      text: subscribers.map((subscriber) => `${JSON.stringify(subscriber)}\n`).join(''),
      records: subscribers.length,
    };
  }
}

const csvColumns = [
  'email',
  'status',
  'firstName',
  'lastName',
  'created_at',
  'updated_at',
  'confirmed_at',
  'unsubscribed_at',
] as const;

/** Reads everybody twice: the header names every custom field, and memory does not hold all people. */
async function* csv(pages: () => SubscriberPages): AsyncGenerator<ExportPiece> {
  const found = new Set<string>();
  for await (const subscribers of pages()) {
    for (const { fields } of subscribers) for (const name of Object.keys(fields)) found.add(name);
    yield { text: '', records: 0 };
  }
  const names = [...found].sort();
  const header = [...csvColumns, 'tags', ...names.map((name) => `fields.${name}`)];
  yield { text: stringify([header]), records: 0 };
  for await (const subscribers of pages()) {
    const rows = subscribers.map((subscriber) => cellsOf(subscriber, names));
    yield { text: stringify(rows), records: subscribers.length };
  }
}

function cellsOf(subscriber: SubscriberJson, names: readonly string[]): string[] {
  if (Object.keys(subscriber.fields).some((name) => !names.includes(name))) throw newField;
  const fields = new Map(Object.entries(subscriber.fields));
  const values = [
    ...csvColumns.map((name) => subscriber[name]),
    tagsCell(subscriber.tags),
    ...names.map((name) => fields.get(name)),
  ];
  return values.map((value) => guardCell(String(value ?? '')));
}

const newField = new ServiceError('conflict', {
  text: {
    en: 'A new custom field was added during the export: export again.',
    fr: 'Un nouveau champ a été ajouté pendant l’export : recommencez-le.',
  },
});
