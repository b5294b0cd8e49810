import { type Language, languages } from '../../language/languages.ts';
import { text, textsOf } from '../../language/text.ts';
import type { Advice } from './advice.ts';

/** A check that found something: what it is, and what to do. */
const adviceTexts = textsOf({
  size: {
    en: 'The message has {count} kB of HTML. Gmail cuts messages off after 102 kB, and the unsubscribe link with it: shorten it.',
    fr: 'Le message a {count} ko de HTML. Gmail tronque les messages au-delà de 102 ko, lien de désabonnement compris\u00a0: raccourcissez-le.',
  },
  alternatives: {
    en: 'Images without alternative text: {count}. Describe them, unless they are only decorative.',
    fr: 'Images sans texte alternatif\u00a0: {count}. Décrivez-les, sauf si elles sont purement décoratives.',
  },
  foreign_links: {
    en: 'Links lead to other domains than the sender’s, which spam filters check: {names}. Make sure that they are intended.',
    fr: 'Des liens mènent à d’autres domaines que celui de l’expéditeur, ce que vérifient les filtres anti-spam\u00a0: {names}. Assurez-vous qu’ils sont voulus.',
  },
  insecure: {
    en: 'These URLs use http, which mail clients warn of or block: {names}. Use https.',
    fr: 'Ces URL sont en http, que des messageries signalent ou bloquent\u00a0: {names}. Utilisez https.',
  },
  fallbacks: {
    en: 'These merge fields have no fallback, so they are empty for people without a value: {names}. Add a fallback.',
    fr: 'Ces champs de fusion n’ont pas de valeur par défaut et restent vides pour les personnes sans valeur\u00a0: {names}. Ajoutez-en une.',
  },
  subject_length: {
    en: 'The subject has {count} characters; most mail clients show 60, phones half of that. Put the important words first.',
    fr: 'L’objet compte {count} caractères\u00a0; la plupart des messageries en affichent 60, les téléphones la moitié. Placez l’essentiel au début.',
  },
  preheader: {
    en: 'There is no preview text: mail clients show the first words of the message instead.',
    fr: 'Il n’y a pas de texte d’aperçu\u00a0: les messageries affichent les premiers mots du message.',
  },
  unsubscribe: {
    en: 'The unsubscribe link is missing. This should never happen: do not send the campaign.',
    fr: 'Le lien de désabonnement manque. Cela ne devrait jamais arriver\u00a0: n’envoyez pas la campagne.',
  },
  postal_address: {
    en: 'There is no postal address in the footer, which the law of many countries requires (CAN-SPAM in the United States): add yours to the brand.',
    fr: 'Il n’y a pas d’adresse postale dans le pied de page, alors que la loi de nombreux pays l’exige (CAN-SPAM aux États-Unis) : ajoutez la vôtre à la marque.',
  },
  markdown: {
    en: 'This Markdown is sent as it was typed: {names}. Write it otherwise, or as blocks or HTML.',
    fr: 'Ce Markdown est envoyé tel qu’il a été saisi\u00a0: {names}. Écrivez-le autrement, ou en blocs ou en HTML.',
  },
});

/** The same check, where all is well. */
const fineTexts = textsOf({
  size: {
    en: '{count} kB of HTML, below Gmail’s limit of 102 kB',
    fr: '{count} ko de HTML, sous la limite de 102 ko de Gmail',
  },
  alternatives: { en: 'Every image has alternative text', fr: 'Chaque image a un texte alternatif' },
  foreign_links: { en: 'Every link leads to the sender’s domain', fr: 'Chaque lien mène au domaine de l’expéditeur' },
  insecure: { en: 'Every URL uses https', fr: 'Chaque URL est en https' },
  fallbacks: { en: 'Every merge field has a fallback', fr: 'Chaque champ de fusion a une valeur par défaut' },
  subject_length: { en: 'The subject has {count} characters', fr: 'L’objet compte {count} caractères' },
  preheader: { en: 'There is a preview text', fr: 'Il y a un texte d’aperçu' },
  unsubscribe: { en: 'Every message has an unsubscribe link', fr: 'Chaque message a un lien de désabonnement' },
  postal_address: {
    en: 'The footer has a postal address',
    fr: 'Le pied de page a une adresse postale',
  },
  markdown: { en: 'Every mark of the text is shown as meant', fr: 'Chaque marque du texte est affichée comme prévu' },
});

const variantPrefix = text({ en: 'Variant {letters}: ', fr: 'Variante {letters} : ' });

/** The result of a check in words. */
interface AdviceSentence extends Pick<Advice, 'check' | 'isFine' | 'path'> {
  readonly text: string;
  /** Index of the first variant that it is about. */
  readonly variant: number;
}

/** The advice on all variants. What is the same of several is said once, and names them unless it is true of all. */
export function adviceSentences(advice: readonly (readonly Advice[])[], language: Language): AdviceSentence[] {
  const all = advice.flatMap((list, variant) =>
    list.map(({ check, isFine, path, ...figures }) => {
      const sentence = (isFine ? fineTexts : adviceTexts)[check][language];
      return { check, isFine, path, variant, text: withFigures(sentence, figures, language) };
    }),
  );
  return [...Map.groupBy(all, ({ isFine, text: words }) => `${isFine} ${words}`).values()].flatMap((own) => {
    const [first] = own;
    if (!first || own.length === advice.length) return first ? [first] : [];
    const letters = own.map(({ variant }) => 'ABCD'.charAt(variant)).join(', ');
    return [{ ...first, text: variantPrefix[language].replace('{letters}', letters) + first.text }];
  });
}

function withFigures(sentence: string, { count, names }: Pick<Advice, 'count' | 'names'>, language: Language): string {
  const number = new Intl.NumberFormat(languages[language].locale).format(count);
  return sentence.replace('{count}', number).replace('{names}', () => names.join(', '));
}
