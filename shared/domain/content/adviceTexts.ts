import { type Language, languages } from '../../language/languages.ts';
import { text, textsOf } from '../../language/text.ts';
import type { Advice } from './advice.ts';

/** A check that found something: what it is, and what to do. */
const adviceTexts = textsOf({
  size: {
    en: 'It has {count} kB of HTML. Gmail cuts a message off beyond 102 kB, and the link to leave with it: shorten it.',
    fr: 'Elle a {count} ko de HTML. Gmail coupe un message au-delà de 102 ko, et le lien de désabonnement avec : raccourcissez-la.',
  },
  alternatives: {
    en: 'Images that say nothing to whoever does not see them: {count}. Describe them, unless they are ornaments.',
    fr: 'Images qui ne disent rien à qui ne les voit pas : {count}. Décrivez-les, sauf les ornements.',
  },
  foreign_links: {
    en: 'Links lead to other domains than the sender’s, which filters look at: {names}. Make sure that they are meant.',
    fr: 'Des liens mènent à d’autres domaines que celui de l’expéditeur, ce que regardent les filtres : {names}. Vérifiez qu’ils sont voulus.',
  },
  insecure: {
    en: 'These addresses are http, which mail clients warn of or do not show: {names}. Use https.',
    fr: 'Ces adresses sont en http, que des messageries signalent ou n’affichent pas : {names}. Utilisez https.',
  },
  fallbacks: {
    en: 'Where a person lacks it, nothing stands in its place: {names}. Give them a fallback.',
    fr: 'S’il manque à une personne, rien ne le remplace : {names}. Donnez une valeur de repli.',
  },
  subject_length: {
    en: 'The subject has {count} characters; most mail clients show 60, phones half of it. Put what counts first.',
    fr: 'L’objet compte {count} caractères ; la plupart des messageries en montrent 60, les téléphones la moitié. Mettez l’essentiel devant.',
  },
  preheader: {
    en: 'There is no preview text: mail clients show the first words of the message instead.',
    fr: 'Il n’y a pas de texte d’aperçu : les messageries montrent les premiers mots du message.',
  },
  unsubscribe: {
    en: 'The link to leave is missing. This should never happen: do not send it.',
    fr: 'Le lien de désabonnement manque. Cela ne devrait jamais arriver : n’envoyez pas.',
  },
});

/** The same check, where all is well. */
const fineTexts = textsOf({
  size: {
    en: '{count} kB of HTML, below the 102 kB at which Gmail cuts',
    fr: '{count} ko de HTML, sous les 102 ko où Gmail coupe',
  },
  alternatives: { en: 'Every image says what it shows', fr: 'Chaque image dit ce qu’elle montre' },
  foreign_links: { en: 'Every link leads to the sender’s domain', fr: 'Chaque lien mène au domaine de l’expéditeur' },
  insecure: { en: 'Every address is https', fr: 'Chaque adresse est en https' },
  fallbacks: { en: 'Every merge field has a fallback', fr: 'Chaque champ de fusion a une valeur de repli' },
  subject_length: { en: 'The subject has {count} characters', fr: 'L’objet compte {count} caractères' },
  preheader: { en: 'There is a preview text', fr: 'Il y a un texte d’aperçu' },
  unsubscribe: { en: 'Every message has a link to leave', fr: 'Chaque message a un lien de désabonnement' },
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
