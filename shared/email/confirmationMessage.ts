import type { Language } from '../language/languages.ts';
import { type Text, textsOf } from '../language/text.ts';

const texts = textsOf({
  subject: { en: 'Confirm your subscription to {workspace}', fr: 'Confirmez votre abonnement à {workspace}' },
  title: { en: 'One more step', fr: 'Encore une étape' },
  ask: {
    en: '{workspace} was asked to write to this address. If it was you who asked, confirm it:',
    fr: 'On a demandé à {workspace} d’écrire à cette adresse. Si la demande vient de vous, confirmez-la\u00a0:',
  },
  button: { en: 'Confirm my subscription', fr: 'Confirmer mon abonnement' },
  copy: {
    en: 'The button does not work? Copy this address into your browser:',
    fr: 'Le bouton ne fonctionne pas\u00a0? Copiez cette adresse dans votre navigateur\u00a0:',
  },
  life: { en: 'The link works for seven days.', fr: 'Le lien est valable sept jours.' },
  notYou: {
    en: 'It was not you? Ignore this message: you will not be subscribed.',
    fr: 'Ce n’était pas vous\u00a0? Ignorez ce message\u00a0: vous ne serez pas abonné.',
  },
});

/** The question for consent, in the workspace's language. Its link is left as it is by the provider. */
export function confirmationMessage(
  language: Language,
  workspace: string,
  link: string,
): { subject: string; html: string; text: string } {
  const name = workspace.replace(/\p{Cc}+/gu, ' ').trim();
  const say = (text: Text) => text[language].replace('{workspace}', () => name);
  return {
    subject: say(texts.subject),
    html: htmlOf(language, say, link),
    text: [say(texts.ask), link, say(texts.life), say(texts.notYou), name].join('\n\n').concat('\n'),
  };
}

/** Tables and inlined styles, as mail clients need them; dark mode where a client asks for it. */
function htmlOf(language: Language, say: (text: Text) => string, link: string): string {
  const of = (text: Text) => escaped(say(text));
  const href = escaped(link);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${of(texts.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #12161b !important; }
  .card { background: #1b2127 !important; border-color: #333c46 !important; }
  .text { color: #e9edf1 !important; }
  .soft, .soft a { color: #aab4c0 !important; }
  .button { background: #8ab8f7 !important; color: #0c1c33 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eef1f4;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#eef1f4;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:544px;background:#ffffff;border:1px solid #d5dae1;border-radius:14px;">
<tr><td style="padding:36px 32px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:17px;line-height:1.55;">
<h1 class="text" style="margin:0 0 14px;font-size:24px;line-height:1.25;color:#1b2027;">${of(texts.title)}</h1>
<p class="text" style="margin:0 0 26px;color:#1b2027;">${of(texts.ask)}</p>
<p style="margin:0 0 28px;"><a ses:no-track class="button" href="${href}" style="display:inline-block;padding:13px 26px;border-radius:8px;background:#0b57b5;color:#ffffff;font-weight:600;text-decoration:none;">${of(texts.button)}</a></p>
<p class="soft" style="margin:0 0 14px;font-size:14px;color:#4c5664;">${of(texts.copy)}<br><a ses:no-track href="${href}" style="color:#4c5664;word-break:break-all;">${href}</a></p>
<p class="soft" style="margin:0;font-size:14px;color:#4c5664;">${of(texts.life)} ${of(texts.notYou)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
