import * as z from 'zod';
import { suppressionReasons } from '../../domain/person/suppression.ts';
import { describe } from '../describe.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { scopeNames } from '../scopes.ts';

const rate = (en: string, fr: string) => describe(z.number().min(0).max(1), en, fr, [0.062]);
const count = (en: string, fr: string, example: number) => describe(z.int().min(0), en, fr, [example]);
const addresses = (en: string, fr: string) => describe(z.array(z.string()), en, fr, [['ada@example.net']]);
const nothing = z.object({});

/** What `error.details` holds, by code: what is needed to put the call right. */
export const errorDetails: Record<ErrorCode, z.ZodObject> = {
  missing_api_key: nothing,
  invalid_api_key: nothing,
  revoked_api_key: nothing,
  insufficient_scope: z.object({
    required: describe(z.enum(scopeNames), 'The scope that the call needs.', 'La portée que demande l’appel.', [
      'emails:send',
    ]),
    granted: describe(z.array(z.enum(scopeNames)), 'The scopes of the key.', 'Les portées de la clé.', [
      ['subscribers:read'],
    ]),
  }),
  reputation_blocked: z.object({
    bounce_rate: rate(
      'Permanent bounces over messages sent when sending was suspended.',
      'Rebonds définitifs sur messages envoyés au moment de la suspension.',
    ),
    complaint_rate: rate(
      'Complaints over messages delivered when sending was suspended.',
      'Plaintes sur messages délivrés au moment de la suspension.',
    ),
    since: describe(z.string(), 'When sending was suspended, ISO 8601 UTC.', 'Date de la suspension, ISO 8601 UTC.', [
      '2026-11-20T08:00:00.000Z',
    ]),
  }),
  quota_exceeded: z.object({
    limit: count('Emails a month of the plan.', 'E-mails par mois du forfait.', 3000),
    used: count('Emails used this month.', 'E-mails utilisés ce mois-ci.', 2999),
    requested: count('Recipients of this call.', 'Destinataires de cet appel.', 2),
    resets_at: describe(z.string(), 'When the quota starts anew.', 'Date de remise à zéro du quota.', [
      '2026-12-01T00:00:00.000Z',
    ]),
  }),
  not_found: nothing,
  conflict: z.object({
    status: describe(z.string().optional(), 'State of what stood in the way.', 'État de ce qui faisait obstacle.', [
      'in_progress',
    ]),
  }),
  idempotency_key_reused: nothing,
  validation_error: z.object({
    issues: describe(
      z.array(
        z.object({
          path: describe(z.string(), 'Where it is; empty for the whole body.', 'Où ; vide pour le corps entier.', [
            'to[2]',
            'attachments[0].content',
          ]),
          message: describe(
            z.string(),
            'What is wrong, in the language of the call.',
            'Ce qui ne va pas, dans la langue de l’appel.',
          ),
        }),
      ),
      'Every problem of the request.',
      'Tous les problèmes de la requête.',
    ),
  }),
  unverified_from_domain: z.object({
    from: describe(z.string(), 'The sender as given.', 'L’expéditeur tel que donné.', ['Acme <hello@example.org>']),
    verifiedDomains: describe(
      z.array(z.string()),
      'The verified domains of the workspace.',
      'Les domaines vérifiés de l’espace.',
      [['example.com']],
    ),
  }),
  suppressed_recipient: z.object({
    recipients: describe(
      z.array(
        z.object({
          email: describe(z.string(), 'The refused address.', 'L’adresse refusée.', ['ada@example.net']),
          reason: describe(z.enum(suppressionReasons), 'Why it is on the list.', 'Pourquoi elle est sur la liste.', [
            'bounce',
          ]),
          scope: describe(
            z.enum(['organization', 'platform']),
            'Whose list: the workspace’s or the platform’s.',
            'De quelle liste : celle de l’espace ou celle de la plateforme.',
            ['organization'],
          ),
        }),
      ),
      'Every refused recipient.',
      'Tous les destinataires refusés.',
    ),
  }),
  rate_limit_exceeded: z.object({
    retry_after: describe(z.int().min(1), 'Seconds to wait.', 'Secondes à attendre.', [12]),
  }),
  send_failed: z.object({
    provider_code: describe(z.string(), 'The provider’s own code.', 'Le code du prestataire.', ['MessageRejected']),
    accepted: addresses('Recipients whose message was taken.', 'Destinataires dont le message a été pris.'),
    refused: addresses('Recipients whose message was refused.', 'Destinataires dont le message a été refusé.'),
    unknown: describe(
      z.array(z.string()).optional(),
      'Recipients of whom the provider has not told yet.',
      'Destinataires dont le prestataire n’a encore rien dit.',
      [[]],
    ),
  }),
  internal_error: z.object({
    request_id: describe(z.string(), 'To be quoted when asking for help.', 'À citer pour demander de l’aide.', [
      '5f0c6a1e-7f43-4f0a-9a55-0d4d3c1f2b6a',
    ]),
  }),
};

/** The one shape of every error. Logic reads `code` or `name`, never a message. */
export function errorBody(code: ErrorCode): z.ZodObject {
  const { status } = errorCodes[code];
  const message = () =>
    describe(
      z.string(),
      'For people, in the language of the call; may be rephrased.',
      'Pour les humains, dans la langue de l’appel ; peut être reformulé.',
    );
  return z.object({
    error: describe(
      z.object({
        code: describe(z.literal(code), 'Stable code.', 'Code stable.'),
        message: message(),
        details: describe(
          errorDetails[code],
          'What is needed to put the call right.',
          'Ce qu’il faut pour corriger l’appel.',
        ),
      }),
      'The error.',
      'L’erreur.',
    ),
    statusCode: describe(z.int(), 'The HTTP status.', 'Le statut HTTP.', [status]),
    message: message(),
    name: describe(z.literal(code), 'Same as `error.code`.', 'Identique à `error.code`.'),
  });
}
