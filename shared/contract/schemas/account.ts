import * as z from 'zod';
import { describe } from '../describe.ts';
import { scopeNames } from '../scopes.ts';

const object = <T extends string>(name: T) => describe(z.literal(name), `Always \`${name}\`.`, `Toujours \`${name}\`.`);

export const account = z.object({
  object: object('account'),
  workspace: describe(
    z.object({
      id: describe(z.string(), 'Identifier.', 'Identifiant.'),
      name: describe(z.string(), 'Name.', 'Nom.'),
    }),
    'The workspace of the key.',
    'L’espace de la clé.',
  ),
  key: describe(
    z.object({
      id: describe(z.string(), 'Identifier.', 'Identifiant.'),
      name: describe(z.string(), 'Name.', 'Nom.'),
      last_four: describe(z.string(), 'Its last four characters.', 'Ses quatre derniers caractères.'),
    }),
    'The key of this call.',
    'La clé de cet appel.',
  ),
  scopes: describe(z.array(z.enum(scopeNames)), 'What the key may do.', 'Ce que permet la clé.'),
  plan: describe(
    z.object({
      name: describe(z.string(), 'Name of the plan.', 'Nom du forfait.'),
      monthly_quota: describe(z.int(), 'Emails a month.', 'E-mails par mois.'),
    }),
    'The plan.',
    'Le forfait.',
  ),
  emails_remaining: describe(z.int(), 'Emails left this month (UTC).', 'E-mails restants ce mois-ci (UTC).'),
  quota_resets_at: describe(z.string(), 'When the quota starts anew.', 'Date de remise à zéro du quota.'),
  sending: describe(
    z.object({
      suspended: describe(z.boolean(), 'True while sends are suspended.', 'Vrai tant que les envois sont suspendus.'),
      bounce_rate: describe(
        z.number(),
        'Permanent bounces over messages sent, 30 days, 0 to 1.',
        'Rebonds définitifs sur messages envoyés, 30 jours, de 0 à 1.',
      ),
      complaint_rate: describe(
        z.number(),
        'Complaints over messages delivered, 30 days, 0 to 1.',
        'Plaintes sur messages délivrés, 30 jours, de 0 à 1.',
      ),
    }),
    'State of sending.',
    'État des envois.',
  ),
  domains: describe(
    z.array(
      z.object({
        domain: describe(z.string(), 'Domain.', 'Domaine.'),
        verified: describe(z.boolean(), 'True when mail may come from it.', 'Vrai si l’on peut envoyer depuis lui.'),
      }),
    ),
    'Sending domains.',
    'Domaines d’envoi.',
  ),
  senders: describe(
    z.array(
      z.object({
        email: describe(z.string(), 'Address.', 'Adresse.'),
        name: describe(z.string().nullable(), 'Display name.', 'Nom affiché.'),
        default: describe(z.boolean(), 'True for the default sender.', 'Vrai pour l’expéditeur par défaut.'),
      }),
    ),
    'Registered senders.',
    'Expéditeurs enregistrés.',
  ),
});

const address = (en: string, fr: string) => describe(z.url(), en, fr);

export const apiMap = z.object({
  object: object('api'),
  name: describe(z.string(), 'Name of the service.', 'Nom du service.'),
  version: describe(z.string(), 'Version of the interface.', 'Version de l’interface.'),
  entry_points: describe(
    z.object({
      rest: address('REST API.', 'API REST.'),
      mcp: address('MCP server.', 'Serveur MCP.'),
    }),
    'Entry points; they share one key.',
    'Points d’entrée ; ils partagent une clé.',
  ),
  scopes: describe(
    z.array(
      z.object({
        name: describe(z.enum(scopeNames), 'Scope.', 'Portée.'),
        description: describe(z.string(), 'What it unlocks.', 'Ce qu’elle permet.'),
      }),
    ),
    'Every scope.',
    'Toutes les portées.',
  ),
  reference: describe(
    z.object({
      en: address('OpenAPI document in English.', 'Document OpenAPI en anglais.'),
      fr: address('OpenAPI document in French.', 'Document OpenAPI en français.'),
    }),
    'Machine-readable reference.',
    'Référence lisible par une machine.',
  ),
});
