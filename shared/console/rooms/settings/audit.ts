import type { Language } from '../../../language/languages.ts';
import { html } from '../../../pages/html.ts';
import { listAudit } from '../../../services/operators/listAudit.ts';
import { type ConsoleCall, type ConsoleReply, placeOf } from '../../call.ts';
import { cardOf, emptyOf, momentOf, pagerOf, tableOf, tag } from '../../frame/parts.ts';
import { deedTexts } from './auditTexts.ts';
import { settingsPage } from './tabs.ts';
import { settingsTexts as texts } from './texts.ts';

/** A deed of another release goes by the name that the log calls it. */
const deedNamed = (action: string, language: Language): string =>
  Object.hasOwn(deedTexts, action) ? deedTexts[action as keyof typeof deedTexts][language] : action;

const perPage = 50;
const path = '/settings/audit';

/** The log of the workspace, or of the deployment for who may enter all of it. */
export async function showAudit(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const maySeeAll = context.actor.workspaceId === null;
  const of = maySeeAll && query.get('of') === 'deployment' ? 'deployment' : undefined;
  const workspaceId = of ? null : context.workspaceId;
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listAudit(context, { workspaceId, limit: perPage, after });
  const columns = [texts.did, texts.to, texts.by, texts.door, texts.at, texts.outcome].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map(({ at, by, door, action, subject, note, outcome }) => [
    html`<span title="${action}">${deedNamed(action, language)}</span>`,
    html`<bdi>${subject ?? ''}</bdi>${note ? html`<br><span class="soft small">${note}</span>` : null}`,
    html`<bdi>${by}</bdi>`,
    (door === 'console' ? texts.console : texts.commandLine)[language],
    momentOf(at, language),
    outcome === 'done'
      ? tag(texts.done[language], 'good')
      : tag(outcome === 'begun' ? texts.begun[language] : outcome, 'warn'),
  ]);
  const choice = (key: 'here' | 'deployment', isCurrent: boolean) =>
    html`<a class="button plain" href="${placeOf(call, path, key === 'deployment' ? { of: key } : {})}"${isCurrent ? html` aria-current="true"` : null}>${texts[key][language]}</a>`;
  const list =
    rows.length > 0
      ? html`${tableOf(texts.audit[language], columns, rows)}${pagerOf(call, path, { of }, next)}`
      : emptyOf(texts.noAudit[language], texts.noAuditWhat[language]);
  return settingsPage(call, 'audit', {
    lead: texts.auditLead[language],
    actions: maySeeAll ? html`${choice('here', !of)}${choice('deployment', Boolean(of))}` : null,
    body: cardOf(null, list),
  });
}
