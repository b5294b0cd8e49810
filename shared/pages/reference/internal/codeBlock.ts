import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../html.ts';
import type { ApiOperation } from './document.ts';
import { referenceTexts as texts } from './referenceTexts.ts';

/** Code with a button that copies it; the script shows the button. */
export function codeBlock(code: string, language: Language): Html {
  return html`<div class="code">${copyButton(language)}<pre tabindex="0"><code>${code}</code></pre></div>
`;
}

const copyButton = (language: Language): Html =>
  html`<button type="button" class="copy" data-done="${texts.copied[language]}" hidden>${texts.copy[language]}</button>`;

/** A call in every language, as a group of radio buttons that needs no script. */
export function sampleTabs({ operationId, 'x-codeSamples': samples = [] }: ApiOperation, language: Language): Html {
  const group = `code-${operationId}`;
  const choices = samples.map(
    ({ lang, label }, index) =>
      html`<input type="radio" name="${group}" id="${group}-${lang}" value="${lang}"${index === 0 ? html` checked` : null}><label for="${group}-${lang}">${label}</label>\n`,
  );
  return html`<fieldset class="samples"><legend>${texts.samples[language]}</legend>
${choices}${samples.map(({ lang, source }) => html`<div class="sample ${lang}">${codeBlock(source, language)}</div>\n`)}</fieldset>
`;
}
