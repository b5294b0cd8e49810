import type { Language } from '../language/languages.ts';
import { type Text, textsOf } from '../language/text.ts';

const texts = textsOf({
  subject: { en: 'What {workspace} has stored of you', fr: 'Ce que {workspace} conserve sur vous' },
  asked: {
    en: 'Somebody asked for it by the link of a message to {email}; that message may have been handed on, which is why it comes to you alone.',
    fr: 'On l’a demandé par le lien d’un message envoyé à {email}\u00a0; ce message a pu être transféré, c’est pourquoi ceci ne vient qu’à vous.',
  },
  file: {
    en: 'The attached file holds your entry in the list, what you agreed to and when, and what you chose.',
    fr: 'Le fichier joint contient votre inscription, ce que vous avez accepté et quand, et vos choix.',
  },
  more: {
    en: 'For a record of the messages that were sent to you, or to have everything erased, answer this message.',
    fr: 'Pour la liste des messages qui vous ont été envoyés, ou pour que tout soit effacé, répondez à ce message.',
  },
});

/** What somebody asked for of themselves, in the workspace's language, as a file that machines read too. */
export function dataMessage(language: Language, workspace: string, email: string, stored: object) {
  const name = workspace.replace(/\p{Cc}+/gu, ' ').trim();
  const say = (text: Text) => text[language].replace('{workspace}', () => name).replace('{email}', () => email);
  const content = Buffer.from(JSON.stringify(stored, null, 2)).toString('base64');
  return {
    subject: say(texts.subject),
    text: [say(texts.asked), say(texts.file), say(texts.more), name].join('\n\n').concat('\n'),
    attachments: [{ filename: 'data.json', content, content_type: 'application/json' }],
  };
}
