import { textsOf } from '../language/text.ts';

/** Every scope of a key, with what it allows. */
export const scopes = textsOf({
  'emails:send': {
    en: 'Send single emails and read their status.',
    fr: 'Envoyer des e-mails à l’unité et lire leur statut.',
  },
  'subscribers:read': {
    en: 'Read subscribers and the suppression list, and evaluate an audience.',
    fr: 'Lire les abonnés et la liste d’exclusion, et évaluer une audience.',
  },
  'subscribers:write': {
    en: 'Add, update and unsubscribe subscribers, and add to the suppression list.',
    fr: 'Ajouter, modifier et désabonner des abonnés, et ajouter à la liste d’exclusion.',
  },
  'events:write': {
    en: 'Record what subscribers do.',
    fr: 'Enregistrer ce que font les abonnés.',
  },
  'campaigns:read': {
    en: 'Read campaigns, their statistics and templates.',
    fr: 'Lire les campagnes, leurs statistiques et les modèles.',
  },
  'campaigns:write': {
    en: 'Create and send campaigns, and write templates.',
    fr: 'Créer et envoyer des campagnes, et écrire des modèles.',
  },
  'automations:read': {
    en: 'Read automations, their runs and their statistics.',
    fr: 'Lire les automatisations, leurs parcours et leurs statistiques.',
  },
  'automations:write': {
    en: 'Create, change, enable and stop automations, which send mail by themselves.',
    fr: 'Créer, modifier, activer et arrêter des automatisations, qui envoient des messages d’elles-mêmes.',
  },
  'webhooks:read': {
    en: 'Read webhook subscriptions and their delivery log.',
    fr: 'Lire les abonnements webhook et leur journal de livraison.',
  },
  'webhooks:write': {
    en: 'Create, edit, delete, test and replay webhook subscriptions.',
    fr: 'Créer, modifier, supprimer, tester et rejouer des abonnements webhook.',
  },
  'workspace:write': {
    en: 'Create, change and delete topics, and change the sign-up form. Only an owner gives this scope.',
    fr: 'Créer, modifier et supprimer des types de messages, et modifier le formulaire d’inscription. Seul un propriétaire donne cette portée.',
  },
  'domains:write': {
    en: 'Add, verify and delete sending domains and senders. Only an owner gives this scope.',
    fr: 'Ajouter, vérifier et supprimer des domaines d’envoi et des expéditeurs. Seul un propriétaire donne cette portée.',
  },
  'keys:write': {
    en: 'Create and revoke keys with scopes of its own. Only an owner gives this scope.',
    fr: 'Créer et révoquer des clés avec des portées de cette clé. Seul un propriétaire donne cette portée.',
  },
  'subscribers:erase': {
    en: 'Erase everything stored about a person, for good. Only an owner gives this scope.',
    fr: 'Effacer définitivement tout ce qui est conservé sur une personne. Seul un propriétaire donne cette portée.',
  },
});

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Scopes that a key cannot give to one that it makes. */
export const neverInherited: readonly Scope[] = ['keys:write', 'subscribers:erase'];

/** What a key needs for a route. */
export interface RouteAccess {
  /** `public`: needs no key. `key`: any key. Otherwise the scope that the key needs. */
  readonly access: 'public' | 'key' | Scope;
  /** Scopes that the key needs besides. */
  readonly furtherScopes?: readonly Scope[];
}

/** Every scope that a route needs, whatever its input. */
export const scopesOf = ({ access, furtherScopes = [] }: RouteAccess): readonly Scope[] =>
  access === 'public' || access === 'key' ? [] : [access, ...furtherScopes];
