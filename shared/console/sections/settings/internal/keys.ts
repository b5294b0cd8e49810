import { ValidationError } from '../../../../contract/errors.ts';
import { type Scope, scopeNames, scopes as scopeTexts } from '../../../../contract/scopes.ts';
import { characterCount } from '../../../../domain/encoding.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { createKey, type ListedKey, listKeys, revokeKey } from '../../../../services/keys.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import { cardOf, copyable, emptyOf, linkButton, momentOf, tableOf, tag } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm, ticks } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { settingsPage } from './settingsPage.ts';
import { settingsTexts as texts } from './settingsTexts.ts';

export async function showKeys(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const keys = [...(await listKeys(context))].reverse();
  const columns = [
    texts.keyName,
    texts.endsIn,
    texts.scopes,
    texts.since,
    texts.lastUsed,
    texts.state,
    texts.action,
  ].map((label) => ({
    label: label[language],
  }));
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const rows = keys.map(
    ({ id, name, last_four, scopes, parent_id, expires_at, created_at, last_used_at, revoked_at }) => [
      html`<bdi>${name}</bdi>${parent_id === null ? null : html`<br><span class="soft small">${texts.madeBy[language]} <bdi>${names.get(parent_id) ?? parent_id}</bdi></span>`}`,
      html`<code>…${last_four}</code>`,
      html`<span class="small">${scopes.join(', ')}</span>`,
      momentOf(created_at, language),
      last_used_at === null ? texts.never[language] : momentOf(last_used_at, language),
      html`${stateOf({ expires_at, revoked_at }, call)}${expires_at === null ? null : html`<br><span class="soft small">${texts.keyUntil[language]} ${momentOf(expires_at, language)}</span>`}`,
      !revoked_at && may(call, 'own')
        ? html`<a href="${pathOf(call, `/settings/keys/${id}/revoke`)}">${texts.revoke[language]}<span class="quiet"> ${name}</span></a>`
        : null,
    ],
  );
  const list =
    rows.length > 0
      ? tableOf(texts.keys[language], columns, rows)
      : emptyOf(texts.noKeys[language], texts.noKeysWhat[language]);
  const isWrong = filled.issues.length > 0;
  return settingsPage(call, 'keys', {
    body: html`${cardOf(null, list)}${may(call, 'own') ? cardOf(texts.makeKey[language], keyForm(call, filled)) : null}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function stateOf({ expires_at, revoked_at }: Pick<ListedKey, 'expires_at' | 'revoked_at'>, call: ConsoleCall): Html {
  const { context, language } = call;
  if (revoked_at) return tag(texts.revoked[language]);
  const isExpired = expires_at !== null && Date.parse(expires_at) <= context.now.getTime();
  return isExpired ? tag(texts.expired[language]) : tag(texts.active[language], 'good');
}

function keyForm(call: ConsoleCall, filled: FormState) {
  const { language } = call;
  const choices = scopeNames.map((value) => ({ value, label: value, hint: scopeTexts[value][language] }));
  return html`${problemsOf(filled, language, ['name', 'scopes'])}${formOf(
    call,
    { action: pathOf(call, '/settings/keys') },
    html`${field(filled, language, { name: 'name', label: texts.keyName[language], required: true })}
${ticks(filled, language, { name: 'scopes', legend: texts.scopes[language], choices })}
<button>${texts.makeKey[language]}</button>`,
  )}`;
}

/** The only page that shows the key: it is in this response, and in no URL. */
export async function makeKey(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  const act = async () => {
    const name = (form.get('name') ?? '').trim();
    const scopes = scopeNames.filter((scope): scope is Scope => form.getAll('scopes').includes(scope));
    const isName = name !== '' && characterCount(name) <= 100 && !/\p{Cc}/u.test(name);
    const issues = [
      ...(isName ? [] : [{ path: 'name', text: texts.keyWrong }]),
      ...(scopes.length > 0 ? [] : [{ path: 'scopes', text: texts.scopesWrong }]),
    ];
    if (issues.length > 0) throw new ValidationError(issues);
    const { key } = await createKey(context, { name, scopes });
    const body = html`<div class="say warn" role="status"><p>${texts.newKeyWhat[language]}</p></div>${copyable(key, language)}
<p></p>${linkButton(texts.toKeys[language], pathOf(call, '/settings/keys'))}`;
    return settingsPage(call, 'keys', { title: texts.newKey[language], body: cardOf(name, body) });
  };
  return submitForm(call, act, (filled) => showKeys(call, filled));
}

export async function askRevoke(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const key = (await listKeys(context)).find(({ id }) => id === parameters.id);
  const path = '/settings/keys';
  return confirmationPage(call, {
    section: 'settings',
    parent: { label: texts.keys[language], path },
    title: texts.revokeTitle[language].replace('{name}', () => key?.name ?? parameters.id ?? ''),
    what: [
      texts.revokeWhat[language],
      html`${texts.lastUsed[language]}: ${momentOf(key?.last_used_at ?? null, language)}`,
    ],
    button: texts.revoke,
    action: `${path}/${encodeURIComponent(parameters.id ?? '')}/revoke`,
  });
}

export async function revoke(call: ConsoleCall): Promise<ConsoleReply> {
  await revokeKey(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, '/settings/keys', { done: 'revoked' }));
}
