import { foldText } from '../../domain/person/searchTerms.ts';
import { customIssue, textsOf } from '../../language/text.ts';
import { describe, givenFields, isGiven, listOf, pageQueryAfter } from './fields.ts';
import { line, subscriber, subscriberStatus } from './subscriber.ts';

const texts = textsOf({
  query: {
    en: 'must have at least 2 characters',
    fr: 'doit compter au moins 2 caractères',
  },
  searchAfter: {
    en: 'is not possible with "q": use "cursor"',
    fr: 'n’est pas possible avec « q » : utilisez « cursor »',
  },
});

const subscriberFilters = {
  status: describe(
    subscriberStatus.optional(),
    { en: 'Only subscribers of this status.', fr: 'Seulement les abonnés de ce statut.' },
    ['subscribed'],
  ),
  q: describe(
    line(320)
      .refine((value) => [...foldText(value)].length >= 2, { params: { text: texts.query } })
      .meta({ minLength: 2 })
      .optional(),
    {
      en: 'Start of the address, of its domain, of the first name, of the last name or of any word in them; at least 2 characters. Case and accents are ignored. With `q`, the list is in alphabetical order of the matching words.',
      fr: 'Début de l’adresse, de son domaine, du prénom, du nom ou d’un mot qu’ils contiennent ; au moins 2 caractères. La casse et les accents sont ignorés. Avec `q`, la liste suit l’ordre alphabétique des mots trouvés.',
    },
    ['lovelace'],
  ),
};

export const listSubscribersQuery = pageQueryAfter(subscriberFilters, 'ada@example.net').superRefine(
  (given, context) => {
    const { q, after } = givenFields(given);
    if (isGiven(q) && isGiven(after)) context.addIssue(customIssue(texts.searchAfter, ['after']));
  },
);

export const subscriberList = listOf(subscriber);
