import { type Issue, ValidationError } from '../../contract/errors.ts';
import { unguardCell } from '../../domain/encoding/csvCell.ts';
import { textsOf } from '../../language/text.ts';
import { fieldName, isTechnical, type Origin, originOf, type Standing, standingOfAll, wordOf } from './origin.ts';

type PlainKind =
  | ('email' | 'firstName' | 'lastName' | 'name' | 'tags' | 'status' | 'reason')
  | ('attributes' | 'unsubscribed' | 'ignored');

/** What a column of the file is. `ignored` ones are those that an export adds, and unknown ones on request. */
export type Column =
  | { readonly kind: PlainKind }
  | { readonly kind: 'field'; readonly name: string }
  /** That it is there says how everybody in the file stands where it comes from. */
  | { readonly kind: 'everybody'; readonly standing: Standing };

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
  for (const name of duplicatesOf(columns)) issues.push({ path: name, text: texts.twice });
  if (!columns.some(({ kind }) => kind === 'email')) issues.push({ path: 'email', text: texts.noEmail });
  if (issues.length > 0) throw new ValidationError(issues);
  return columns;
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
