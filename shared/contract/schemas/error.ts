import * as z from 'zod';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import { suppressionReasons } from '../../domain/person/suppression.ts';
import type { Text } from '../../language/text.ts';
import { describe } from '../describe.ts';
import { type ErrorCode, errorCodes, type Issue, ValidationError } from '../errors.ts';
import { scopeNames } from '../scopes.ts';
import { batchErrors } from './email/batch.ts';
import { emailOfBatch } from './email/batchFailure.ts';

const rate = (text: Text) => describe(z.number().min(0).max(1), text, [0.062]);
const count = (text: Text, example: number) => describe(z.int().min(0), text, [example]);
const addresses = (text: Text) => describe(z.array(z.string()), text, [['ada@example.net']]);
const nothing = z.object({});

const exampleIssue: Issue = { path: 'to[2]', text: addressProblemTexts.no_at };

const issue = z.object({
  path: describe(z.string(), { en: 'Where it is; empty for the whole body.', fr: 'Où ; vide pour le corps entier.' }, [
    exampleIssue.path,
    'attachments[0].content',
  ]),
  message: describe(
    z.string(),
    { en: 'What is wrong, in the language of the call.', fr: 'Ce qui ne va pas, dans la langue de l’appel.' },
    [exampleIssue.text],
  ),
});
const issuesOfBatch = describe(z.array(issue).optional(), {
  en: 'Of a batch: what is wrong with each refused email, its place first in the path.',
  fr: 'D’un lot : ce qui ne va pas dans chaque e-mail refusé, sa place en tête du chemin.',
});

