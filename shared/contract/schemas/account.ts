import * as z from 'zod';
import { plans } from '../../domain/sending/quota.ts';
import { inEachLanguage, type Language, nameOfLanguage } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { scopeNames, scopes } from '../scopes.ts';
import { constant, describe, named, queryInteger } from './fields.ts';

const isSuspended = describe(
  z.boolean(),
  { en: 'True while sends are suspended.', fr: 'Vrai tant que les envois sont suspendus.' },
  [false],
);
const bounceRate = describe(
  z.number(),
  {
    en: 'Permanent bounces divided by messages sent, over 30 days, 0 to 1.',
    fr: 'Rebonds définitifs divisés par les messages envoyés, sur 30 jours, de 0 à 1.',
  },
  [0.012],
);
const complaintRate = describe(
  z.number(),
  {
    en: 'Complaints divided by messages delivered, over 30 days, 0 to 1.',
    fr: 'Plaintes divisées par les messages livrés, sur 30 jours, de 0 à 1.',
  },
  [0.0002],
);

export const account = z.object({
  object: constant('account'),
  workspace: describe(
    z.object({
      id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['ws_01k9zq2a4b6c8d0e2f4g6h8j0k']),
      name: describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Acme']),
    }),
    { en: 'The workspace of the key.', fr: 'L’espace de la clé.' },
  ),
  key: describe(
    z.object({
      id: describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['key_01k9zq2m4n6p8q0r2s4t6v8w0x']),
      name: describe(z.string(), { en: 'Name.', fr: 'Nom.' }, ['Shop backend']),
      last_four: describe(z.string(), { en: 'Its last four characters.', fr: 'Ses quatre derniers caractères.' }, [
        'k3Tq',
      ]),
    }),
    { en: 'The key of this call.', fr: 'La clé de cet appel.' },
  ),
  scopes: describe(
    z.array(named('Scope', z.enum(scopeNames))),
    { en: 'The scopes of the key.', fr: 'Les portées de la clé.' },
    [['emails:send', 'subscribers:read']],
  ),
  plan: describe(
    z.object({
      name: describe(z.string(), { en: 'Name of the plan.', fr: 'Nom du forfait.' }, ['starter']),
      monthly_quota: describe(z.int(), { en: 'Emails a month.', fr: 'E-mails par mois.' }, [
        plans.starter.monthlyQuota,
      ]),
    }),
    { en: 'The plan.', fr: 'Le forfait.' },
  ),
  emails_remaining: describe(
    z.int(),
    {
      en: 'Emails left in this month (UTC).',
      fr: 'E-mails restants ce mois-ci (UTC).',
    },
    [plans.starter.monthlyQuota - 42],
  ),
  quota_resets_at: describe(z.string(), { en: 'When the quota is reset.', fr: 'Date de remise à zéro du quota.' }, [
    '2026-12-01T00:00:00.000Z',
  ]),
  sending: describe(
    z.object({
      suspended: isSuspended,
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
    }),
    { en: 'Whether the workspace may send, and its rates.', fr: 'Si l’espace peut envoyer, et ses taux.' },
  ),
  domains: describe(
    z.array(
      z.object({
        domain: describe(z.string(), { en: 'Domain.', fr: 'Domaine.' }, ['example.com']),
        verified: describe(
          z.boolean(),
          {
            en: 'Whether you can send from it.',
            fr: 'Vrai si l’on peut envoyer depuis ce domaine.',
          },
          [true],
        ),
      }),
    ),
    { en: 'Sending domains.', fr: 'Domaines d’envoi.' },
  ),
  senders: describe(
    z.array(
      z.object({
        email: describe(z.string(), { en: 'Address.', fr: 'Adresse.' }, ['hello@example.com']),
        name: describe(z.string().nullable(), { en: 'Display name.', fr: 'Nom affiché.' }, ['Acme']),
        default: describe(
          z.boolean(),
          {
            en: 'True for the default sender.',
            fr: 'Vrai pour l’expéditeur par défaut.',
          },
          [true],
        ),
      }),
    ),
    { en: 'Registered senders.', fr: 'Expéditeurs enregistrés.' },
  ),
});

const defaultDays = 30;

