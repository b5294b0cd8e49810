import { issuesOf } from '../../../contract/errors.ts';
import { upsertSubscriberRequest } from '../../../contract/schemas/subscriber.ts';
import { addressKey, addressProblemTexts, canonicalAddress, parseAddress } from '../../../domain/address.ts';
import { readTags, unguardCell } from '../../../domain/csvCell.ts';
import { characterCount } from '../../../domain/encoding.ts';
import type { Column, ImportedStatus } from '../../../domain/job.ts';
import { type SubscriberValues, type SuppressionReason, suppressionReasons } from '../../../domain/person/person.ts';
import { inEachLanguage } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { fieldName } from './columns.ts';
import { hasLeft, type ReadStatus, readStatus } from './consentStatus.ts';

/** One record of the file; `line` counts from 1, including the header. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface ImportedPerson {
  readonly email: string;
  readonly values: SubscriberValues;
  /** True for a person who had not confirmed at the service that wrote the file: they are asked to confirm here. */
  readonly isPending: boolean;
}

/** A person who had left according to the service that wrote the file: they are suppressed here. */
interface Departed {
  readonly email: string;
  readonly reason: SuppressionReason;
}

export type RowResult =
  | { readonly person: ImportedPerson }
  | { readonly departed: Departed }
  | { readonly refusal: Text };

/**
 * Validates a line by the rules of `POST /subscribers`. An empty cell leaves the stored value as it is. With `suppressAs`
 * the file is a list of addresses to suppress, for that reason where a line has none.
 */
export function readRow(columns: readonly Column[], { cells }: CsvRow, suppressAs?: SuppressionReason): RowResult {
  if (cells.length > columns.length) {
    return refused({
      en: `has ${cells.length} cells, but the header has ${columns.length}`,
      fr: `a ${cells.length} cellules pour ${columns.length} dans l’en-tête`,
    });
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) return refused({ en: 'is not UTF-8', fr: 'n’est pas en UTF-8' });
  const read = statusIn(columns, cells);
  if ('unclear' in read) return refused(unclearTexts[read.unclear](clip(read.cell)));
  const { status } = read;
  if (suppressAs) return suppressedRow(columns, cells, status, suppressAs);
  if (status !== undefined && hasLeft(status)) return departedRow(columns, cells, status);
  return personRow(columns, cells, status === 'pending');
}

const statusIn = (columns: readonly Column[], cells: readonly string[]): ReadStatus =>
  readStatus({
    everybody: columns.flatMap((column) => (column.kind === 'everybody' ? column.standing : [])),
    unsubscribed: cellOf(columns, cells, 'unsubscribed'),
    status: cellOf(columns, cells, 'status'),
  });

function suppressedRow(
  columns: readonly Column[],
  cells: readonly string[],
  status: ImportedStatus | undefined,
  suppressAs: SuppressionReason,
): RowResult {
  if (status !== undefined && !hasLeft(status)) {
    return refused({
      en: `has the status “${status}” in the file and is not suppressed`,
      fr: `a le statut « ${status} » dans le fichier et n’est pas exclue`,
    });
  }
  const given = cellOf(columns, cells, 'reason')?.toLowerCase();
  const reason = given === undefined ? (status ?? suppressAs) : suppressionReasons.find((known) => known === given);
  if (!reason) {
    const reasons = suppressionReasons.join(', ');
    return refused({ en: `reason must be one of ${reasons}`, fr: `reason doit être l’un de ${reasons}` });
  }
  return departedRow(columns, cells, reason);
}

function departedRow(columns: readonly Column[], cells: readonly string[], reason: SuppressionReason): RowResult {
  const parsed = parseAddress(cellOf(columns, cells, 'email') ?? '');
  if (!parsed.ok) {
    const problem = addressProblemTexts[parsed.problem];
    return { refusal: inEachLanguage((tag) => `email ${problem[tag]}`) };
  }
  return { departed: { email: addressKey(parsed.address), reason } };
}

function personRow(columns: readonly Column[], cells: readonly string[], isPending: boolean): RowResult {
  const attributes = attributesIn(columns, cells);
  if (attributes === null) {
    return refused({ en: 'attributes is not a JSON object', fr: 'attributes n’est pas un objet JSON' });
  }
  const result = upsertSubscriberRequest.safeParse(requestOf(columns, cells, attributes), { reportInput: true });
  if (!result.success) {
    const issues = issuesOf(result.error);
    return { refusal: inEachLanguage((tag) => issues.map(({ path, text }) => `${path} ${text[tag]}`).join('; ')) };
  }
  const { email, ...values } = result.data;
  return { person: { email: canonicalAddress(email) ?? email, values, isPending } };
}

/** The address as it is written in the file, for the report of refused lines. */
export function addressOf(columns: readonly Column[], { cells }: CsvRow): string {
  return cellOf(columns, cells, 'email') ?? '';
}

function requestOf(columns: readonly Column[], cells: readonly string[], attributes: Record<string, unknown>) {
  const tags = cellOf(columns, cells, 'tags');
  const [first, ...others] = cellOf(columns, cells, 'name')?.split(/\s+/) ?? [];
  return {
    email: cellOf(columns, cells, 'email') ?? '',
    firstName: cellOf(columns, cells, 'firstName') ?? first,
    lastName: cellOf(columns, cells, 'lastName') ?? (others.length > 0 ? others.join(' ') : undefined),
    tags: tags === undefined ? undefined : readTags(tags),
    fields: Object.fromEntries([
      ...Object.entries(attributes),
      ...columns.flatMap((column, index) => {
        const text = textOf(cells[index]);
        return column.kind === 'field' && text !== undefined ? [[column.name, text]] : [];
      }),
    ]),
  };
}

/** The fields in a cell with a JSON object; nested values are kept as JSON text. Null when it is not an object. */
function attributesIn(columns: readonly Column[], cells: readonly string[]): Record<string, unknown> | null {
  const text = cellOf(columns, cells, 'attributes');
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value).map(([name, one]) => [
      fieldName(name),
      typeof one === 'object' && one !== null ? JSON.stringify(one) : one,
    ]);
    return Object.fromEntries(entries);
  } catch {
    return null;
  }
}

function cellOf(columns: readonly Column[], cells: readonly string[], kind: Column['kind']): string | undefined {
  return textOf(cells[columns.findIndex((column) => column.kind === kind)]);
}

function textOf(cell: string | undefined): string | undefined {
  const text = cell?.trim();
  return text ? unguardCell(text) : undefined;
}

/** A line is refused when its status is not understood: the person may have left. */
const unclearTexts = {
  status: (cell: string): Text => ({
    en: `has the unknown status “${cell}”; if the column means something else, import it as a field (fields.status)`,
    fr: `a le statut inconnu « ${cell} » ; si la colonne a un autre sens, importez-la comme champ (fields.status)`,
  }),
  unsubscribed: (cell: string): Text => ({
    en: `has “${cell}” in the column unsubscribed, which is neither yes nor no; if the column means something else, import it as a field (fields.unsubscribed)`,
    fr: `a « ${cell} » dans la colonne unsubscribed, ce qui n’est ni oui ni non ; si la colonne a un autre sens, importez-la comme champ (fields.unsubscribed)`,
  }),
};

const refused = (refusal: Text): RowResult => ({ refusal });

const clip = (text: string): string => (characterCount(text) > 40 ? `${[...text].slice(0, 40).join('')}…` : text);
