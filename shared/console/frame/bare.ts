import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';

interface Head {
  readonly language: Language;
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** Where the browser goes on by itself, at once. */
  readonly goesOnTo?: string;
}

/** A whole document: one style, one script, both of this service. */
export function bareDocument({ language, title, style, script, goesOnTo }: Head, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, address=no, email=no">
${goesOnTo === undefined ? null : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}">`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${script === undefined ? null : html`<script src="${script}" defer></script>`}
</head>
<body>
${body}
</body>
</html>
`;
}
