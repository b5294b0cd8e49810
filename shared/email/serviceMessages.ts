import { type MailStyle, styleOf } from '../domain/content/mailStyle.ts';
import { type MailBrand, mailBrandBounds } from '../domain/workspace/mailBrand.ts';
import type { Language } from '../language/languages.ts';
import { type Text, textsOf } from '../language/text.ts';

const confirmation = textsOf({
  subject: { en: 'Confirm your subscription to {workspace}', fr: 'Confirmez votre abonnement à {workspace}' },
  title: { en: 'One more step', fr: 'Encore une étape' },
  ask: {
    en: 'This address was entered to receive messages from {workspace}. If this was you, please confirm it:',
    fr: 'Cette adresse a été indiquée pour recevoir les messages de {workspace}. Si c’est bien vous, confirmez-le\u00a0:',
  },
  button: { en: 'Confirm my subscription', fr: 'Confirmer mon abonnement' },
  copy: {
    en: 'If the button does not work, copy this address into your browser:',
    fr: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
  },
  validity: { en: 'The link works for seven days.', fr: 'Le lien est valable sept jours.' },
  notYou: {
    en: 'If this was not you, ignore this message: you will not be subscribed.',
    fr: 'Si ce n’est pas vous, ignorez ce message\u00a0: aucun abonnement ne sera créé.',
  },
  decline: {
    en: 'This was not me: send no more of these messages',
    fr: 'Ce n’était pas moi\u00a0: ne plus envoyer ces messages',
  },
});

interface ConfirmationLinks {
  readonly link: string;
  /** Of the page on which the person says that the request was not theirs. */
  readonly declineLink: string;
}

/** Asks for consent, in the workspace's language. Its links are never tracked (`ses:no-track`). */
export function confirmationMessage(
  language: Language,
  workspace: string,
  links: ConfirmationLinks,
  brand: MailBrand = {},
): { subject: string; html: string; text: string } {
  const name = printable(brand.name ?? workspace);
  const say = (text: Text) => text[language].replace('{workspace}', () => name);
  const { link, declineLink } = links;
  const decline = `${say(confirmation.decline)}\n${declineLink}`;
  const paragraphs = [
    say(confirmation.ask),
    link,
    say(confirmation.validity),
    say(confirmation.notYou),
    decline,
    [name, brand.address ?? []].flat().join('\n'),
  ];
  return {
    subject: say(confirmation.subject),
    html: confirmationHtml(language, say, links, { ...brand, name }),
    text: paragraphs.join('\n\n').concat('\n'),
  };
}

