import * as z from 'zod';
import { type AddressProblem, parseMailbox } from '../../domain/address/address.ts';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { customHeaderProblem, customHeaderProblemTexts, maxCustomHeaders } from '../../domain/message/customHeader.ts';
import { custom } from '../../language/issue.ts';
import type { Text } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { isLoopbackAllowed } from '../loopback.ts';

const controlCharacters: Text = {
  en: 'must not contain line breaks or other control characters',
  fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
};
const malformedUnicode: Text = {
  en: 'must not contain half of a surrogate pair',
  fr: 'ne doit pas contenir une moitié de paire de substitution (surrogate)',
};

const labelCharacters: Text = {
  en: 'may only contain A-Z, a-z, 0-9, _ and -',
  fr: 'ne peut contenir que A-Z, a-z, 0-9, _ et -',
};

/** Told by the schema's own bounds; three spaces pass those and are empty all the same. */
const isToldByBounds = (problem: AddressProblem, value: string): boolean =>
  problem === 'too_short' ? value.length < 3 : problem === 'too_long' || (problem === 'empty' && value.length < 3);

/** One address or `Display Name <address>`; every reason for a refusal has its own sentence. */
export const mailboxText = z
  .string()
  .min(3)
  .max(320)
  .superRefine((value, context) => {
    const result = parseMailbox(value);
    if (!result.ok && !isToldByBounds(result.problem, value)) {
      context.addIssue(custom(addressProblemTexts[result.problem]));
    }
  });

/** One mailbox, or 1 to `most`. */
export const oneOrMany = (most: number) => z.union([mailboxText, z.array(mailboxText).min(1).max(most)]);

/** Text that may stand in a header: no control character, so no header can be injected. */
export const singleLine = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .refine((value) => !/[\u0000-\u001f\u007f]/.test(value), { params: { text: controlCharacters } })
    .refine((value) => value.isWellFormed(), { params: { text: malformedUnicode } });

const tag = z.object({
  name: describe(tagPart(), { en: 'Label name.', fr: 'Nom de l’étiquette.' }, ['category']),
  value: describe(tagPart(), { en: 'Label value.', fr: 'Valeur de l’étiquette.' }, ['receipt']),
});

function tagPart() {
  return z
    .string()
    .min(1)
    .max(256)
    .refine((value) => value === '' || /^[A-Za-z0-9_-]+$/.test(value), {
      params: {
        text: labelCharacters,
      },
    });
}

/** Labels of a message, with unique names. */
export const tags = z
  .array(tag)
  .max(20)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of list.entries()) {
      if (seen.has(name)) {
        context.addIssue(
          custom({ en: `"${name}" is given twice`, fr: `« ${name} » est donné deux fois` }, [index, 'name']),
        );
      }
      seen.add(name);
    }
  });

/** Custom headers of a message. Names are looked at even where a value is not a string: every problem is told at once. */
export const headers = z.record(z.string(), z.string()).superRefine(checkHeaders, { when: () => true });

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

/** Target of one-click unsubscribe; fit to stand between the angle brackets of a header. */
export const unsubscribeUrl = z
  .string()
  .max(900)
  .superRefine((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const allowed = isLoopbackAllowed() ? ['https:', 'http:'] : ['https:'];
    // `https:example.org` and backslashes are URLs to a browser and to no mail client (RFC 3986).
    const isWritten = /^https?:\/\/[\x21-\x7e]+$/i.test(value) && !/[<>"\\]/.test(value);
    if (!url || !allowed.includes(url.protocol) || !isWritten) {
      context.addIssue(custom({ en: 'must be an https URL', fr: 'doit être une URL https' }));
    }
  });
