import * as z from 'zod';
import { type AddressProblem, addressProblemTexts, entryLength, parseMailbox } from '../../../domain/address.ts';
import { characterCount } from '../../../domain/encoding.ts';
import {
  customHeaderProblem,
  customHeaderProblemTexts,
  maxCustomHeaders,
  maxHeaderValueLength,
  maxUnsubscribeUrlLength,
  parseUnsubscribeUrl,
  unsubscribeUrlProblemTexts,
} from '../../../domain/message/header.ts';
import { customIssue, type Text } from '../../../language/text.ts';
import { describe, isLoopbackAllowed, named, optional, strictFields } from '../fields.ts';

export const controlCharacters: Text = {
  en: 'must not contain line breaks or other control characters',
  fr: 'ne doit contenir ni saut de ligne ni autre caractère de contrôle',
};

const labelCharacters: Text = {
  en: 'may only contain A-Z, a-z, 0-9, _ and -',
  fr: 'ne peut contenir que A-Z, a-z, 0-9, _ et -',
};

const notAnAddress: Text = { en: 'must be an email address', fr: 'doit être une adresse e-mail' };

/** A text that is too short is told what it should be: nobody who wrote "a2" counts its characters. */
const problemText = (problem: AddressProblem, value: string): Text =>
  characterCount(value) < entryLength.minimum ? notAnAddress : addressProblemTexts[problem];

/** One address or `Display Name <address>`. Every problem has its own message. */
export const mailboxText = z
  .string()
  .max(entryLength.maximum)
  .superRefine((value, context) => {
    const result = parseMailbox(value);
    // The schema's own limit reports what is too long.
    if (!result.ok && result.problem !== 'too_long') context.addIssue(customIssue(problemText(result.problem, value)));
  })
  .meta({ minLength: entryLength.minimum, examples: ['Ada <ada@example.net>'] });

export const maxReplyAddresses = 25;

/** One mailbox, or 1 to `most`. */
export const oneOrMany = (most: number) => z.union([mailboxText, z.array(mailboxText).min(1).max(most)]);

/** Text without control characters, so that it cannot inject a header. */
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

/** Tags of a message, with unique names. */
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
        customIssue({ en: `"${name}" is given twice`, fr: `« ${name} » est donné deux fois` }, [index, 'name']),
      );
    }
    seen.add(name);
  }
}

/** Custom headers of a message. Names are checked even if a value is not a string, so that all issues are reported. */
export const headers = z
  .record(z.string(), z.string().meta({ maxLength: maxHeaderValueLength, pattern: '^[ -~]*$' }))
  .superRefine(checkHeaders, { when: () => true })
  .meta({ maxProperties: maxCustomHeaders });

function checkHeaders(record: Record<string, string>, context: z.RefinementCtx): void {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return;
  const names = Object.keys(record);
  if (names.length > maxCustomHeaders) {
    context.addIssue(
      customIssue({
        en: `must have at most ${maxCustomHeaders} entries`,
        fr: `doit compter au plus ${maxCustomHeaders} entrées`,
      }),
    );
  }
  for (const name of names) {
    const value = record[name];
    const problem = customHeaderProblem(name, typeof value === 'string' ? value : '');
    if (problem) context.addIssue(customIssue(customHeaderProblemTexts[problem], [name]));
  }
  const seen = new Map<string, string>();
  for (const name of names) {
    const first = seen.get(name.toLowerCase());
    if (first === undefined) seen.set(name.toLowerCase(), name);
    else {
      context.addIssue(
        customIssue({ en: `is given twice, also as "${first}"`, fr: `est donné deux fois, aussi « ${first} »` }, [
          name,
        ]),
      );
    }
  }
}

/** A URL for one-click unsubscribe, parsed to its ASCII form for the header. */
export const unsubscribeUrl = z
  .string()
  .max(maxUnsubscribeUrlLength)
  .transform((value, context) => {
    const result = parseUnsubscribeUrl(value, { allowHttp: isLoopbackAllowed() });
    if (result.ok) return result.url;
    context.addIssue(customIssue(unsubscribeUrlProblemTexts[result.problem]));
    return z.NEVER;
  });

const trackFields = {
  opens: describe(
    optional(z.boolean()),
    {
      en: 'Whether opens are tracked by a pixel. Default: the setting of the workspace.',
      fr: 'Si les ouvertures sont suivies par un pixel. Par défaut : le réglage de l’espace.',
    },
    [false],
  ),
  clicks: describe(
    optional(z.boolean()),
    {
      en: 'Whether clicks on links are tracked. Default: the setting of the workspace.',
      fr: 'Si les clics sur les liens sont suivis. Par défaut : le réglage de l’espace.',
    },
    [false],
  ),
};

const trackText: Text = {
  en: 'Tracking of this message, instead of the setting of the workspace. Confirmation messages are never tracked.',
  fr: 'Suivi de ce message, au lieu du réglage de l’espace. Les messages de confirmation ne sont jamais suivis.',
};

/** An ignored field would track against the caller's will. */
export const trackingOptions = named('TrackingRequest', strictFields(trackFields));

/** Tracking of one message. Default: the settings of the workspace. */
export const track = describe(optional(trackingOptions), trackText);