/** Tables and inlined styles, because mail clients need them. Dark mode for the clients that support it. */
function confirmationHtml(
  language: Language,
  say: (text: Text) => string,
  links: ConfirmationLinks,
  brand: MailBrand & { readonly name: string },
): string {
  const html = (text: Text) => escaped(say(text));
  const href = escaped(links.link);
  const { font, align, light, dark } = styleOf(brand);
  const address = brand.address === undefined ? '' : `<br>${escaped(brand.address).replaceAll('\n', '<br>')}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${html(confirmation.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: ${dark.page} !important; }
  .card { background: ${dark.sheet} !important; border-color: ${dark.rule} !important; }
  .text { color: ${dark.text} !important; }
  .soft, .soft a { color: ${dark.quiet} !important; }
  .button { background: ${dark.button} !important; }
  .button a { color: ${dark.label} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page};">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page};">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:544px;background:${light.sheet};border:1px solid ${light.rule};border-radius:14px;">
<tr><td align="${align}" style="padding:36px 32px;${font};font-size:17px;line-height:1.55;">
${confirmationLogo(brand, light)}<h1 class="text" style="margin:0 0 14px;font-size:24px;line-height:1.25;color:${light.text};">${html(confirmation.title)}</h1>
<p class="text" style="margin:0 0 26px;color:${light.text};">${html(confirmation.ask)}</p>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 28px;"><tr><td class="button" align="center" bgcolor="${light.button}" style="border-radius:8px;background:${light.button};mso-padding-alt:13px 26px;"><a ses:no-track href="${href}" style="display:inline-block;padding:13px 26px;mso-padding-alt:0px;${font};font-size:17px;color:${light.label};font-weight:600;text-decoration:none;">${html(confirmation.button)}</a></td></tr></table>
<p class="soft" style="margin:0 0 14px;font-size:14px;color:${light.quiet};">${html(confirmation.copy)}<br><a ses:no-track href="${href}" style="color:${light.quiet};word-break:break-all;">${href}</a></p>
<p class="soft" style="margin:0 0 14px;font-size:14px;color:${light.quiet};">${html(confirmation.validity)} ${html(confirmation.notYou)} <a ses:no-track href="${escaped(links.declineLink)}" style="color:${light.quiet};">${html(confirmation.decline)}</a></p>
<p class="soft" style="margin:0;font-size:14px;color:${light.quiet};">${escaped(brand.name)}${address}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function confirmationLogo({ logoUrl, logoWidth, name }: MailBrand, { text }: MailStyle['light']): string {
  if (logoUrl === undefined) return '';
  const width = logoWidth ?? mailBrandBounds.logoWidth.usual;
  return `<p style="margin:0 0 24px;"><img src="${escaped(logoUrl)}" alt="${escaped(name ?? '')}" width="${width}" class="text" style="width:${width}px;max-width:100%;height:auto;border:0;font-size:18px;color:${text};"></p>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const returning = textsOf({
  subject: {
    en: 'Allow confirmation messages from {workspace} again',
    fr: 'Autoriser de nouveau les messages de confirmation de {workspace}',
  },
  ask: {
    en: 'You said that a sign-up to {workspace} was not yours, and then requested this link. It lets {workspace} send you a confirmation message again when you sign up:',
    fr: 'Vous avez indiqué qu’une inscription à {workspace} ne venait pas de vous, puis demandé ce lien. Il permet à {workspace} de vous envoyer de nouveau un message de confirmation lorsque vous vous inscrivez\u00a0:',
  },
  validity: { en: 'The link works for seven days.', fr: 'Le lien est valable sept jours.' },
});

/** The mail with the link that allows confirmations again after they were declined, in the workspace's language. */
export function returnMessage(language: Language, workspace: string, link: string) {
  const name = printable(workspace);
  const say = (text: Text) => text[language].replaceAll('{workspace}', () => name);
  return {
    subject: say(returning.subject),
    text: [say(returning.ask), link, say(returning.validity), name].join('\n\n').concat('\n'),
    attachments: [],
  };
}

const personalData = textsOf({
  subject: { en: 'Your data at {workspace}', fr: 'Vos données chez {workspace}' },
  reason: {
    en: 'Your data was requested through the link in a message to {email}. That message may have been forwarded, so the data is sent to this address alone.',
    fr: 'Vos données ont été demandées par le lien d’un message adressé à {email}. Ce message a pu être transféré\u00a0: elles ne sont donc envoyées qu’à cette adresse.',
  },
  file: {
    en: 'The attached file contains your subscription, what you agreed to and when, and your preferences.',
    fr: 'Le fichier joint contient votre abonnement, ce que vous avez accepté et quand, et vos préférences.',
  },
  more: {
    en: 'For a list of the messages that were sent to you, or to have all your data erased, reply to this message.',
    fr: 'Pour obtenir la liste des messages qui vous ont été envoyés, ou faire effacer toutes vos données, répondez à ce message.',
  },
});

/** The personal data that a person requested, as a JSON file, in the workspace's language. */
export function dataMessage(language: Language, workspace: string, email: string, stored: object) {
  const name = printable(workspace);
  const say = (text: Text) => text[language].replace('{workspace}', () => name).replace('{email}', () => email);
  const content = Buffer.from(JSON.stringify(stored, null, 2)).toString('base64');
  return {
    subject: say(personalData.subject),
    text: [say(personalData.reason), say(personalData.file), say(personalData.more), name].join('\n\n').concat('\n'),
    attachments: [{ filename: 'data.json', content, content_type: 'application/json' }],
  };
}

/** Without control characters, which a subject cannot have. */
const printable = (name: string): string => name.replace(/\p{Cc}+/gu, ' ').trim();