/** What `error.details` holds, by code: what is needed to put the call right. */
const errorDetails: Record<ErrorCode, z.ZodObject> = {
  missing_api_key: nothing,
  invalid_api_key: nothing,
  revoked_api_key: nothing,
  insufficient_scope: z.object({
    required: describe(
      z.enum(scopeNames),
      { en: 'The scope that the call needs.', fr: 'La portée que demande l’appel.' },
      ['emails:send'],
    ),
    granted: describe(z.array(z.enum(scopeNames)), { en: 'The scopes of the key.', fr: 'Les portées de la clé.' }, [
      ['subscribers:read'],
    ]),
  }),
  reputation_blocked: z.object({
    bounce_rate: rate({
      en: 'Permanent bounces over messages sent when sending was suspended.',
      fr: 'Rebonds définitifs sur messages envoyés au moment de la suspension.',
    }),
    complaint_rate: rate({
      en: 'Complaints over messages delivered when sending was suspended.',
      fr: 'Plaintes sur messages délivrés au moment de la suspension.',
    }),
    since: describe(
      z.string(),
      { en: 'When sending was suspended, ISO 8601 UTC.', fr: 'Date de la suspension, ISO 8601 UTC.' },
      ['2026-11-20T08:00:00.000Z'],
    ),
  }),
  quota_exceeded: z.object({
    limit: count({ en: 'Emails a month of the plan.', fr: 'E-mails par mois du forfait.' }, 3000),
    used: count({ en: 'Emails used this month.', fr: 'E-mails utilisés ce mois-ci.' }, 2999),
    requested: count({ en: 'Recipients of this call.', fr: 'Destinataires de cet appel.' }, 2),
    resets_at: describe(z.string(), { en: 'When the quota starts anew.', fr: 'Date de remise à zéro du quota.' }, [
      '2026-12-01T00:00:00.000Z',
    ]),
  }),
  not_found: nothing,
  conflict: z.object({
    status: describe(
      z.string().optional(),
      { en: 'State of what stood in the way.', fr: 'État de ce qui faisait obstacle.' },
      ['in_progress', 'unconfirmed'],
    ),
  }),
  idempotency_key_reused: nothing,
  validation_error: z.object({
    issues: describe(z.array(issue), { en: 'Every problem of the request.', fr: 'Tous les problèmes de la requête.' }),
    reason: describe(
      z.string().optional(),
      {
        en: 'What is in the way of a campaign that was to be sent, for programs: `quota_exceeded` and `reputation_blocked` come with their figures.',
        fr: 'Ce qui empêche l’envoi d’une campagne, pour les programmes : `quota_exceeded` et `reputation_blocked` viennent avec leurs chiffres.',
      },
      ['empty_audience'],
    ),
  }),
  unverified_from_domain: z.object({
    from: describe(z.string(), { en: 'The sender as given.', fr: 'L’expéditeur tel que donné.' }, [
      'Acme <hello@example.org>',
    ]),
    verifiedDomains: describe(
      z.array(z.string()),
      { en: 'The verified domains of the workspace.', fr: 'Les domaines vérifiés de l’espace.' },
      [['example.com']],
    ),
    issues: issuesOfBatch,
  }),
  suppressed_recipient: z.object({
    recipients: describe(
      z.array(
        z.object({
          email: describe(z.string(), { en: 'The refused address.', fr: 'L’adresse refusée.' }, ['ada@example.net']),
          reason: describe(
            z.enum(suppressionReasons),
            { en: 'Why it is on the list.', fr: 'Pourquoi elle est sur la liste.' },
            ['bounce'],
          ),
          scope: describe(
            z.enum(['organization', 'platform']),
            {
              en: 'Whose list: the workspace’s or the platform’s.',
              fr: 'De quelle liste : celle de l’espace ou celle de la plateforme.',
            },
            ['organization'],
          ),
        }),
      ),
      { en: 'Every refused recipient.', fr: 'Tous les destinataires refusés.' },
    ),
    issues: issuesOfBatch,
  }),
  rate_limit_exceeded: z.object({
    retry_after: describe(z.int().min(1), { en: 'Seconds to wait.', fr: 'Secondes à attendre.' }, [12]),
  }),
  send_failed: z.object({
    provider_code: describe(z.string(), { en: 'The provider’s own code.', fr: 'Le code du prestataire.' }, [
      'MessageRejected',
    ]),
    accepted: addresses({ en: 'Recipients whose message was taken.', fr: 'Destinataires dont le message a été pris.' }),
    refused: addresses({
      en: 'Recipients whose message was refused.',
      fr: 'Destinataires dont le message a été refusé.',
    }),
    unknown: describe(
      z.array(z.string()).optional(),
      {
        en: 'Recipients of whom the provider has not told yet.',
        fr: 'Destinataires dont le prestataire n’a encore rien dit.',
      },
      [[]],
    ),
    emails: describe(z.array(emailOfBatch).optional(), {
      en: 'Of a batch: what became of each email.',
      fr: 'D’un lot : ce qu’il est advenu de chaque e-mail.',
    }),
    errors: describe(batchErrors, {
      en: 'Of a batch: the emails that were refused before.',
      fr: 'D’un lot : les e-mails refusés auparavant.',
    }),
  }),
  internal_error: z.object({
    request_id: describe(
      z.string(),
      { en: 'To be quoted when asking for help.', fr: 'À citer pour demander de l’aide.' },
      ['5f0c6a1e-7f43-4f0a-9a55-0d4d3c1f2b6a'],
    ),
  }),
};

/** The one shape of every error. Logic reads `code` or `name`, never a message. */
export function errorBody(code: ErrorCode): z.ZodObject {
  const { status } = errorCodes[code];
  const sentence = code === 'validation_error' ? new ValidationError([exampleIssue]).text : errorCodes[code].text;
  const message = () =>
    describe(
      z.string(),
      {
        en: 'For people, in the language of the call; may be rephrased.',
        fr: 'Pour les humains, dans la langue de l’appel ; peut être reformulé.',
      },
      [sentence],
    );
  return z.object({
    error: describe(
      z.object({
        code: describe(z.literal(code), { en: 'Stable code.', fr: 'Code stable.' }),
        message: message(),
        details: describe(errorDetails[code], {
          en: 'What is needed to put the call right.',
          fr: 'Ce qu’il faut pour corriger l’appel.',
        }),
      }),
      { en: 'The error.', fr: 'L’erreur.' },
    ),
    statusCode: describe(z.int(), { en: 'The HTTP status.', fr: 'Le statut HTTP.' }, [status]),
    message: message(),
    name: describe(z.literal(code), { en: 'Same as `error.code`.', fr: 'Identique à `error.code`.' }),
  });
}
