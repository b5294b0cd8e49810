import { issuesOf } from '../../contract/issues.ts';
import { upsertSubscriberRequest } from '../../contract/schemas/subscribers.ts';
import { canonicalAddress } from '../../domain/address/canonicalAddress.ts';
import { characterCount } from '../../domain/encoding/characterCount.ts';
import { readTags, unguardCell } from '../../domain/encoding/csvCell.ts';
import type { SubscriberValues } from '../../domain/person/subscriberValues.ts';
import type { Column } from './columns.ts';

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

export type RowResult = { readonly person: ImportedPerson } | { readonly refusal: string };

/** Reads a line by the same rules as `POST /subscribers`. An empty cell says nothing, so that it takes nothing away. */
export function readRow(columns: readonly Column[], { cells }: Row): RowResult {
  if (cells.length > columns.length) {
    return { refusal: `has ${cells.length} cells where the header has ${columns.length}` };
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) return { refusal: 'is not UTF-8' };
  const request = requestOf(columns, cells);
  const status = cellOf(columns, cells, 'status') ?? 'subscribed';
  const isPending = status.toLowerCase() === 'pending';
  if (!isPending && status.toLowerCase() !== 'subscribed') return { refusal: `${clip(status)} ${notSubscribed}` };
  const result = upsertSubscriberRequest.safeParse(request, { reportInput: true });
  if (!result.success) {
    return {
      refusal: issuesOf(result.error)
        .map(({ path, text }) => `${path} ${text.en}`)
        .join('; '),
    };
  }
  const { email, ...values } = result.data;
  return { person: { email: canonicalAddress(email) ?? email, values, isPending } };
}

/** The address of a line as it was written, to find the line by. */
export function addressOf(columns: readonly Column[], { cells }: Row): string {
  return cellOf(columns, cells, 'email') ?? '';
}

function requestOf(columns: readonly Column[], cells: readonly string[]) {
  const tags = cellOf(columns, cells, 'tags');
  return {
    email: cellOf(columns, cells, 'email') ?? '',
    firstName: cellOf(columns, cells, 'firstName'),
    lastName: cellOf(columns, cells, 'lastName'),
    tags: tags === undefined ? undefined : readTags(tags),
    fields: Object.fromEntries(
      columns.flatMap((column, index) => {
        const text = textOf(cells[index]);
        return column.kind === 'field' && text !== undefined ? [[column.name, text]] : [];
      }),
    ),
  };
}

function cellOf(columns: readonly Column[], cells: readonly string[], kind: Column['kind']): string | undefined {
  return textOf(cells[columns.findIndex((column) => column.kind === kind)]);
}

function textOf(cell: string | undefined): string | undefined {
  const text = cell?.trim();
  return text ? unguardCell(text) : undefined;
}

/** Other services write `cleaned` or `opted out`: whoever is not known to be subscribed is not brought in by a file. */
const notSubscribed =
  'is its status where it comes from: only subscribed and pending are imported; if the column says something else, call it fields.status';

const clip = (text: string): string => (characterCount(text) > 40 ? `${[...text].slice(0, 40).join('')}…` : text);
