import { type Html, html } from '../../../pages/html.ts';
import { showPerson } from '../../../services/rights/show.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { formOf } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, factsOf, linkButton, momentOf, tag } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { reasonTag } from '../suppression/suppression.ts';
import { historyOf } from './history.ts';
import { historyTexts } from './historyTexts.ts';
import { statusTag } from './list.ts';
import { personAt, personPath } from './place.ts';
import { howTexts, peopleTexts as texts } from './texts.ts';

type Person = Awaited<ReturnType<typeof showPerson>>;

/** All that is known of a person: record, consent with its proof, what stands against writing to them. */
export async function showPersonPage(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const person = await showPerson(context, { email: await personAt(call) });
  const path = personPath(call, person.email);
  const { subscriber } = person;
  const actions = html`${subscriber && may(call, 'change') ? linkButton(texts.edit[language], placeOf(call, `${path}/edit`)) : null}
${subscriber && subscriber.status !== 'unsubscribed' && may(call, 'change') ? linkButton(texts.unsubscribe[language], placeOf(call, `${path}/unsubscribe`)) : null}`;
  return pageOf(call, {
    room: 'people',
    parent: { label: frameTexts.people[language], path: '/people' },
    title: person.email,
    lead: subscriber ? html`<bdi>${[subscriber.firstName, subscriber.lastName].filter(Boolean).join(' ')}</bdi>` : null,
    actions,
    body: html`<div class="two">${cardOf(texts.record[language], record(call, person))}
${cardOf(texts.proof[language], proof(call, person))}</div>
${cardOf(historyTexts.title[language], await historyOf(call, person.email))}
${may(call, 'change') ? cardOf(texts.rights[language], rights(call, path)) : null}`,
  });
}

function record({ language }: ConsoleCall, person: Person): Html {
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

/** Each consent with what shows it; the newest first. */
function proof({ language }: ConsoleCall, { consents }: Person): Html {
  if (consents.length === 0) return html`<p class="soft">${texts.noProof[language]}</p>`;
  const facts = [...consents].reverse().map(({ how, at, by, source, requested_at, confirmed_from, form }) => {
    const rows = [
      [texts.how[language], howTexts[how][language]],
      [texts.confirmed[language], momentOf(at, language)],
      ...(by ? [[texts.by[language], by] as const] : []),
      ...(requested_at ? [[texts.asked[language], momentOf(requested_at, language)] as const] : []),
      ...(source ? [[texts.source[language], source] as const] : []),
      ...(confirmed_from ? [[texts.confirmedFrom[language], confirmed_from] as const] : []),
    ] as const;
    const said =
      form && 'text' in form
        ? html`<details><summary>${texts.formSaid[language]}</summary><pre tabindex="0">${String(form.text)}</pre></details>`
        : null;
    return html`${factsOf(rows)}${said}`;
  });
  return html`${facts}`;
}

function rights(call: ConsoleCall, path: string): Html {
  const { language } = call;
  const download = formOf(
    call,
    { action: placeOf(call, `${path}/export`), className: '' },
    html`<button class="plain">${texts.export[language]}</button>`,
  );
  const erase = may(call, 'own') ? linkButton(texts.erase[language], placeOf(call, `${path}/erase`)) : null;
  return html`<p class="soft">${texts.exportWhat[language]}</p><div class="row">${download}${erase}</div>`;
}
