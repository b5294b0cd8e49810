import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../html.ts';
import { type ApiOperation, type Parameter, type ReferenceDocument, resolved } from './document.ts';
import { inline } from './markdown.ts';
import { referenceTexts as texts } from './referenceTexts.ts';
import type { SampleCall } from './sampleCall.ts';

/** The POST calls that only look, with the body that makes them do so. The reader cannot edit it. */
const dryRuns: Readonly<Record<string, (call: SampleCall) => unknown>> = {
  'campaigns.send': () => ({ dry_run: true }),
  'audience.evaluate': ({ body }) => body,
  'segments.preview': ({ body }) => body,
};

/** A form that makes the call from the page; null for a call that changes anything. The script shows it. */
export function tryForm(
  document: ReferenceDocument,
  path: string,
  { operationId, summary, parameters = [] }: ApiOperation,
  call: SampleCall,
  language: Language,
): Html | null {
  const dryRun = dryRuns[operationId];
  if (call.method !== 'GET' && !dryRun) return null;
  const inputs = parameters
    .map((parameter) => resolved<Parameter>(document, parameter))
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, in: place, required = false, schema }) => {
      const value = (place === 'path' ? call.pathValues[name] : call.queryValues[name]) ?? '';
      const hint = place === 'path' ? '' : String(schema.default ?? schema.examples?.[0] ?? '');
      return html`<label><code>${name}</code><input data-${place}="${name}" value="${value}" placeholder="${hint}" autocomplete="off" spellcheck="false"${required ? html` required` : null}></label>\n`;
    });
  const body = dryRun ? html` data-body="${JSON.stringify(dryRun(call))}"` : null;
  return html`<form class="try" hidden data-method="${call.method}" data-call="${path}"${body} data-failed="${texts.unreachable[language]}" aria-label="${`${texts.tryIt[language]} – ${summary}`}">
<h3>${texts.tryIt[language]}</h3>
<p>${inline(dryRun ? texts.dryRunNote[language] : '')} ${texts.tryNote[language]}</p>
${call.needsKey ? html`<label>${texts.apiKey[language]}<input type="password" data-key autocomplete="off" spellcheck="false" required></label>\n` : null}${inputs}<button type="submit">${texts.send[language]}</button>
<p role="status"></p>
<pre tabindex="0" hidden><code></code></pre>
</form>
`;
}
