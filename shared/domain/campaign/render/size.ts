import type { MergePerson } from '../content/mergeField.ts';
import { slicePositions } from '../slice.ts';
import type { Template } from './template.ts';
import { defaultData, personalData } from './templateData.ts';

/** What SES takes in one request for a template, its values and all its entries: 1 MB of JSON. */
const callBytes = 1_000_000;
/** Sender, names of fields, default tags and headers. */
const frameBytes = 4000;
/** Address, tags and headers of an entry, the link of its List-Unsubscribe aside. */
const entryFrameBytes = 1500;
/** Sealed links with the longest address stay below it. */
const link = `https://${'l'.repeat(1000)}`;

/** How many of the worst people fit into one call with this message, at most 50; 0 when not even one does. */
export function peopleOfCall(template: Template): number {
  const shared = { ...template, variables: undefined, links: undefined, data: JSON.stringify(defaultData(template)) };
  const room = callBytes - frameBytes - bytesOf(shared);
  const entry = entryFrameBytes + link.length + bytesOf(JSON.stringify(personalData(template, worst(template), link)));
  return Math.max(0, Math.min(slicePositions, Math.floor(room / entry)));
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The longest names and fields that are stored, of the character that takes the most bytes in HTML and in JSON. */
function worst({ variables }: Template): MergePerson {
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
