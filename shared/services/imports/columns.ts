import { type Issue, ValidationError } from '../../contract/errors.ts';
import { unguardCell } from '../../domain/encoding/csvCell.ts';
import type { Column, plainColumns } from '../../domain/job/importColumn.ts';
import { textsOf } from '../../language/text.ts';
import { fieldName, isTechnical, type Origin, originOf, standingOfAll, wordOf } from './origin.ts';

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

/** What only these services mean by a word. */
const knownOf: Readonly<Record<Origin, Readonly<Record<string, PlainKind>>>> = {
  own: {},
  mailchimp: {},
  listmonk: { name: 'name', attributes: 'attributes' },
  resend: { unsubscribed: 'unsubscribed' },
};

export interface ColumnOptions {
  readonly ignoreUnknown: boolean;
  /** A list of addresses that get no mail: of it only address, reason and status are read. */
  readonly isSuppression?: boolean;
}

/**
 * Reads the header: `email`, `firstName`, `lastName`, `tags`, `fields.NAME`; case, spaces, `-` and `_` do not matter but
 * in the name of a field. Files that Mailchimp, listmonk or Resend wrote are known by theirs, and taken as they are.
 * Throws `validation_error` with every column that it cannot place.
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

/** What an import would take the columns of a header for, to be looked at: an unknown one is proposed as a field. */
export function guessColumns(header: readonly string[], options: Pick<ColumnOptions, 'isSuppression'>): Column[] {
  const titles = header.map((cell) => unguardCell(cell).trim());
  const origin = originOf(titles);
  return titles.map((title): Column => {
    const name = fieldName(title);
    const column = columnOf(title, origin, { ignoreUnknown: false, ...options });
    return column ?? (name === '' ? { kind: 'ignored' } : { kind: 'field', name });
  });
}

/** What is wrong with columns that somebody has chosen: one of them is the address, and none is there twice. */
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
  const standing = origin === 'mailchimp' ? standingOfAll(title) : undefined;
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
    en: 'is no column that an import knows; call it fields.NAME to keep it, or pass --ignore-unknown',
    fr: 'n’est pas une colonne connue ; appelez-la fields.NOM pour la garder, ou passez --ignore-unknown',
  },
});

const texts = textsOf({
  twice: { en: 'stands in the header twice', fr: 'figure deux fois dans l’en-tête' },
  noEmail: {
    en: 'is missing: the first line must name the columns, one of them email',
    fr: 'manque : la première ligne doit nommer les colonnes, dont email',
  },
});
