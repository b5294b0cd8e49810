import { ValidationError } from '../../../contract/errors.ts';
import { listEmailsQuery, listedStatuses } from '../../../contract/schemas/email/list.ts';
import type { EmailStatus } from '../../../domain/sending/emailStatus.ts';
import { inZone, isZone, parseWallTime } from '../../../domain/time/zonedTime.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listEmails } from '../../../services/emails/reading/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { type Sought, sealedNext, searchForm, soughtAgain, soughtIn } from '../../frame/find.ts';
import { type Filled, field, problemsOf } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import {
  cardOf,
  emptyOf,
  linkButton,
  momentOf,
  numberOf,
  pagerOf,
  type Tone,
  tableOf,
  tag,
} from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { emailStatusTexts, emailsTexts as texts } from './texts.ts';

const perPage = 50;
const dayMilliseconds = 86_400_000;
const filters = ['recipient', 'tag', 'status', 'day'] as const;

/** What the list tells, and the detail of one that is not out. */
type ShownStatus = EmailStatus | 'scheduled' | 'canceled';

const tones: Readonly<Record<ShownStatus, Tone>> = {
  scheduled: 'plain',
  canceled: 'warn',
  sent: 'plain',
  delivered: 'good',
  bounced: 'warn',
  complained: 'bad',
};

export const emailTag = (status: ShownStatus, language: Language): Html =>
  tag(emailStatusTexts[status][language], tones[status]);

export async function showEmails(call: ConsoleCall): Promise<ConsoleReply> {
  const sought = await soughtIn(call);
  return submitted(
    call,
    () => listPage(call, sought),
    (wrong) => pageWith(call, { ...wrong, values: sought.values }, html``),
  );
}

async function listPage(call: ConsoleCall, { values, after }: Sought): Promise<ConsoleReply> {
  const { context, language } = call;
  const given = Object.fromEntries(filters.map((name) => [name, values.get(name)?.trim() || undefined]));
  const { day, ...traits } = given;
  const present = Object.entries({ ...traits, ...boundsOf(day, values.get('zone') ?? '') }).filter(
    ([, value]) => value !== undefined,
  );
  const wanted = checked(listEmailsQuery, Object.fromEntries(present));
  const { entries, next } = await listEmails(context, { ...wanted, limit: perPage, after });
  const columns = [texts.subject, texts.status, texts.to, texts.tags, texts.at].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map(({ id, subject, status, to, cc, bcc, tags, created_at }) => {
    const others = to.length + cc.length + bcc.length - 1;
    return [
      html`<a href="${placeOf(call, `/emails/${id}`)}"><bdi>${subject || id}</bdi></a>`,
      emailTag(status, language),
      html`<bdi>${to[0] ?? ''}</bdi> ${others > 0 ? html`<span class="soft small">${texts.others[language].replace('{count}', numberOf(others, language))}</span>` : null}`,
      html`${tags.slice(0, 2).map(({ name, value }) => html`${tag(`${name}:${value}`)} `)}`,
      momentOf(created_at, language),
    ];
  });
  const isFiltered = Object.values(given).some(Boolean);
  const list =
    rows.length > 0
      ? html`${tableOf(frameTexts.emails[language], columns, rows)}${pagerOf(call, '/emails', soughtAgain(call), sealedNext(call, next))}`
      : isFiltered
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(
            texts.emptyTitle[language],
            texts.empty[language],
            may(call, 'own') ? linkButton(texts.makeKey[language], placeOf(call, '/settings/keys'), '') : null,
          );
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

/** A day of the reader's zone as the bounds of the list; of UTC where no script told of a zone. */
function boundsOf(day: string | undefined, zone: string): { since?: string; until?: string } {
  if (day === undefined) return {};
  const start = parseWallTime(`${day} 00:00`);
  if (!start) throw new ValidationError([{ path: 'day', text: texts.dayWrong }]);
  const [since, until] = [start.asUtc, start.asUtc + dayMilliseconds].map((asUtc) => {
    const found = inZone({ asUtc }, isZone(zone) ? zone : 'UTC');
    return (found.kind === 'gap' ? found.instead : found.at).toISOString();
  });
  return { since, until };
}

function pageWith(call: ConsoleCall, filled: Filled, list: Html): ConsoleReply {
  const { language } = call;
  const statuses = [
    ['', texts.any[language]] as const,
    ...listedStatuses.map((status) => [status, emailStatusTexts[status][language]] as const),
  ];
  const search = searchForm(
    call,
    '/emails',
    html`<div>${field(filled, language, { name: 'recipient', label: texts.recipient[language], type: 'search' })}</div>
<div>${field(filled, language, { name: 'tag', label: `${texts.tag[language]} (${texts.tagHint[language]})` })}</div>
<div>${field(filled, language, { name: 'status', label: texts.status[language], options: statuses })}</div>
<div>${field(filled, language, { name: 'day', label: html`${texts.day[language]}<noscript> (UTC)</noscript>`, type: 'date' })}<input type="hidden" name="zone" value=""></div>
<div class="field"><button class="plain">${texts.find[language]}</button></div>`,
  );
  return pageOf(call, {
    room: 'emails',
    title: frameTexts.emails[language],
    lead: texts.lead[language],
    body: html`${problemsOf(filled, language, filters)}${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}
