import * as z from 'zod';
import { addressKey } from '../../../domain/address/address.ts';
import { custom } from '../../../language/issue.ts';
import { type Text, text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { listOf, pageQuery } from '../list.ts';
import { addressText } from '../subscribers.ts';
import { emailSummary } from './record.ts';

/** The statuses that few emails have: the others are not listed, since that would cost a write for each that goes well. */
export const listedStatuses = ['scheduled', 'canceled', 'bounced', 'complained'] as const;

const oneFilter = text({
  en: '"recipient", "status" and "tag" are lists of their own: give one of them',
  fr: '« recipient », « status » et « tag » sont des listes distinctes : n’en donnez qu’une',
});
const notATag: Text = {
  en: 'must be a name and a value, as in "category:receipt"',
  fr: 'doit être un nom et une valeur, comme « category:receipt »',
};
const tagPattern = /^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$/;

const moment = (words: Text) =>
  describe(
    z.iso
      .datetime({ offset: true })
      .max(40)
      .transform((value) => new Date(value).toISOString())
      .optional(),
    words,
    ['2026-11-21T10:30:00.000Z'],
  );

export const listEmailsQuery = z
  .object({
    ...pageQuery,
    recipient: describe(
      addressText.transform(addressKey).optional(),
      {
        en: 'Only emails to this address, copies and blind copies too. Compared in lower case.',
        fr: 'Seulement les e-mails à cette adresse, copies et copies cachées comprises. Comparée en minuscules.',
      },
      ['ada@example.net'],
    ),
    status: describe(
      z.enum(listedStatuses).optional(),
      {
        en: 'Only emails that wait for their time (`scheduled`) or will not go out (`canceled`), or of which a bounce or a complaint was reported.',
        fr: 'Seulement les e-mails qui attendent leur heure (`scheduled`) ou ne partiront pas (`canceled`), ou dont un rebond ou une plainte a été signalé.',
      },
      ['bounced'],
    ),
    tag: describe(
      z
        .string()
        .max(513)
        .refine((value) => tagPattern.test(value), { params: { text: notATag } })
        .meta({ pattern: tagPattern.source })
        .optional(),
      {
        en: 'Only emails with this label: `name:value`.',
        fr: 'Seulement les e-mails de cette étiquette : `nom:valeur`.',
      },
      ['category:receipt'],
    ),
    since: moment({
      en: 'Only emails created at or after this time (ISO 8601 with its zone).',
      fr: 'Seulement les e-mails créés à partir de cette date (ISO 8601 avec fuseau).',
    }),
    until: moment({
      en: 'Only emails created before this time (ISO 8601 with its zone).',
      fr: 'Seulement les e-mails créés avant cette date (ISO 8601 avec fuseau).',
    }),
  })
  .superRefine((query, context) => {
    const given = (['recipient', 'status', 'tag'] as const).filter((name) => query?.[name] !== undefined);
    for (const name of given.slice(1)) context.addIssue(custom(oneFilter, [name]));
  });

export const emailList = listOf(emailSummary);
