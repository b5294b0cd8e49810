import { type ErrorCode, errorCodes } from '../../../../contract/errors.ts';
import { hashOfPseudonym } from '../../../../domain/person/erased.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Text, textsOf } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { listAudit } from '../../../../services/operators/operators.ts';
import type { ConsoleCall, ConsoleReply } from '../../../call.ts';
import { cardOf, emptyOf, momentOf, pagerOf, tableOf, tag } from '../../../layout/elements.ts';
import { pathOf } from '../../../paths.ts';
import { settingsPage } from './settingsPage.ts';
import { settingsTexts as texts } from './settingsTexts.ts';

/** An action that only another release knows is shown under its stored name. */
const actionName = (action: string, language: Language): string =>
  Object.hasOwn(actionTexts, action) ? actionTexts[action as keyof typeof actionTexts][language] : action;

const perPage = 50;
const path = '/settings/audit';

/** The audit log of the workspace, or of the deployment for operators of all workspaces. */
export async function showAudit(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const maySeeAll = context.actor.workspaceId === null;
  const of = maySeeAll && query.get('of') === 'deployment' ? 'deployment' : undefined;
  const workspaceId = of ? null : context.workspaceId;
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listAudit(context, { workspaceId, limit: perPage, after });
  const columns = [texts.did, texts.to, texts.by, texts.at].map((label) => ({ label: label[language] }));
  const rows = entries.map(({ at, by, door, action, subject, note, outcome }) => [
    html`<span title="${action}">${actionName(action, language)}</span><br>${outcomeOf(outcome, language)}`,
    html`${subjectOf(call, subject)}${note ? html`<br><span class="soft small">${note}</span>` : null}`,
    html`<bdi>${by}</bdi><br><span class="soft small">${(doorTexts[door] ?? texts.commandLine)[language]}</span>`,
    momentOf(at, language),
  ]);
  const choice = (key: 'here' | 'deployment', isCurrent: boolean) =>
    html`<a class="button plain" href="${pathOf(call, path, key === 'deployment' ? { of: key } : {})}"${isCurrent ? html` aria-current="true"` : null}>${texts[key][language]}</a>`;
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

const doorTexts: Readonly<Record<string, Text>> = { console: texts.console, api: texts.api };

/** Shown next to the action, so that a refused one is not mistaken for a completed one. */
function outcomeOf(outcome: string, language: Language): Html {
  if (outcome === 'done') return tag(texts.done[language], 'good');
  if (outcome === 'begun') return tag(texts.begun[language], 'warn');
  const why = Object.hasOwn(errorCodes, outcome) ? errorCodes[outcome as ErrorCode].text[language] : outcome;
  return html`${tag(texts.refused[language], 'bad')} <span class="small soft" title="${outcome}">${why}</span>`;
}

/** The log names a person by a pseudonym, of which the start is shown. Ids with a page of their own are links. */
function subjectOf(call: ConsoleCall, subject: string | null): Html {
  const hash = subject === null ? null : hashOfPseudonym(subject);
  if (hash !== null) {
    return html`<span title="${subject}">${texts.person[call.language].replace('{hash}', hash.slice(0, 10))}</span>`;
  }
  const section = Object.entries(sectionsOfIds).find(([prefix]) => subject?.startsWith(prefix))?.[1];
  if (subject === null || section === undefined) return html`<code>${subject ?? ''}</code>`;
  return html`<a href="${pathOf(call, `${section}/${encodeURIComponent(subject)}`)}"><code>${subject}</code></a>`;
}

const sectionsOfIds = {
  camp_: '/campaigns',
  whk_: '/webhooks',
  seg_: '/segments',
  email_: '/emails',
  auto_: '/automations',
} as const;

/** Actions by their names in the log. */
export const actionTexts = textsOf({
  'automation.create': { en: 'Created an automation', fr: 'A créé une automatisation' },
  'automation.delete': { en: 'Deleted an automation', fr: 'A supprimé une automatisation' },
  'automation.duplicate': { en: 'Duplicated an automation', fr: 'A dupliqué une automatisation' },
  'automation.edit': { en: 'Changed an automation', fr: 'A modifié une automatisation' },
  'automation.recount': { en: 'Counted an automation anew', fr: 'A recompté une automatisation' },
  'automation.run.cancel': { en: 'Cancelled a run of an automation', fr: 'A annulé un parcours d’automatisation' },
  'automation.run.start': { en: 'Started a run of an automation', fr: 'A lancé un parcours d’automatisation' },
  'automation.stop': { en: 'Stopped an automation', fr: 'A arrêté une automatisation' },
  'brand.set': { en: 'Changed the brand', fr: 'A modifié la marque' },
  'cap.remove': { en: 'Removed the frequency cap', fr: 'A supprimé la limite de fréquence' },
  'cap.set': { en: 'Set the frequency cap', fr: 'A fixé la limite de fréquence' },
  'campaign.archive': { en: 'Archived a campaign', fr: 'A archivé une campagne' },
  'campaign.cancel': { en: 'Cancelled a campaign', fr: 'A annulé une campagne' },
  'campaign.create': { en: 'Created a campaign', fr: 'A créé une campagne' },
  'campaign.delete': { en: 'Deleted a draft', fr: 'A supprimé un brouillon' },
  'campaign.duplicate': { en: 'Duplicated a campaign', fr: 'A dupliqué une campagne' },
  'campaign.edit': { en: 'Edited a campaign', fr: 'A modifié une campagne' },
  'campaign.pause': { en: 'Paused a campaign', fr: 'A mis une campagne en pause' },
  'campaign.recipients': { en: 'Exported the campaign’s recipients', fr: 'A exporté les destinataires d’une campagne' },
  'campaign.resume': { en: 'Resumed a campaign', fr: 'A repris une campagne' },
  'campaign.schedule': { en: 'Scheduled a campaign', fr: 'A programmé une campagne' },
  'campaign.send': { en: 'Sent a campaign', fr: 'A envoyé une campagne' },
  'campaign.test': { en: 'Sent a test of a campaign', fr: 'A envoyé un test d’une campagne' },
  'campaign.unschedule': { en: 'Unscheduled a campaign', fr: 'A annulé la programmation d’une campagne' },
  'domain.add': { en: 'Added a domain', fr: 'A ajouté un domaine' },
  'domain.assign': { en: 'Assigned a domain to this workspace', fr: 'A attribué un domaine à cet espace' },
  'domain.prove': { en: 'Proved a domain by its TXT record', fr: 'A prouvé un domaine par son enregistrement TXT' },
  'domain.remove': { en: 'Removed a domain', fr: 'A retiré un domaine' },
  'domain.verify': { en: 'Verified a domain', fr: 'A vérifié un domaine' },
  'email.cancel': { en: 'Cancelled a scheduled email', fr: 'A annulé un e-mail programmé' },
  'event.record': { en: 'Recorded an event', fr: 'A enregistré un événement' },
  'export.download': { en: 'Downloaded an export', fr: 'A téléchargé un export' },
  'form.allow': { en: 'Allowed a site to embed the form', fr: 'A autorisé un site à intégrer le formulaire' },
  'form.forbid': {
    en: 'No longer allows a site to embed the form',
    fr: 'A retiré à un site l’autorisation d’intégrer le formulaire',
  },
  'form.resume': { en: 'Resumed confirmations', fr: 'A relancé les confirmations' },
  'form.set': { en: 'Changed the sign-up form', fr: 'A modifié le formulaire' },
  'import.report': { en: 'Downloaded an import’s refused lines', fr: 'A téléchargé les lignes refusées d’un import' },
  'job.cancel': { en: 'Stopped a background job', fr: 'A arrêté une tâche en arrière-plan' },
  'key.create': { en: 'Created a key', fr: 'A créé une clé' },
  'key.revoke': { en: 'Revoked a key', fr: 'A révoqué une clé' },
  'kind.remove': { en: 'Removed a topic', fr: 'A retiré un type d’e-mail' },
  'kind.set': { en: 'Changed a topic', fr: 'A modifié un type d’e-mail' },
  'language.set': { en: 'Changed the language of messages', fr: 'A changé la langue des messages' },
  'operator.change': { en: 'Changed an operator’s access', fr: 'A modifié les accès d’un opérateur' },
  'operator.invite': { en: 'Invited an operator', fr: 'A invité un opérateur' },
  'operator.link': { en: 'Created a sign-in link', fr: 'A créé un lien de connexion' },
  'operator.remove': { en: 'Removed an operator', fr: 'A retiré un opérateur' },
  'operator.sign_in': { en: 'Signed in', fr: 'S’est connecté' },
  'operator.sign_out': { en: 'Ended sessions', fr: 'A mis fin à des sessions' },
  'person.erase': { en: 'Erased a person', fr: 'A effacé une personne' },
  'person.export': { en: 'Exported a person’s data', fr: 'A exporté les données d’une personne' },
  'plan.set': { en: 'Changed the plan', fr: 'A changé le forfait' },
  'platform_suppression.add': { en: 'Suppressed an address everywhere', fr: 'A exclu une adresse partout' },
  'platform_suppression.remove': {
    en: 'Removed an address from the list of all workspaces',
    fr: 'A retiré une adresse de la liste de tous les espaces',
  },
  'queue.redrive': { en: 'Put back failed messages', fr: 'A remis en file des messages en échec' },
  'restore.check': { en: 'Checked a restored table', fr: 'A vérifié une table restaurée' },
  'secret.rotate': { en: 'Rotated the service secret', fr: 'A renouvelé le secret du service' },
  'segment.create': { en: 'Created a segment', fr: 'A créé un segment' },
  'segment.delete': { en: 'Deleted a segment', fr: 'A supprimé un segment' },
  'segment.edit': { en: 'Edited a segment', fr: 'A modifié un segment' },
  'sender.add': { en: 'Added a sender', fr: 'A ajouté un expéditeur' },
  'sender.remove': { en: 'Removed a sender', fr: 'A retiré un expéditeur' },
  'sending.hold': { en: 'Held all sending', fr: 'A bloqué tous les envois' },
  'sending.release': { en: 'Released all sending', fr: 'A débloqué tous les envois' },
  'sending.resume': { en: 'Resumed sending', fr: 'A relancé les envois' },
  'subscriber.export': { en: 'Exported people', fr: 'A exporté des personnes' },
  'subscriber.import': { en: 'Imported people', fr: 'A importé des personnes' },
  'subscriber.import.plan': { en: 'Prepared an import of people', fr: 'A préparé un import de personnes' },
  'subscriber.preferences': {
    en: 'Changed what a person receives',
    fr: 'A modifié ce qu’une personne reçoit',
  },
  'subscriber.save': { en: 'Saved a person', fr: 'A enregistré une personne' },
  'subscriber.unsubscribe': { en: 'Unsubscribed a person', fr: 'A désabonné une personne' },
  'suppression.add': { en: 'Suppressed an address', fr: 'A exclu une adresse' },
  'suppression.remove': {
    en: 'Removed an address from the suppression list',
    fr: 'A retiré une adresse de la liste d’exclusion',
  },
  'template.create': { en: 'Created a template', fr: 'A créé un modèle' },
  'template.delete': { en: 'Deleted a template', fr: 'A supprimé un modèle' },
  'template.edit': { en: 'Edited a template', fr: 'A modifié un modèle' },
  'throttle.lower': { en: 'Lowered the throttles of the API', fr: 'A abaissé les limites de débit de l’API' },
  'throttle.restore': { en: 'Restored the throttles of the API', fr: 'A rétabli les limites de débit de l’API' },
  'topic.create': { en: 'Created a topic', fr: 'A créé un type d’e-mail' },
  'topic.delete': { en: 'Deleted a topic', fr: 'A supprimé un type d’e-mail' },
  'topic.edit': { en: 'Edited a topic', fr: 'A modifié un type d’e-mail' },
  'tracking.set': { en: 'Changed tracking', fr: 'A modifié le suivi' },
  'webhook.create': { en: 'Added a webhook', fr: 'A ajouté un webhook' },
  'webhook.delete': { en: 'Deleted a webhook', fr: 'A supprimé un webhook' },
  'webhook.replay': { en: 'Sent an event again', fr: 'A renvoyé un événement' },
  'webhook.reseal': { en: 'Re-encrypted the secrets of webhooks', fr: 'A rechiffré les secrets des webhooks' },
  'webhook.rotate': { en: 'Rotated the secret of a webhook', fr: 'A renouvelé le secret d’un webhook' },
  'webhook.test': { en: 'Tested a webhook', fr: 'A testé un webhook' },
  'webhook.update': { en: 'Edited a webhook', fr: 'A modifié un webhook' },
  'workspace.create': { en: 'Created a workspace', fr: 'A créé un espace' },
  'workspace.delete': { en: 'Deleted a workspace', fr: 'A supprimé un espace' },
  'workspace.rename': { en: 'Renamed the workspace', fr: 'A renommé l’espace' },
});
