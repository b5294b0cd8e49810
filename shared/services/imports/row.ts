import { issuesOf } from '../../contract/issues.ts';
import { upsertSubscriberRequest } from '../../contract/schemas/subscribers.ts';
import { addressKey, parseAddress } from '../../domain/address/address.ts';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { characterCount } from '../../domain/encoding/characterCount.ts';
import { readTags, unguardCell } from '../../domain/encoding/csvCell.ts';
import type { Column, Standing } from '../../domain/job/importColumn.ts';
import type { SubscriberValues } from '../../domain/person/subscriberValues.ts';
import { type SuppressionReason, suppressionReasons } from '../../domain/person/suppression.ts';
import { inEachLanguage } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { fieldName } from './origin.ts';
import { isGone, type ReadStanding, readStanding } from './standing.ts';

/** One line of the file, as it stands there; `line` counts from 1, the header included. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface ImportedPerson {
  readonly email: string;
  readonly values: SubscriberValues;
  /** True for somebody who has not said yes where the file comes from: nobody else can say it for them. */
  readonly isPending: boolean;
}

/** Somebody who is gone where the file comes from: they are written to from nowhere else either. */
interface Departed {
  readonly email: string;
  readonly reason: SuppressionReason;
}

export type RowResult =
  | { readonly person: ImportedPerson }
  | { readonly departed: Departed }
  | { readonly refusal: Text };

/**
 * Reads a line by the same rules as `POST /subscribers`. An empty cell says nothing, so that it takes nothing away.
 * `suppressAs`: the file is a list of addresses that get no mail, for this reason where it gives none.
 */
export function readRow(columns: readonly Column[], { cells }: Row, suppressAs?: SuppressionReason): RowResult {
  if (cells.length > columns.length) {
    const [given, wanted] = [cells.length, columns.length];
    return refused({
      en: `has ${given} cells where the header has ${wanted}`,
      fr: `a ${given} cellules pour ${wanted} dans l’en-tête`,
    });
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) return refused({ en: 'is not UTF-8', fr: 'n’est pas en UTF-8' });
  const read = standingIn(columns, cells);
  if ('unclear' in read) return unclear(read.unclear, clip(read.cell));
  const { standing } = read;
  if (suppressAs) return suppressedRow(columns, cells, standing, suppressAs);
  if (standing !== undefined && isGone(standing)) return departedRow(columns, cells, standing);
  return personRow(columns, cells, standing === 'pending');
}

const standingIn = (columns: readonly Column[], cells: readonly string[]): ReadStanding =>
  readStanding({
    everybody: columns.flatMap((column) => (column.kind === 'everybody' ? column.standing : [])),
    unsubscribed: cellOf(columns, cells, 'unsubscribed'),
    status: cellOf(columns, cells, 'status'),
  });

function suppressedRow(
  columns: readonly Column[],
  cells: readonly string[],
  standing: Standing | undefined,
  suppressAs: SuppressionReason,
): RowResult {
  if (standing !== undefined && !isGone(standing)) {
    return refused({
      en: `is ${standing} where it comes from`,
      fr: `est « ${standing} » là d’où vient la ligne`,
    });
  }
  const given = cellOf(columns, cells, 'reason')?.toLowerCase();
  const reason = given === undefined ? (standing ?? suppressAs) : suppressionReasons.find((known) => known === given);
  if (!reason) {
    const reasons = suppressionReasons.join(', ');
    return refused({ en: `reason must be one of ${reasons}`, fr: `reason doit être l’un de ${reasons}` });
  }
  return departedRow(columns, cells, reason);
}

function departedRow(columns: readonly Column[], cells: readonly string[], reason: SuppressionReason): RowResult {
  const parsed = parseAddress(cellOf(columns, cells, 'email') ?? '');
  if (!parsed.ok) {
    const said = addressProblemTexts[parsed.problem];
    return { refusal: inEachLanguage((tag) => `email ${said[tag]}`) };
  }
  return { departed: { email: addressKey(parsed.address), reason } };
}

function personRow(columns: readonly Column[], cells: readonly string[], isPending: boolean): RowResult {
  const attributes = attributesIn(columns, cells);
  if (attributes === null) {
    return refused({ en: 'attributes is no JSON object', fr: 'attributes n’est pas un objet JSON' });
  }
  const result = upsertSubscriberRequest.safeParse(requestOf(columns, cells, attributes), { reportInput: true });
  if (!result.success) {
    const issues = issuesOf(result.error);
    return { refusal: inEachLanguage((tag) => issues.map(({ path, text }) => `${path} ${text[tag]}`).join('; ')) };
  }
  const { email, ...values } = result.data;
  return { person: { email: canonicalAddress(email) ?? email, values, isPending } };
}

/** The address of a line as it was written, to find the line by. */
export function addressOf(columns: readonly Column[], { cells }: Row): string {
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

/** What stands in a cell of JSON as fields: what is no plain value is kept as JSON. Null when it is no object. */
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

/** Whoever is not known to be subscribed is not brought in by a file. */
const unclear = (column: keyof typeof unclearTexts, cell: string): RowResult => refused(unclearTexts[column](cell));

const unclearTexts = {
  status: (cell: string): Text => ({
    en: `${cell} is its status where it comes from, and nothing that an import knows; if the column says something else, make it a field (fields.status)`,
    fr: `${cell} est son statut d’origine, inconnu d’un import ; si la colonne dit autre chose, faites-en un champ (fields.status)`,
  }),
  unsubscribed: (cell: string): Text => ({
    en: `${cell} stands where the file says whether they have unsubscribed, and is neither yes nor no; if the column says something else, make it a field (fields.unsubscribed)`,
    fr: `${cell} figure là où le fichier dit si la personne est désabonnée, et n’est ni oui ni non ; si la colonne dit autre chose, faites-en un champ (fields.unsubscribed)`,
  }),
};

const refused = (refusal: Text): RowResult => ({ refusal });

const clip = (text: string): string => (characterCount(text) > 40 ? `${[...text].slice(0, 40).join('')}…` : text);
