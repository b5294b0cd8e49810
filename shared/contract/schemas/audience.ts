import * as z from 'zod';
import { addressProblemTexts } from '../../domain/address.ts';
import { exclusionReasons } from '../../domain/audience.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { withNameRules } from '../fieldNames.ts';
import { constant, describe, named, optional } from './fields.ts';
import { namesOfTo } from './internal/reservedNames.ts';

const maxRequestedAddresses = 50_000;

const texts = textsOf({
  tooMany: {
    en: `must have at most ${maxRequestedAddresses} addresses: split the list`,
    fr: `doit compter au plus ${maxRequestedAddresses} adresses : divisez la liste`,
  },
});

/** Line breaks are refused everywhere, against header injection; any other invalid address is counted as `invalid`. */
const requestedAddress = z
  .string()
  .refine((text) => !/[\r\n\0]/.test(text), { params: { text: addressProblemTexts.control_character } });

/**
 * The addresses to which a campaign or an audience is limited. A list that is too long is refused before its entries
 * are checked, as there may be millions.
 */
export const requestedAddresses = z.preprocess((value, context) => {
  if (!Array.isArray(value) || value.length <= maxRequestedAddresses) return value;
  context.addIssue(customIssue(texts.tooMany));
  return z.NEVER;
}, z.array(requestedAddress).max(maxRequestedAddresses));

export const addressExamples = [['ada@example.net', 'grace@example.net']];

export const evaluateAudienceRequest = withNameRules(
  z.strictObject({
    to: describe(
      optional(requestedAddresses),
      {
        en: 'At most 50,000 addresses. Without it: the whole list. An empty array: nobody.',
        fr: '50 000 adresses au plus. Sans ce champ : toute la liste. Un tableau vide : personne.',
      },
      addressExamples,
    ),
  }),
  { unknown: 'refused', reserved: [namesOfTo] },
);

const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);

/** What each reason means. */
export const exclusionTexts: Record<(typeof exclusionReasons)[number], Text> = {
  invalid: { en: 'Not an address.', fr: 'Pas une adresse.' },
  not_in_list: {
    en: 'No subscriber of the workspace has this address.',
    fr: 'Aucun abonné de l’espace n’a cette adresse.',
  },
  pending: { en: 'Sign-up not yet confirmed.', fr: 'Inscription pas encore confirmée.' },
  unsubscribed: {
    en: 'The subscriber unsubscribed, was suppressed by hand, or has left the topic of the campaign.',
    fr: 'L’abonné s’est désabonné, a été exclu à la main, ou a quitté le type d’e-mail de la campagne.',
  },
  bounced: { en: 'The address bounced.', fr: 'L’adresse a rebondi.' },
  complained: { en: 'The person complained.', fr: 'La personne s’est plainte.' },
  suppressed: { en: 'Subscribed, but on the suppression list.', fr: 'Abonné, mais sur la liste d’exclusion.' },
  outside_segment: {
    en: 'Outside the segment that the campaign targets.',
    fr: 'Hors du segment que vise la campagne.',
  },
};

const reasons = z.object(Object.fromEntries(exclusionReasons.map((name) => [name, count(exclusionTexts[name], 0)])));

export const audienceBreakdown = named(
  'AudienceBreakdown',
  z.object({
    requested: count({ en: 'Entries in the list.', fr: 'Entrées de la liste.' }, 4),
    duplicates: count(
      {
        en: 'Repeated entries; case and surrounding spaces are ignored.',
        fr: 'Entrées répétées, sans tenir compte de la casse ni des espaces autour.',
      },
      1,
    ),
    retained: count({ en: 'Addresses that a campaign would reach.', fr: 'Adresses qu’une campagne atteindrait.' }, 1),
    excluded: count(
      {
        en: 'Addresses that a campaign would not reach. `requested` is always `duplicates + retained + excluded`.',
        fr: 'Adresses qu’une campagne n’atteindrait pas. `requested` vaut toujours `duplicates + retained + excluded`.',
      },
      2,
    ),
    reasons: describe(reasons, {
      en: 'Excluded addresses by reason. If several apply, the first in this order counts; a topic that a person has left counts after `suppressed`.',
      fr: 'Adresses exclues par motif. Si plusieurs s’appliquent, le premier dans cet ordre compte ; un type d’e-mail quitté compte après `suppressed`.',
    }),
    excluded_addresses: describe(
      z.array(
        named(
          'ExcludedAddress',
          z.object({
            email: describe(
              z.string(),
              {
                en: 'The address in lower case, or the invalid entry.',
                fr: 'L’adresse en minuscules, ou l’entrée non valable.',
              },
              ['grace@example.net'],
            ),
            reason: describe(
              named('ExclusionReason', z.enum(exclusionReasons)),
              { en: 'Why the address is excluded.', fr: 'Motif de l’exclusion.' },
              ['not_in_list'],
            ),
            topic_id: describe(
              z.string().optional(),
              {
                en: 'Only for `unsubscribed`: the topic of the campaign, if the person left only that.',
                fr: 'Seulement pour `unsubscribed` : le type d’e-mail de la campagne, si la personne n’a quitté que lui.',
              },
              ['top_3v5c8r2m4n6p7s9t0wxy01k9zq'],
            ),
            tag: describe(
              z.string().optional(),
              { en: 'The tag of that topic.', fr: 'L’étiquette de ce type d’e-mail.' },
              ['category:newsletter'],
            ),
          }),
        ),
      ),
      { en: 'Every excluded address.', fr: 'Toutes les adresses exclues.' },
    ),
  }),
);

export const audience = z.object({
  object: constant('audience'),
  recipients: count(
    { en: 'People that a campaign would reach now.', fr: 'Personnes qu’une campagne atteindrait maintenant.' },
    1,
  ),
  audience: describe(audienceBreakdown.nullable(), {
    en: 'The addresses of `to` by outcome; null without `to`.',
    fr: 'Les adresses de `to` selon leur sort ; null sans `to`.',
  }),
});
