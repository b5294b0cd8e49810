import { textsOf } from '../../../language/text.ts';

export const segmentsTexts = textsOf({
  lead: {
    en: 'A rule under a name, which a campaign can be sent to.',
    fr: 'Une règle sous un nom, à qui adresser une campagne.',
  },
  add: { en: 'Make a segment', fr: 'Créer un segment' },
  edit: { en: 'Edit', fr: 'Modifier' },
  name: { en: 'Name', fr: 'Nom' },
  nameWrong: { en: 'must have 1 to 100 characters', fr: 'doit compter de 1 à 100 caractères' },
  rule: { en: 'Rule', fr: 'Règle' },
  since: { en: 'Since', fr: 'Depuis' },
  emptyTitle: { en: 'There is no segment yet', fr: 'Pas encore de segment' },
  empty: {
    en: 'Make one to write to some of your people: those with a tag, of a city, who came last month.',
    fr: 'Créez-en un pour écrire à une partie de vos abonnés : une étiquette, une ville, les arrivées du mois.',
  },
  joined: { en: 'Somebody is in it when', fr: 'On en fait partie quand' },
  group: { en: 'Group', fr: 'Groupe' },
  exportThem: { en: 'Export', fr: 'Exporter' },
  tagTest: {
    en: 'a tag either is or is not there: choose “is” or “is not”',
    fr: 'une étiquette est là ou non : choisissez « est » ou « n’est pas »',
  },
  addCondition: { en: 'Add a condition', fr: 'Ajouter une condition' },
  addGroup: { en: 'Add a group', fr: 'Ajouter un groupe' },
  removeCondition: { en: 'Remove', fr: 'Retirer' },
  removeGroup: { en: 'Remove the group', fr: 'Retirer le groupe' },
  conditions: { en: '({count} conditions)', fr: '({count} conditions)' },
  whom: { en: 'Whom it reaches', fr: 'Qui est concerné' },
  sample: { en: 'Some of them', fr: 'Quelques-uns' },
  unfinished: { en: 'Counted once the rule is whole.', fr: 'Compté dès que la règle est complète.' },
  noScript: {
    en: 'Counted when it is saved: without JavaScript this page stands still.',
    fr: 'Compté à l’enregistrement : sans JavaScript cette page ne bouge pas.',
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
  people: { en: 'People in it now', fr: 'Personnes concernées' },
  counted: {
    en: 'Counted just now: whom a campaign would reach.',
    fr: 'Compté à l’instant : qui une campagne atteindrait.',
  },
  count: { en: 'Count', fr: 'Compter' },
  countWhat: {
    en: 'Exact: everybody is looked at. A million people take some seconds.',
    fr: 'Exact : chacun est regardé. Un million de personnes prend quelques secondes.',
  },
  remove: { en: 'Delete', fr: 'Supprimer' },
  removeTitle: { en: 'Delete the segment {name}', fr: 'Supprimer le segment {name}' },
  drafts: {
    en: 'Drafts and scheduled campaigns that go to it: {count}',
    fr: 'Brouillons et campagnes programmées qui le visent : {count}',
  },
  removeWhat: {
    en: 'Nobody is deleted with it. A draft for it is refused when it is sent; what was sent keeps its people.',
    fr: 'Personne n’est supprimé avec lui. Un brouillon qui le vise sera refusé à l’envoi ; ce qui est parti garde son audience.',
  },
});

export const joinTexts = textsOf({
  all: { en: 'all of these hold', fr: 'tout ceci est vrai' },
  any: { en: 'any of these holds', fr: 'l’un de ceux-ci est vrai' },
  notAll: { en: 'not all of these hold', fr: 'tout ceci n’est pas vrai à la fois' },
  notAny: { en: 'none of these holds', fr: 'rien de ceci n’est vrai' },
});

export const testTexts = textsOf({
  equals: { en: 'is', fr: 'est' },
  not_equals: { en: 'is not', fr: 'n’est pas' },
  contains: { en: 'contains', fr: 'contient' },
  'not:contains': { en: 'does not contain', fr: 'ne contient pas' },
  starts_with: { en: 'begins with', fr: 'commence par' },
  'not:starts_with': { en: 'does not begin with', fr: 'ne commence pas par' },
  exists: { en: 'is there', fr: 'existe' },
  'not:exists': { en: 'is not there', fr: 'n’existe pas' },
  greater_than: { en: 'is more than', fr: 'est supérieur à' },
  less_than: { en: 'is less than', fr: 'est inférieur à' },
  before: { en: 'before (2026-11-21)', fr: 'avant (2026-11-21)' },
  after: { en: 'after (2026-11-21)', fr: 'après (2026-11-21)' },
  within_last_days: { en: 'within the last days', fr: 'dans les derniers jours' },
  'not:within_last_days': { en: 'not within the last days', fr: 'pas dans les derniers jours' },
});
