import { textsOf } from '../../../../language/text.ts';

export const segmentsTexts = textsOf({
  lead: { en: 'Named rules that campaigns can target.', fr: 'Des règles nommées que les campagnes peuvent cibler.' },
  add: { en: 'Create a segment', fr: 'Créer un segment' },
  edit: { en: 'Edit', fr: 'Modifier' },
  name: { en: 'Name', fr: 'Nom' },
  nameWrong: { en: 'must have 1 to 100 characters', fr: 'doit compter de 1 à 100 caractères' },
  rule: { en: 'Rule', fr: 'Règle' },
  since: { en: 'Since', fr: 'Depuis' },
  emptyTitle: { en: 'No segments yet', fr: 'Aucun segment pour l’instant' },
  empty: {
    en: 'Create one to write to some of your people, for example by tag, by city, or by when they joined.',
    fr: 'Créez-en un pour écrire à une partie de vos abonnés, par exemple selon une étiquette, une ville ou leur date d’arrivée.',
  },
  joined: { en: 'People match if', fr: 'Une personne en fait partie si' },
  group: { en: 'Group', fr: 'Groupe' },
  exportThem: { en: 'Export', fr: 'Exporter' },
  tagTest: {
    en: 'a tag can only be set or not: choose “is” or “is not”',
    fr: 'une étiquette est présente ou non\u00a0: choisissez «\u00a0est\u00a0» ou «\u00a0n’est pas\u00a0»',
  },
  addCondition: { en: 'Add a condition', fr: 'Ajouter une condition' },
  addGroup: { en: 'Add a group', fr: 'Ajouter un groupe' },
  removeCondition: { en: 'Remove', fr: 'Retirer' },
  removeGroup: { en: 'Remove the group', fr: 'Retirer le groupe' },
  conditions: { en: '({count} conditions)', fr: '({count} conditions)' },
  whom: { en: 'Matching people', fr: 'Personnes concernées' },
  sample: { en: 'Sample', fr: 'Exemples' },
  unfinished: {
    en: 'The count appears when the rule is complete.',
    fr: 'Le décompte apparaît dès que la règle est complète.',
  },
  noScript: {
    en: 'Without JavaScript, the count appears after saving.',
    fr: 'Sans JavaScript, le décompte apparaît après l’enregistrement.',
  },
  subject: { en: 'What', fr: 'Quoi' },
  test: { en: 'How', fr: 'Comment' },
  value: { en: 'Value', fr: 'Valeur' },
  fieldName: { en: 'Field', fr: 'Champ' },
  tag: { en: 'tag', fr: 'étiquette' },
  firstName: { en: 'first name', fr: 'prénom' },
  lastName: { en: 'last name', fr: 'nom de famille' },
  field: { en: 'field', fr: 'champ' },
  created_at: { en: 'added', fr: 'ajout' },
  confirmed_at: { en: 'confirmed', fr: 'confirmation' },
  ruleMissing: { en: 'needs at least one condition', fr: 'demande au moins une condition' },
  save: { en: 'Save and count', fr: 'Enregistrer et compter' },
  people: { en: 'Current number of people', fr: 'Nombre actuel de personnes' },
  counted: {
    en: 'Counted just now: the people a campaign would reach.',
    fr: 'Compté à l’instant\u00a0: les personnes qu’une campagne atteindrait.',
  },
  count: { en: 'Count', fr: 'Compter' },
  countWhat: {
    en: 'An exact count. For a million people it takes some seconds.',
    fr: 'Un décompte exact. Pour un million de personnes, il prend quelques secondes.',
  },
  remove: { en: 'Delete', fr: 'Supprimer' },
  removeTitle: { en: 'Delete the segment {name}', fr: 'Supprimer le segment {name}' },
  drafts: {
    en: 'It cannot be deleted while drafts or scheduled campaigns target it. There are {count}:',
    fr: 'Il ne peut pas être supprimé tant que des brouillons ou des campagnes programmées le ciblent. Il y en a {count}\u00a0:',
  },
  removeWhat: {
    en: 'No people are deleted with it, and campaigns already sent keep their recipients.',
    fr: 'Aucune personne n’est supprimée avec lui, et les campagnes déjà envoyées gardent leurs destinataires.',
  },
});

export const joinTexts = textsOf({
  all: { en: 'all of these match', fr: 'toutes ces conditions sont remplies' },
  any: { en: 'any of these matches', fr: 'au moins une de ces conditions est remplie' },
  notAll: { en: 'not all of these match', fr: 'ces conditions ne sont pas toutes remplies' },
  notAny: { en: 'none of these matches', fr: 'aucune de ces conditions n’est remplie' },
});

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
  before: { en: 'before (2026-11-21)', fr: 'avant (2026-11-21)' },
  after: { en: 'after (2026-11-21)', fr: 'après (2026-11-21)' },
  within_last_days: { en: 'within the last days', fr: 'dans les derniers jours' },
  'not:within_last_days': { en: 'not within the last days', fr: 'pas dans les derniers jours' },
});
