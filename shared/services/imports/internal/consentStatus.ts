import type { ImportedStatus } from '../../../domain/job.ts';
import { suppressionRank } from '../../../domain/person/person.ts';
import { textsOf } from '../../../language/text.ts';
import { wordOf } from './columns.ts';

/** Everything in a line about the person's status; an empty cell is undefined. */
export interface StatusCells {
  /** By columns whose presence applies to everybody in the file. */
  readonly everybody: readonly ImportedStatus[];
  readonly unsubscribed: string | undefined;
  readonly status: string | undefined;
}

/** `status` is undefined when the line does not contain any; `unclear` names the cell that is not understood. */
export type ReadStatus =
  | { readonly status: ImportedStatus | undefined }
  | { readonly unclear: 'unsubscribed' | 'status'; readonly cell: string };

/**
 * The most serious status counts: a person who has left by one cell has left, whatever the others say. Otherwise a cell
 * that is not understood makes the line unclear, and the person is not taken for subscribed.
 */
export function readStatus({ everybody, unsubscribed, status }: StatusCells): ReadStatus {
  const isUnsubscribed = unsubscribed === undefined ? undefined : yesOrNo(unsubscribed);
  const ofCell = status === undefined ? undefined : statusByWord.get(wordOf(status));
  const all: ImportedStatus[] = [
    ...everybody,
    ...(isUnsubscribed === undefined ? [] : [isUnsubscribed ? ('unsubscribe' as const) : ('subscribed' as const)]),
    ...(ofCell === undefined ? [] : [ofCell]),
  ];
  const worst = all.toSorted((a, b) => severityOf(b) - severityOf(a))[0];
  if (worst !== undefined && hasLeft(worst)) return { status: worst };
  if (unsubscribed !== undefined && isUnsubscribed === undefined)
    return { unclear: 'unsubscribed', cell: unsubscribed };
  if (status !== undefined && ofCell === undefined) return { unclear: 'status', cell: status };
  return { status: worst };
}

/** Whether a person of this status must not be written to. */
export const hasLeft = (status: ImportedStatus): status is Exclude<ImportedStatus, 'subscribed' | 'pending'> =>
  status !== 'subscribed' && status !== 'pending';

const severityOf = (status: ImportedStatus): number =>
  hasLeft(status) ? 1 + suppressionRank(status) : status === 'pending' ? 1 : 0;

/** What spreadsheets and databases write. All languages are accepted, as the file may come from another reader. */
const answers = textsOf({
  yes: { en: '1 true yes y t', fr: '1 vrai oui' },
  no: { en: '0 false no n f', fr: '0 faux non' },
});
const wordsOf = (answer: keyof typeof answers): ReadonlySet<string> =>
  new Set(Object.values(answers[answer]).flatMap((words) => words.split(' ')));
const [yes, no] = [wordsOf('yes'), wordsOf('no')];

/** True for yes, false for no, undefined for anything else. */
function yesOrNo(cell: string): boolean | undefined {
  const word = cell.toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** The words of this service and of others for a person's status. */
const statusByWord: ReadonlyMap<string, ImportedStatus> = new Map([
  ['subscribed', 'subscribed'],
  ['enabled', 'subscribed'],
  ['active', 'subscribed'],
  ['pending', 'pending'],
  ['unconfirmed', 'pending'],
  ['unsubscribed', 'unsubscribe'],
  ['optedout', 'unsubscribe'],
  ['blocklisted', 'unsubscribe'],
  ['disabled', 'manual'],
  ['suppressed', 'manual'],
  ['cleaned', 'bounce'],
  ['bounced', 'bounce'],
  ['complained', 'complaint'],
]);
