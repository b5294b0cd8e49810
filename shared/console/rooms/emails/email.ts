import { cancelReasons } from '../../../domain/sending/scheduled.ts';
import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { getEmail } from '../../../services/emails/get.ts';
import { cancelEmail } from '../../../services/emails/scheduled/cancel.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { findIn } from '../../frame/find.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, factsOf, linkButton, momentOf, numberOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { personPath } from '../people/place.ts';
import { emailTag, showEmails } from './list.ts';
import { cancelTexts, storyTexts, emailsTexts as texts } from './texts.ts';

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
    html`<span class="small">${detailsOf(event, language)}</span>`,
  ]);
  const omitted = texts.omitted[language].replace('{count}', numberOf(email.events_omitted, language));
  const more = email.events_omitted > 0 ? html`<p class="small soft">${omitted}</p>` : null;
  return pageOf(call, {
    room: 'emails',
    parent: { label: frameTexts.emails[language], path: '/emails' },
    title: email.subject || email.id,
    lead: html`${emailTag(email.status, language)}${email.status === 'scheduled' ? html` ${timeIn(texts.until, email.scheduled_at ?? null, language)}` : null}`,
    actions:
      email.status === 'scheduled' && may(call, 'change')
        ? linkButton(texts.cancel[language], placeOf(call, `/emails/${encodeURIComponent(email.id)}/cancel`))
        : null,
    body: html`${cardOf(texts.story[language], html`${tableOf(texts.story[language], columns, rows)}${more}`)}
${cardOf(texts.recipients[language], recipients(call, email))}
${cardOf(texts.message[language], message(call, email))}`,
  });
}

/** A text with a moment in it. */
function timeIn(text: Text, at: string | null, language: Language): Html {
  const [before = '', after = ''] = text[language].split('{time}');
  return html`${before}${momentOf(at, language)}${after}`;
}

/** What is told of an event besides who and when. */
function detailsOf(event: StoryEvent, language: Language): Html {
  if (event.type === 'scheduled') return timeIn(texts.until, event.scheduled_at ?? null, language);
  const { answer, reason, bounce, complaint, proxied, url } = event;
  const bounced = bounce && `${bounce.type}, ${bounce.subtype}${bounce.diagnostic ? `: ${bounce.diagnostic}` : ''}`;
  const why = cancelReasons.find((one) => event.type === 'canceled' && one === reason);
  const said = why ? cancelTexts[why][language] : reason;
  const parts = [answer, said, bounced, complaint?.feedback_type, proxied ? texts.relayed[language] : null, url];
  return html`${parts.filter(Boolean).join(' · ')}`;
}

function recipients(call: ConsoleCall, email: Email): Html {
  const { language } = call;
  if (email.recipients.length === 0) {
    return html`<p class="soft">${(email.status === 'scheduled' ? texts.nobodyYet : texts.nobody)[language]}</p>`;
  }
  const columns = [texts.recipient, texts.status, texts.at].map((label) => ({ label: label[language] }));
  const rows = email.recipients.map(({ email: address, status, updated_at }) => [
    html`<a href="${placeOf(call, personPath(call, address))}"><bdi>${address}</bdi></a>`,
    emailTag(status, language),
    momentOf(updated_at, language),
  ]);
  return tableOf(texts.recipients[language], columns, rows);
}

function message({ language }: ConsoleCall, { id, from, to, cc, bcc, reply_to, tags, ...times }: Email): Html {
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
    [texts.at[language], momentOf(times.created_at, language)],
    ...(times.scheduled_at ? ([[texts.goesOut[language], momentOf(times.scheduled_at, language)]] as const) : []),
    [texts.id[language], html`<code>${id}</code>`],
  ]);
}

async function askCancel(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id, subject, to, cc, bcc } = await getEmail(context, { id: parameters.id ?? '' });
  const count = to.length + cc.length + bcc.length;
  const what = (count === 1 ? texts.cancelOne : texts.cancelMany)[language];
  const place = `/emails/${encodeURIComponent(id)}`;
  return askPage(call, {
    room: 'emails',
    parent: { label: subject || id, path: place },
    title: texts.cancelTitle[language].replace('{subject}', () => subject || id),
    what: [what.replace('{count}', numberOf(count, language))],
    button: texts.cancel,
    action: `${place}/cancel`,
  });
}

async function cancelOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelEmail(call.context, { id: call.parameters.id ?? '' });
  return redirect(placeOf(call, `/emails/${encodeURIComponent(id)}`, { done: 'emailCanceled' }));
}

export const emailPages: readonly ConsolePage[] = [
  { method: 'POST', path: '/emails', verb: findIn('/emails') },
  { method: 'GET', path: '/emails', verb: showEmails },
  { method: 'GET', path: '/emails/{id}', verb: showEmail },
  { method: 'GET', path: '/emails/{id}/cancel', needs: 'change', verb: askCancel },
  { method: 'POST', path: '/emails/{id}/cancel', verb: cancelOne },
];
