import * as z from 'zod';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { exclusionReasons } from '../../domain/segment/audience.ts';
import { custom } from '../../language/issue.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { optional } from '../optional.ts';

const maxRequestedAddresses = 50_000;

const texts = textsOf({
  tooMany: {
    en: `must have at most ${maxRequestedAddresses} addresses: split the list`,
    fr: `doit compter au plus ${maxRequestedAddresses} adresses : divisez la liste`,
  },
  lookAlike: {
    en: 'is not a field of this request; the field is `to`',
    fr: 'n’est pas un champ de cette requête ; le champ est `to`',
  },
});

/** What could begin another header is refused on every route; what merely is no address is counted as `invalid`. */
const requestedAddress = z
  .string()
  .refine((text) => !/[\r\n\0]/.test(text), { params: { text: addressProblemTexts.control_character } });

/** A list that is too long is refused as a whole: its millions of entries are not looked at one by one. */
const list = z.preprocess((value, context) => {
  if (!Array.isArray(value) || value.length <= maxRequestedAddresses) return value;
  context.addIssue(custom(texts.tooMany));
  return z.NEVER;
}, z.array(requestedAddress).max(maxRequestedAddresses));

/** The addresses of a campaign or of a question about one. */
export const requestedAddresses = describe(
  optional(list),
  {
    en: 'Addresses, at most 50,000. Left out: the whole list. Empty: nobody.',
    fr: 'Adresses, 50 000 au plus. Absent : toute la liste. Vide : personne.',
  },
  [['ada@example.net', 'grace@example.net']],
);

/** What callers write who mean `to`. */
const lookAlikes = [
  'To',
  'TO',
  'tO',
  'recipients',
  'Recipients',
  'emails',
  'Emails',
  'email',
  'to_email',
  'to_emails',
  'toEmails',
  'to_addresses',
  'toAddresses',
  'contacts',
  'subscribers',
  'destinataires',
  'adresses',
  'addresses',
  'audience',
];

const lookAlike = z
  .unknown()
  .refine((value) => value === undefined, { params: { text: texts.lookAlike } })
  .optional()
  .meta({ hidden: true });

/** Fields that are only there to be refused with the right name. */
export const lookAlikesOfTo: Record<string, typeof lookAlike> = Object.fromEntries(
  lookAlikes.map((name) => [name, lookAlike]),
);

export const evaluateAudienceRequest = z.strictObject({ ...lookAlikesOfTo, to: requestedAddresses });

const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);

const reasonTexts: Record<(typeof exclusionReasons)[number], Text> = {
  invalid: { en: 'Not an address.', fr: 'Pas une adresse.' },
  not_in_list: { en: 'No subscriber of the workspace has it.', fr: 'Aucun abonné de l’espace ne l’a.' },
  pending: { en: 'Sign-up not yet confirmed.', fr: 'Inscription pas encore confirmée.' },
  unsubscribed: { en: 'The subscriber unsubscribed.', fr: 'L’abonné s’est désabonné.' },
  bounced: { en: 'The address bounced.', fr: 'L’adresse a rebondi.' },
  complained: { en: 'The person complained.', fr: 'La personne s’est plainte.' },
  suppressed: { en: 'Subscribed, but on the suppression list.', fr: 'Abonné, mais sur la liste d’exclusion.' },
  left_kind: {
    en: 'They have left the kind of mail that the campaign is.',
    fr: 'La personne a quitté le type d’e-mail qu’est la campagne.',
  },
  outside_segment: {
    en: 'Outside the segment that the campaign targets.',
    fr: 'Hors du segment que vise la campagne.',
  },
};

const reasons = z.object(Object.fromEntries(exclusionReasons.map((name) => [name, count(reasonTexts[name], 0)])));

export const audienceBreakdown = z.object({
  requested: count({ en: 'Entries of the list.', fr: 'Entrées de la liste.' }, 4),
  duplicates: count(
    {
      en: 'Entries that were there already, case and surrounding spaces aside.',
      fr: 'Entrées déjà présentes, sans égard à la casse ni aux espaces autour.',
    },
    1,
  ),
  retained: count({ en: 'Addresses that a campaign would reach.', fr: 'Adresses qu’une campagne atteindrait.' }, 1),
  excluded: count(
    {
      en: 'Addresses that it would not. `requested` is always `duplicates + retained + excluded`.',
      fr: 'Adresses qu’elle n’atteindrait pas. `requested` vaut toujours `duplicates + retained + excluded`.',
    },
    2,
  ),
  reasons: describe(reasons, {
    en: 'Excluded addresses by reason; the first that applies, in this order.',
    fr: 'Adresses exclues par motif ; le premier qui s’applique, dans cet ordre.',
  }),
  excluded_addresses: describe(
    z.array(
      z.object({
        email: describe(
          z.string(),
          {
            en: 'Address in lower case, or what stood there instead of one.',
            fr: 'Adresse en minuscules, ou ce qui s’y trouvait à la place.',
          },
          ['grace@example.net'],
        ),
        reason: describe(z.enum(exclusionReasons), { en: 'Why it is excluded.', fr: 'Motif de l’exclusion.' }, [
          'not_in_list',
        ]),
      }),
    ),
    { en: 'Every excluded address.', fr: 'Toutes les adresses exclues.' },
  ),
});

export const audience = z.object({
  object: describe(z.literal('audience'), { en: 'Always `audience`.', fr: 'Toujours `audience`.' }),
  recipients: count(
    { en: 'People whom a campaign would reach now.', fr: 'Personnes qu’une campagne atteindrait maintenant.' },
    1,
  ),
  audience: describe(audienceBreakdown.nullable(), {
    en: 'What becomes of each address of `to`; null without `to`.',
    fr: 'Ce que devient chaque adresse de `to` ; null sans `to`.',
  }),
});
