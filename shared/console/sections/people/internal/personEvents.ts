import { textsOf } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { listEvents } from '../../../../services/personEvents/listEvents.ts';
import type { ConsoleCall } from '../../../call.ts';
import { momentOf, tableOf } from '../../../layout/elements.ts';

const shownEvents = 10;

/** What the person did last, as applications reported it. */
export async function eventsOf({ context, language }: ConsoleCall, email: string): Promise<Html> {
  const { entries, next } = await listEvents(context, { email, name: undefined, limit: shownEvents, after: undefined });
  if (entries.length === 0) return html`<p class="soft">${eventTexts.nothing[language]}</p>`;
  const columns = [eventTexts.name, eventTexts.data, eventTexts.at].map((label) => ({ label: label[language] }));
  const rows = entries.map(({ name, data, timestamp }) => [
    html`<code>${name}</code>`,
    html`<bdi>${textOf(data)}</bdi>`,
    momentOf(timestamp, language),
  ]);
  const more = next === null ? null : html`<p class="soft">${eventTexts.more[language]}</p>`;
  return html`${tableOf(eventTexts.title[language], columns, rows)}${more}`;
}

const longestText = 200;

function textOf(data: object): string {
  if (Object.keys(data).length === 0) return '';
  const text = JSON.stringify(data);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

export const eventTexts = textsOf({
  title: { en: 'Events', fr: 'Événements' },
  name: { en: 'Event', fr: 'Événement' },
  data: { en: 'Data', fr: 'Données' },
  at: { en: 'When', fr: 'Quand' },
  nothing: { en: 'No events of this person are kept.', fr: 'Aucun événement de cette personne n’est conservé.' },
  more: {
    en: 'The last ten. The API and the person’s export have all of them.',
    fr: 'Les dix derniers. L’API et l’export de la personne les contiennent tous.',
  },
});
