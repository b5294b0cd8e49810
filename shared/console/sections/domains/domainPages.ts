import { type Html, html } from '../../../pages/html.ts';
import { addDomain } from '../../../services/changeDomains.ts';
import { listDomains } from '../../../services/domains.ts';
import { addSender, listSenders, removeSender } from '../../../services/senders.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf, emptyOf, tableOf, tag } from '../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm, ticks } from '../../layout/form.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf } from '../../paths.ts';
import { askRemoveDomain, checkDomain, domainPath, removeOneDomain, showDomain } from './internal/domain.ts';
import { domainsTexts as texts } from './internal/domainTexts.ts';

async function showDomains(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const [domains, senders] = await Promise.all([listDomains(context), listSenders(context)]);
  const columns = [texts.domain, texts.state].map((label) => ({ label: label[language] }));
  const rows = domains.map(({ domain, verified }) => [
    html`<a href="${pathOf(call, domainPath(domain))}">${domain}</a>`,
    verified ? tag(texts.verified[language], 'good') : tag(texts.unverified[language], 'warn'),
  ]);
  const list =
    rows.length > 0
      ? tableOf(texts.domains[language], columns, rows)
      : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'domains',
    title: layoutTexts.domains[language],
    lead: texts.lead[language],
    body: html`${cardOf(texts.domains[language], html`${list}${may(call, 'own') ? domainForm(call, filled) : null}`)}
${sendersCard(call, senders, filled)}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function domainForm(call: ConsoleCall, filled: FormState): Html {
  const { language } = call;
  const shown = filled.values.has('domain') ? filled : emptyForm;
  const body = html`${field(shown, language, { name: 'domain', label: texts.add[language], hint: texts.addHint[language], type: 'url' })}
<button>${texts.addButton[language]}</button>`;
  return html`<p></p>${problemsOf(shown, language, ['domain'])}${formOf(call, { action: pathOf(call, '/domains') }, body)}`;
}

async function addOneDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { domain } = await addDomain(call.context, { name: call.form.get('domain') ?? '' });
    return redirect(pathOf(call, domainPath(domain), { done: 'added' }));
  };
  return submitForm(call, act, (filled) => showDomains(call, filled));
}

type Senders = Awaited<ReturnType<typeof listSenders>>;

function sendersCard(call: ConsoleCall, senders: Senders, filled: FormState): Html {
  const { language } = call;
  const columns = [texts.sender, texts.state, texts.action].map((label) => ({ label: label[language] }));
  const mayOwn = may(call, 'own');
  const rows = senders.map((sender) => [
    html`<bdi>${sender.name ?? ''}</bdi> <span class="soft">${sender.email}</span>`,
    sender.default ? tag(texts.isDefault[language], 'good') : null,
    mayOwn
      ? html`<a href="${pathOf(call, `/senders/at/${encodeURIComponent(sender.email)}/remove`)}">${texts.remove[language]}<span class="quiet"> ${sender.email}</span></a>`
      : null,
  ]);
  const list =
    rows.length > 0
      ? tableOf(texts.senders[language], columns, rows)
      : html`<p class="soft">${texts.noSenders[language]}</p>`;
  return cardOf(texts.senders[language], html`${list}${mayOwn ? senderForm(call, filled) : null}`);
}

function senderForm(call: ConsoleCall, filled: FormState): Html {
  const { language } = call;
  const shown = filled.values.has('mailbox') ? filled : emptyForm;
  const choices = [{ value: 'yes', label: texts.makeDefault[language] }];
  const body = html`${field(shown, language, { name: 'mailbox', label: texts.mailbox[language], hint: texts.mailboxHint[language] })}
${ticks(shown, language, { name: 'default', legend: texts.isDefault[language], choices })}
<button>${texts.addButton[language]}</button>`;
  return html`<h3>${texts.addSender[language]}</h3>${problemsOf(shown, language, ['mailbox'])}${formOf(call, { action: pathOf(call, '/senders') }, body)}`;
}

async function addOneSender(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  await addSender(context, { mailbox: form.get('mailbox') ?? '', makeDefault: form.get('default') === 'yes' });
  return redirect(pathOf(call, '/domains', { done: 'added' }));
}

async function askRemoveSender(call: ConsoleCall): Promise<ConsoleReply> {
  const { language, parameters } = call;
  const { email = '' } = parameters;
  return confirmationPage(call, {
    section: 'domains',
    parent: { label: layoutTexts.domains[language], path: '/domains' },
    title: texts.removeTitle[language].replace('{name}', () => email),
    what: [texts.removeSenderWhat[language]],
    button: texts.remove,
    action: `/senders/at/${encodeURIComponent(email)}/remove`,
  });
}

async function removeOneSender(call: ConsoleCall): Promise<ConsoleReply> {
  await removeSender(call.context, { email: call.parameters.email ?? '' });
  return redirect(pathOf(call, '/domains', { done: 'removed' }));
}

export const domainPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/domains', verb: (call) => showDomains(call) },
  { method: 'POST', path: '/domains', verb: addOneDomain },
  { method: 'GET', path: '/domains/at/{name}', verb: showDomain },
  { method: 'POST', path: '/domains/at/{name}/check', verb: checkDomain },
  { method: 'GET', path: '/domains/at/{name}/remove', needs: 'own', verb: askRemoveDomain },
  { method: 'POST', path: '/domains/at/{name}/remove', verb: removeOneDomain },
  {
    method: 'POST',
    path: '/senders',
    verb: (call) =>
      submitForm(
        call,
        () => addOneSender(call),
        (filled) => showDomains(call, filled),
      ),
  },
  { method: 'GET', path: '/senders/at/{email}/remove', needs: 'own', verb: askRemoveSender },
  { method: 'POST', path: '/senders/at/{email}/remove', verb: removeOneSender },
];
