import * as z from 'zod';
import { type AddressProblem, entryLength, parseMailbox } from '../../domain/address/address.ts';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { characterCount } from '../../domain/encoding/characterCount.ts';
import {
  customHeaderProblem,
  customHeaderProblemTexts,
  maxCustomHeaders,
  maxHeaderValueLength,
} from '../../domain/message/customHeader.ts';
import {
  maxUnsubscribeUrlLength,
  parseUnsubscribeUrl,
  unsubscribeUrlProblemTexts,
} from '../../domain/message/unsubscribeUrl.ts';
import { custom } from '../../language/issue.ts';
import type { Text } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { isLoopbackAllowed } from '../loopback.ts';

const controlCharacters: Text = {
  en: 'must not contain line breaks or other control characters',
  fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
};

const labelCharacters: Text = {
  en: 'may only contain A-Z, a-z, 0-9, _ and -',
  fr: 'ne peut contenir que A-Z, a-z, 0-9, _ et -',
};

/** Told by the schema's own bounds; three spaces pass those and are empty all the same. */
const isToldByBounds = (problem: AddressProblem, value: string): boolean => {
  const isShort = characterCount(value) < entryLength.minimum;
  return problem === 'too_short' || problem === 'empty' ? isShort : problem === 'too_long';
};

/** One address or `Display Name <address>`; every reason for a refusal has its own sentence. */
export const mailboxText = z
  .string()
  .min(entryLength.minimum)
  .max(entryLength.maximum)
  .superRefine((value, context) => {
    const result = parseMailbox(value);
    if (!result.ok && !isToldByBounds(result.problem, value)) {
      context.addIssue(custom(addressProblemTexts[result.problem]));
    }
  })
  .meta({ examples: ['Ada <ada@example.net>'] });

/** One mailbox, or 1 to `most`. */
export const oneOrMany = (most: number) => z.union([mailboxText, z.array(mailboxText).min(1).max(most)]);

/** Text that may stand in a header: no control character, so no header can be injected. */
export const singleLine = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !/[\u0000-\u001f\u007f]/.test(value), { params: { text: controlCharacters } });

const tagCharacters = /^[A-Za-z0-9_-]*$/;

const tag = z.object({
  name: describe(tagPart(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
  value: describe(tagPart(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
});

function tagPart() {
  return z
    .string()
    .min(1)
    .max(256)
    .refine((value) => tagCharacters.test(value), {
      params: {
        text: labelCharacters,
      },
    })
    .meta({ pattern: tagCharacters.source });
}

/** Labels of a message, with unique names. */
export const tags = z
  .array(tag)
  .max(20)
  .superRefine(checkTagNames, { when: () => true });

function checkTagNames(list: readonly { name: string }[], context: z.RefinementCtx): void {
  if (!Array.isArray(list)) return;
  const seen = new Set<string>();
  for (const [index, entry] of list.entries()) {
    const name = entry?.name;
    if (typeof name !== 'string') continue;
    if (seen.has(name)) {
      context.addIssue(
        custom({ en: `"${name}" is given twice`, fr: `« ${name} » est donné deux fois` }, [index, 'name']),
      );
    }
    seen.add(name);
  }
}

/** Custom headers of a message. Names are looked at even where a value is not a string: every problem is told at once. */
export const headers = z
  .record(z.string(), z.string().meta({ maxLength: maxHeaderValueLength, pattern: '^[ -~]*$' }))
  .superRefine(checkHeaders, { when: () => true })
  .meta({ maxProperties: maxCustomHeaders });

function checkHeaders(record: Record<string, string>, context: z.RefinementCtx): void {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
  const names = Object.keys(record);
  if (names.length > maxCustomHeaders) {
    context.addIssue(
      custom({
        en: `must have at most ${maxCustomHeaders} entries`,
        fr: `doit compter au plus ${maxCustomHeaders} entrées`,
      }),
    );
  }
  for (const name of names) {
    const value = record[name];
    const problem = customHeaderProblem(name, typeof value === 'string' ? value : '');
    if (problem) context.addIssue(custom(customHeaderProblemTexts[problem], [name]));
  }
  const seen = new Map<string, string>();
  for (const name of names) {
    const twin = seen.get(name.toLowerCase());
    if (twin === undefined) seen.set(name.toLowerCase(), name);
    else {
      context.addIssue(
        custom({ en: `is given twice, as "${twin}" too`, fr: `est donné deux fois, aussi « ${twin} »` }, [name]),
      );
    }
  }
}

/** Target of one-click unsubscribe, in the ASCII form in which it stands in the header. */
export const unsubscribeUrl = z
  .string()
  .max(maxUnsubscribeUrlLength)
  .transform((value, context) => {
    const result = parseUnsubscribeUrl(value, { allowHttp: isLoopbackAllowed() });
    if (result.ok) return result.url;
    context.addIssue(custom(unsubscribeUrlProblemTexts[result.problem]));
    return z.NEVER;
  });
