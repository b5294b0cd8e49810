import { textsOf } from '../../../language/text.ts';

export const questionTexts = textsOf({
  title: { en: 'Questions of your own', fr: 'Vos propres questions' },
  what: {
    en: 'Answers are kept as fields of the person, which segments and campaigns can use. An empty row asks nothing.',
    fr: 'Les réponses deviennent des champs de la personne, utiles aux segments et campagnes. Une ligne vide ne demande rien.',
  },
  question: { en: 'Question {number}', fr: 'Question {number}' },
  label: { en: 'What people read', fr: 'Ce qu’on lit' },
  field: { en: 'Kept as field', fr: 'Gardé comme champ' },
  choices: { en: 'Choices: S | M | L', fr: 'Choix : S | M | L' },
  preview: { en: 'What it asks for', fr: 'Ce qu’il demande' },
  address: { en: 'Address', fr: 'Adresse' },
  firstName: { en: 'First name', fr: 'Prénom' },
  lastName: { en: 'Last name', fr: 'Nom de famille' },
});
