import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';

interface Head {
  readonly language: Language;
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** What this page alone has besides. */
  readonly files?: PageFiles;
  /** Where the browser goes on by itself, at once. */
  readonly goesOnTo?: string;
}

/** Addresses of a style sheet and a script of a page's own. */
export interface PageFiles {
  readonly style?: string;
  readonly script?: string;
}

/** A whole document: one style, one script, and those of the page itself, all of this service. */
export function bareDocument({ language, title, style, script, files = {}, goesOnTo }: Head, body: Html): Html {
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
${files.style === undefined ? null : html`<link rel="stylesheet" href="${files.style}">`}
${script === undefined ? null : html`<script src="${script}" defer></script>`}
${files.script === undefined ? null : html`<script src="${files.script}" defer></script>`}
</head>
<body>
${body}
</body>
</html>
`;
}
