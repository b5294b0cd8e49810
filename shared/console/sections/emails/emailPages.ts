import { ValidationError } from '../../../contract/errors.ts';
import { listEmailsQuery, listedStatuses } from '../../../contract/schemas/emailRecord.ts';
import { cancelReasons, type EmailStatus } from '../../../domain/sending/email.ts';
import { inZone, isZone, parseWallTime } from '../../../domain/zonedTime.ts';
import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { config, keepsRecipients } from '../../../platform/config.ts';
import { getEmail } from '../../../services/emails/readEmails.ts';
import { cancelEmail } from '../../../services/emails/scheduledEmails.ts';
import { type CampaignMail, listSentMail } from '../../../services/sentMail.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import {
  cardOf,
  emptyOf,
  factsOf,
  linkButton,
  momentOf,
  numberOf,
  pagerOf,
  type Tone,
  tableOf,
  tag,
} from '../../layout/elements.ts';
import { type FormState, field, parseForm, problemsOf, submitForm } from '../../layout/form.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import {
  type SearchQuery,
  sealedPosition,
  searchForm,
  searchOf,
  searchParameters,
  startSearch,
} from '../../layout/search.ts';
import { pathOf, personPath } from '../../paths.ts';
import {
  campaignOutcomeTexts,
  cancelTexts,
  emailStatusTexts,
  eventTexts,
  emailsTexts as texts,
} from './internal/emailTexts.ts';

type EmailDetail = Awaited<ReturnType<typeof getEmail>>;
type ShownEvent = EmailDetail['events'][number];

const eventTones: Readonly<Record<ShownEvent['type'], Tone>> = {
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

/** One email with its events and recipients. */
async function showEmail(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const email = await getEmail(context, { id: parameters.id ?? '' });
  const columns = [texts.event, texts.recipient, texts.at, texts.details].map((label) => ({ label: label[language] }));
  const rows = email.events.map((event) => [
    tag(eventTexts[event.type][language], eventTones[event.type]),
    html`<bdi>${event.recipient ?? '–'}</bdi>`,
    momentOf(event.at, language),
    html`<span class="small">${detailsOf(event, language)}</span>`,
  ]);
  const omitted = texts.omitted[language].replace('{count}', numberOf(email.events_omitted, language));
  const more = email.events_omitted > 0 ? html`<p class="small soft">${omitted}</p>` : null;
  return pageOf(call, {
    section: 'emails',
    parent: { label: layoutTexts.emails[language], path: '/emails' },
    title: email.subject || email.id,
    lead: html`${emailTag(email.status, language)}${email.status === 'scheduled' ? html` ${timeIn(texts.until, email.scheduled_at ?? null, language)}` : null}`,
    actions:
      email.status === 'scheduled' && may(call, 'change')
        ? linkButton(texts.cancel[language], pathOf(call, `/emails/${encodeURIComponent(email.id)}/cancel`))
        : null,
    body: html`${cardOf(texts.events[language], html`${tableOf(texts.events[language], columns, rows)}${more}`)}
${cardOf(texts.recipients[language], recipients(call, email))}
${cardOf(texts.message[language], message(call, email))}`,
  });
}

/** A text with a time in the place of `{time}`. */
function timeIn(text: Text, at: string | null, language: Language): Html {
  const [before = '', after = ''] = text[language].split('{time}');
  return html`${before}${momentOf(at, language)}${after}`;
}

/** The details of an event besides recipient and time. */
function detailsOf(event: ShownEvent, language: Language): Html {
  if (event.type === 'scheduled') return timeIn(texts.until, event.scheduled_at ?? null, language);
  const { answer, reason, bounce, complaint, proxied, url } = event;
  const bounced = bounce && `${bounce.type}, ${bounce.subtype}${bounce.diagnostic ? `: ${bounce.diagnostic}` : ''}`;
  const why = cancelReasons.find((one) => event.type === 'canceled' && one === reason);
  const because = why ? cancelTexts[why][language] : reason;
  const parts = [answer, because, bounced, complaint?.feedback_type, proxied ? texts.relayed[language] : null, url];
  return html`${parts.filter(Boolean).join(' · ')}`;
}

function recipients(call: ConsoleCall, email: EmailDetail): Html {
  const { language } = call;
  if (email.recipients.length === 0) {
    return html`<p class="soft">${(email.status === 'scheduled' ? texts.nobodyYet : texts.nobody)[language]}</p>`;
  }
  const columns = [texts.recipient, texts.status, texts.at].map((label) => ({ label: label[language] }));
  const rows = email.recipients.map(({ email: address, status, updated_at }) => [
    html`<a href="${pathOf(call, personPath(call, address))}"><bdi>${address}</bdi></a>`,
    emailTag(status, language),
    momentOf(updated_at, language),
  ]);
  return tableOf(texts.recipients[language], columns, rows);
}

function message({ language }: ConsoleCall, { id, from, to, cc, bcc, reply_to, tags, ...times }: EmailDetail): Html {
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
  const path = `/emails/${encodeURIComponent(id)}`;
  return confirmationPage(call, {
    section: 'emails',
    parent: { label: subject || id, path },
    title: texts.cancelTitle[language].replace('{subject}', () => subject || id),
    what: [what.replace('{count}', numberOf(count, language))],
    button: texts.cancel,
    action: `${path}/cancel`,
  });
}

async function cancelOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await cancelEmail(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, `/emails/${encodeURIComponent(id)}`, { done: 'emailCanceled' }));
}

