import { textsOf } from '../../../language/text.ts';

/** How the conditions of a rule are joined. */
export const joinTexts = textsOf({
  all: { en: 'all of these match', fr: 'toutes ces conditions sont remplies' },
  any: { en: 'any of these matches', fr: 'au moins une de ces conditions est remplie' },
  notAll: { en: 'not all of these match', fr: 'ces conditions ne sont pas toutes remplies' },
  notAny: { en: 'none of these matches', fr: 'aucune de ces conditions n’est remplie' },
});

/** The operators of a condition, `not:` before those that are denied. */
export const testTexts = textsOf({
  equals: { en: 'is', fr: 'est' },
  not_equals: { en: 'is not', fr: 'n’est pas' },
  contains: { en: 'contains', fr: 'contient' },
  'not:contains': { en: 'does not contain', fr: 'ne contient pas' },
  starts_with: { en: 'begins with', fr: 'commence par' },
  'not:starts_with': { en: 'does not begin with', fr: 'ne commence pas par' },
  exists: { en: 'is set', fr: 'est renseigné' },
  'not:exists': { en: 'is not set', fr: 'n’est pas renseigné' },
  greater_than: { en: 'is more than', fr: 'est supérieur à' },
  less_than: { en: 'is less than', fr: 'est inférieur à' },
  count_at_least: { en: 'at least so many times', fr: 'au moins ce nombre de fois' },
  'not:count_at_least': { en: 'less often than', fr: 'moins souvent que' },
  before: { en: 'before (2026-11-21)', fr: 'avant (2026-11-21)' },
  after: { en: 'after (2026-11-21)', fr: 'après (2026-11-21)' },
  within_last_days: { en: 'within the last days', fr: 'dans les derniers jours' },
  'not:within_last_days': { en: 'not within the last days', fr: 'pas dans les derniers jours' },
});
