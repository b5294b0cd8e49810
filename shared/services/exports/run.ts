import { stringify } from 'csv-stringify/sync';
import { ServiceError } from '../../contract/errors.ts';
import { guardCell, tagsCell } from '../../domain/encoding/csvCell.ts';
import type { ExportFormat } from '../../domain/person/exportFormat.ts';
import type { Person, SubscriberStatus } from '../../domain/person/subscriber.ts';
import type { Context } from '../context.ts';
import { notedPieces } from '../operators/verb.ts';
import { requireOperator } from '../requireOperator.ts';
import { findSegment } from '../segments/find.ts';
import { type ShownSubscriber, shownSubscriber } from '../subscribers/shown.ts';
import { listedPeople, peopleOfSegment } from './people.ts';

export interface ExportWanted {
  readonly format: ExportFormat;
  /** Subscribers of a status, or those whom a campaign to a segment (its id or name) would reach; else all. */
  readonly status?: SubscriberStatus | undefined;
  readonly segment?: string | undefined;
}

/** A piece of the file and how many records, people, are in it. One without a text says that it goes on. */
export interface ExportPiece {
  readonly text: string;
  readonly records: number;
}

/** The subscribers of a workspace as CSV, which an import takes back, or as one JSON object a line; a page at a time. */
export function exportSubscribers(context: Context, wanted: ExportWanted): AsyncGenerator<ExportPiece> {
  requireOperator(context, 'change');
  const subject = wanted.segment ?? wanted.status ?? null;
  return notedPieces(context, { action: 'subscriber.export', subject }, pieces(context, wanted));
}

async function* pieces(context: Context, { format, status, segment }: ExportWanted): AsyncGenerator<ExportPiece> {
  const { workspaceId, now } = context;
  const rule = segment === undefined ? null : (await findSegment(workspaceId, segment)).rule;
  const people = () => (rule ? peopleOfSegment(workspaceId, rule, now) : listedPeople(workspaceId, status));
  const pages = () => shownPages(people());
  yield* format === 'jsonl' ? jsonLines(pages()) : csv(pages);
}

type ShownPages = AsyncGenerator<ShownSubscriber[]>;

async function* shownPages(pages: AsyncGenerator<Person[]>): ShownPages {
  for await (const people of pages) {
    yield people.flatMap(({ email, subscriber }) => (subscriber ? shownSubscriber(email, subscriber) : []));
  }
}

async function* jsonLines(pages: ShownPages): AsyncGenerator<ExportPiece> {
  for await (const subscribers of pages) {
    yield {
      text: subscribers.map((subscriber) => `${JSON.stringify(subscriber)}\n`).join(''),
      records: subscribers.length,
    };
  }
}

const columns = [
  'email',
  'status',
  'firstName',
  'lastName',
  'created_at',
  'updated_at',
  'confirmed_at',
  'unsubscribed_at',
] as const;

/** Everybody is read twice: a header names every field that anybody has, and memory holds none of the people. */
async function* csv(pages: () => ShownPages): AsyncGenerator<ExportPiece> {
  const found = new Set<string>();
  for await (const subscribers of pages()) {
    for (const { fields } of subscribers) for (const name of Object.keys(fields)) found.add(name);
    yield { text: '', records: 0 };
  }
  const names = [...found].sort();
  const header = [...columns, 'tags', ...names.map((name) => `fields.${name}`)];
  yield { text: stringify([header]), records: 0 };
  for await (const subscribers of pages()) {
    const rows = subscribers.map((subscriber) => cellsOf(subscriber, names));
    yield { text: stringify(rows), records: subscribers.length };
  }
}

function cellsOf(subscriber: ShownSubscriber, names: readonly string[]): string[] {
  if (Object.keys(subscriber.fields).some((name) => !names.includes(name))) throw newField;
  const fields = new Map(Object.entries(subscriber.fields));
  const values = [
    ...columns.map((name) => subscriber[name]),
    tagsCell(subscriber.tags),
    ...names.map((name) => fields.get(name)),
  ];
  return values.map((value) => guardCell(String(value ?? '')));
}

const newField = new ServiceError('conflict', {
  text: {
    en: 'Somebody got a field of a new name while the list was exported: export it again.',
    fr: 'Une personne a reçu un champ d’un nouveau nom pendant l’export : recommencez-le.',
  },
});
