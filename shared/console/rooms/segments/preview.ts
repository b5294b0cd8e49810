import { ServiceError } from '../../../contract/errors.ts';
import { type Html, html } from '../../../pages/html.ts';
import { previewSegment } from '../../../services/segments/preview.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, placeOf } from '../../call.ts';
import { numberOf } from '../../frame/parts.ts';
import { personPath } from '../people/place.ts';
import { treeIn } from './posted.ts';
import { segmentsTexts as texts } from './texts.ts';
import { written } from './tree.ts';

type Preview = Awaited<ReturnType<typeof previewSegment>>;

/** How many it is, and ten of them: filled in by the script where there is one. */
export function previewOf(call: ConsoleCall, preview: Preview | null): Html {
  const { language } = call;
  const count = preview ? numberOf(preview.recipients, language) : '–';
  return html`<dl class="figures"><div><dt>${texts.people[language]}</dt><dd data-count>${count}</dd></div></dl>
<p class="soft small" data-said role="status">${preview ? texts.counted[language] : ''}</p>
<h3${preview && preview.sample.length > 0 ? null : html` hidden`} data-sample-title>${texts.sample[language]}</h3>
<ul class="plainlist" data-sample>${(preview?.sample ?? []).map((person) => {
    const { href, email, name } = lineOf(call, person);
    return html`<li><a href="${href}"><bdi>${email}</bdi></a> <span class="soft"><bdi>${name}</bdi></span></li>`;
  })}</ul>`;
}

const lineOf = (call: ConsoleCall, { email, firstName, lastName }: Preview['sample'][number]) => ({
  href: placeOf(call, personPath(call, email)),
  email,
  name: [firstName, lastName].filter(Boolean).join(' '),
});

/** For the script, whenever the form has changed. What is not a rule yet is no mistake yet. */
export async function countWritten(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  try {
    const preview = await previewSegment(context, { rule: written(treeIn(form)).rule });
    const sample = preview.sample.map((person) => lineOf(call, person));
    return dataOf({ count: numberOf(preview.recipients, language), said: texts.counted[language], sample });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
    return dataOf({ count: '–', said: texts.unfinished[language], sample: [] });
  }
}
