import type { ListedPrompt } from '../../shared/contract/catalog.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import type { Chapter } from './reference.ts';

const texts = textsOf({
  instructions: {
    en: 'Mailroom sends single emails and campaigns for one workspace, and keeps its subscribers and its suppression list. Mail cannot be called back. Begin with `get_account`: it names the scopes of the key, the senders, the verified domains and what is left of the month. Before `send_campaign`, call `preview_campaign_send` with the same `to` and show a person what it says; before `send_email`, make sure that a person wants exactly this message to go to exactly these people. A refusal comes as a tool error with a stable `error.code` and everything that is wrong in `error.details`: put it right and call again; never work around `suppressed_recipient`. After `rate_limit_exceeded` wait for the seconds of `error.details.retry_after`. When an answer did not come, repeat the very same call: `send_email` with the same arguments sends nothing twice. The resource `{reference}` has every field, limit, error and an example; `{reference}/emails` and its like are single chapters.',
    fr: 'Mailroom envoie des e-mails à l’unité et des campagnes pour un espace, et tient ses abonnés et sa liste d’exclusion. Un e-mail parti ne se rappelle pas. Commencez par `get_account` : il donne les portées de la clé, les expéditeurs, les domaines vérifiés et le reste du mois. Avant `send_campaign`, appelez `preview_campaign_send` avec le même `to` et montrez le résultat à une personne ; avant `send_email`, assurez-vous qu’une personne veut exactement ce message pour exactement ces destinataires. Un refus arrive comme erreur d’outil avec un `error.code` stable et tout ce qui ne va pas dans `error.details` : corrigez et rappelez ; ne contournez jamais `suppressed_recipient`. Après `rate_limit_exceeded`, attendez les secondes de `error.details.retry_after`. Quand une réponse n’est pas arrivée, répétez le même appel : `send_email` avec les mêmes arguments n’envoie rien deux fois. La ressource `{reference}` a chaque champ, limite, erreur et un exemple ; `{reference}/emails` et semblables sont des chapitres seuls.',
  },
  referenceTitle: { en: 'Reference of the API and its tools', fr: 'Référence de l’API et de ses outils' },
  referenceDescription: {
    en: 'Every route and tool with fields, limits, errors and an example, in Markdown: {size} kB.',
    fr: 'Chaque route et outil avec champs, limites, erreurs et un exemple, en Markdown : {size} ko.',
  },
  chapterTitle: { en: 'A chapter of the reference', fr: 'Un chapitre de la référence' },
  chapterDescription: {
    en: 'One of {chapters}. `general` is what holds for every call.',
    fr: 'L’un de {chapters}. `general` est ce qui vaut pour tout appel.',
  },
  promptTitle: { en: 'Write and check a campaign', fr: 'Écrire et vérifier une campagne' },
  promptDescription: {
    en: 'Writes a draft, checks whom it would reach, and stops before anything is sent.',
    fr: 'Écrit un brouillon, vérifie qui il atteindrait, et s’arrête avant tout envoi.',
  },
  topic: {
    en: 'What the campaign is about, and what its readers should do.',
    fr: 'Le sujet de la campagne, et ce que ses lecteurs devraient faire.',
  },
  prompt: {
    en: 'Write a campaign about: {topic}\n\n1. Call `get_account` and choose a sender of the workspace.\n2. Write subject, preheader and body (`text`, with `# ` headings and merge fields such as `{{firstName|there}}`), and show them to me.\n3. When I agree, call `create_campaign`, then `preview_campaign_send` with its `id`.\n4. Tell me whether it would go out, to how many people, and why not to the others.\n5. Stop there. Call `send_campaign` only after I have said so in plain words.',
    fr: 'Écris une campagne sur : {topic}\n\n1. Appelle `get_account` et choisis un expéditeur de l’espace.\n2. Écris l’objet, le texte d’aperçu (`preheader`) et le corps (`text`, avec des titres `# ` et des champs de fusion comme `{{firstName|vous}}`), et montre-les-moi.\n3. Quand je suis d’accord, appelle `create_campaign`, puis `preview_campaign_send` avec son `id`.\n4. Dis-moi si elle partirait, à combien de personnes, et pourquoi pas aux autres.\n5. Arrête-toi là. N’appelle `send_campaign` qu’après que je l’ai dit clairement.',
  },
});

/** What an agent is told when it connects. */
export const instructionsIn = (language: Language, reference: string): string =>
  texts.instructions[language].replaceAll('{reference}', reference);

export const referenceTitleIn = (language: Language): string => texts.referenceTitle[language];

/** Its size decides whether an agent reads it at all. */
export function referenceDescriptionIn(language: Language, reference: string): string {
  const kilobytes = Math.ceil(Buffer.byteLength(reference) / 1000);
  return texts.referenceDescription[language].replace('{size}', String(kilobytes));
}

export const chapterTitleIn = (language: Language): string => texts.chapterTitle[language];

/** The names to choose from, each with its size: an agent that needs one route reads no other chapter. */
export function chapterDescriptionIn(language: Language, chapters: readonly Chapter[]): string {
  const named = chapters.map(({ name, text }) => `\`${name}\` (${Math.ceil(Buffer.byteLength(text) / 1000)} kB)`);
  return texts.chapterDescription[language].replace('{chapters}', named.join(', '));
}

export const promptsIn = (language: Language): ListedPrompt[] => [
  {
    name: 'write_campaign',
    title: texts.promptTitle[language],
    description: texts.promptDescription[language],
    arguments: [{ name: 'topic', description: texts.topic[language], required: true }],
    text: texts.prompt[language],
  },
];