const perPage = 50;
const dayMilliseconds = 86_400_000;
const filters = ['recipient', 'tag', 'status', 'day'] as const;

/** The statuses of the list and those of an email that is not sent yet. */
type ListedStatus = EmailStatus | 'scheduled' | 'canceled';

const statusTones: Readonly<Record<ListedStatus, Tone>> = {
  scheduled: 'plain',
  canceled: 'warn',
  sent: 'plain',
  delivered: 'good',
  bounced: 'warn',
  complained: 'bad',
};

export const emailTag = (status: ListedStatus, language: Language): Html =>
  tag(emailStatusTexts[status][language], statusTones[status]);

async function showEmails(call: ConsoleCall): Promise<ConsoleReply> {
  const search = await searchOf(call);
  return submitForm(
    call,
    () => listPage(call, search),
    (wrong) => pageWith(call, { ...wrong, values: search.values }, html``),
  );
}

async function listPage(call: ConsoleCall, { values, after }: SearchQuery): Promise<ConsoleReply> {
  const { context, language } = call;
  const given = Object.fromEntries(filters.map((name) => [name, values.get(name)?.trim() || undefined]));
  const { day, ...traits } = given;
  const present = Object.entries({ ...traits, ...boundsOf(day, values.get('zone') ?? '') }).filter(
    ([, value]) => value !== undefined,
  );
  const filter = parseForm(listEmailsQuery, Object.fromEntries(present));
  const { entries, next } = await listSentMail(context, { ...filter, limit: perPage, after });
  const columns = [texts.subject, texts.status, texts.to, texts.tags, texts.at].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map((mail) => {
    if (mail.object === 'campaign_recipient') return campaignRow(call, mail);
    const { id, subject, status, to, cc, bcc, tags, created_at } = mail;
    const others = to.length + cc.length + bcc.length - 1;
    return [
      html`<a href="${pathOf(call, `/emails/${id}`)}"><bdi>${subject || id}</bdi></a>`,
      emailTag(status, language),
      html`<bdi>${to[0] ?? ''}</bdi> ${others > 0 ? html`<span class="soft small">${texts.others[language].replace('{count}', numberOf(others, language))}</span>` : null}`,
      html`${tags.slice(0, 2).map(({ name, value }) => html`${tag(`${name}:${value}`)} `)}`,
      momentOf(created_at, language),
    ];
  });
  const isFiltered = Object.values(given).some(Boolean);
  const pager = pagerOf(call, '/emails', searchParameters(call), sealedPosition(call, next));
  const list =
    rows.length > 0 || next !== null
      ? html`${rows.length > 0 ? tableOf(layoutTexts.emails[language], columns, rows) : emptyOf(texts.olderTitle[language], texts.older[language])}${pager}`
      : isFiltered
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(
            texts.emptyTitle[language],
            texts.empty[language],
            may(call, 'own') ? linkButton(texts.makeKey[language], pathOf(call, '/settings/keys'), '') : null,
          );
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

export const campaignLink = (call: ConsoleCall, { campaign_id, subject, name }: CampaignMail): Html =>
  html`<a href="${pathOf(call, `/campaigns/${campaign_id}`)}"><bdi>${subject || name}</bdi></a> ${tag(texts.campaign[call.language])}`;

const campaignRow = (call: ConsoleCall, mail: CampaignMail): (Html | string)[] => [
  campaignLink(call, mail),
  campaignMailTag(mail, call.language),
  html`<bdi>${mail.email}</bdi>`,
  '',
  momentOf(mail.created_at, call.language),
];

/** The outcome of a campaign's message, the most serious first. */
export function campaignMailTag(mail: CampaignMail, language: Language): Html {
  const { outcome, complained, bounced, delivered } = mail;
  if (complained) return emailTag('complained', language);
  if (bounced) return emailTag('bounced', language);
  if (delivered) return emailTag('delivered', language);
  return tag(campaignOutcomeTexts[outcome][language], outcome === 'sent' ? 'plain' : 'warn');
}

/** A day as bounds of the list: in the reader's time zone, or in UTC if no script has set the zone. */
function boundsOf(day: string | undefined, zone: string): { since?: string; until?: string } {
  if (day === undefined) return {};
  const start = parseWallTime(`${day} 00:00`);
  if (!start) throw new ValidationError([{ path: 'day', text: texts.dayWrong }]);
  const [since, until] = [start.asUtc, start.asUtc + dayMilliseconds].map((asUtc) => {
    const time = inZone({ asUtc }, isZone(zone) ? zone : 'UTC');
    return (time.kind === 'gap' ? time.instead : time.at).toISOString();
  });
  return { since, until };
}

function pageWith(call: ConsoleCall, filled: FormState, list: Html): ConsoleReply {
  const { language } = call;
  const statuses = [
    ['', texts.any[language]] as const,
    ...listedStatuses.map((status) => [status, emailStatusTexts[status][language]] as const),
  ];
  // A filter for which this deployment keeps no list would only be refused.
  const kept = config('EMAIL_LIST');
  const search = searchForm(
    call,
    '/emails',
    html`${keepsRecipients(kept) ? html`<div>${field(filled, language, { name: 'recipient', label: texts.recipient[language], type: 'search' })}</div>` : null}
${kept === 'recipient-and-tag' ? html`<div>${field(filled, language, { name: 'tag', label: `${texts.tag[language]} (${texts.tagHint[language]})` })}</div>` : null}
<div>${field(filled, language, { name: 'status', label: texts.status[language], options: statuses })}</div>
<div>${field(filled, language, { name: 'day', label: html`${texts.day[language]}<noscript> (UTC)</noscript>`, type: 'date' })}<input type="hidden" name="zone" value=""></div>
<div class="field"><button class="plain">${texts.find[language]}</button></div>`,
  );
  return pageOf(call, {
    section: 'emails',
    title: layoutTexts.emails[language],
    lead: texts.lead[language],
    body: html`${problemsOf(filled, language, filters)}${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}

export const emailPages: readonly ConsolePage[] = [
  { method: 'POST', path: '/emails', verb: startSearch('/emails') },
  { method: 'GET', path: '/emails', verb: showEmails },
  { method: 'GET', path: '/emails/{id}', verb: showEmail },
  { method: 'GET', path: '/emails/{id}/cancel', needs: 'change', verb: askCancel },
  { method: 'POST', path: '/emails/{id}/cancel', verb: cancelOne },
];
