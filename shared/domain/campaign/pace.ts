import { defaultData, type MergePerson, type MessageTemplate, personalData } from '../content/messageTemplate.ts';
import { chunkPositions, slicePositions } from './slice.ts';

/** At the campaigns' share of the rate, as many recipients as the whole account sends to in half a second. */
const secondsOfCall = 0.56;

/**
 * The number of recipients of the next call. At most what the account sends to in half a second, so that two
 * simultaneous calls do not exceed the provider's rate; and in even shares, since two calls cost the same at 45 + 5.
 */
export function callSize(rate: number, waiting: number): number {
  const most = Math.max(1, Math.floor(rate * secondsOfCall));
  return Math.ceil(waiting / Math.max(1, Math.ceil(waiting / most)));
}

/** Measured: with a third of a processor, a call for 50 people takes about 300 ms, half of them in SES; with a margin. */
const peopleASecondOfRunner = 100;
const fewestRunners = 2;

/**
 * As many runners as the rate of campaigns keeps busy, at most `most` and one for each chunk. Few while the rate is
 * unknown (null: the first campaign of a deployment): idle runners cost invocations.
 */
export function runnersFor(people: number, rate: number | null, most: number): number {
  const busy = rate === null ? fewestRunners : Math.ceil(rate / peopleASecondOfRunner);
  const bounded = Math.min(most, Math.max(fewestRunners, busy));
  return Math.min(bounded, Math.max(1, Math.ceil(people / chunkPositions)));
}

/** SES takes 1 MB of JSON in one request: template, values and entries together. */
const callBytes = 1_000_000;
/** For sender, field names, default tags and headers. */
const overheadBytes = 4000;
/** For address, tags and headers of an entry, without the link of List-Unsubscribe. */
const entryOverheadBytes = 1500;
/** At least as long as an unsubscribe link with the longest address. */
const link = `https://${'l'.repeat(1000)}`;

/** How many recipients with the longest values fit into one call with this message: 0 to 50. */
export function peopleOfCall(template: MessageTemplate & { readonly replyTo?: readonly string[] }): number {
  const shared = { ...template, variables: undefined, links: undefined, data: JSON.stringify(defaultData(template)) };
  const room = callBytes - overheadBytes - bytesOf(shared);
  const entry =
    entryOverheadBytes + link.length + bytesOf(JSON.stringify(personalData(template, longestPerson(template), link)));
  return Math.max(0, Math.min(slicePositions, Math.floor(room / entry)));
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A person with the longest names and fields, of the character that takes the most bytes in HTML and in JSON. */
function longestPerson({ variables }: MessageTemplate): MergePerson {
  const longest = (length: number) => '"'.repeat(length);
  const fields = variables.flatMap(({ source }): [string, string][] =>
    source.kind === 'merge' && source.field.source.kind === 'field' ? [[source.field.source.name, longest(1000)]] : [],
  );
  return {
    email: longest(254),
    firstName: longest(100),
    lastName: longest(100),
    fields: Object.fromEntries(fields),
  };
}
