import { ValidationError } from '../../../../contract/errors.ts';
import { textsOf } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type EmailSummary, getEmail } from '../../../../services/emails/readEmails.ts';
import { showPerson } from '../../../../services/rights/showPerson.ts';
import { type CampaignMail, listSentMail } from '../../../../services/sentMail.ts';
import { type ConsoleCall, type ConsoleReply, may } from '../../../call.ts';
import { cardOf, factsOf, linkButton, momentOf, numberOf, tableOf, tag } from '../../../layout/elements.ts';
import { formOf } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf, personAt, personPath } from '../../../paths.ts';
import { campaignLink, campaignMailTag, emailTag } from '../../emails/emailPages.ts';
import { reasonTag } from '../../suppression/suppressionPages.ts';
import { statusTag } from './peopleList.ts';
import { howTexts, peopleTexts as texts } from './peopleTexts.ts';
import { eventsOf, eventTexts } from './personEvents.ts';

type PersonDetail = Awaited<ReturnType<typeof showPerson>>;

/** The page of a person: record, consents with their proof, suppressions. */
export async function showPersonPage(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const person = await showPerson(context, { email: await personAt(call) });
  const path = personPath(call, person.email);
  const { subscriber } = person;
  const actions = html`${subscriber && may(call, 'change') ? linkButton(texts.edit[language], pathOf(call, `${path}/edit`)) : null}
${subscriber && subscriber.status !== 'unsubscribed' && may(call, 'change') ? linkButton(texts.unsubscribe[language], pathOf(call, `${path}/unsubscribe`)) : null}`;
  return pageOf(call, {
    section: 'people',
    parent: { label: layoutTexts.people[language], path: '/people' },
    title: person.email,
    lead: subscriber ? html`<bdi>${[subscriber.firstName, subscriber.lastName].filter(Boolean).join(' ')}</bdi>` : null,
    actions,
    body: html`<div class="two">${cardOf(texts.record[language], record(call, person))}
${cardOf(texts.proof[language], proof(call, person))}</div>
${cardOf(historyTexts.title[language], await historyOf(call, person.email))}
${cardOf(eventTexts.title[language], await eventsOf(call, person.email))}
${may(call, 'change') ? cardOf(texts.rights[language], rights(call, path)) : null}`,
  });
}

function record({ language }: ConsoleCall, person: PersonDetail): Html {
  const { subscriber, suppression, platform_suppression, confirmation, audit_name } = person;
  return factsOf([
    ...(subscriber
      ? ([
          [texts.status[language], statusTag(subscriber.status, language)],
          [texts.tags[language], html`${subscriber.tags.map((name) => html`${tag(name)} `)}`],
          ...Object.entries(subscriber.fields).map(
            ([name, value]) => [name, html`<bdi>${String(value)}</bdi>`] as const,
          ),
          [texts.added[language], momentOf(subscriber.created_at, language)],
          [texts.changed[language], momentOf(subscriber.updated_at, language)],
          [texts.confirmed[language], momentOf(subscriber.confirmed_at, language)],
          ...(subscriber.unsubscribed_at
            ? ([[texts.left[language], momentOf(subscriber.unsubscribed_at, language)]] as const)
            : []),
        ] as const)
      : []),
    ...(confirmation ? ([[texts.asked[language], momentOf(confirmation.requested_at, language)]] as const) : []),
    ...[suppression, platform_suppression].flatMap((one) =>
      one
        ? ([
            [texts.blocked[language], html`${reasonTag(one.reason, language)} ${momentOf(one.created_at, language)}`],
          ] as const)
        : [],
    ),
    [texts.auditName[language], html`<code>${audit_name ?? ''}</code>`],
  ]);
}

/** The consents with their proofs, newest first. */
function proof({ language }: ConsoleCall, { consents }: PersonDetail): Html {
  if (consents.length === 0) return html`<p class="soft">${texts.noProof[language]}</p>`;
  const facts = [...consents].reverse().map(({ how, at, by, source, requested_at, confirmed_from, form }) => {
    const rows = [
      [texts.how[language], howTexts[how][language]],
      [(confirmed_from ? texts.confirmed : texts.recorded)[language], momentOf(at, language)],
      ...(by ? [[texts.by[language], by] as const] : []),
      ...(requested_at ? [[texts.asked[language], momentOf(requested_at, language)] as const] : []),
      ...(source ? [[texts.source[language], source] as const] : []),
      ...(confirmed_from ? [[texts.confirmedFrom[language], confirmed_from] as const] : []),
    ] as const;
    const formText =
      form && 'text' in form
        ? html`<details><summary>${texts.formSaid[language]}</summary><pre tabindex="0">${String(form.text)}</pre></details>`
        : null;
    return html`${factsOf(rows)}${formText}`;
  });
  return html`${facts}`;
}

