import { inEachLanguage } from '../language/languages.ts';
import type { Text } from '../language/text.ts';

/** A group of routes: one chapter of the reference. */
interface RouteGroup {
  readonly name: Text;
  readonly description: Text;
}

/** A group's part of its chapter's address. */
export type GroupName =
  | 'account'
  | 'emails'
  | 'subscribers'
  | 'person-events'
  | 'jobs'
  | 'suppression'
  | 'campaigns'
  | 'campaign-drafts'
  | 'campaign-sending'
  | 'segments'
  | 'topics'
  | 'automations'
  | 'templates'
  | 'uploads'
  | 'webhooks'
  | 'domains'
  | 'keys';

/** Every group by its name. Apart from the routes, since no function needs these texts. */
export const routeGroups: Readonly<Record<GroupName, RouteGroup>> = {
  account: {
    name: { en: 'Map and account', fr: 'Carte et compte' },
    description: {
      en: 'An overview of the API, and the account that a key belongs to.',
      fr: 'Une vue d’ensemble de l’API, et le compte auquel une clé appartient.',
    },
  },
  emails: {
    name: { en: 'Emails', fr: 'E-mails' },
    description: {
      en: 'Single messages to people who expect them, and their status for each recipient. They share the monthly quota, the suppression list and the reputation with campaigns. Their recipients do not become subscribers.',
      fr: 'Des messages à l’unité pour des personnes qui les attendent, et leur statut pour chaque destinataire. Ils partagent avec les campagnes le quota mensuel, la liste d’exclusion et la réputation. Leurs destinataires ne deviennent pas des abonnés.',
    },
  },
  subscribers: {
    name: { en: 'Subscribers', fr: 'Abonnés' },
    description: {
      en: 'People who asked to receive mail. Without `double_opt_in: false`, a person is `pending` until they confirm, and receives no campaign before that.',
      fr: 'Les personnes qui ont demandé à recevoir des messages. Sans `double_opt_in: false`, une personne est `pending` jusqu’à sa confirmation et ne reçoit aucune campagne avant.',
    },
  },
  'person-events': {
    name: { en: 'Events', fr: 'Événements' },
    description: {
      en: 'What subscribers do in your application, by name. An event creates nobody, gives no consent and changes no status. Segments can ask who did something, how often and when.',
      fr: 'Ce que les abonnés font dans votre application, par nom. Un événement ne crée personne, ne vaut pas consentement et ne change aucun statut. Les segments peuvent demander qui a fait quelque chose, combien de fois et quand.',
    },
  },
  jobs: {
    name: { en: 'Imports, exports, erasures', fr: 'Imports, exports, effacements' },
    description: {
      en: 'Work that takes longer than a call. A call starts a job, and the job says how far it is. A running job goes on when its key is revoked; one that has not begun by then fails.',
      fr: 'Le travail plus long qu’un appel. Un appel lance une tâche, et la tâche dit où elle en est. Une tâche en cours continue quand sa clé est révoquée ; une tâche pas encore commencée échoue alors.',
    },
  },
  suppression: {
    name: { en: 'Suppression', fr: 'Exclusion' },
    description: {
      en: 'Addresses that get neither single emails nor campaigns: people who unsubscribed or complained, and addresses that bounced. No call removes an address from the list.',
      fr: 'Les adresses auxquelles rien n’est envoyé, ni e-mail à l’unité ni campagne : personnes désabonnées ou plaignantes, adresses en rebond. Aucun appel ne retire une adresse de la liste.',
    },
  },
  campaigns: {
    name: { en: 'Campaigns', fr: 'Campagnes' },
    description: {
      en: 'Messages to many subscribers at once. They only reach people who are `subscribed` and not on the suppression list.',
      fr: 'Des messages à de nombreux abonnés à la fois. Ils n’atteignent que les personnes `subscribed` qui ne sont pas sur la liste d’exclusion.',
    },
  },
  'campaign-drafts': {
    name: { en: 'Drafts of campaigns', fr: 'Brouillons de campagnes' },
    description: {
      en: 'A campaign is a draft until it is sent or scheduled, and only a draft can be changed.',
      fr: 'Une campagne est un brouillon jusqu’à son envoi ou sa programmation, et seul un brouillon peut être modifié.',
    },
  },
  'campaign-sending': {
    name: { en: 'Schedule, pause, cancel', fr: 'Programmer, suspendre, annuler' },
    description: {
      en: 'When a campaign is sent, and what can still be changed while it is.',
      fr: 'Quand une campagne part, et ce qui peut encore être changé pendant l’envoi.',
    },
  },
  segments: {
    name: inEachLanguage(() => 'Segments'),
    description: {
      en: 'Named rules that choose a part of the list. A campaign names its segment by `segment_id`, and who is in it is decided when it is sent.',
      fr: 'Des règles nommées qui choisissent une partie de la liste. Une campagne désigne son segment par `segment_id`, et qui en fait partie est décidé au moment de l’envoi.',
    },
  },
  topics: {
    name: { en: 'Topics', fr: 'Types d’e-mails' },
    description: {
      en: 'Kinds of mail that people can leave one by one, on the page behind each unsubscribe link. A topic has a tag: single emails with that tag, and campaigns of the topic, do not reach the people who left it.',
      fr: 'Les types d’e-mails que les personnes peuvent quitter un par un, sur la page derrière chaque lien de désabonnement. Un type a une étiquette : les e-mails à l’unité qui la portent et les campagnes de ce type n’atteignent pas les personnes qui l’ont quitté.',
    },
  },
  automations: {
    name: { en: 'Automations', fr: 'Automatisations' },
    description: {
      en: 'Messages that follow from what a person does: an event or a change starts a run, which goes through steps such as delays, conditions and emails. Only subscribers who are not suppressed are written to. What the `config` of a step holds follows from its `type`: `trigger` has `{event_name, filter_rule}`, or a `source`: `subscribed`, `tag_added` with `tag`, `field_changed` with `field`, `segment_entered` with `segment_id`, `date` with `field`, `at` and `zone`, `manual`; `send_email` has `{template: {id, variables}}`, or `subject` with `html` or `text`; `delay` has `{duration: "3 days"}`; `wait_for_event` has `{event_name, timeout}`, or `{step, mail: "clicked", timeout}`; `condition` has the rule of a segment; `subscriber_update` has `{add_tags, remove_tags, fields}`; `webhook` has `{webhook_id, data}`; `exit` has `{reason}`. Further fields are in docs/automations.md.',
      fr: 'Des messages qui suivent ce que fait une personne : un événement ou un changement démarre un parcours, qui passe par des étapes comme des délais, des conditions et des e-mails. Seuls les abonnés qui ne sont pas exclus reçoivent des messages. Le contenu de la `config` d’une étape dépend de son `type` : `trigger` prend `{event_name, filter_rule}`, ou une `source` : `subscribed`, `tag_added` avec `tag`, `field_changed` avec `field`, `segment_entered` avec `segment_id`, `date` avec `field`, `at` et `zone`, `manual` ; `send_email` prend `{template: {id, variables}}`, ou `subject` avec `html` ou `text` ; `delay` prend `{duration: "3 days"}` ; `wait_for_event` prend `{event_name, timeout}`, ou `{step, mail: "clicked", timeout}` ; `condition` prend la règle d’un segment ; `subscriber_update` prend `{add_tags, remove_tags, fields}` ; `webhook` prend `{webhook_id, data}` ; `exit` prend `{reason}`. Les autres champs sont dans docs/automations.md.',
    },
  },
  templates: {
    name: { en: 'Templates', fr: 'Modèles' },
    description: {
      en: 'Reusable messages with variables. A single email fills in the values (`template` of `POST /emails`); a campaign starts from a copy (`template` of `POST /campaigns`).',
      fr: 'Des messages réutilisables avec des variables. Un e-mail à l’unité fournit les valeurs (`template` de `POST /emails`) ; une campagne part d’une copie (`template` de `POST /campaigns`).',
    },
  },
  uploads: {
    name: { en: 'Uploads', fr: 'Téléversements' },
    description: {
      en: 'Files that are too large for a request. Upload a file to an address of its own, then attach it by its identifier.',
      fr: 'Les fichiers trop volumineux pour une requête. Téléversez un fichier à sa propre adresse, puis joignez-le par son identifiant.',
    },
  },
  webhooks: {
    name: inEachLanguage(() => 'Webhooks'),
    description: {
      en: 'Subscriptions to events, and the log of their deliveries.',
      fr: 'Les abonnements aux événements et le journal de leurs livraisons.',
    },
  },
  domains: {
    name: { en: 'Domains and senders', fr: 'Domaines et expéditeurs' },
    description: {
      en: 'The sending domains of the workspace with the DNS records that they need, and the names and addresses that mail is sent from.',
      fr: 'Les domaines d’envoi de l’espace avec les enregistrements DNS dont ils ont besoin, et les noms et adresses d’expédition.',
    },
  },
  keys: {
    name: { en: 'Keys', fr: 'Clés' },
    description: {
      en: 'Keys that a key with the scope `keys:write` makes for parts of its work, each with an end.',
      fr: 'Les clés qu’une clé ayant la portée `keys:write` crée pour des parties de son travail, chacune avec une fin.',
    },
  },
};
