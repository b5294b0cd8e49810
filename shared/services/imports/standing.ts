import type { Standing } from '../../domain/job/importColumn.ts';
import { suppressionRank } from '../../domain/person/suppression.ts';
import { textsOf } from '../../language/text.ts';
import { wordOf } from './origin.ts';

/** What a line says of how somebody stands, in each way in which a file can say it; an empty cell says nothing. */
export interface SaidOfStanding {
  /** By columns that say it of everybody by being there. */
  readonly everybody: readonly Standing[];
  readonly unsubscribed: string | undefined;
  readonly status: string | undefined;
}

/** `standing` is undefined where nothing is said; `unclear` is a cell of which nobody knows what it says. */
export type ReadStanding =
  | { readonly standing: Standing | undefined }
  | { readonly unclear: 'unsubscribed' | 'status'; readonly cell: string };

/**
 * The gravest of all that a line says counts: whoever is gone by one column is gone, whatever the others say. Whoever is
 * not, and of whom something is said that nobody understands, is not taken for subscribed.
 */
export function readStanding({ everybody, unsubscribed, status }: SaidOfStanding): ReadStanding {
  const left = unsubscribed === undefined ? undefined : hasLeft(unsubscribed);
  const stood = status === undefined ? undefined : standingOf(status);
  const said: Standing[] = [
    ...everybody,
    ...(left === undefined ? [] : [left ? ('unsubscribe' as const) : ('subscribed' as const)]),
    ...(stood === undefined ? [] : [stood]),
  ];
  const standing = said.toSorted((a, b) => gravityOf(b) - gravityOf(a))[0];
  if (standing !== undefined && isGone(standing)) return { standing };
  if (unsubscribed !== undefined && left === undefined) return { unclear: 'unsubscribed', cell: unsubscribed };
  if (status !== undefined && stood === undefined) return { unclear: 'status', cell: status };
  return { standing };
}

/** Whether nothing may be sent to somebody who stands so. */
export const isGone = (standing: Standing): standing is Exclude<Standing, 'subscribed' | 'pending'> =>
  standing !== 'subscribed' && standing !== 'pending';

const gravityOf = (standing: Standing): number =>
  isGone(standing) ? 1 + suppressionRank(standing) : standing === 'pending' ? 1 : 0;

/** How spreadsheets and databases write it, whatever the language of whoever reads the page. */
const answers = textsOf({
  yes: { en: '1 true yes y t', fr: '1 vrai oui' },
  no: { en: '0 false no n f', fr: '0 faux non' },
});
const wordsOf = (answer: keyof typeof answers): ReadonlySet<string> =>
  new Set(Object.values(answers[answer]).flatMap((words) => words.split(' ')));
const [yes, no] = [wordsOf('yes'), wordsOf('no')];

/** Undefined for what is neither yes nor no. */
function hasLeft(cell: string): boolean | undefined {
  const word = cell.toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** What the status of a person says where they come from, in the words of this and of other services. */
const standings: ReadonlyMap<string, Standing> = new Map([
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

const standingOf = (status: string): Standing | undefined => standings.get(wordOf(status));