function rights(call: ConsoleCall, path: string): Html {
  const { language } = call;
  const download = formOf(
    call,
    { action: pathOf(call, `${path}/export`), className: '' },
    html`<button class="plain">${texts.export[language]}</button>`,
  );
  const erase = may(call, 'own') ? linkButton(texts.erase[language], pathOf(call, `${path}/erase`)) : null;
  return html`<p class="soft">${texts.exportWhat[language]}</p><div class="row">${download}${erase}</div>`;
}

const shownEmails = 10;

/** The latest mail to a person, campaigns included, with its status; or why it cannot be listed. */
async function historyOf(call: ConsoleCall, email: string): Promise<Html> {
  const { context, language } = call;
  const asked = { recipient: email, limit: shownEmails, after: undefined };
  const page = await listSentMail(context, asked).catch((error: unknown) => {
    // The deployment's setting `emailList` keeps no list by recipient.
    if (error instanceof ValidationError) return null;
    throw error;
  });
  if (!page) return html`<p class="soft">${historyTexts.notKept[language]}</p>`;
  const more = page.next === null ? null : all(call, email);
  if (page.entries.length === 0) {
    return html`<p class="soft">${(more ? historyTexts.nothingLately : historyTexts.nothing)[language]}</p>${more}`;
  }
  const rows = await Promise.all(
    page.entries.map(async (mail) =>
      mail.object === 'campaign_recipient' ? campaignRow(call, mail) : emailRow(call, mail, email),
    ),
  );
  const columns = [historyTexts.subject, historyTexts.status, historyTexts.did, historyTexts.at].map((label) => ({
    label: label[language],
  }));
  return html`${tableOf(historyTexts.title[language], columns, rows)}${more}`;
}

async function emailRow(call: ConsoleCall, { id, subject, created_at }: EmailSummary, email: string) {
  const { context, language } = call;
  const { recipients, events } = await getEmail(context, { id });
  const own = recipients.find((recipient) => recipient.email === email);
  const did = (type: string) => events.filter((event) => event.type === type && event.recipient === email).length;
  return [
    html`<a href="${pathOf(call, `/emails/${id}`)}"><bdi>${subject || id}</bdi></a>`,
    own ? emailTag(own.status, language) : '–',
    [
      count(historyTexts.opened[language], did('opened'), call),
      count(historyTexts.clicked[language], did('clicked'), call),
    ]
      .filter(Boolean)
      .join(', '),
    momentOf(created_at, language),
  ];
}

function campaignRow(call: ConsoleCall, mail: CampaignMail) {
  const { language } = call;
  const did = [
    mail.opened ? historyTexts.hasOpened[language] : null,
    mail.clicked ? historyTexts.hasClicked[language] : null,
    mail.unsubscribed ? historyTexts.hasLeft[language] : null,
  ];
  return [
    campaignLink(call, mail),
    campaignMailTag(mail, language),
    did.filter(Boolean).join(', '),
    momentOf(mail.created_at, language),
  ];
}

const count = (text: string, times: number, { language }: ConsoleCall): string | null =>
  times === 0 ? null : text.replace('{count}', numberOf(times, language));

function all(call: ConsoleCall, email: string): Html {
  const find = call.places.seal(JSON.stringify({ recipient: email }));
  return html`<p><a href="${pathOf(call, '/emails', { find })}">${historyTexts.all[call.language]}</a></p>`;
}

const historyTexts = textsOf({
  title: { en: 'Mail and activity', fr: 'Messages et activité' },
  subject: { en: 'Subject', fr: 'Objet' },
  status: { en: 'Status', fr: 'Statut' },
  did: { en: 'Activity', fr: 'Activité' },
  at: { en: 'When', fr: 'Quand' },
  opened: { en: 'opened {count} times', fr: 'ouvert {count} fois' },
  clicked: { en: 'clicked {count} times', fr: 'cliqué {count} fois' },
  all: { en: 'All mail to this address', fr: 'Tous les messages envoyés à cette adresse' },
  hasOpened: { en: 'opened', fr: 'ouvert' },
  hasClicked: { en: 'clicked', fr: 'cliqué' },
  hasLeft: { en: 'unsubscribed', fr: 'désabonné' },
  nothing: { en: 'Nothing was sent to this address.', fr: 'Rien n’a été envoyé à cette adresse.' },
  nothingLately: {
    en: 'The latest campaigns were not sent to this address.',
    fr: 'Les dernières campagnes n’ont pas été envoyées à cette adresse.',
  },
  notKept: {
    en: 'This deployment keeps no list of emails by recipient (setting “emailList”).',
    fr: 'Ce déploiement ne tient pas de liste des e-mails par destinataire (réglage «\u00a0emailList\u00a0»).',
  },
});
