import { type Issue, ValidationError } from '../../contract/errors.ts';
import { unguardCell } from '../../domain/encoding/csvCell.ts';
import { textsOf } from '../../language/text.ts';

/** What a column of the file is. `ignored` ones are those that an export adds, and unknown ones on request. */
export type Column =
  | { readonly kind: 'email' | 'firstName' | 'lastName' | 'tags' | 'status' | 'ignored' }
  | { readonly kind: 'field'; readonly name: string };

const known: Readonly<Record<string, Column['kind'] & Exclude<Column['kind'], 'field'>>> = {
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

/**
 * Reads the header: `email`, `firstName`, `lastName`, `tags`, `fields.NAME`; case, spaces, `-` and `_` do not matter but
 * in the name of a field. Throws `validation_error` with every column that it cannot place.
 */
export function readColumns(header: readonly string[], options: { readonly ignoreUnknown: boolean }): Column[] {
  const issues: Issue[] = [];
  const columns = header.map((cell): Column => {
    const column = columnOf(unguardCell(cell).trim());
    if (column) return column;
    if (!options.ignoreUnknown) issues.push(unknownColumn(cell));
    return { kind: 'ignored' };
  });
  for (const name of duplicatesOf(columns)) issues.push({ path: name, text: texts.twice });
  if (!columns.some(({ kind }) => kind === 'email')) issues.push({ path: 'email', text: texts.noEmail });
  if (issues.length > 0) throw new ValidationError(issues);
  return columns;
}

function columnOf(title: string): Column | null {
  const field = /^fields\.(.*)$/is.exec(title)?.[1];
  if (field !== undefined) return { kind: 'field', name: field };
  const word = title.toLowerCase().replace(/[\s_-]/g, '');
  return Object.hasOwn(known, word) ? { kind: known[word] ?? 'ignored' } : null;
}

function duplicatesOf(columns: readonly Column[]): string[] {
  const names = columns
    .filter(({ kind }) => kind !== 'ignored')
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
