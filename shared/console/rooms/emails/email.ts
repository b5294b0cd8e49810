import { type Html, html } from '../../../pages/html.ts';
import { getEmail } from '../../../services/emails/get.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, placeOf } from '../../call.ts';
import { findIn } from '../../frame/find.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, factsOf, momentOf, numberOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { personPath } from '../people/place.ts';
import { emailTag, showEmails } from './list.ts';
import { storyTexts, emailsTexts as texts } from './texts.ts';

type Email = Awaited<ReturnType<typeof getEmail>>;
type StoryEvent = Email['events'][number];

const tones: Readonly<Record<StoryEvent['type'], Tone>> = {
  scheduled: 'plain',
  canceled: 'warn',
  accepted: 'plain',
  delivered: 'good',
  delayed: 'warn',
  bounced: 'bad',
  complained: 'bad',
  opened: 'good',
  clicked: 'good',
};

/** One email with its recipients and its story. */
async function showEmail(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const email = await getEmail(context, { id: parameters.id ?? '' });
  const columns = [texts.event, texts.recipient, texts.at, texts.details].map((label) => ({ label: label[language] }));
  const rows = email.events.map((event) => [
    tag(storyTexts[event.type][language], tones[event.type]),
    html`<bdi>${event.recipient ?? '–'}</bdi>`,
    momentOf(event.at, language),
    html`<span class="small">${detailsOf(event, call)}</span>`,
  ]);
  const omitted = texts.omitted[language].replace('{count}', numberOf(email.events_omitted, language));
  const more = email.events_omitted > 0 ? html`<p class="small soft">${omitted}</p>` : null;
  return pageOf(call, {
    room: 'emails',
    parent: { label: frameTexts.emails[language], path: '/emails' },
    title: email.subject || email.id,
    lead: emailTag(email.status, language),
    body: html`${cardOf(texts.story[language], html`${tableOf(texts.story[language], columns, rows)}${more}`)}
${cardOf(texts.recipients[language], recipients(call, email))}
${cardOf(texts.message[language], message(call, email))}`,
  });
}

/** What is told of an event besides who and when. */
function detailsOf({ answer, reason, bounce, complaint, proxied, url }: StoryEvent, { language }: ConsoleCall): string {
  const bounced = bounce && `${bounce.type}, ${bounce.subtype}${bounce.diagnostic ? `: ${bounce.diagnostic}` : ''}`;
  const parts = [answer, reason, bounced, complaint?.feedback_type, proxied ? texts.relayed[language] : null, url];
  return parts.filter(Boolean).join(' · ');
}

function recipients(call: ConsoleCall, email: Email): Html {
  const { language } = call;
  const columns = [texts.recipient, texts.status, texts.at].map((label) => ({ label: label[language] }));
  const rows = email.recipients.map(({ email: address, status, updated_at }) => [
    html`<a href="${placeOf(call, personPath(call, address))}"><bdi>${address}</bdi></a>`,
    emailTag(status, language),
    momentOf(updated_at, language),
  ]);
  return tableOf(texts.recipients[language], columns, rows);
}

function message({ language }: ConsoleCall, { id, from, to, cc, bcc, reply_to, tags, created_at }: Email): Html {
  const lists = [
    [texts.to[language], to],
    [texts.cc[language], cc],
    [texts.bcc[language], bcc],
    [texts.replyTo[language], reply_to],
  ] as const;
  return factsOf([
    [texts.from[language], html`<bdi>${from}</bdi>`],
    ...lists
      .filter(([, all]) => all.length > 0)
      .map(([label, all]) => [label, html`<bdi>${all.join(', ')}</bdi>`] as const),
    ...(tags.length > 0
      ? ([[texts.tags[language], html`${tags.map(({ name, value }) => html`${tag(`${name}:${value}`)} `)}`]] as const)
      : []),
    [texts.at[language], momentOf(created_at, language)],
    ['', html`<code>${id}</code>`],
  ]);
}

export const emailPages: readonly ConsolePage[] = [
  { method: 'POST', path: '/emails', verb: findIn('/emails') },
  { method: 'GET', path: '/emails', verb: showEmails },
  { method: 'GET', path: '/emails/{id}', verb: showEmail },
];