export const usageQuery = z.object({
  days: describe(
    queryInteger(1, 90).default(defaultDays).meta({ default: defaultDays }),
    {
      en: 'How many days, today (UTC) included, 1 to 90.',
      fr: 'Nombre de jours, aujourd’hui (UTC) compris, de 1 à 90.',
    },
    [7],
  ),
});

const dayCount = (text: Text, example: number) => describe(z.int(), text, [example]);

const usageDay = z.object({
  date: describe(z.string(), { en: 'The day (UTC).', fr: 'Le jour (UTC).' }, ['2026-11-21']),
  sent: dayCount({ en: 'Messages sent that day.', fr: 'Messages envoyés ce jour-là.' }, 120),
  delivered: dayCount({ en: 'Those of them that were delivered.', fr: 'Ceux d’entre eux qui ont été livrés.' }, 118),
  opened: dayCount(
    {
      en: 'First opens of a message by a person that day, by mail programs that open by themselves too.',
      fr: 'Premières ouvertures d’un message par une personne ce jour-là, y compris par les messageries qui ouvrent d’elles-mêmes.',
    },
    64,
  ),
  bounced: dayCount({ en: 'Permanent bounces reported that day.', fr: 'Rebonds définitifs signalés ce jour-là.' }, 2),
  complained: dayCount({ en: 'Complaints reported that day.', fr: 'Plaintes signalées ce jour-là.' }, 0),
});

export const usage = z.object({
  object: constant('usage'),
  days: describe(z.array(usageDay), {
    en: 'One entry per day, today last. Days without mail have zeros.',
    fr: 'Une entrée par jour, aujourd’hui en dernier. Les jours sans envoi ont des zéros.',
  }),
  quota: describe(
    z.object({
      limit: describe(z.int(), { en: 'Emails a month.', fr: 'E-mails par mois.' }, [plans.starter.monthlyQuota]),
      used: describe(z.int(), { en: 'Used this month (UTC).', fr: 'Utilisés ce mois-ci (UTC).' }, [42]),
      resets_at: describe(z.string(), { en: 'When the quota is reset.', fr: 'Date de remise à zéro du quota.' }, [
        '2026-12-01T00:00:00.000Z',
      ]),
    }),
    { en: 'The quota of this month.', fr: 'Le quota de ce mois.' },
  ),
  reputation: describe(
    z.object({
      bounce_rate: bounceRate,
      complaint_rate: complaintRate,
      suspended: isSuspended,
    }),
    {
      en: 'The rates that decide whether the workspace may send.',
      fr: 'Les taux qui décident si l’espace peut envoyer.',
    },
  ),
});

const address = (text: Text, path: string) => describe(z.url(), text, [`https://mail.example.com${path}`]);

const documentIn = (language: Language) =>
  address(
    {
      en: `OpenAPI document in ${nameOfLanguage(language, 'en')}.`,
      fr: `Document OpenAPI en ${nameOfLanguage(language, 'fr')}.`,
    },
    `/api/v1/openapi.${language}.json`,
  );

export const apiMap = z.object({
  object: constant('api'),
  name: describe(z.string(), { en: 'Name of the service.', fr: 'Nom du service.' }, ['Mailroom']),
  version: describe(z.string(), { en: 'Version of the interface.', fr: 'Version de l’interface.' }, ['1.0.0']),
  entry_points: describe(
    z.object({
      rest: address({ en: 'REST API.', fr: 'API REST.' }, '/api/v1'),
      mcp: address({ en: 'MCP server.', fr: 'Serveur MCP.' }, '/api/mcp'),
    }),
    { en: 'Entry points. The same key works for all.', fr: 'Points d’entrée. La même clé vaut pour tous.' },
  ),
  scopes: describe(
    z.array(
      z.object({
        name: describe(named('Scope', z.enum(scopeNames)), { en: 'Scope.', fr: 'Portée.' }, ['emails:send']),
        description: describe(z.string(), { en: 'What it allows.', fr: 'Ce qu’elle permet.' }, [scopes['emails:send']]),
      }),
    ),
    { en: 'Every scope.', fr: 'Toutes les portées.' },
  ),
  reference: describe(z.object(inEachLanguage(documentIn)), {
    en: 'Machine-readable reference.',
    fr: 'Référence lisible par une machine.',
  }),
});
