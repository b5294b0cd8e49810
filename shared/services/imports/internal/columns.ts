import { type Issue, ValidationError } from '../../../contract/errors.ts';
import { unguardCell } from '../../../domain/csvCell.ts';
import type { Column, ImportedStatus, plainColumns } from '../../../domain/job.ts';
import { textsOf } from '../../../language/text.ts';

type PlainKind = (typeof plainColumns)[number];

const known: Readonly<Record<string, PlainKind>> = {
  email: 'email',
  emailaddress: 'email',
  firstname: 'firstName',
  lastname: 'lastName',
  tags: 'tags',
  status: 'status',
  createdat: 'ignored',
  updatedat: 'ignored',
  confirmedat: 'ignored',
  unsubscribedat: 'ignored',
};

/** Words that mean something only in files of one service. */
const knownOf: Readonly<Record<Origin, Readonly<Record<string, PlainKind>>>> = {
  own: {},
  mailchimp: {},
  listmonk: { name: 'name', attributes: 'attributes' },
  resend: { unsubscribed: 'unsubscribed' },
};

export interface ColumnOptions {
  readonly ignoreUnknown: boolean;
  /** For a list of addresses to suppress: only address, reason and status are read. */
  readonly isSuppression?: boolean;
}

/**
 * Reads the header: `email`, `firstName`, `lastName`, `tags`, `fields.NAME`. Case, spaces, `-` and `_` only matter in the
 * name of a field. Exports of Mailchimp, listmonk and Resend are recognized and read without changes. Throws
 * `validation_error` with every unknown column.
 */
export function readColumns(header: readonly string[], options: ColumnOptions): Column[] {
  const issues: Issue[] = [];
  const titles = header.map((cell) => unguardCell(cell).trim());
  const origin = originOf(titles);
  const columns = titles.map((title, index): Column => {
    const column = columnOf(title, origin, options);
    if (column) return column;
    if (!options.ignoreUnknown) issues.push(unknownColumn(header[index] ?? ''));
    return { kind: 'ignored' };
  });
  issues.push(...problemsOfColumns(columns));
  if (issues.length > 0) throw new ValidationError(issues);
  return columns;
}

/** The columns to propose for a header. An unknown column becomes a field. */
export function guessColumns(header: readonly string[], options: Pick<ColumnOptions, 'isSuppression'>): Column[] {
  const titles = header.map((cell) => unguardCell(cell).trim());
  const origin = originOf(titles);
  return titles.map((title): Column => {
    const name = fieldName(title);
    const column = columnOf(title, origin, { ignoreUnknown: false, ...options });
    return column ?? (name === '' ? { kind: 'ignored' } : { kind: 'field', name });
  });
}

/** Problems of chosen columns: a missing address, and duplicates. */
export function problemsOfColumns(columns: readonly Column[]): Issue[] {
  const twice = duplicatesOf(columns).map((name): Issue => ({ path: name, text: texts.twice }));
  return columns.some(({ kind }) => kind === 'email') ? twice : [...twice, { path: 'email', text: texts.noEmail }];
}

function columnOf(title: string, origin: Origin, { isSuppression }: ColumnOptions): Column | null {
  const field = /^fields\.(.*)$/is.exec(title)?.[1];
  if (field !== undefined) return isSuppression ? { kind: 'ignored' } : { kind: 'field', name: field };
  const word = wordOf(title);
  const words = { ...known, ...knownOf[origin], ...(isSuppression && { reason: 'reason' as const }) };
  if (Object.hasOwn(words, word)) return { kind: words[word as keyof typeof words] ?? 'ignored' };
  if (isSuppression && origin === 'own' && word === 'address') return { kind: 'email' };
  const standing = origin === 'mailchimp' ? statusOfEverybody(title) : undefined;
  if (standing) return { kind: 'everybody', standing };
  if (isSuppression || isTechnical(origin, title)) return { kind: 'ignored' };
  const name = fieldName(title);
  return origin === 'own' || name === '' ? null : { kind: 'field', name };
}

function duplicatesOf(columns: readonly Column[]): string[] {
  const names = columns
    .filter(({ kind }) => kind !== 'ignored' && kind !== 'everybody')
    .map((column) => (column.kind === 'field' ? `fields.${column.name}` : column.kind));
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

const unknownColumn = (title: string): Issue => ({
  path: title,
  text: {
    en: 'is not a known column; name it fields.NAME to import it, or pass --ignore-unknown',
    fr: 'n’est pas une colonne connue ; nommez-la fields.NOM pour l’importer, ou passez --ignore-unknown',
  },
});

const texts = textsOf({
  twice: { en: 'is in the header twice', fr: 'figure deux fois dans l’en-tête' },
  noEmail: {
    en: 'is missing: the first line must name the columns, one of them email',
    fr: 'manque : la première ligne doit nommer les colonnes, dont email',
  },
});

/** The service that wrote a file. */
type Origin = 'own' | 'mailchimp' | 'listmonk' | 'resend';

/** A title without the differences that do not matter: case, spaces, `-` and `_`. */
export const wordOf = (title: string): string => title.toLowerCase().replace(/[\s_-]/g, '');

function originOf(titles: readonly string[]): Origin {
  const words = new Set(titles.map(wordOf));
  const hasAll = (...required: string[]) => required.every((word) => words.has(word));
  if (hasAll('emailaddress', 'leid') || hasAll('emailaddress', 'euid')) return 'mailchimp';
  if (hasAll('uuid', 'email', 'attributes', 'status')) return 'listmonk';
  return hasAll('email', 'unsubscribed') ? 'resend' : 'own';
}

/** Columns about the service itself, which are not imported. */
const technical: Readonly<Record<Origin, readonly string[]>> = {
  own: [],
  mailchimp: [
    ...[
      'memberrating',
      'optintime',
      'optinip',
      'confirmtime',
      'confirmip',
      'latitude',
      'longitude',
      'gmtoff',
      'dstoff',
    ],
    ...['timezone', 'cc', 'region', 'leid', 'euid', 'notes', 'unsubcampaigntitle', 'unsubcampaignid'],
    ...['unsubreason', 'unsubreasonother', 'cleancampaigntitle', 'cleancampaignid'],
  ],
  listmonk: ['uuid'],
  resend: ['id', 'segments', 'topics'],
};

const isTechnical = (origin: Origin, title: string): boolean => technical[origin].includes(wordOf(title));

/** Mailchimp exports one file for each status; only that file has this column. */
const statusByColumn: Readonly<Record<string, ImportedStatus>> = {
  unsubtime: 'unsubscribe',
  cleantime: 'bounce',
  lastchanged: 'subscribed',
};

/** The status of everybody in a file with this column. */
const statusOfEverybody = (title: string): ImportedStatus | undefined => statusByColumn[wordOf(title)];

/** A title as a valid field name; empty when no valid character is left. */
export function fieldName(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}
