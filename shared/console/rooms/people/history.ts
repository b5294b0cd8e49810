import { ValidationError } from '../../../contract/errors.ts';
import { type Html, html } from '../../../pages/html.ts';
import { getEmail } from '../../../services/emails/get.ts';
import { listEmails } from '../../../services/emails/reading/list.ts';
import { type ConsoleCall, placeOf } from '../../call.ts';
import { momentOf, numberOf, tableOf } from '../../frame/parts.ts';
import { emailTag } from '../emails/list.ts';
import { historyTexts as texts } from './historyTexts.ts';

const shownEmails = 10;

/** The last emails that a person was sent, and what they did with each; or why nobody can tell. */
export async function historyOf(call: ConsoleCall, email: string): Promise<Html> {
  const { context, language } = call;
  const asked = { recipient: email, limit: shownEmails, after: undefined };
  const page = await listEmails(context, asked).catch((error: unknown) => {
    // The deployment's setting keeps no such list.
    if (error instanceof ValidationError) return null;
    throw error;
  });
  const campaigns = html`<p class="soft small">${texts.campaigns[language]}</p>`;
  if (!page) return html`<p class="soft">${texts.notKept[language]}</p>${campaigns}`;
  if (page.entries.length === 0) return html`<p class="soft">${texts.nothing[language]}</p>${campaigns}`;
  const rows = await Promise.all(
    page.entries.map(async ({ id, subject, created_at }) => {
      const { recipients, events } = await getEmail(context, { id });
      const own = recipients.find((recipient) => recipient.email === email);
      const did = (type: string) => events.filter((event) => event.type === type && event.recipient === email).length;
      return [
        html`<a href="${placeOf(call, `/emails/${id}`)}"><bdi>${subject || id}</bdi></a>`,
        own ? emailTag(own.status, language) : '–',
        [count(texts.opened[language], did('opened'), call), count(texts.clicked[language], did('clicked'), call)]
          .filter(Boolean)
          .join(', '),
        momentOf(created_at, language),
      ];
    }),
  );
  const columns = [texts.subject, texts.status, texts.did, texts.at].map((label) => ({ label: label[language] }));
  const more = page.next === null ? null : all(call, email);
  return html`${tableOf(texts.title[language], columns, rows)}${more}${campaigns}`;
}

const count = (text: string, times: number, { language }: ConsoleCall): string | null =>
  times === 0 ? null : text.replace('{count}', numberOf(times, language));

function all(call: ConsoleCall, email: string): Html {
  const find = call.places.seal(JSON.stringify({ recipient: email }));
  return html`<p><a href="${placeOf(call, '/emails', { find })}">${texts.all[call.language]}</a></p>`;
}
